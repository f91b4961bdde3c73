import { placed, type Sample } from "./reading";

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
  ...placed("job.spec.template.metadata", { annotations: { note: "x" }, labels: { team: "hpc" } }),
  ...placed("pod", {
    ...{ restartPolicy: "Never", serviceAccountName: "runner", runtimeClassName: "nvidia", dnsPolicy: "Default" },
    ...{ automountServiceAccountToken: true, schedulerName: "fluence", nodeSelector: { pool: "hpc" } },
    ...{ hostIPC: true, hostPID: true },
    securityContext: {
      ...{ fsGroup: 2, fsGroupChangePolicy: "Always", runAsUser: 3, runAsGroup: 4, runAsNonRoot: true },
      ...{ supplementalGroups: [5], sysctls: [{ name: "net.core.somaxconn", value: "1024" }] },
      seccompProfile: { type: "Localhost", localhostProfile: "calls.json" },
      seLinuxOptions: { level: "s0", role: "r", type: "t", user: "u" },
      windowsOptions: { hostProcess: false },
    },
  }),
  ...tolerationSamples({ key: "gpu", effect: "NoSchedule", operator: "Exists", value: "on-call" }),
  nodeAffinity: { value: { zone: ["a", "b"] }, shows: ['matchExpressions[0].key: "zone"', 'values[1]: "b"'] },
  resources: {
    value: { cpu: 4 },
    shows: ['pod.resources.limits.cpu: "4"', 'pod.resources.requests.cpu: "4"'],
    warns: /the operator calls them the pod's overhead/,
  },
};

function tolerationSamples(values: Record<string, string>): Record<string, Sample> {
  const beside: Sample["beside"] = { key: { ".operator": "Exists" }, operator: {} };
  return Object.fromEntries(
    Object.entries(placed("pod.tolerations[0]", values)).map(([name, sample]) => [
      `tolerations[].${name}`,
      { ...sample, beside: (beside[name] ?? { ".key": "gpu" }) as Sample["beside"] },
    ]),
  );
}
