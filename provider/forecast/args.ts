/** Argument of a cluster whose previews forecast the queue. */
export interface ForecastArgs {
  /**
   * Forecasts what a change of `size`, `autoscale`, `groups`, `budget`, `bursting.place` or of the size of a BurstCluster does to the
   * jobs that wait. A preview with such a change reads the queue once, with a command in the lead broker's container, and logs when
   * the queue ends before and after the change. It never fails a preview, and never changes the difference. The console shows when
   * each waiting job is expected to start. Default: true.
   */
  forecast?: boolean;
}

/** Jobs of the queue when it was read. */
export interface MiniClusterForecastJobs {
  /** Jobs that wait only for hosts. */
  waiting: number;
  /** Jobs that run. */
  running: number;
  /** Waiting jobs that the forecast has simulated: the first ones in line if there are too many, at most 1000. */
  simulated: number;
  /** Jobs with the urgency 0, which are not simulated. */
  held: number;
  /** Jobs that depend on other jobs, which are not simulated. */
  dependent: number;
  /** Jobs in stopped queues, which are not simulated. */
  stopped: number;
  /** Waiting and running jobs without a time limit. */
  withoutLimit: number;
}

/** The queue at one of the compared sizes. All times are in UTC (RFC 3339). */
export interface MiniClusterForecastCase {
  /** The values of the changed arguments, such as "size 8". */
  change: string;
  /** Latest time at which the last simulated job ends, by the time limits. Not set if a job never starts. Default: none. */
  endsBy?: string;
  /** Time at which the last simulated job ends, if each job runs as long as earlier jobs of its name and user. Default: none. */
  endsAbout?: string;
  /** Time at which the first waiting job starts. Not set if none starts. Default: none. */
  firstStart?: string;
  /** Waiting jobs that never start at this size. */
  neverStart: number;
  /** Running jobs that lose a host. */
  lost: number;
  /** Cost of the hosts until `endsBy`, less their cost without the change, in the currency of the pools. Default: none. */
  addedCost?: number;
  /** Time at which the budget is spent, if that is before the queue ends. Default: none. */
  budgetEnds?: string;
  /** Jobs that wait at `budgetEnds`. Default: none. */
  waitingAtBudgetEnd?: number;
}

/** Forecast of a change of the hosts of an instance. */
export interface MiniClusterForecast {
  /**
   * What is known: "forecast" (the other properties have values), "unchanged" (no change of what the queue can use), "idle" (no job
   * waits), "unavailable" (`reason` states why the queue is not known), or "disabled" (`forecast` is false).
   */
  status: string;
  /** Why the status is "unavailable". Default: none. */
  reason?: string;
  /** Time at which the queue was read (UTC, RFC 3339). Default: none. */
  at?: string;
  /** The changed arguments, such as "size 4 => 8". Default: none. */
  change?: string;
  /** Jobs of the queue. Default: none. */
  jobs?: MiniClusterForecastJobs;
  /** The queue without the change. Default: none. */
  before?: MiniClusterForecastCase;
  /** The queue with the change. Default: none. */
  after?: MiniClusterForecastCase;
  /** The queue at a value between both. Default: none. */
  between?: MiniClusterForecastCase;
  /** What the forecast assumes, one sentence each. Default: none. */
  assumptions?: string[];
}
