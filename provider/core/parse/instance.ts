import { MiniClusterArch, type NodePoolFabric } from "../../clouds/nodes/args";
import { isAccelerator, type PoolSpec } from "../../clouds/nodes/parse/pool";
import { amount } from "../../shared/checks";
import type { BrokerPodsFields } from "./fields";
import { burstName } from "./flux";

/** A cluster of a Flux instance. */
export interface InstanceCluster {
  /** The stem of its host names. */
  name: string;
  /** Its queue, if clusters have queues. Default: `name`. */
  queue?: string;
  /** True for the host of a lead broker that runs no jobs. */
  isExcluded?: boolean;
  /** Its hosts in the instance. */
  hosts: number;
  /** Flux properties of its hosts. */
  properties: string[];
  /** Cores and GPUs of each host, if they are known before the brokers start. */
  hardware?: HostHardware;
}

/** The Flux instance that a cluster belongs to. */
export interface InstanceSpec {
  /** Its clusters in the order of their ranks, the cluster of the lead broker first. */
  clusters: InstanceCluster[];
  /** All hosts, if the user has named them. */
  hostlist?: string;
  /** True if each cluster that runs jobs has a separate queue. */
  hasQueues: boolean;
}

/** The queues of an instance, the default one first, each with its cluster. */
export const queuesOf = ({ clusters }: InstanceSpec) =>
  clusters.filter(({ isExcluded }) => !isExcluded).map(({ name, queue = name }) => ({ name: queue, cluster: name }));

/** Clusters that may join an instance, and whether each cluster has a separate queue. */
export interface Joining extends Pick<InstanceSpec, "hasQueues"> {
  clusters: InstanceCluster[];
}

/** Fields that decide on the instance of a cluster. */
type InstanceFields = Pick<BrokerPodsFields, "name" | "pool" | "flux">;

/** The instance of a MiniCluster with this number of hosts and this hardware. */
export function buildInstanceSpec(
  { name, pool, flux }: InstanceFields,
  hosts: number,
  hardware: HostHardware | undefined,
  joining: Joining | undefined,
): InstanceSpec {
  const own: InstanceCluster = {
    name,
    hosts,
    properties: distinct([...(joining ? [name] : []), ...(pool ? hostProperties(pool) : [])]),
    ...withHardware(hardware),
  };
  if (!joining) return operatorInstance(flux, own);
  return { clusters: [own, ...joining.clusters], hasQueues: joining.hasQueues };
}

/** Names, each once. */
export const distinct = (names: string[]) => [...new Set(names)];

/** Hardware of an `InstanceCluster`, if it is known. */
export const withHardware = (hardware: HostHardware | undefined) => (hardware ? { hardware } : {});

/** The instance in the operator's form, in which every host has the hardware of the hosts of this cluster. */
function operatorInstance(flux: InstanceFields["flux"], own: InstanceCluster): InstanceSpec {
  const { leadBroker, hostlist, clusters = [] } = flux.bursting ?? {};
  const hosts = flux.brokerConfig?.hosts ?? hostlist;
  const root = leadBroker ? [{ name: leadBroker.name, hosts: leadBroker.size }] : [];
  const joining = clusters.map(({ name, size = own.hosts }, index) => ({ name: burstName(name, index), hosts: size }));
  const members = [...root, ...joining].map((other) =>
    other.name === own.name
      ? { ...own, hosts: other.hosts }
      : { ...other, properties: [], ...withHardware(own.hardware) },
  );
  return {
    clusters: leadBroker ? members : [own, ...members],
    hasQueues: false,
    ...(hosts !== undefined && { hostlist: hosts }),
  };
}

/** Hardware of one host of a cluster in Flux's configuration. */
export interface HostHardware {
  cores: number;
  gpus: number;
}

/** Resources of the container that runs Flux. */
interface Resources {
  limits?: Record<string, unknown>;
}

/**
 * Hardware of the hosts of a pool within the limits of the container that runs Flux. Cores that are unknown are assumed if the lead
 * broker cannot count them: on hosts of another pool (`isApart`), and with GPUs, which `flux R encode --local` may not find. Undefined
 * if it counts them, or if the CPUs are also unknown.
 */
export function hostHardware(pool: PoolSpec, { limits }: Resources = {}, isApart = false): HostHardware | undefined {
  const gpus = gpusPerHost(pool, limits);
  const cores = coresPerHost(pool, limits) ?? (isApart || gpus > 0 ? assumedCores(pool) : undefined);
  return cores === undefined ? undefined : { cores, gpus };
}

/** Cores of a host whose CPUs alone are known: no more than it has, because Flux drains a host with fewer. */
function assumedCores({ node: { vcpus, arch } }: PoolSpec): number | undefined {
  if (vcpus === undefined || arch === MiniClusterArch.Arm64) return vcpus;
  return Math.max(1, Math.floor(vcpus / 2));
}

/** GPUs of a host: the GPUs of the broker's container. */
function gpusPerHost({ node, resources }: PoolSpec, limits: Resources["limits"]): number {
  const given = Object.entries(limits ?? {}).filter(([name]) => isAccelerator(name));
  const counts = given.map(([, quantity]) => amount(quantity)).filter((count) => count !== undefined);
  if (counts.length > 0) return counts.reduce((sum, count) => sum + count, 0);
  // Devices of the pool are among the limits, unless other containers have all of them.
  const isTaken = limits !== undefined && given.length === 0 && Object.keys(resources).some(isAccelerator);
  return isTaken ? 0 : node.gpus;
}

/** Cores of a host. Under the static CPU policy a broker sees only the cores of its container. */
function coresPerHost({ node: { cores, vcpus }, staticCpu }: PoolSpec, limits: Resources["limits"]) {
  const cpus = staticCpu ? amount(limits?.["cpu"]) : undefined;
  if (cpus === undefined || cores === undefined || vcpus === undefined) return cores;
  return Math.max(1, Math.floor((cpus * cores) / vcpus));
}

/** Properties by which a job requests these hosts (`flux submit --requires`). */
export function hostProperties({ pool, node }: PoolSpec): string[] {
  const { arch, gpuModel, fabric }: { arch?: string; gpuModel?: string; fabric?: NodePoolFabric } = node;
  return [...new Set([pool, arch, gpuModel && propertyName(gpuModel), fabric].filter((name) => name !== undefined))];
}

/** Flux refuses some characters in a property, and a blank ends its name in a constraint (RFC 35 of Flux). */
const propertyName = (text: string) => text.toLowerCase().replace(/[^a-z0-9.]+/g, "-");
