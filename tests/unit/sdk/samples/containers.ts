import { placed, type Sample } from "./reading";

/** A security context as a whole, for a container at a place. */
export const securitySample = (place: string) =>
  placed(place, {
    securityContext: {
      ...{ runAsUser: 3, runAsGroup: 4, runAsNonRoot: true, privileged: true, allowPrivilegeEscalation: true },
      ...{ procMount: "Default", readOnlyRootFilesystem: true },
      capabilities: { add: ["SYS_PTRACE"], drop: ["NET_RAW"] },
      seccompProfile: { type: "Localhost", localhostProfile: "calls.json" },
      seLinuxOptions: { level: "s0", role: "r", type: "t", user: "u" },
      windowsOptions: { hostProcess: false },
    },
  });

/** Resources as a whole, for a container at a place. */
export const resourcesSample = (place: string): Sample => ({
  value: { limits: { "nvidia.com/gpu": 2 }, requests: { memory: "8Gi" } },
  shows: [`${place}.resources.limits.nvidia.com/gpu: "2"`, `${place}.resources.requests.memory: "8Gi"`],
});

/** Samples of the volumes of a container: in it, and in its pod. */
function volumeSamples(container: string, pod: string): Record<string, Sample> {
  const mount = `${container}.volumeMounts[data]`;
  const volume = `${pod}.volumes[data]`;
  const beside = { ".path": "/data" };
  const configMap = { ".path": "/data", ".configMapName": "settings" };
  const inMemory = { ".emptyDir": true };
  const attributes = { bucket: "b" };
  const driver = { ".path": "/data", ".csiDriver": "gcs.csi" };
  const samples: Record<string, Sample> = {
    path: { value: "/data", beside: { ".claimName": "store" }, shows: [`${mount}.mountPath: "/data"`] },
    hostPath: { value: "/srv", beside, shows: [`${volume}.hostPath.path: "/srv"`] },
    configMapName: { value: "settings", beside, shows: [`${volume}.configMap.name: "settings"`] },
    items: {
      value: { key: "file.txt" },
      beside: configMap,
      shows: [`${volume}.configMap.items[0].key: "key"`, `${volume}.configMap.items[0].path: "file.txt"`],
    },
    claimName: { value: "store", beside, shows: [`${volume}.persistentVolumeClaim.claimName: "store"`] },
    secretName: { value: "key", beside, shows: [`${volume}.secret.secretName: "key"`] },
    readOnly: { value: true, beside: { ...beside, ".claimName": "store" }, shows: [`${mount}.readOnly: true`] },
    emptyDir: { value: true, shows: [`${mount}.mountPath: "/dev/shm"`] },
    emptyDirMedium: { value: "memory", beside: inMemory, shows: [`${volume}.emptyDir.medium: "Memory"`] },
    emptyDirSizeLimit: { value: "1Gi", beside: inMemory, shows: [`${volume}.emptyDir.sizeLimit: "1Gi"`] },
    csiDriver: { value: "gcs.csi", beside, shows: [`${volume}.csi.driver: "gcs.csi"`] },
    csiDriverAttributes: { value: attributes, beside: driver, shows: [`${volume}.csi.volumeAttributes.bucket: "b"`] },
  };
  return Object.fromEntries(Object.entries(samples).map(([name, sample]) => [`volumes.*.${name}`, sample]));
}

/** Samples that are the same for every container. */
const commonSamples = (container: string, pod: string): Record<string, Sample> => ({
  ...placed(container, { image: "rockylinux:9", workingDir: "/work", imagePullPolicy: "Never" }),
  imagePullSecret: { value: "registry", shows: [`${pod}.imagePullSecrets[registry].name: "registry"`] },
  pullAlways: { value: true, shows: [`${container}.imagePullPolicy: "Always"`] },
  ports: { value: [8080], shows: [`${container}.ports[0].containerPort: 8080`] },
  environment: { value: { LEVEL: "3" }, shows: [`${container}.env[LEVEL].value: "3"`] },
  ...secretSamples(`${container}.env[data].valueFrom.secretKeyRef`),
  "lifeCycle.postStartExec": { value: "touch up", shows: [`${container}.lifecycle.postStart.exec.command[1]: "up"`] },
  "lifeCycle.preStopExec": { value: "touch down", shows: [`${container}.lifecycle.preStop.exec.command[1]: "down"`] },
  resources: resourcesSample(container),
  ...securitySample(container),
  ...volumeSamples(container, pod),
});

const secretSamples = (place: string) =>
  Object.fromEntries(
    Object.entries(placed(place, { name: "login", key: "token" })).map(([half, sample]): [string, Sample] => [
      `secrets.*.${half}`,
      { ...sample, beside: half === "name" ? { ".key": "token" } : { ".name": "login" } },
    ]),
  );

const batch = { ".batch": true, ".command": "one\ntwo" };

export const containerSamples: Record<string, Sample> = {
  ...commonSamples("pod.containers[demo]", "pod"),
  // The rank is drained first.
  "lifeCycle.preStopExec": {
    value: "touch down",
    shows: [`pod.containers[demo].lifecycle.preStop.exec.command[3]: "down"`],
  },
  name: { value: "watcher", inSidecar: true, shows: ['pod.initContainers[watcher].name: "watcher"'] },
  command: { value: "lmp -in in.txt", shows: ["broker.sh: lmp", "broker.sh: in.txt"] },
  runFlux: {
    value: true,
    inSidecar: true,
    beside: { "spec.containers[0].name": "first", "spec.containers[0].runFlux": false },
    shows: ['pod.containers[demo].image: "busybox"', 'pod.initContainers[first].name: "first"'],
  },
  launcher: { value: true, beside: { ".command": "nextflow run x" }, shows: ["args.containers[0].launcher: true"] },
  batch: { value: true, beside: { ".command": "one\ntwo" }, shows: ["demo.batch.sh: flux submit --flags=waitable"] },
  batchRaw: { value: true, beside: batch, shows: ["demo.batch.sh: one", "demo.batch.sh: two"] },
  logs: { value: "/shared/out", shows: ["broker.sh: export FLUX_OUTPUT_DIR=/shared/out"] },
  noWrapEntrypoint: {
    value: true,
    inSidecar: true,
    beside: { ".command": "sleep 9" },
    hides: ["side.start.sh: ", "pod.initContainers[side].command[0]"],
    warns: /the image's own command runs/,
  },
  "commands.prefix": { value: "strace -f", shows: ["broker.sh: strace", "broker.sh: -f"] },
  "commands.script": { value: "echo in a script", shows: ["demo.command.sh: echo in a script"] },
  "commands.init": { value: "echo init", shows: ["demo.init.sh: echo init", "demo.init.sh", "broker.sh: . "] },
  ...Object.fromEntries(
    ["pre", "post", "workerPre", "brokerPre"].map((piece): [string, Sample] => [
      `commands.${piece}`,
      { value: "echo it", shows: [`demo.${piece}.sh: echo it`] },
    ]),
  ),
  "commands.servicePre": {
    value: "echo side",
    inSidecar: true,
    beside: { "spec.containers[1].command": "sleep 9" },
    shows: ["side.servicePre.sh: echo side"],
  },
};

/** The same sample of several fields. */
const each = (sample: Sample, ...names: string[]) => Object.fromEntries(names.map((name) => [name, sample]));
const commands = (...names: string[]) => names.map((name) => `commands.${name}`);

const ignored: Sample = { value: "echo", warns: /the operator ignores it in a service/ };
const meaningless: Sample = { value: true, warns: /means nothing in a service/ };
const refused: Sample = { value: "echo", refused: /a service has no Flux/ };

export const serviceSamples: Record<string, Sample> = {
  ...commonSamples("servicesPod.spec.containers[db]", "servicesPod.spec"),
  ...each(ignored, "command", ...commands("prefix", "script", "init", "post", "servicePre")),
  ...each(meaningless, "runFlux", "launcher", "batch", "batchRaw"),
  ...each(refused, ...commands("pre", "workerPre", "brokerPre")),
  name: { value: "cache", shows: ['servicesPod.spec.containers[cache].name: "cache"'] },
  ports: { value: [6379], shows: ["servicesService.spec.ports[tcp-6379].port: 6379"] },
  logs: { ...meaningless, value: "/tmp/out" },
  noWrapEntrypoint: { value: true, changesNothing: true },
};
