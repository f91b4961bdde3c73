import type { z } from "zod";
import { properties } from "../../../shared/checks";
import { isPlainObject } from "../../../shared/objects";
import {
  MiniClusterAffinity,
  MiniClusterArch,
  type MiniClusterArgs,
  type MiniClusterContainerArgs,
  MiniClusterPodSecurity,
  type MiniClusterResourcesArgs,
  MiniClusterTaintEffect,
  MiniClusterTolerationOperator,
  type MiniClusterVolumeArgs,
} from "../../args";
import { runsFlux } from "../containerRules";
import { volumesOf } from "../volumeRules";
import { totalRequested, isCountedDevice, isSameHardware } from "./asked";
import { type ResourceRequest, containerRequests, resourceLists } from "./merged";
import { amount } from "./quantity";
import type { pod as podSettings } from "../pod";
import type { PoolSpec } from "./scheduling";

type Args = Partial<MiniClusterArgs>;
type Container = Partial<MiniClusterContainerArgs>;
type PodSettings = z.output<typeof podSettings>;

/** The container that runs Flux, with all that it is bound to. */
interface Binding {
  container: Container;
  /** What it asks for itself, the user's template included. */
  asking: ResourceRequest;
  /** What the containers beside it ask for. */
  others: ResourceRequest[];
  args: Args;
  pool: PoolSpec;
}

/**
 * The arguments with everything that the pool says and the user does not: what the user has given counts. The rest of the
 * program never asks where a value comes from. What has the wrong form stays as it is, for the schema to speak of.
 */
export function bindPool(args: Args, pool: PoolSpec): Args {
  return {
    ...args,
    flux: bound(args.flux, (flux) => ({ ...flux, arch: flux.arch === undefined ? pool.node.arch : flux.arch })),
    ...(Array.isArray(args.containers) && { containers: bindContainers(args.containers, args, pool) }),
  };
}

function bindContainers(containers: MiniClusterContainerArgs[], args: Args, pool: PoolSpec) {
  const all = containerRequests(args);
  return containers.map((container, place) => {
    const asking = all.find(({ index }) => index === place);
    if (!asking || !isPlainObject(container) || !runsFlux(container, containers)) return container;
    const others = all.filter((other) => other !== asking);
    return { ...container, ...bindContainer({ container, asking, others, args, pool }) };
  });
}

/** A changed copy of a value that has the right form, and any other one as it is. */
function bound<T extends object>(value: T | undefined, change: (value: T) => T, byDefault = {} as T): T | undefined {
  const given = value === undefined ? byDefault : value;
  const isRight = Array.isArray(byDefault) ? Array.isArray(given) : isPlainObject(given);
  return isRight ? change(given) : value;
}

const joined = <T>(ours: Record<string, T>, theirs: Record<string, T> | undefined) =>
  bound(theirs, (given) => ({ ...ours, ...given }));

/** What a container gets from the pool, in the place of what it has said itself. */
function bindContainer(binding: Binding): Container {
  const { container, args, pool } = binding;
  // A restricted pod cannot have it; the rules say so.
  const locksMemory = pool.lockMemory && args.podSecurity !== MiniClusterPodSecurity.Restricted;
  return {
    environment: joined(without(pool.environment, container.secrets), container.environment),
    resources: bound(container.resources, (resources) => bindResources(resources, binding)),
    volumes: bound(container.volumes, (volumes) => ({ ...poolVolumes(volumes, binding), ...volumes })),
    ...(locksMemory && { securityContext: withMemoryLock(container.securityContext) }),
  };
}

/** What is not named elsewhere. */
const without = <T>(ours: Record<string, T>, taken: object | undefined): Record<string, T> =>
  Object.fromEntries(Object.entries(ours).filter(([name]) => !(name in properties(taken))));

/** The resources of a pod that has a node to itself. */
function bindResources(given: MiniClusterResourcesArgs, binding: Binding): MiniClusterResourcesArgs {
  const { asking, others, pool } = binding;
  const devices = Object.entries(pool.resources).flatMap(([name, quantity]) => {
    // The same hardware is asked for by one name, and nobody knows how many of the one are one of the other.
    if ([asking, ...others].some((each) => asksByAnotherName(each, name))) return [];
    // What is no share of CPUs or memory has one number: Kubernetes refuses a request that is not the limit, too.
    const limit = properties(asking.resources.requests)[name] ?? leftOf(name, quantity, others);
    return limit === undefined ? [] : [[name, limit] as const];
  });
  const cpu = cpuRequest(given, binding);
  return {
    ...given,
    ...(devices.length > 0 && { limits: joined(Object.fromEntries(devices), given.limits) }),
    ...(cpu !== undefined && { requests: joined({ cpu }, given.requests) }),
  };
}

/** Whether a container asks for a device under another name than that of the pool. */
const asksByAnotherName = ({ resources }: ResourceRequest, resource: string) =>
  resourceLists
    .flatMap((list) => Object.entries(properties(resources[list])))
    .some(([name, quantity]) => name !== resource && isSameHardware(name, resource) && amount(quantity) !== 0);

/** What the other containers of a pod leave of a node's devices. */
function leftOf(resource: string, quantity: string, others: ResourceRequest[]): string | undefined {
  const taken = isCountedDevice(resource) ? totalRequested(others, resource) : 0;
  if (taken === 0) return quantity;
  const left = (amount(quantity) ?? 0) - taken;
  return left > 0 ? String(left) : undefined;
}

/** CPUs to ask for where the user leaves that to us. */
function cpuRequest({ limits, requests }: MiniClusterResourcesArgs, binding: Binding): string | undefined {
  const { asking, args, pool } = binding;
  const given = [limits, requests, asking.resources.limits, asking.resources.requests].map(properties);
  if (given.some(({ cpu, memory }) => (cpu ?? memory) !== undefined)) return undefined;
  const template = properties(properties(args.podTemplate).spec as { resources?: unknown });
  if (properties(args.pod).resources === undefined && template.resources === undefined) return cpuShare(binding);
  // The pod as a whole has its share, and Kubernetes refuses huge pages to a container that asks for no CPU.
  return Object.keys(pool.resources).some((name) => name.startsWith("hugepages-")) ? "1m" : undefined;
}

// What the kubelet, the system and the pods on every node leave of a node's CPU, with room to spare.
const millisOfCpu = 900;

/**
 * CPUs that a pod asks for so that nothing else that asks for CPUs comes beside it: nearly all of a node where the pod has
 * one to itself, and never more than the other containers leave of that.
 */
function cpuShare({ others, args, pool }: Binding): string {
  const { affinity = MiniClusterAffinity.Required } = properties(args.network);
  const left = Math.floor(pool.node.vcpus * millisOfCpu - totalRequested(others, "cpu") * 1000);
  const millis = affinity === MiniClusterAffinity.Required ? left : Math.min(left, 1000);
  return millis < 1000 ? `${Math.max(1, millis)}m` : String(Math.floor(millis / 1000));
}

/** RDMA pins the memory that a network card reads and writes. */
function withMemoryLock(securityContext: Container["securityContext"]): Container["securityContext"] {
  return bound(securityContext, (context) => ({
    ...context,
    capabilities: bound(context.capabilities, (capabilities) => ({
      ...capabilities,
      add: bound(capabilities.add, (add) => [...new Set([...add, "IPC_LOCK"])], []),
    })),
  }));
}

/** The node's directories, and shared memory for the processes of a job: Kubernetes gives a container 64 MiB. */
function poolVolumes(volumes: NonNullable<Container["volumes"]>, { args, pool }: Binding): Container["volumes"] {
  const taken = volumesOf(volumes).map(([, { path = "/dev/shm" }]) => path);
  // A restricted pod cannot have the node's directories; the rules say so.
  const hostPaths = args.podSecurity === MiniClusterPodSecurity.Restricted ? {} : pool.hostPaths;
  const all: [name: string, volume: MiniClusterVolumeArgs & { path: string }][] = [
    ["pool-shm", { path: "/dev/shm", emptyDir: true, emptyDirMedium: "Memory" }],
    ...Object.entries(hostPaths).map(([path, hostPath], index): (typeof all)[number] => [
      `pool-host-${index}`,
      { path, hostPath },
    ]),
  ];
  return Object.fromEntries(all.filter(([, { path }]) => !taken.includes(path)));
}

/** Pods for ARM tolerate the taint of ARM nodes, with a pool or without. */
const isToleratedByArch = ({ key, value, effect }: PoolSpec["taints"][number], { arch }: PoolSpec["node"]) =>
  arch === MiniClusterArch.Arm64 &&
  key === "kubernetes.io/arch" &&
  value === arch &&
  effect === MiniClusterTaintEffect.NoSchedule;

/** The settings of the brokers' pods. Those of the services are none of the pool's. */
export function bindPod(pod: PodSettings, { nodeSelector, annotations, taints, node }: PoolSpec): PodSettings {
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
