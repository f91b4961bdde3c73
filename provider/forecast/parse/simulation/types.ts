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
  /** Time since which it waits. It moves from the home queue of `Placing`. Undefined for a job that does not move. */
  since?: number | undefined;
}

/** A queue to which jobs move, with the ranks of its cluster. */
export interface PlacingQueue {
  queue: string;
  ranks: ReadonlySet<number>;
  /** Price of a host. */
  price: number;
}

/** When waiting jobs move from their queue to those of other clusters. */
export interface Placing {
  home: string;
  /** The other queues, in the order in which jobs try them. */
  others: PlacingQueue[];
  /** Whether jobs try the queue whose hosts are the cheapest for them first. */
  byPrice: boolean;
  /** Seconds after which a job leaves the home queue. */
  afterSeconds: number;
  /** Seconds after which it leaves another queue if no hosts join. */
  giveUpSeconds: number;
}

/** The policy of the scheduler, which is the policy of all queues. */
export interface Policy {
  kind: "fcfs" | "easy" | "conservative" | "hybrid";
  /** Jobs of a queue that one loop of the scheduler considers. */
  queueDepth: number;
  /** Jobs of a queue that have a reservation, with the policy hybrid. Default of the others: 1 (easy), or no maximum. */
  reservationDepth: number;
}

/** A budget for the hosts of a cluster. */
export interface ElasticBudget {
  limits: { perDay?: number; perMonth?: number };
  /** Spent in the present day and month (UTC). */
  spent: { perDay?: number; perMonth?: number };
}

/** A cluster whose size follows the queue. The hosts of the simulation include all hosts of its largest size. */
export interface ElasticCluster {
  name: string;
  /** Rank of its first host. */
  first: number;
  min: number;
  max: number;
  /** Its size now. Further hosts have not joined. */
  size: number;
  /** Seconds after which idle hosts leave. */
  idleSeconds: number;
  /** Seconds from one change of the size to the next. */
  cooldownSeconds: number;
  /** Most hosts by which one change grows or shrinks it. Default: no maximum. */
  maxStep?: number;
  /** Seconds from a growth until its hosts take jobs. */
  arrivalSeconds: number;
  pricePerHour?: number;
  budget?: ElasticBudget;
}

/** What a cluster whose size follows the queue has had. */
export interface ElasticResult {
  /** Its sizes, each from a time on. */
  sizes: { at: number; size: number }[];
  /** The first time at which its budget has stopped a growth, and the number of jobs that waited then. */
  budgetEnd?: { at: number; waiting: number };
}

/** The input of a simulation. */
export interface SimulationInput {
  now: number;
  hosts: SimulatedHost[];
  running: RunningJob[];
  /** In the order of the scheduler. */
  waiting: WaitingJob[];
  policy: Policy;
  elastic?: ElasticCluster[];
  place?: Placing;
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
  /** The clusters of `elastic`, by name. */
  clusters: Map<string, ElasticResult>;
  /** Whether the simulation has stopped because of `maxSteps`. */
  isPart: boolean;
}
