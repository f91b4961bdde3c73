import type { Sample } from "./sample";

export const clusterSamples: Record<string, Sample> = {
  "spec.size": { value: 3, shows: ["jobScale.spec.completions: 3", "jobScale.spec.parallelism: 3", 'size: "3"'] },
  "spec.maxSize": { value: 8, shows: ['broker.toml: { host = "demo-[0-7]" }'] },
  "spec.minSize": { value: 2, beside: { ".size": 3 }, shows: ["broker.sh: options+=(-Sbroker.quorum=2)"] },
  "spec.tasks": { value: 6, shows: ["broker.sh: nodes=(-n 6)"] },
  "spec.deadlineSeconds": { value: 60, shows: ["jobScale.spec.activeDeadlineSeconds: 60"] },
  "spec.backoffLimit": { value: 3, shows: ["job.spec.backoffLimit: 3"] },
  "spec.interactive": { value: true, shows: ['broker.sh: run flux broker "${options[@]}" -Sbroker.rc2_none'] },
  "spec.jobLabels": { value: { team: "hpc" }, shows: ['job.metadata.labels.team: "hpc"'] },
  "spec.shareProcessNamespace": { value: true, shows: ["pod.shareProcessNamespace: true"] },
  "spec.cleanup": {
    value: true,
    shows: ["job.spec.ttlSecondsAfterFinished: 60"],
    warns: /removes the Job and its pods; the other objects stay/,
  },
  "spec.network.headlessName": {
    value: "brokers",
    shows: ['service.metadata.name: "brokers"', 'pod.subdomain: "brokers"', "tcp://%h.brokers.default.svc"],
  },
  "spec.network.disableAffinity": {
    value: true,
    hides: ["pod.affinity.podAntiAffinity.preferredDuringScheduling", "pod.affinity.podAffinity"],
  },
  "spec.logging.quiet": { value: true, shows: ["broker.sh: log() { :; }", "-Slog-stderr-level=0"] },
  "spec.logging.strict": { value: true, shows: ["broker.sh: set -eEuo pipefail"] },
  "spec.logging.debug": { value: true, shows: ["broker.sh: -vvv"] },
  "spec.logging.zeromq": { value: true, shows: ["broker.sh: -Stbon.zmqdebug=1"] },
  "spec.logging.timed": { value: true, shows: ["FLUXTIME fluxstart wall time", "FLUXTIME fluxsubmit wall time"] },
  "spec.archive.path": {
    value: "/state/archive.tar.gz",
    shows: ["-Scontent.restore=/state/archive.tar.gz", "mv -f /state/.saving.archive.tar.gz /state/archive.tar.gz"],
  },
};

export const podSamples: Record<string, Sample> = {
  annotations: { value: { note: "x" }, shows: ['job.spec.template.metadata.annotations.note: "x"'] },
  labels: { value: { team: "hpc" }, shows: ['job.spec.template.metadata.labels.team: "hpc"'] },
  restartPolicy: { value: "Never", shows: ['pod.restartPolicy: "Never"'] },
  serviceAccountName: { value: "runner", shows: ['pod.serviceAccountName: "runner"'] },
  runtimeClassName: { value: "nvidia", shows: ['pod.runtimeClassName: "nvidia"'] },
  automountServiceAccountToken: { value: true, shows: ["pod.automountServiceAccountToken: true"] },
  schedulerName: { value: "fluence", shows: ['pod.schedulerName: "fluence"'] },
  nodeSelector: { value: { pool: "hpc" }, shows: ['pod.nodeSelector.pool: "hpc"'] },
  nodeAffinity: { value: { zone: ["a", "b"] }, shows: ['matchExpressions[0].key: "zone"', 'values[1]: "b"'] },
  "tolerations[].key": {
    value: "gpu",
    beside: { ".operator": "Exists" },
    shows: ['pod.tolerations[0].key: "gpu"'],
  },
  "tolerations[].effect": {
    value: "NoSchedule",
    beside: { ".key": "gpu" },
    shows: ['pod.tolerations[0].effect: "NoSchedule"'],
  },
  "tolerations[].operator": { value: "Exists", shows: ['pod.tolerations[0].operator: "Exists"'] },
  "tolerations[].value": {
    value: "on-call",
    beside: { ".key": "gpu" },
    shows: ['pod.tolerations[0].value: "on-call"'],
  },
  dnsPolicy: { value: "Default", shows: ['pod.dnsPolicy: "Default"'] },
  hostIPC: { value: true, shows: ["pod.hostIPC: true"] },
  hostPID: { value: true, shows: ["pod.hostPID: true"] },
  resources: {
    value: { cpu: 4 },
    shows: ['pod.resources.limits.cpu: "4"', 'pod.resources.requests.cpu: "4"'],
    warns: /the operator calls them the pod's overhead/,
  },
  securityContext: {
    value: {
      ...{ fsGroup: 2, fsGroupChangePolicy: "Always", runAsUser: 3, runAsGroup: 4, runAsNonRoot: true },
      ...{ supplementalGroups: [5], sysctls: [{ name: "net.core.somaxconn", value: "1024" }] },
      seccompProfile: { type: "Localhost", localhostProfile: "calls.json" },
      seLinuxOptions: { level: "s0", role: "r", type: "t", user: "u" },
      windowsOptions: { hostProcess: false },
    },
    shows: [
      ...["fsGroup: 2", 'fsGroupChangePolicy: "Always"', "runAsUser: 3", "runAsGroup: 4", "runAsNonRoot: true"],
      ...["supplementalGroups[0]: 5", 'sysctls[net.core.somaxconn].value: "1024"'],
      ...['seccompProfile.type: "Localhost"', 'seccompProfile.localhostProfile: "calls.json"'],
      ...['seLinuxOptions.level: "s0"', 'seLinuxOptions.role: "r"', 'seLinuxOptions.type: "t"'],
      'seLinuxOptions.user: "u"',
    ].map((line) => `pod.securityContext.${line}`),
    warns: /windowsOptions: is for Windows nodes/,
  },
};
