import type * as pulumi from "@pulumi/pulumi";
import type { AutoscalePaceArgs } from "../../autoscale/args";
import type { PriceArgs } from "../../budget/args";
import type { BrokerFluxArgs, BrokerPodsArgs } from "../../core/args";
import type { GangArgs } from "../../gang/args";
import type { BurstPlan } from ".";

/** Cluster to join: the output `burst` of a MiniCluster. */
export interface BurstRootArgs {
  /** The hosts of the instance. Known when the program runs. */
  plan: pulumi.Input<BurstPlan>;
  /** IP address or host name of the lead broker. A change replaces the Job. */
  address: pulumi.Input<string>;
  /** TCP port of the lead broker. A change replaces the Job. */
  port: pulumi.Input<number>;
  /** The curve certificate of the instance. Kept as a secret. A change replaces the Job. */
  certificate: pulumi.Input<string>;
  /**
   * TCP port at which the lead broker's pod serves the demand of the queue, for `autoscale`. Default: none, for a MiniCluster
   * without `bursting.expose.demand`.
   */
  demandPort?: pulumi.Input<number>;
}

/** Automatic size of a BurstCluster, which the queue of the Flux instance determines. All times are in seconds. */
export interface BurstClusterAutoscaleArgs extends AutoscalePaceArgs {
  /** Smallest size, which `pulumi up` waits for. From 0 to `max`; at least 1 with `gang.queueName`. Default: 0. */
  min?: number;
  /** Largest size. From 1 to the `maxSize` that the MiniCluster sets. Default: this `maxSize`. */
  max?: number;
}

/** Condition that `pulumi up` waits for in a BurstCluster. */
export const BurstClusterWait = {
  /** Every pod is Ready: its broker has joined the Flux instance. */
  Ready: "ready",
  /** Like "ready", and every removed pod has terminated: after a resize to fewer pods, the jobs on them have ended. */
  Settled: "settled",
  /** No condition: `pulumi up` returns when the objects exist. */
  None: "none",
} as const;
export type BurstClusterWait = (typeof BurstClusterWait)[keyof typeof BurstClusterWait];

/** Brokers that join the Flux instance of a MiniCluster from another Kubernetes cluster. */
export interface BurstClusterArgs extends BrokerPodsArgs, GangArgs, PriceArgs {
  /**
   * The MiniCluster to join: its output `burst`, in this or another stack (in TypeScript, `readBurstRoot` reads it). A
   * MiniCluster without `bursting` has no such output. Default: required.
   */
  root: pulumi.Input<BurstRootArgs | undefined>;
  /**
   * Name of the Job, and the stem of every other object and host name: one of `bursting.clusters` of the MiniCluster.
   * Default: the Pulumi resource name.
   */
  name?: string;
  /**
   * Number of pods, from 0 to the `maxSize` that the MiniCluster sets. It is changed in place; the highest ranks are removed
   * first. With 0, the objects remain and the Job is suspended. At least 1 with `gang.queueName`, because then Kueue suspends
   * the Job. Default: the `size` that the MiniCluster sets.
   */
  size?: number;
  /**
   * Automatic size, which the queue determines, instead of `size`: an agent in this Kubernetes cluster queries the lead
   * broker's pod for the demand. Requires `bursting.expose.demand` of the MiniCluster. Default: none.
   */
  autoscale?: BurstClusterAutoscaleArgs;
  /** The Flux brokers, of the same version as the brokers of the MiniCluster. Default: the Ubuntu noble view. */
  flux?: BrokerFluxArgs;
  /** Condition that `pulumi up` waits for. Default: "ready". */
  wait?: BurstClusterWait;
}
