import type { MiniClusterArgs } from "../../provider";

/** Arguments in which every property is given, so that a test can walk through all of them. */
export const everything: MiniClusterArgs = {
  ...{ name: "demo", namespace: "hpc", size: 2, minSize: 1, maxSize: 4, tasks: 2 },
  ...{ interactive: false, deadlineSeconds: 60, backoffLimit: 1, shareProcessNamespace: true, suspend: false },
  ...{ wait: "ready", waitTimeoutSeconds: 60, resize: "patch" },
  jobLabels: { team: "a" },
  flux: {
    container: {
      ...{ image: "view", name: "view", mountPath: "/flux", workingDir: "/w", pythonPath: "/p" },
      resources: { limits: { cpu: "1" }, requests: { cpu: "1" } },
      ...{ imagePullSecret: "pull", pullAlways: true, disable: false },
      securityContext: { runAsUser: 0 },
    },
    ...{ arch: "arm64", submitCommand: "flux submit", optionFlags: "-c 1", wrap: "strace", connectTimeout: "5s" },
    ...{ topology: "kary:2", disableSocket: true, noWaitSocket: true, completeWorkers: true, logLevel: 7 },
    scheduler: { simple: false, queuePolicy: "easy" },
  },
  containers: [
    {
      ...{ image: "main", name: "main", command: "x", workingDir: "/w", runFlux: true, launcher: false },
      ...{ imagePullSecret: "pull", imagePullPolicy: "Always", pullAlways: undefined, ports: [80] },
      environment: { A: "a" },
      secrets: { B: { name: "s", key: "k" } },
      resources: { limits: { cpu: "1" }, requests: { cpu: "1" } },
      securityContext: {
        ...{ privileged: false, allowPrivilegeEscalation: false, runAsUser: 1, runAsGroup: 1, runAsNonRoot: true },
        ...{ readOnlyRootFilesystem: true, procMount: "Default" },
        capabilities: { add: ["SYS_NICE"], drop: ["ALL"] },
        seccompProfile: { type: "Localhost", localhostProfile: "a" },
        appArmorProfile: { type: "Localhost", localhostProfile: "a" },
        seLinuxOptions: { level: "l", role: "r", type: "t", user: "u" },
      },
      commands: { prefix: "time", init: "a", pre: "b", post: "c", brokerPre: "d", workerPre: "e" },
      volumes: {
        host: { path: "/host", hostPath: "/x", readOnly: true },
        config: { path: "/config", configMapName: "c", items: { a: "b" } },
        claim: { path: "/claim", claimName: "c" },
        secret: { path: "/secret", secretName: "s" },
        empty: { path: "/empty", emptyDir: true, emptyDirMedium: "Memory", emptyDirSizeLimit: "1Gi" },
        csi: { path: "/csi", csiDriver: "d", csiDriverAttributes: { a: "b" } },
      },
    },
    { image: "side", name: "side", commands: { script: "x", servicePre: "y" } },
  ],
  pod: {
    ...{ annotations: { a: "b" }, labels: { a: "b" }, nodeSelector: { a: "b" }, nodeAffinity: { a: ["b"] } },
    ...{ restartPolicy: "Never", serviceAccountName: "s", automountServiceAccountToken: true },
    ...{ runtimeClassName: "r", schedulerName: "s", dnsPolicy: "Default", hostIPC: true, hostPID: true },
    tolerations: [{ key: "a", operator: "Equal", value: "b", effect: "NoSchedule" }],
    resources: { limits: { cpu: "1" }, requests: { cpu: "1" } },
    securityContext: {
      ...{ fsGroup: 1, fsGroupChangePolicy: "Always", runAsUser: 1, runAsGroup: 1, runAsNonRoot: true },
      ...{ supplementalGroups: [1], supplementalGroupsPolicy: "Merge" },
      sysctls: [{ name: "a", value: "b" }],
      seccompProfile: { type: "Localhost", localhostProfile: "a" },
      appArmorProfile: { type: "Localhost", localhostProfile: "a" },
      seLinuxOptions: { level: "l", role: "r", type: "t", user: "u" },
    },
  },
  network: { headlessName: "hosts", affinity: "preferred" },
  logging: { quiet: true, strict: false, debug: true, zeromq: true, timed: true },
};

/** Properties that may be outputs of other resources, with * for any name in a map. */
const leaves = [
  "containers[].image",
  "containers[].workingDir",
  "containers[].imagePullSecret",
  "containers[].environment.*",
  "containers[].secrets.*.name",
  "containers[].secrets.*.key",
  "containers[].resources.limits.*",
  "containers[].resources.requests.*",
  "containers[].volumes.*.hostPath",
  "containers[].volumes.*.configMapName",
  "containers[].volumes.*.items.*",
  "containers[].volumes.*.claimName",
  "containers[].volumes.*.secretName",
  "containers[].volumes.*.emptyDirMedium",
  "containers[].volumes.*.emptyDirSizeLimit",
  "containers[].volumes.*.csiDriver",
  "containers[].volumes.*.csiDriverAttributes.*",
  "flux.container.image",
  "flux.container.workingDir",
  "flux.container.imagePullSecret",
  "flux.container.resources.limits.*",
  "flux.container.resources.requests.*",
  "jobLabels.*",
  "pod.annotations.*",
  "pod.labels.*",
  "pod.nodeSelector.*",
  "pod.serviceAccountName",
  "pod.runtimeClassName",
  "pod.schedulerName",
  "pod.resources.limits.*",
  "pod.resources.requests.*",
  "pod.tolerations[].key",
  "pod.tolerations[].value",
];

/** Properties that are maps: their keys are the user's own. */
const maps = ["environment", "secrets", "limits", "requests", "volumes", "items", "csiDriverAttributes", "jobLabels"]
  .concat(["annotations", "labels", "nodeSelector", "nodeAffinity"])
  .join("|");

/** A place in the arguments. */
export interface Place {
  path: string;
  keys: (string | number)[];
  value: unknown;
  /** May be an output. */
  isLeaf: boolean;
  /** Is a map, of which the user chooses the keys. */
  isMap: boolean;
}

/** Every place in some arguments, from the outside in. */
export function placesIn(value: unknown, keys: (string | number)[] = []): Place[] {
  const path = keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1);
  const general = path.replace(/\[\d+\]/g, "[]").replace(new RegExp(`(^|\\.)(${maps})\\.[^.[]+`, "g"), "$1$2.*");
  const place = {
    path,
    keys,
    value,
    isLeaf: leaves.includes(general),
    isMap: maps.split("|").includes(String(keys.at(-1))),
  };
  if (typeof value !== "object" || value === null) return value === undefined ? [] : [place];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    placesIn(item, [...keys, Array.isArray(value) ? Number(key) : key]),
  );
  return [place, ...inner];
}

/** A copy of plain data with another value in one place. */
export function withValue(data: unknown, [key, ...rest]: (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(data) ? [...(data as unknown[])] : { ...(data as object) }) as Record<string, unknown>;
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}
