import type { Shape } from "../shape";

/** A host of the simulation. All times are seconds since the epoch. */
export interface SimulatedHost {
  rank: number;
  cores: number;
  gpus: number;
  /** Time from which it takes jobs. Until then it is down. */
  from: number;
  /** Time from which it takes no new job, as if drained. Infinity: none. */
  closes: number;
  /** Time at which it disappears, and all jobs on it are lost. Infinity: none. */
  leaves: number;
}

/** Resources of a job on one host. */
export interface Taken {
  rank: number;
  cores: number;
  gpus: number;
}

/** A job that runs when the simulation begins. */
export interface RunningJob {
  id: string;
  queue: string;
  /** End by which the scheduler plans. Infinity without a limit. */
  plannedEnd: number;
  /** End of its resources. */
  end: number;
  takes: Taken[];
}

/** A job that waits only for resources. */
export interface WaitingJob {
  id: string;
  queue: string;
  shape: Shape;
  /** Ranks to which its constraint limits it. Default: all. */
  ranks?: ReadonlySet<number>;
  /** Seconds by which the scheduler plans. Infinity without a limit. */
  planned: number;
  /** Seconds for which it runs. */
  seconds: number;
}

/** The policy of the scheduler, which is the policy of all queues. */
export interface Policy {
  kind: "fcfs" | "easy" | "conservative" | "hybrid";
  /** Jobs of a queue that one loop of the scheduler considers. */
  queueDepth: number;
  /** Jobs of a queue that have a reservation, with the policy hybrid. Default of the others: 1 (easy), or no maximum. */
  reservationDepth: number;
}

/** The input of a simulation. */
export interface SimulationInput {
  now: number;
  hosts: SimulatedHost[];
  running: RunningJob[];
  /** In the order of the scheduler. */
  waiting: WaitingJob[];
  policy: Policy;
  /** Checks of one host for one job, after which the simulation stops. Default: no maximum. */
  maxSteps?: number;
}

/** A waiting job that has started in the simulation. */
export interface SimulatedJob {
  start: number;
  end: number;
  takes: Taken[];
}

/** The result of a simulation. */
export interface Simulated {
  /** Waiting jobs that have started. */
  jobs: Map<string, SimulatedJob>;
  /** Jobs that have lost a host, with the time. */
  lost: Map<string, number>;
  /** Whether the simulation has stopped because of `maxSteps`. */
  isPart: boolean;
}
