import type * as pulumi from "@pulumi/pulumi";
import type { MiniClusterBudgetArgs } from "../budget/args";

/** Pace and budget of automatic sizes, and their agent. */
export interface AutoscalePaceArgs {
  /**
   * Image of the agent, which needs a shell and Python 3.8 or newer as `python3`, such as "python:3.13-alpine". All groups have
   * one agent, and so one image. The pull policy and the pull secret are the same as without this argument. Default: the image
   * with Flux, which is larger.
   */
  image?: pulumi.Input<string>;
  /** Seconds after which idle hosts are removed. From 0 to 86400. Default: 300. */
  idleSeconds?: number;
  /** Minimum number of seconds between changes of the size. From 0 to 86400. Default: 30. */
  cooldownSeconds?: number;
  /** Maximum number of pods that are added or removed in one change. From 1 to 100000. Default: no limit. */
  maxStep?: number;
  /**
   * Maximum cost of the hosts per day and per month, by the price of the pool. When the budget is spent, the size does not
   * grow until the next day or month (UTC). Running jobs keep their hosts. Default: no budget.
   */
  budget?: MiniClusterBudgetArgs;
}

/** Automatic size, which the queue of the Flux instance determines. All times are in seconds. */
export interface MiniClusterAutoscaleArgs extends AutoscalePaceArgs {
  /**
   * Smallest size, which is also the quorum (Flux `broker.quorum`) and the size that `pulumi up` waits for. From 1 to `max`.
   * Default: 1.
   */
  min?: number;
  /** Largest size, which is also the default of `maxSize`. From `min` to `maxSize`. */
  max: number;
}

/** Argument of a cluster that is autoscaled. */
export interface AutoscaleArgs {
  /**
   * Automatic size, which the queue of the Flux instance determines, instead of `size`. An agent in a separate pod sets
   * the counts of the Job, and Pulumi ignores changes of them. The agent has permission only to get and patch this Job.
   * Requires a cluster that is interactive or has a launcher. Default: none.
   */
  autoscale?: MiniClusterAutoscaleArgs;
}
