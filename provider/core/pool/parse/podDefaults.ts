import { MiniClusterArch, MiniClusterTaintEffect } from "../../../clouds/nodes/args";
import type { PoolSpec } from "../../../clouds/nodes/parse/pool";
import { quoteWord } from "../../../shared/quote";
import { MiniClusterTolerationOperator } from "../../args";
import { type ContainerFields, pathOfVolume } from "../../parse/container";
import type { BrokerPodsFields } from "../../parse/fields";
import { isRestricted } from "../../parse/restricted";
import { bindResources } from "./deviceDefaults";
import { containerRequests } from "./givenRequests";

/** The container that runs Flux, with the settings of the pool as defaults: the user's settings take precedence. */
export function bindContainer(container: ContainerFields, fields: BrokerPodsFields, pool: PoolSpec): ContainerFields {
  const all = containerRequests(fields);
  const request = all[fields.containers.indexOf(container)];
  if (!request) throw new Error("the container is not in the containers of the cluster");
  // The rules refuse it in a restricted pod.
  const locksMemory = pool.lockMemory && !isRestricted(fields);
  return {
    ...container,
    environment: { ...without(pool.environment, container.secrets), ...container.environment },
    resources: bindResources({ container, all, request, fields, pool }),
    volumes: { ...poolVolumes(container.volumes, fields, pool), ...container.volumes },
    commands: withSetup(container.commands, pool),
    ...(locksMemory && { securityContext: withMemoryLock(container.securityContext) }),
  };
}

/** Code of the container, with the scripts of the node's drivers before it. */
const withSetup = (commands: ContainerFields["commands"], { setupScripts }: PoolSpec): ContainerFields["commands"] =>
  setupScripts.length === 0
    ? commands
    : { ...commands, init: [...setupScripts.map(setupCode), ...(commands.init ? [commands.init] : [])].join("\n") };

/**
 * Code that sources a script. A variable that was exported before keeps its value, because explicit settings take precedence. A node
 * that has just joined may not have the script yet: the DaemonSet that copies it to the node starts beside the pod.
 */
function setupCode(script: string): string {
  const file = quoteWord(script);
  return [
    `for ((minicluster_try = 0; minicluster_try < ${setupTries}; minicluster_try++)); do`,
    `  [[ -r ${file} ]] && break`,
    `  ((minicluster_try > 0)) || echo ${quoteWord(`waiting for ${script} of the node`)} >&2`,
    "  sleep 5",
    "done",
    `if [[ -r ${file} ]]; then`,
    "  minicluster_given=$(export -p)",
    "  # shellcheck source=/dev/null",
    `  . ${file} || echo ${quoteWord(`${script} has failed; its settings may be missing`)} >&2`,
    '  eval "$minicluster_given"',
    "else",
    `  echo ${quoteWord(`${script} is missing on the node; the settings of its network are not loaded`)} >&2`,
    "fi",
  ].join("\n");
}

// Five minutes: an image of the installer is pulled in less.
const setupTries = 60;

/** Entries whose names are not taken elsewhere. */
const without = <T>(ours: Record<string, T>, taken: object): Record<string, T> =>
  Object.fromEntries(Object.entries(ours).filter(([name]) => !Object.hasOwn(taken, name)));

/** Security context with the right to lock memory: RDMA pins the memory that a network card reads and writes. */
function withMemoryLock(context: ContainerFields["securityContext"]): ContainerFields["securityContext"] {
  const { capabilities } = context;
  return {
    ...context,
    capabilities: { ...capabilities, add: [...new Set([...(capabilities?.add ?? []), "IPC_LOCK"])] },
  };
}

/**
 * Volumes of the pool: the node's directories, and shared memory for the processes of a job, because the default of Kubernetes is
 * 64 MiB per container.
 */
function poolVolumes(
  volumes: ContainerFields["volumes"],
  fields: BrokerPodsFields,
  pool: PoolSpec,
): ContainerFields["volumes"] {
  const taken = Object.values(volumes).map(pathOfVolume);
  // The rules refuse the node's directories in a restricted pod.
  const hostPaths = isRestricted(fields) ? {} : pool.hostPaths;
  const all: [name: string, volume: ContainerFields["volumes"][string] & { path: string }][] = [
    ["pool-shm", { path: "/dev/shm", emptyDir: true, emptyDirMedium: "Memory", readOnly: false }],
    ...Object.entries(hostPaths).map(([path, hostPath], index): (typeof all)[number] => [
      `pool-host-${index}`,
      { path, hostPath, readOnly: false },
    ]),
  ];
  return Object.fromEntries(all.filter(([, { path }]) => !taken.includes(path)));
}

/** True for the taint of ARM nodes, which pods for ARM tolerate, with a pool or without. */
const isToleratedByArch = ({ key, value, effect }: PoolSpec["taints"][number], { arch }: PoolSpec["node"]) =>
  arch === MiniClusterArch.Arm64 &&
  key === "kubernetes.io/arch" &&
  value === arch &&
  effect === MiniClusterTaintEffect.NoSchedule;

/** Settings of the brokers' pods, with the settings of the pool. The pod of the services does not use the pool. */
export function bindPod<T extends BrokerPodsFields["pod"]>(
  pod: T,
  { nodeSelector, annotations, taints, node }: PoolSpec,
): T {
  const tolerations = taints
    .filter((taint) => !isToleratedByArch(taint, node))
    .map(({ key, value = "", effect }) => ({ key, operator: MiniClusterTolerationOperator.Equal, value, effect }));
  return {
    ...pod,
    nodeSelector: { ...nodeSelector, ...pod.nodeSelector },
    annotations: { ...annotations, ...pod.annotations },
    tolerations: [...tolerations, ...pod.tolerations],
  };
}
