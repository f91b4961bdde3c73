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
import { nameOf, runsFlux } from "../containerRules";
import { volumesOf } from "../volumeRules";
import { askedTogether, isCountedDevice } from "./asked";
import { amount } from "./quantity";
import type { pod as podSettings } from "../pod";
import type { PoolSpec } from "./scheduling";

type Args = Partial<MiniClusterArgs>;
type Container = Partial<MiniClusterContainerArgs>;
type PodSettings = z.output<typeof podSettings>;

/** The container that runs Flux, with all that it is bound to. */
interface Binding {
  container: Container;
  others: Container[];
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
  return containers.map((container) => {
    if (!isPlainObject(container) || !runsFlux(container, containers)) return container;
    const others = containers.filter((other) => other !== container).map(properties);
    return { ...container, ...bindContainer({ container, others, args, pool }) };
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
  const { limits, requests } = given;
  const devices = Object.entries(binding.pool.resources).flatMap(([name, quantity]) => {
    // What is no share of CPUs or memory has one number: Kubernetes refuses a request that is not the limit, too.
    const limit = properties(requests)[name] ?? leftOf(name, quantity, binding.others);
    return limit === undefined ? [] : [[name, limit] as const];
  });
  const cpu = cpuRequest(given, binding);
  return {
    ...given,
    ...(devices.length > 0 && { limits: joined(Object.fromEntries(devices), limits) }),
    ...(cpu !== undefined && { requests: joined({ cpu }, requests) }),
  };
}

/** What the other containers of a pod leave of a node's devices. */
function leftOf(resource: string, quantity: string, others: Container[]): string | undefined {
  const taken = isCountedDevice(resource) ? askedTogether(others, resource) : 0;
  if (taken === 0) return quantity;
  const left = (amount(quantity) ?? 0) - taken;
  return left > 0 ? String(left) : undefined;
}

/** CPUs to ask for where the user leaves that to us. */
function cpuRequest({ limits, requests }: MiniClusterResourcesArgs, binding: Binding): string | undefined {
  const { container, args, pool } = binding;
  const template = properties(properties(args.podTemplate).spec as Template | undefined);
  const merged = resourcesInTemplate(template, nameOf(container, args.containers ?? [], args));
  if (
    [limits, requests, merged.limits, merged.requests]
      .map(properties)
      .some(({ cpu, memory }) => (cpu ?? memory) !== undefined)
  )
    return undefined;
  if (properties(args.pod).resources === undefined && template.resources === undefined) return cpuShare(binding);
  // The pod as a whole has its share, and Kubernetes refuses huge pages to a container that asks for no CPU.
  return Object.keys(pool.resources).some((name) => name.startsWith("hugepages-")) ? "1m" : undefined;
}

interface Template {
  containers?: { name?: unknown; resources?: MiniClusterResourcesArgs }[];
  resources?: unknown;
}

/** What a pod template says of a container's resources, as far as it is known now. */
function resourcesInTemplate({ containers }: Partial<Template>, name: unknown): Partial<MiniClusterResourcesArgs> {
  const all = Array.isArray(containers) ? containers.map(properties) : [];
  return properties(all.find((container) => container.name === name)?.resources);
}

// What the kubelet, the system and the pods on every node leave of a node's CPUs, with room to spare.
const shareOfNode = 0.9;

/**
 * CPUs that a pod asks for so that nothing else that asks for CPUs comes beside it: nearly all of a node where the pod has
 * one to itself.
 */
function cpuShare({ others, args, pool }: Binding): string {
  const { affinity = MiniClusterAffinity.Required } = properties(args.network);
  if (affinity !== MiniClusterAffinity.Required) return "1";
  return String(Math.max(1, Math.floor(pool.node.vcpus * shareOfNode - askedTogether(others, "cpu"))));
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
