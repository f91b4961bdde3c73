import type * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../../clouds/nodes/args";

/** Clusters that can join this cluster, and how they reach its lead broker. */
export interface BurstingArgs {
  /**
   * Clusters that can join, each as a `BurstCluster`, in the order of their ranks; 1 or more. Names, order, `maxSize`,
   * properties and hardware are part of the brokers' configuration, so changing them replaces this cluster.
   */
  clusters: BurstingClusterArgs[];
  /** How brokers of other clusters reach the lead broker: one of `nodePort`, `loadBalancer` and `endpoint`. */
  expose: BurstingExposeArgs;
  /**
   * Lets Flux spread a job over the clusters. By default, each cluster has its own Flux queue with its name, and the queue of
   * this cluster is the default: a job runs within one cluster, and `--queue=<name>` selects it. With true, there are no
   * queues; `--requires=<name>` keeps a job in one cluster, and the command of this cluster has it. All jobs then wait in one
   * queue for all clusters: with `flux.scheduler.queuePolicy` "easy", small jobs start earlier. A change replaces this cluster.
   * Default: false.
   */
  spanClusters?: boolean;
  /**
   * Moves jobs that wait too long to the queue of another cluster. `place: {}` has all defaults. It can be added, changed and
   * removed while the brokers run. Cannot be set with `spanClusters`. Default: none; a job stays in its queue.
   */
  place?: BurstingPlaceArgs;
}

/** The order in which a job tries clusters. */
export const BurstingOrder = {
  /** In the order of `place.clusters` or `bursting.clusters`. */
  Listed: "listed",
  /** By the price of the hosts that the job needs, lowest first. */
  Price: "price",
} as const;
export type BurstingOrder = (typeof BurstingOrder)[keyof typeof BurstingOrder];

/**
 * Jobs that wait too long in the default queue are moved to the queue of another cluster, and from there to the next one, until
 * hosts join (`flux update JOB queue=NAME`). Only pending jobs are moved. Jobs with `--queue` or `--requires`, and held jobs,
 * are not moved.
 */
export interface BurstingPlaceArgs {
  /** The order in which a job tries clusters. "price" requires `pricePerHour` of each of them. Default: "listed". */
  order?: BurstingOrder;
  /**
   * Seconds that a job waits in the default queue. A job that the hosts of this queue can never run does not wait. From 0 to
   * 604800. Default: 120.
   */
  afterSeconds?: number;
  /**
   * Seconds that a job waits in another queue while no hosts join. Then it is moved to the next queue. After the last queue, it
   * is reported as unplaceable and returns to the default queue for another round. From 10 to 604800. Default: 600.
   */
  giveUpSeconds?: number;
  /** Names of `bursting.clusters` and of `groups` to which jobs may move, 1 or more. Default: all `bursting.clusters`. */
  clusters?: string[];
}

/** A cluster that can join. */
export interface BurstingClusterArgs {
  /** Name of the cluster: the stem of its hosts' names, their Flux property and their queue. A lowercase DNS label. */
  name: string;
  /** Number of pods, unless its `BurstCluster` sets `size`. From 0, without any cost, to `maxSize`. Default: 0. */
  size?: number;
  /** Number of its hosts in the Flux instance, which is its largest size. From 1 to 100000. */
  maxSize: number;
  /**
   * Additional Flux properties of its hosts, with which jobs require or avoid them (`--requires`). The name of the cluster is
   * always a property; with `pool`, its name, architecture, GPU model and fabric are properties as well. Default: none.
   */
  properties?: string[];
  /**
   * Number of cores of each host, as Flux counts them, 1 or more. Flux drains hosts with fewer cores and does not use additional
   * cores. Default: the cores of `pool`, or, with a warning, of the lead broker's host.
   */
  cores?: number;
  /** Number of GPUs of each host, 0 or more. Requires `cores` or `pool`. Default: the GPUs of `pool`, or 0 with `cores`. */
  gpus?: number;
  /**
   * The node pool that it runs on, as the `scheduling` output of the pool, from which cores, GPUs and properties are taken.
   * This cluster does not wait for the pool. Default: none.
   */
  pool?: pulumi.Input<NodePoolScheduling>;
  /**
   * Price of a host per hour, above 0, in the currency of all prices of the instance. Used by `place` and metrics. Default:
   * `pricePerHour` of `pool`, or none.
   */
  pricePerHour?: number;
}

/** How brokers of other clusters reach the lead broker: one of `nodePort`, `loadBalancer` and `endpoint`. */
export interface BurstingExposeArgs {
  /** A port of every node of this Kubernetes cluster. The network controls who can connect to it. Default: none. */
  nodePort?: BurstingNodePortArgs;
  /** A load balancer of the cloud that accepts connections only from `sourceRanges`. Default: none. */
  loadBalancer?: BurstingLoadBalancerArgs;
  /** An existing address of the lead broker: no object is created. Default: none. */
  endpoint?: BurstingEndpointArgs;
  /**
   * A second port, at which the lead broker's pod reports to each cluster how many of its hosts the queue needs, for
   * `autoscale` of a `BurstCluster`. It requires the certificate. Default: none.
   */
  demand?: BurstingDemandArgs;
}

/** A second port for other clusters, which forwards to port 8060 of the lead broker's pod. */
export interface BurstingDemandArgs {
  /**
   * The port, from 1 to 65535: with `nodePort` a port of every node, with `endpoint` a port of its address. Cannot be set with
   * `loadBalancer`, whose port is 8060. Default: a port that Kubernetes chooses with `nodePort`; 8060 with `endpoint`.
   */
  port?: number;
}

/** A port of every node. */
export interface BurstingNodePortArgs {
  /** IP address (version 4) or host name of a node that the other clusters can reach. */
  address: pulumi.Input<string>;
  /**
   * The port, within the range that the API server allows, from 30000 to 32767 by default. Default: a port that Kubernetes
   * chooses.
   */
  port?: number;
}

/** Cloud of the load balancer, which determines the annotations of the Service. */
export const BurstingCloud = {
  /** A Network Load Balancer, by the AWS Load Balancer Controller. */
  Aws: "aws",
  /** A passthrough Network Load Balancer of Google Cloud. */
  Gcp: "gcp",
  /** Azure Load Balancer. */
  Azure: "azure",
  /** Another cloud: `annotations` must keep the load balancer internal. */
  Other: "other",
} as const;
export type BurstingCloud = (typeof BurstingCloud)[keyof typeof BurstingCloud];

/** A load balancer of the cloud, on the brokers' port, 8050. */
export interface BurstingLoadBalancerArgs {
  /** The cloud that this Kubernetes cluster runs in. */
  cloud: BurstingCloud;
  /**
   * Networks that may connect, in CIDR form such as "203.0.113.0/24", 1 or more (`loadBalancerSourceRanges`), none wider than
   * /8 (/16 for IP version 6). To allow all addresses, set `openToWorld`. Default: none, which requires `openToWorld: true`.
   */
  sourceRanges?: pulumi.Input<string>[];
  /**
   * Allows connections from all addresses, instead of `sourceRanges`. Brokers without the certificate are still rejected.
   * Default: false.
   */
  openToWorld?: boolean;
  /** Gives the load balancer a public address. Default: false, an address of the private network. */
  internetFacing?: boolean;
  /** Additional annotations of the Service. The annotations that `cloud` sets make it private or public. Default: none. */
  annotations?: Record<string, pulumi.Input<string>>;
  /**
   * Implementation of the load balancer (`loadBalancerClass`), such as "eks.amazonaws.com/nlb" in EKS Auto Mode. Default: the
   * default implementation of the Kubernetes cluster.
   */
  loadBalancerClass?: string;
}

/** An address that forwards to port 8050 of the lead broker. */
export interface BurstingEndpointArgs {
  /** IP address (version 4) or host name. */
  address: pulumi.Input<string>;
  /** TCP port, from 1 to 65535. Default: 8050. */
  port?: number;
}

/** The hosts of a Flux instance that spans several clusters, identical for all of them. */
export interface BurstPlan {
  /** Version of the format of the plan. */
  version: number;
  /** The clusters in the order of their ranks, the cluster of the lead broker first. */
  clusters: BurstPlanCluster[];
  /** True if Flux spreads jobs over the clusters. */
  spanClusters: boolean;
  /** Directory of the Flux volume. All brokers use the configuration of the lead broker, with its paths. */
  mountPath: string;
}

/** A cluster of a Flux instance. */
export interface BurstPlanCluster {
  /** Name of the cluster, the stem of its host names. */
  name: string;
  /**
   * Group of a MiniCluster that has these hosts, which is also its queue. The lead broker's host then runs no jobs. Default:
   * none; the cluster of the lead broker or one that can join.
   */
  group?: string;
  /** Number of its hosts in the instance. */
  maxSize: number;
  /** Number of pods. Default: none, as for the cluster of the lead broker. */
  size?: number;
  /** Flux properties of its hosts. */
  properties: string[];
  /** Number of cores of each host. Default: the cores of a host in the cluster of the lead broker. */
  cores?: number;
  /** Number of GPUs of each host. Default: 0 with cores, otherwise the GPUs of a host in the cluster of the lead broker. */
  gpus?: number;
}

/** Values that another cluster needs to join a MiniCluster. */
export interface BurstRoot {
  /** The hosts of the instance. */
  plan: BurstPlan;
  /** IP address or host name of the lead broker for other clusters. */
  address: string;
  /** TCP port of the lead broker for brokers of other clusters. */
  port: number;
  /** The curve certificate of the instance, a secret. */
  certificate: string;
  /** TCP port at which the lead broker's pod reports the demand of the queue. Default: none, if `demand` is not exposed. */
  demandPort?: number;
}

/** Argument of a cluster that other clusters join. */
export interface BurstingArgument {
  /**
   * BurstClusters that can join this cluster, and the endpoint of its lead broker. The output `burst` has all values
   * that a BurstCluster needs. Cannot be set with `flux.brokerConfig`. Default: none.
   */
  bursting?: BurstingArgs;
}
