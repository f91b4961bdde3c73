import type { NodePoolFabric } from "../../clouds/nodes/args";
import { isAccelerator, type PoolSpec } from "../../clouds/nodes/parse/pool";
import { amount } from "../../shared/checks";
import type { BurstingFields } from "../../bursting/parse/fields";
import type { MiniClusterFields } from "../../minicluster/parse/fields";
import { burstName } from "./flux";
import { maxSizeOf } from "./sizes";

/** A cluster of a Flux instance. */
export interface InstanceCluster {
  /** The stem of its host names. */
  name: string;
  /** Its queue, where clusters have queues. Default: `name`. */
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
  /** Its clusters in the order of their ranks, that of the lead broker first. */
  clusters: InstanceCluster[];
  /** All hosts, if the user has named them. */
  hostlist?: string;
  /** True if each cluster that runs jobs has a separate queue. */
  hasQueues: boolean;
}

/** The queues of an instance, the default one first, each with its cluster. */
export const queuesOf = ({ clusters }: InstanceSpec) =>
  clusters.filter(({ isExcluded }) => !isExcluded).map(({ name, queue = name }) => ({ name: queue, cluster: name }));

/** The instance of a MiniCluster, whose hosts have this hardware. */
export function settleInstance(fields: MiniClusterFields, hardware: HostHardware | undefined): InstanceSpec {
  const { name, pool, bursting } = fields;
  const own: InstanceCluster = {
    name,
    hosts: maxSizeOf(fields),
    properties: [...(bursting ? [name] : []), ...(pool ? hostProperties(pool) : [])],
    ...withHardware(hardware),
  };
  if (!bursting) return operatorInstance(fields, own);
  const joining = bursting.clusters.map((other) => ({
    name: other.name,
    hosts: other.maxSize,
    properties: distinct([other.name, ...(other.pool ? hostProperties(other.pool) : []), ...other.properties]),
    ...withHardware(hardwareOf(other) ?? hardware),
  }));
  return {
    clusters: [{ ...own, properties: distinct(own.properties) }, ...joining],
    hasQueues: !bursting.spanClusters,
  };
}

const distinct = (names: string[]) => [...new Set(names)];

const withHardware = (hardware: HostHardware | undefined) => (hardware ? { hardware } : {});

/** Cores and GPUs of the hosts of a cluster that may join. */
function hardwareOf({ cores, gpus, pool }: BurstingFields["clusters"][number]): HostHardware | undefined {
  const ofPool = pool && hostHardware(pool);
  const known = cores ?? ofPool?.cores;
  return known === undefined ? undefined : { cores: known, gpus: gpus ?? ofPool?.gpus ?? 0 };
}

/** The instance in the operator's form, where every host is like one of this cluster. */
function operatorInstance({ flux }: MiniClusterFields, own: InstanceCluster): InstanceSpec {
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

/** Hardware of the hosts of a pool within the limits of the container that runs Flux. */
export const hostHardware = (pool: PoolSpec, { limits }: Resources = {}): HostHardware => ({
  cores: coresPerHost(pool, limits),
  gpus: gpusPerHost(pool, limits),
});

/** GPUs of a host: those of the broker's container. */
function gpusPerHost({ node, resources }: PoolSpec, limits: Resources["limits"]): number {
  const given = Object.entries(limits ?? {}).filter(([name]) => isAccelerator(name));
  const counts = given.map(([, quantity]) => amount(quantity)).filter((count) => count !== undefined);
  if (counts.length > 0) return counts.reduce((sum, count) => sum + count, 0);
  // Devices of the pool are among the limits, unless other containers have all of them.
  const isTaken = limits !== undefined && given.length === 0 && Object.keys(resources).some(isAccelerator);
  return isTaken ? 0 : node.gpus;
}

/** Cores of a host. Under the static CPU policy a broker sees only the cores of its container. */
function coresPerHost({ node: { cores, vcpus }, staticCpu }: PoolSpec, limits: Resources["limits"]): number {
  const cpus = staticCpu ? amount(limits?.["cpu"]) : undefined;
  return cpus === undefined ? cores : Math.max(1, Math.floor((cpus * cores) / vcpus));
}

/** Properties by which a job requests these hosts (`flux submit --requires`). */
export function hostProperties({ pool, node }: PoolSpec): string[] {
  const { arch, gpuModel, fabric }: { arch: string; gpuModel?: string; fabric?: NodePoolFabric } = node;
  return [...new Set([pool, arch, gpuModel && propertyName(gpuModel), fabric].filter((name) => name !== undefined))];
}

/** Flux refuses some characters in a property, and a blank ends its name in a constraint (RFC 35 of Flux). */
const propertyName = (text: string) => text.toLowerCase().replace(/[^a-z0-9.]+/g, "-");
