import type * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../../clouds/nodes/args";

/** Clusters that may join this one, and the way to its lead broker. */
export interface BurstingArgs {
  /**
   * Clusters that may join, each as a `BurstCluster`, in the order of their ranks; 1 or more. Names, order, `maxSize`,
   * properties and hardware are part of the brokers' configuration, so a change of theirs replaces this cluster.
   */
  clusters: BurstingClusterArgs[];
  /** Way to the lead broker for brokers of other clusters: one of `nodePort`, `loadBalancer` and `endpoint`. */
  expose: BurstingExposeArgs;
  /**
   * Lets Flux spread a job over the clusters. By default each cluster has its own Flux queue, under its name, and
   * that of this cluster is the default: a job stays within one cluster, and `--queue=<name>` chooses it. With true there
   * are no queues; `--requires=<name>` keeps a job in one cluster, and keeps the command of this cluster here. One line
   * of jobs then waits for all clusters: `flux.scheduler.queuePolicy` "easy" lets others pass. A change replaces this
   * cluster. Default: false.
   */
  spanClusters?: boolean;
  /**
   * Moves jobs that wait too long to the queue of another cluster, each as a whole: `place: {}` with all defaults. Added, changed and
   * removed while the brokers run. Not with `spanClusters`. Default: none, a job stays in its queue.
   */
  place?: BurstingPlaceArgs;
}

/** The order in which a job tries clusters. */
export const BurstingOrder = {
  /** As `place.clusters` or `bursting.clusters` list them. */
  Listed: "listed",
  /** Those first that cost least for the hosts that the job needs there. */
  Price: "price",
} as const;
export type BurstingOrder = (typeof BurstingOrder)[keyof typeof BurstingOrder];

/**
 * Jobs that wait too long in the default queue are moved to the queue of another cluster, and from there to the next one, until hosts come
 * (`flux update JOB queue=NAME`). A job moves as a whole and only while it is pending. Jobs with `--queue` or `--requires`, and held ones, stay.
 */
export interface BurstingPlaceArgs {
  /** The order in which a job tries clusters. "price" requires `pricePerHour` of each of them. Default: "listed". */
  order?: BurstingOrder;
  /**
   * Seconds that a job waits in the default queue. A job for which the hosts there can never have room does not wait. From 0 to
   * 604800. Default: 120.
   */
  afterSeconds?: number;
  /**
   * Seconds that a job waits in another queue without hosts that join. Then it tries the next one; after the last one it is reported as
   * unplaceable, and returns to the default queue for another round. From 10 to 604800. Default: 600.
   */
  giveUpSeconds?: number;
  /** Names of `bursting.clusters` and of `groups` to which jobs may move, 1 or more. Default: all `bursting.clusters`. */
  clusters?: string[];
}

/** A cluster that may join. */
export interface BurstingClusterArgs {
  /** Name of the cluster: the stem of its hosts' names, their Flux property and their queue. A lowercase DNS label. */
  name: string;
  /** Pods that it is to run, unless its `BurstCluster` says otherwise. From 0, which costs nothing, to `maxSize`. Default: 0. */
  size?: number;
  /** Its hosts in the Flux instance, and so its largest size. From 1 to 100000. */
  maxSize: number;
  /**
   * Further Flux properties of its hosts, by which jobs require or avoid them (`--requires`). The name of the
   * cluster is always one; with `pool`, so are its name, architecture, GPU model and fabric. Default: none.
   */
  properties?: string[];
  /**
   * Cores of each host as Flux counts them, 1 or more. Flux drains hosts with fewer, and leaves further ones unused. Default:
   * those of `pool`, or, with a warning, as many as the lead broker's host has.
   */
  cores?: number;
  /** GPUs of each host, from 0 on. Only beside `cores` or `pool`. Default: those of `pool`, or none beside `cores`. */
  gpus?: number;
  /**
   * The node pool that it runs on, as the `scheduling` output of the pool: gives cores, GPUs and properties. This cluster does
   * not wait for it. Default: none.
   */
  pool?: pulumi.Input<NodePoolScheduling>;
  /**
   * Price of one host for an hour, above 0, in the currency of all prices of the instance: for `place` and metrics. Default: that of
   * `pool`, or none.
   */
  pricePerHour?: number;
}

/** Way to the lead broker for brokers of other clusters: one of `nodePort`, `loadBalancer` and `endpoint`. */
export interface BurstingExposeArgs {
  /** A port of every node of this cluster. The network decides who may reach it. Default: none. */
  nodePort?: BurstingNodePortArgs;
  /** A load balancer of the cloud, closed but for the named sources. Default: none. */
  loadBalancer?: BurstingLoadBalancerArgs;
  /** An address that leads to the lead broker already: nothing is made. Default: none. */
  endpoint?: BurstingEndpointArgs;
  /**
   * A second port on the same way, at which the lead broker's pod reports to the clusters that join how many of their hosts the queue
   * needs: for `autoscale` of a `BurstCluster`. It answers only who has the certificate. Default: none.
   */
  demand?: BurstingDemandArgs;
}

/** A second port on the way to the lead broker. It leads to port 8060 of the lead broker's pod. */
export interface BurstingDemandArgs {
  /**
   * The port, from 1 to 65535: with `nodePort` one of every node, with `endpoint` one at its address. Not with `loadBalancer`, whose
   * port is 8060. Default: with `nodePort` one that Kubernetes chooses, with `endpoint` 8060.
   */
  port?: number;
}

/** A port of every node. */
export interface BurstingNodePortArgs {
  /** IP address (version 4) or host name of a node, as the other clusters reach it. */
  address: pulumi.Input<string>;
  /** The port, within the range that the API server allows, from 30000 to 32767 by default. Default: one that Kubernetes chooses. */
  port?: number;
}

/** Cloud of the load balancer: it decides the annotations of the service. */
export const BurstingCloud = {
  /** A Network Load Balancer, by the AWS Load Balancer Controller. */
  Aws: "aws",
  /** A passthrough Network Load Balancer of Google Cloud. */
  Gcp: "gcp",
  /** Azure Load Balancer. */
  Azure: "azure",
  /** Any other: `annotations` must hold what keeps the load balancer internal. */
  Other: "other",
} as const;
export type BurstingCloud = (typeof BurstingCloud)[keyof typeof BurstingCloud];

/** A load balancer of the cloud, on the brokers' port, 8050. */
export interface BurstingLoadBalancerArgs {
  /** The cloud that this cluster runs in. */
  cloud: BurstingCloud;
  /**
   * Networks that may connect, in CIDR form such as "203.0.113.0/24", 1 or more (`loadBalancerSourceRanges`), none wider than /8
   * (/16 of IP version 6); for the whole world see `openToWorld`. Default: none, which requires `openToWorld: true`.
   */
  sourceRanges?: pulumi.Input<string>[];
  /** Lets every address connect, in place of `sourceRanges`. Brokers without the certificate are still refused. Default: false. */
  openToWorld?: boolean;
  /** Gives the load balancer a public address. Default: false, an address of the private network. */
  internetFacing?: boolean;
  /** Annotations of the service, beside those by which `cloud` keeps it private or makes it public. Default: none. */
  annotations?: Record<string, pulumi.Input<string>>;
  /**
   * Implementation that makes the load balancer (`loadBalancerClass`), such as "eks.amazonaws.com/nlb" in EKS Auto Mode.
   * Default: the cluster's own.
   */
  loadBalancerClass?: string;
}

/** An address that leads to port 8050 of the lead broker. */
export interface BurstingEndpointArgs {
  /** IP address (version 4) or host name. */
  address: pulumi.Input<string>;
  /** TCP port, from 1 to 65535. Default: 8050. */
  port?: number;
}

/** The hosts of a Flux instance over several clusters: the same for every one of them. */
export interface BurstPlan {
  /** Version of the form of the plan. */
  version: number;
  /** The clusters in the order of their ranks, that of the lead broker first. */
  clusters: BurstPlanCluster[];
  /** True if Flux spreads jobs over the clusters. */
  spanClusters: boolean;
  /** Directory of the Flux volume. Every broker takes the lead broker's configuration, and its paths with it. */
  mountPath: string;
}

/** A cluster of a Flux instance. */
export interface BurstPlanCluster {
  /** Its name, the stem of its host names. */
  name: string;
  /**
   * The group of a MiniCluster whose hosts these are, and so its queue. The lead broker's host then runs no jobs. Default: none, the
   * cluster of the lead broker or one that may join.
   */
  group?: string;
  /** Its hosts in the instance. */
  maxSize: number;
  /** Pods that it is to run. Default: none, as for the lead broker's cluster. */
  size?: number;
  /** Flux properties of its hosts. */
  properties: string[];
  /** Cores of each host. Default: as many as a host of the lead broker's cluster has. */
  cores?: number;
  /** GPUs of each host. Default: none beside cores, else as many as a host of the lead broker's cluster has. */
  gpus?: number;
}

/** All that another cluster needs to join a MiniCluster. */
export interface BurstRoot {
  /** The hosts of the instance. */
  plan: BurstPlan;
  /** IP address or host name at which the lead broker is reached from outside. */
  address: string;
  /** TCP port there. */
  port: number;
  /** The curve certificate of the instance, a secret. */
  certificate: string;
  /** TCP port there at which the lead broker's pod reports the demand of the queue. Default: none, where `demand` is not exposed. */
  demandPort?: number;
}
