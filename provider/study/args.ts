import type * as pulumi from "@pulumi/pulumi";
import type { PriceArgs } from "../budget/args";
import type { BrokerPodsArgs } from "../core/args";
import type { MiniClusterFluxArgs } from "../core/args/flux";
import type { MiniClusterAutoscaleArgs } from "../autoscale/args";
import type { MiniClusterConsoleArgs } from "../console/args";
import type { GangArgs } from "../gang/args";
import type { MiniClusterLeadArgs } from "../groups/args";
import type { MiniClusterMetricsArgs } from "../metrics/args";

/** Direction of a figure: whether lower or higher is better. */
export const StudyBetter = {
  /** Lower is better, as for times. */
  Lower: "lower",
  /** Higher is better, as for rates. */
  Higher: "higher",
} as const;
export type StudyBetter = (typeof StudyBetter)[keyof typeof StudyBetter];

/** How the problem of an application depends on the size, which determines the formula of its parallel efficiency. */
export const StudyScaling = {
  /** The same problem at every size: ideally the time is inversely proportional to the size. */
  Strong: "strong",
  /** A problem that grows with the size: ideally the time is the same at every size. */
  Weak: "weak",
} as const;
export type StudyScaling = (typeof StudyScaling)[keyof typeof StudyScaling];

/** Condition that `pulumi up` waits for in a Study. */
export const StudyWait = {
  /** Every run has a result. */
  Complete: "complete",
  /** No condition: the runs are submitted, and a later `pulumi up` or `pulumi refresh` reads the results. */
  None: "none",
} as const;
export type StudyWait = (typeof StudyWait)[keyof typeof StudyWait];

/** Figure of an application: a number in its output. */
export interface StudyFigureArgs {
  /**
   * Regular expression with one group that finds the number, such as "Loop time of ([0-9.]+)". The last match in standard
   * output and standard error is used. It must be valid in JavaScript and in Python. A change repeats the runs of the
   * application.
   */
  pattern: string;
  /** Unit of the figure in tables and plots. Default: none. */
  unit?: string;
  /** Whether lower or higher figures are better: "lower" for a time. */
  better: StudyBetter;
}

/** An application of a study. */
export interface StudyAppArgs {
  /**
   * Command that bash runs for each task, with the variables `size`, `tasks` and `repeat` of the run. It has no standard input.
   * A change repeats the runs of the application.
   */
  command: string;
  /** Number of tasks on each host, from 1 to 4096. A change repeats the runs of the application. Default: 1. */
  tasksPerNode?: number;
  /** Number of GPUs of each task, from 0 to 64. A change repeats the runs of the application. Default: 0. */
  gpusPerTask?: number;
  /**
   * Environment variables of the tasks. A change repeats the runs of the application. Default: the variables of the
   * lead broker.
   */
  environment?: Record<string, pulumi.Input<string>>;
  /** Seconds after which Flux ends a run as failed. From 1 to 2592000. Default: 3600. */
  timeoutSeconds?: number;
  /** The figure to read in the output. Default: the wall time of the run, with `better` "lower". */
  figure?: StudyFigureArgs;
  /** How the problem depends on the size. Default: "strong". */
  scaling?: StudyScaling;
}

/** The MiniCluster that a study creates for its runs. */
export interface StudyClusterArgs extends BrokerPodsArgs, GangArgs, PriceArgs {
  /** Name of the Job, and the stem of every other object and host name. Default: the name of the study. */
  name?: string;
  /** Number of hosts of the Flux instance. Default: the largest of `sizes`, so that a larger size replaces the cluster. */
  maxSize?: number;
  /**
   * Automatic size, which the runs determine. Default: from 1 to the largest of `sizes`, with `idleSeconds` 10 and
   * `cooldownSeconds` 10.
   */
  autoscale?: MiniClusterAutoscaleArgs;
  /** The lead broker in a separate Job, on a small node, so that all workers are removed after the last run. Default: none. */
  lead?: MiniClusterLeadArgs;
  /** Metrics of the Flux instance. Default: none. */
  metrics?: MiniClusterMetricsArgs;
  /** Console of the Flux instance, to watch the runs. Default: none. */
  console?: MiniClusterConsoleArgs;
  /** The Flux brokers. Default: the Ubuntu noble view, and the defaults of Flux. */
  flux?: MiniClusterFluxArgs;
}

/** A running MiniCluster, by its outputs with these names. In TypeScript, the MiniCluster itself. */
export interface StudyInstanceArgs {
  /**
   * Name of the Job of the lead broker. After a change, the results are kept, and the remaining runs are submitted to the new
   * instance.
   */
  jobName: pulumi.Input<string>;
  /** Kubernetes namespace. */
  namespace: pulumi.Input<string>;
  /** Largest size of the cluster, which no size of the study may exceed. Default: not checked. */
  maxSize?: pulumi.Input<number>;
  /**
   * Container image of the workers. A change repeats the runs. If the instance is a MiniCluster itself, its image is
   * used instead. Default: not compared.
   */
  image?: pulumi.Input<string>;
  /**
   * Machine type of the workers. A change repeats the runs. If the instance is a MiniCluster itself, its machine type
   * is used instead. Default: not compared.
   */
  machineType?: string;
}

/** A study: repeated runs of applications at several sizes. */
export interface StudyArgs {
  /**
   * The MiniCluster to create for the runs: interactive, with an automatic size; the largest runs are submitted first. Either
   * `cluster` or `instance` is required. Default: none.
   */
  cluster?: StudyClusterArgs;
  /**
   * The existing MiniCluster to use. The study does not change it: its size or its `autoscale` must allow all `sizes`. Either
   * `cluster` or `instance` is required. Default: none.
   */
  instance?: StudyInstanceArgs;
  /** Sizes in hosts: 1 to 100 different numbers from 1 to 100000. The results of a removed size are deleted. */
  sizes: number[];
  /** Number of runs of each application at each size. From 1 to 1000. Default: 1. */
  repeats?: number;
  /**
   * Applications by their names, which are lowercase DNS labels; 1 to 100. The results of a removed application are deleted.
   */
  apps: Record<string, StudyAppArgs>;
  /**
   * Number of times that a failed run is repeated before the study records the failure and continues. From 0 to 100. A larger
   * number also repeats runs that are recorded as failed. Default: 1.
   */
  retries?: number;
  /** Condition that `pulumi up` waits for. Default: "complete". */
  wait?: StudyWait;
}

/** A run of a study without a figure. */
export interface StudyFailure {
  /** Name of the application. */
  app: string;
  /** Size in hosts. */
  size: number;
  /** Number of the run, starting at 1. */
  repeat: number;
  /** Number of attempts. */
  attempts: number;
  /** Description of the failure. */
  error: string;
  /** The last lines of its output, at most 10. */
  lastLines: string[];
}
