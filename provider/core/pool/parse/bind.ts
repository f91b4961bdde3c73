import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterArch, MiniClusterTaintEffect } from "../../../clouds/nodes/args";
import { isAccelerator, isCountedDevice, isSameHardware, type PoolSpec } from "../../../clouds/nodes/parse/pool";
import { amount, properties } from "../../../shared/checks";
import { quoteWord } from "../../../shared/quote";
import { MiniClusterAffinity, MiniClusterTolerationOperator } from "../../args";
import { type ContainerFields, pathOfVolume } from "../../parse/container";
import type { BrokerPodsFields } from "../../parse/fields";
import { isRestricted } from "../../parse/restricted";
import { containerRequests, type ResourceRequest, resourceLists, totalRequested } from "./requests";

/** The container that runs Flux, with everything that its binding depends on. */
interface Binding {
  container: ContainerFields;
  /** Requests of all containers of the pod, the user's template included, and this one among them. */
  all: ResourceRequest[];
  request: ResourceRequest;
  fields: BrokerPodsFields;
  pool: PoolSpec;
}

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

/** Resources of the container that runs Flux, with its devices and its share of a node's CPU. */
function bindResources(binding: Binding): ContainerFields["resources"] {
  const { container, all, request, pool } = binding;
  const { resources } = container;
  const devices = boundDevices(request, all, pool);
  const cpu = cpuRequest(binding);
  return {
    ...resources,
    ...(Object.keys(devices).length > 0 && { limits: { ...devices, ...resources?.limits } }),
    ...(cpu !== undefined && { requests: { cpu, ...resources?.requests } }),
  };
}

/** Devices and huge pages of the pool that the container gets by default, as limits. */
export function boundDevices(
  request: ResourceRequest,
  all: ResourceRequest[],
  { resources, gpusPerContainer = Infinity }: PoolSpec,
): Record<string, pulumi.Input<string>> {
  const otherRequests = all.filter((each) => each !== request);
  const devices = Object.entries(resources).flatMap(([name, quantity]) => {
    // The same hardware is requested under one name only, and the ratio between the two names is unknown.
    if (all.some((each) => requestsByAnotherName(each, name))) return [];
    // All resources except CPUs and memory have one number: Kubernetes also rejects a request that differs from the limit.
    const limit = request.resources.requests?.[name] ?? leftOf(name, quantity, otherRequests, gpusPerContainer);
    return limit === undefined ? [] : [[name, limit] as const];
  });
  return Object.fromEntries(devices);
}

/** True for a container that requests a device under another name than the pool does. */
const requestsByAnotherName = ({ resources }: ResourceRequest, resource: string) =>
  resourceLists
    .flatMap((list) => Object.entries(resources[list] ?? {}))
    .some(([name, quantity]) => name !== resource && isSameHardware(name, resource) && amount(quantity) !== 0);

/** Devices of a node that the other containers of a pod do not request, up to the limit of one container. */
function leftOf(
  resource: string,
  quantity: string,
  otherRequests: ResourceRequest[],
  most: number,
): string | undefined {
  const taken = isCountedDevice(resource) ? totalRequested(otherRequests, resource) : 0;
  const all = amount(quantity) ?? 0;
  const limit = isAccelerator(resource) ? most : Infinity;
  if (taken === 0 && all <= limit) return quantity;
  const left = Math.min(all - taken, limit);
  return left > 0 ? String(left) : undefined;
}

/** CPU request of the container, if the user has set neither CPU nor memory. */
function cpuRequest(binding: Binding): string | undefined {
  const { container, request, fields, pool } = binding;
  const given = [container.resources?.limits, container.resources?.requests, ...Object.values(request.resources)];
  if (given.some((amounts = {}) => (amounts["cpu"] ?? amounts["memory"]) !== undefined)) return undefined;
  const template = properties(properties(fields.podTemplate).spec as { resources?: unknown });
  if (fields.pod.resources === undefined && template.resources === undefined) return cpuShare(binding);
  // The resources of the whole pod are set, and Kubernetes rejects huge pages for a container that requests no CPU.
  return Object.keys(pool.resources).some((name) => name.startsWith("hugepages-")) ? "1m" : undefined;
}

// Thousandths of a node's CPU that the kubelet, the system and the pods on every node leave free, with a margin.
const millisOfCpu = 900;

/**
 * CPU request that keeps other pods that request CPUs off the node: nearly all CPUs of the node with one pod per node, otherwise
 * at most 1 CPU, and never more than the other containers leave.
 */
function cpuShare({ all, request, fields, pool }: Binding): string {
  const otherRequests = all.filter((each) => each !== request);
  const left = Math.floor(pool.node.vcpus * millisOfCpu - totalRequested(otherRequests, "cpu") * 1000);
  const millis = fields.network.affinity === MiniClusterAffinity.Required ? left : Math.min(left, 1000);
  return millis < 1000 ? `${Math.max(1, millis)}m` : String(Math.floor(millis / 1000));
}

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
