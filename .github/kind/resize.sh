#!/bin/bash
# examples/interactive as a user runs it, in the current context: up, a resize in place, a job's output, the loss of the lead
# broker's pod, and nothing left behind.
set -euo pipefail
cd "$(dirname "$0")/../../examples/interactive"

job() { kubectl get job interactive --output "jsonpath={$1}"; }
lead() {
  kubectl get pod --selector job-name=interactive,batch.kubernetes.io/job-completion-index=0 \
    --field-selector status.phase=Running --output name
}
# The hosts that a job runs on.
hosts() {
  kubectl exec "$(lead)" --container shell -- bash -c \
    ". /etc/minicluster/config/flux-view.sh; flux proxy \$fluxsocket flux run -N $1 hostname" | sort | xargs
}

npm install
pulumi stack init kind
pulumi config set size 2
pulumi up --yes --skip-preview
test "$(hosts 2)" = "interactive-0 interactive-1"

uid=$(job .metadata.uid)
pulumi config set size 3
pulumi up --yes --skip-preview
test "$(job .metadata.uid)" = "$uid"
test "$(job .status.ready)" = 3
test "$(hosts 3)" = "interactive-0 interactive-1 interactive-2"

kubectl delete "$(lead)"
for _ in $(seq 60); do
  found=$(hosts 3 || true)
  test -n "$found" && break
  sleep 5
done
test "$found" = "interactive-0 interactive-1 interactive-2"

pulumi destroy --yes --skip-preview
test -z "$(kubectl get jobs,secrets,configmaps --selector app.kubernetes.io/name=minicluster --output name)"
