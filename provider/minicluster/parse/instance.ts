import type * as pulumi from "@pulumi/pulumi";
import type { BurstPlanCluster, MiniClusterArgs } from "../args";
import type { BurstingSpec } from "./burst/bursting";
import { type HostHardware, hostHardware, hostProperties } from "./pool/hardware";
import { mergedResources } from "./pool/merged";
import type { PoolSpec } from "./pool/scheduling";

/** A cluster of a Flux instance. */
export interface InstanceCluster {
  /** The stem of its host names. */
  name: string;
  /** Hosts that the instance knows of it. */
  hosts: number;
  /** Flux properties of its hosts. */
  properties: string[];
  /** What each host has, where it is known before the brokers start. */
  hardware?: HostHardware;
}

/** The Flux instance that a cluster belongs to. */
export interface InstanceSpec {
  /** Its clusters in the order of their ranks, that of the lead broker first. */
  clusters: InstanceCluster[];
  /** All hosts, where the user has named them himself. */
  hostlist?: string;
  /** Whether each cluster has a queue of its own. */
  hasQueues: boolean;
  /** The lead broker, where it runs in another cluster. */
  lead?: LeadSpec;
}

/** The lead broker in another cluster. */
export interface LeadSpec {
  /** What the configuration says for `address:port`. */
  endpoint: string;
  /** What the scripts put there when they start: an endpoint that is only known later. */
  late?: pulumi.Output<string>;
}

/** What is said of a cluster where its instance is settled. */
interface Cluster {
  name: string;
  maxSize: number;
  pool?: PoolSpec;
  bursting?: BurstingSpec;
  /** What the user merges over the pods, the resources of the brokers' container among it. */
  podTemplate?: MiniClusterArgs["podTemplate"];
  /** What the user gave in the operator's form. */
  flux: { bursting: OperatorBursting; brokerConfig?: { hosts?: string } };
}

interface OperatorBursting {
  leadBroker?: { address: string; name: string; size: number; port: number };
  hostlist?: string;
  clusters: { name: string; size: number }[];
}

/** The instance of a cluster, and the container of its brokers. */
export function settleInstance(cluster: Cluster, main: Parameters<typeof mergedResources>[0]): InstanceSpec {
  const { pool, bursting } = cluster;
  const hardware = pool && hostHardware(pool, mergedResources(main, cluster.podTemplate));
  const own = {
    name: cluster.name,
    hosts: cluster.maxSize,
    properties: [...(bursting ? [cluster.name] : []), ...(pool ? hostProperties(pool) : [])],
    ...(hardware && { hardware }),
  };
  if (!bursting) return operatorInstance(cluster, own);
  const others = bursting.clusters.map((other) => ({
    name: other.name,
    hosts: other.maxSize,
    properties: distinct([other.name, ...(other.pool ? hostProperties(other.pool) : []), ...other.properties]),
    ...withHardware(hardwareOf(other) ?? hardware),
  }));
  return {
    clusters: [{ ...own, properties: distinct(own.properties) }, ...others],
    hasQueues: !bursting.spanClusters,
  };
}

const distinct = (names: string[]) => [...new Set(names)];

const withHardware = (hardware: HostHardware | undefined) => (hardware ? { hardware } : {});

/** What is said of the hosts of a cluster that may join. */
function hardwareOf({ cores, gpus, pool }: BurstingSpec["clusters"][number]): HostHardware | undefined {
  const ofPool = pool && hostHardware(pool);
  const known = cores ?? ofPool?.cores;
  return known === undefined ? undefined : { cores: known, gpus: gpus ?? ofPool?.gpus ?? 0 };
}

/** The instance in the operator's form, where every host is like one of this cluster. */
function operatorInstance({ flux }: Cluster, own: InstanceCluster): InstanceSpec {
  const { leadBroker, hostlist, clusters } = flux.bursting;
  const hosts = flux.brokerConfig?.hosts ?? hostlist;
  const root = leadBroker && { name: leadBroker.name, hosts: leadBroker.size };
  const all = [...(root ? [root] : []), ...clusters.map(({ name, size }) => ({ name, hosts: size }))];
  const others = all.map((other) =>
    other.name === own.name
      ? { ...own, hosts: other.hosts }
      : { ...other, properties: [], ...withHardware(own.hardware) },
  );
  return {
    clusters: root ? others : [own, ...others],
    hasQueues: false,
    ...(hosts !== undefined && { hostlist: hosts }),
    ...(leadBroker && { lead: { endpoint: `${leadBroker.address}:${leadBroker.port}` } }),
  };
}

/** The instance as a plan has it. */
export function planInstance(
  { clusters, spanClusters }: { clusters: BurstPlanCluster[]; spanClusters: boolean },
  lead: LeadSpec,
): InstanceSpec {
  return {
    clusters: clusters.map(({ name, maxSize, properties, cores, gpus }) => ({
      ...{ name, hosts: maxSize, properties },
      ...(cores !== undefined && { hardware: { cores, gpus: gpus ?? 0 } }),
    })),
    hasQueues: !spanClusters,
    lead,
  };
}
