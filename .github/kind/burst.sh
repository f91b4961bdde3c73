#!/bin/bash
# examples/burst between the contexts kind-home and kind-cloud: no pod in the cloud, two that run a job of home's instance, and
# none again.
set -euo pipefail
cd "$(dirname "$0")/../../examples/burst"

node=$(kubectl --context kind-home get node home-control-plane \
  --output 'jsonpath={.status.addresses[?(@.type=="InternalIP")].address}')
lead() {
  kubectl --context kind-home get pod --selector job-name=home,batch.kubernetes.io/job-completion-index=0 \
    --field-selector status.phase=Running --output name
}
# The hosts that a job runs on.
hosts() {
  kubectl --context kind-home exec "$(lead)" -- bash -c \
    ". /etc/minicluster/config/flux-view.sh; flux proxy \$fluxsocket flux run $* hostname" | sort | xargs
}
size() {
  pulumi config set size "$1"
  pulumi up --yes --skip-preview
}

npm install
pulumi stack init kind
pulumi config set homeContext kind-home
pulumi config set cloudContext kind-cloud
pulumi config set nodeAddress "$node"
pulumi config set cores "$(nproc)"
size 0
test "$(hosts -N 2)" = "home-0 home-1"
size 2
test "$(hosts --queue=cloud -N 2)" = "cloud-0 cloud-1"
size 0
test -z "$(kubectl --context kind-cloud get pods --selector job-name=cloud --output name)"
pulumi destroy --yes --skip-preview
