import type * as pulumi from "@pulumi/pulumi";
import type { AutoscalePaceArgs, BrokerFluxArgs, BrokerPodsArgs, BurstPlan } from "../brokers/args";

/** Cluster to join: the parts of the output `burst` of a MiniCluster. */
export interface BurstRootArgs {
  /** The hosts of the instance: `burstPlan` of the MiniCluster. Known when the program runs. */
  plan: pulumi.Input<BurstPlan>;
  /** IP address or host name at which the lead broker is reached: `burstAddress`. A change replaces the Job. */
  address: pulumi.Input<string>;
  /** TCP port there: `burstPort`. A change replaces the Job. */
  port: pulumi.Input<number>;
  /** The curve certificate of the instance: `burstCertificate`. Kept as a secret. A change replaces the Job. */
  certificate: pulumi.Input<string>;
  /**
   * TCP port there at which the lead broker's pod serves the demand of the queue: `burstDemandPort`, for `autoscale`. Default: none, where
   * the MiniCluster has no `bursting.expose.demand`.
   */
  demandPort?: pulumi.Input<number>;
}

/** Size of a BurstCluster that follows the queue of the Flux instance. All times are in seconds. */
export interface BurstClusterAutoscaleArgs extends AutoscalePaceArgs {
  /** Smallest size: what `pulumi up` waits for. From 0 to `max`, from 1 on with `gang.queueName`. Default: 0. */
  min?: number;
  /** Largest size. From 1 to the `maxSize` that the MiniCluster sets. Default: that one. */
  max?: number;
}

/** Condition that `pulumi up` waits for before it calls a BurstCluster done. */
export const BurstClusterWait = {
  /** Every pod is Ready: its broker belongs to the running Flux instance. */
  Ready: "ready",
  /** As "ready", and every pod that leaves has gone: after a resize to fewer pods, the jobs there have ended. */
  Settled: "settled",
  /** Nothing: the objects exist, and that is all. */
  None: "none",
} as const;
export type BurstClusterWait = (typeof BurstClusterWait)[keyof typeof BurstClusterWait];

/** Brokers that join the Flux instance of a MiniCluster from another Kubernetes cluster. */
export interface BurstClusterArgs extends BrokerPodsArgs {
  /**
   * The MiniCluster to join: its output `burst`, here or of another stack (in TypeScript `readBurstRoot` reads it), or the four
   * parts by themselves. A MiniCluster without `bursting` has no such output. Default: required.
   */
  root: pulumi.Input<BurstRootArgs | undefined>;
  /**
   * Name of the Job, and the stem of every other object and host name: one of `bursting.clusters` of the MiniCluster.
   * Default: the Pulumi resource name.
   */
  name?: string;
  /**
   * Pods to run, from 0 to the `maxSize` that the MiniCluster sets; changed in place, highest ranks leaving first. With 0
   * the objects stay, and the Job is suspended. Not 0 with `gang.queueName`, by which Kueue suspends the Job itself.
   * Default: the `size` that the MiniCluster sets.
   */
  size?: number;
  /**
   * Size that follows the queue, instead of `size`: an agent in this cluster queries the lead broker's pod for the demand.
   * Requires `bursting.expose.demand` of the MiniCluster. Default: none.
   */
  autoscale?: BurstClusterAutoscaleArgs;
  /** The Flux brokers, of the same version as those of the MiniCluster. Default: the Ubuntu noble view. */
  flux?: BrokerFluxArgs;
  /** Condition that `pulumi up` waits for. Default: "ready". */
  wait?: BurstClusterWait;
}
