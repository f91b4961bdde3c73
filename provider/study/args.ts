import type * as pulumi from "@pulumi/pulumi";
import type { BrokerPodsArgs } from "../brokers/args";
import type { MiniClusterFluxArgs } from "../brokers/args/flux";
import type {
  MiniClusterAutoscaleArgs,
  MiniClusterConsoleArgs,
  MiniClusterMetricsArgs,
} from "../brokers/args/programs";
import type { MiniClusterLeadArgs } from "../minicluster/args";

/** Which figures of an application are the better ones. */
export const StudyBetter = {
  /** Small ones: times. */
  Lower: "lower",
  /** Large ones: rates. */
  Higher: "higher",
} as const;
export type StudyBetter = (typeof StudyBetter)[keyof typeof StudyBetter];

/** How the problem of an application depends on the size, which decides on its parallel efficiency. */
export const StudyScaling = {
  /** The same problem at every size: ideally the time is inversely proportional to the size. */
  Strong: "strong",
  /** A problem that grows with the size: ideally the time is the same at every size. */
  Weak: "weak",
} as const;
export type StudyScaling = (typeof StudyScaling)[keyof typeof StudyScaling];

/** Condition that `pulumi up` waits for before it calls a Study done. */
export const StudyWait = {
  /** Every run has a result. */
  Complete: "complete",
  /** Nothing: the runs are submitted, and a later `pulumi up` or `pulumi refresh` reads the results. */
  None: "none",
} as const;
export type StudyWait = (typeof StudyWait)[keyof typeof StudyWait];

/** Figure of an application: a number in its output. */
export interface StudyFigureArgs {
  /**
   * Regular expression with one group that finds the number, such as "Loop time of ([0-9.]+)". The last match in standard output and
   * standard error counts. It must be valid in JavaScript and in Python. A change runs the runs of the application again.
   */
  pattern: string;
  /** Unit, as tables and plots show it. Default: none. */
  unit?: string;
  /** Which figures are the better ones: those of a time are "lower". */
  better: StudyBetter;
}

/** An application of a study. */
export interface StudyAppArgs {
  /**
   * What bash runs for each task, with the variables `size`, `tasks` and `repeat` of the run. It has no standard input. A change
   * runs the runs of the application again.
   */
  command: string;
  /** Tasks on each host, from 1 to 4096. A change runs the runs of the application again. Default: 1. */
  tasksPerNode?: number;
  /** GPUs of each task, from 0 to 64. A change runs the runs of the application again. Default: 0. */
  gpusPerTask?: number;
  /** Environment variables of the tasks. A change runs the runs of the application again. Default: those of the lead broker. */
  environment?: Record<string, pulumi.Input<string>>;
  /** Seconds after which Flux ends a run as failed. From 1 to 2592000. Default: 3600. */
  timeoutSeconds?: number;
  /** The figure to read in the output. Default: the wall time of the run, of which lower is better. */
  figure?: StudyFigureArgs;
  /** How the problem depends on the size. Default: "strong". */
  scaling?: StudyScaling;
}

/** The MiniCluster that a study makes for its runs. */
export interface StudyClusterArgs extends BrokerPodsArgs {
  /** Name of the Job, and the stem of every other object and host name. Default: the name of the study. */
  name?: string;
  /** Hosts of the Flux instance. Default: the largest of `sizes`, so that a larger one replaces the cluster. */
  maxSize?: number;
  /**
   * How the size follows the runs. Default: from 1 to the largest of `sizes`; hosts go after they were idle for 10 s, and the size changes
   * every 10 s at most.
   */
  autoscale?: MiniClusterAutoscaleArgs;
  /** The lead broker in a separate Job, on a small node, so that no worker is left after the last run. Default: none. */
  lead?: MiniClusterLeadArgs;
  /** Metrics of the Flux instance. Default: none. */
  metrics?: MiniClusterMetricsArgs;
  /** Console of the Flux instance, to watch the runs. Default: none. */
  console?: MiniClusterConsoleArgs;
  /** The Flux brokers. Default: the Ubuntu noble view and Flux's own settings. */
  flux?: MiniClusterFluxArgs;
}

/** A MiniCluster that runs already: its outputs of these names. In TypeScript the MiniCluster itself. */
export interface StudyInstanceArgs {
  /** Name of the Job of the lead broker. After a change the results stay, and what has none runs in the other instance. */
  jobName: pulumi.Input<string>;
  /** Kubernetes namespace. */
  namespace: pulumi.Input<string>;
  /** Largest size of the cluster, which no size of the study may exceed. Default: not checked. */
  maxSize?: pulumi.Input<number>;
}

/** A study: applications at several sizes, each repeated. */
export interface StudyArgs {
  /**
   * The MiniCluster to make for the runs: interactive, with a size that follows them, the largest first. Either this or `instance`.
   * Default: none.
   */
  cluster?: StudyClusterArgs;
  /**
   * The MiniCluster to use, which is not changed: its size, or its `autoscale`, must suffice for all `sizes`. Either this or `cluster`.
   * Default: none.
   */
  instance?: StudyInstanceArgs;
  /** Sizes in hosts, 1 to 100 different ones, each from 1 to 100000. Results of a removed size are removed. */
  sizes: number[];
  /** Runs of each application at each size. From 1 to 1000. Default: 1. */
  repeats?: number;
  /** Applications by their names, 1 to 100: each a lowercase DNS label. Results of a removed one are removed. */
  apps: Record<string, StudyAppArgs>;
  /**
   * Times that a failed run is repeated before the study records the failure and continues. From 0 to 100. A larger number repeats runs
   * that have failed. Default: 1.
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
  /** Number of the run, from 1 on. */
  repeat: number;
  /** Attempts that it had. */
  attempts: number;
  /** What went wrong. */
  error: string;
  /** The last lines of its output, 10 at most. */
  lastLines: string[];
}
