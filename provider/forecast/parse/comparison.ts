import type { MiniClusterForecastJobs } from "../args";

/** Times are in seconds since the epoch, by the clock of the reader of the preview. */

/** The queue at one of the compared sizes. */
export interface QueueCase {
  /** The values of the changed arguments, such as "size 8". */
  change: string;
  /** End of the last job, if each job uses its time limit. Undefined if a job never starts. */
  end?: number;
  /** End of the last job, if each job runs as long as earlier jobs of its name and user. */
  typicalEnd?: number;
  /** Start of the first waiting job. */
  firstStart?: number;
  /** Waiting jobs that never start. */
  neverStart: number;
  /** Running jobs that lose a host, and the end of the last one by its time limit. */
  lost: { jobs: number; end?: number };
  /** Cost of the hosts until `end`, less their cost without the change. */
  addedCost?: number;
  /** The time at which a budget is spent, and the number of jobs that wait then. */
  budget?: { end: number; waiting: number };
}

/** Jobs of the queue when it was read. */
export interface QueueCounts extends MiniClusterForecastJobs {
  /** Jobs whose request is not understood. */
  unread: number;
}

/** A change of the hosts of an instance, and the queue before and after it. */
export interface Comparison {
  now: number;
  /** The changed arguments, such as "size 4 => 8". */
  change: string;
  counts: QueueCounts;
  before: QueueCase;
  after: QueueCase;
  between?: QueueCase;
  /** True if each end is a latest time: all jobs have a time limit. */
  isBound: boolean;
  currency?: string;
  /** Seconds after which a pod that terminates loses its jobs. */
  drainSeconds: number;
  /** What the comparison assumes, one clause each. */
  assumptions: string[];
}
