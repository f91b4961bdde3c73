import { ranksOf } from "./ranks";
import type { Reading } from "./reading";
import { roomFor, type Shape, shapeOf } from "./shape";
import type { Policy, RunningJob, SimulatedHost, WaitingJob } from "./simulation";

/**
 * Which duration of a job counts. "limits": its time limit. "typical": the typical run time of such jobs, at most its
 * time limit; without one, its time limit. In both cases, a job without a duration counts as the median of all ended
 * jobs.
 */
export type Durations = "limits" | "typical";

/** The input of a simulation. */
export interface Instance {
  /** Hosts that are not excluded. A drained host takes no new job. A host that is down takes jobs from `Infinity` on. */
  hosts: SimulatedHost[];
  running: RunningJob[];
  /** Jobs in the order of the scheduler. A job of unknown duration never ends. */
  waiting: WaitingJob[];
  policy: Policy;
  /** Number of jobs whose duration is assumed or unknown. */
  withoutLimit: number;
  /** Seconds that these jobs count as, if known. */
  assumedSeconds?: number;
}

type Times = Pick<Reading["waiting"][number], "limit" | "typical">;

/** The instance of a reading, at the time of the reading. */
export function instanceOf(reading: Reading, durations: Durations): Instance {
  const { at, running, waiting, scheduler } = reading;
  const assumed = reading.ended.median ?? undefined;
  const known = (job: Times) => knownSeconds(job, durations);
  const secondsOf = (job: Times) => known(job) ?? assumed ?? Infinity;
  const allowed = reading.constraints.map((ranks) => new Set(ranksOf(ranks)));
  const withoutLimit = [...running, ...waiting].filter((job) => known(job) === undefined).length;
  return {
    hosts: hostsOf(reading),
    running: running.map((job) => ({
      id: job.id,
      queue: job.queue,
      plannedEnd: job.start + (job.limit || Infinity),
      end: endOf(job, secondsOf(job), at),
      takes: job.takes.flatMap(([ranks, cores, gpus]) => ranksOf(ranks).map((rank) => ({ rank, cores, gpus }))),
    })),
    waiting: waiting.flatMap((job) => {
      const shape = supported(job.resources);
      if (!shape) return [];
      const ranks = job.constraint === null ? undefined : allowed[job.constraint];
      const { id, queue, limit, submitted: since } = job;
      const seconds = secondsOf(job);
      return [{ id, queue, shape, ...(ranks && { ranks }), planned: limit || Infinity, seconds, since }];
    }),
    policy: {
      kind: scheduler.policy,
      queueDepth: scheduler.queueDepth,
      reservationDepth: scheduler.reservationDepth,
    },
    withoutLimit,
    ...(withoutLimit > 0 && assumed !== undefined && { assumedSeconds: assumed }),
  };
}

/** Whether a job fits on all hosts together, if they are idle. Flux rejects other jobs once it considers them. */
export const fitsOn = ({ shape, ranks }: WaitingJob, hosts: SimulatedHost[]): boolean =>
  hosts.reduce((sum, host) => sum + (ranks?.has(host.rank) === false ? 0 : roomFor(shape, host)), 0) >= shape.units;

/** The shape of a job, unless a newer version of the program has read one that is not supported here. */
function supported(resources: unknown): Shape | undefined {
  try {
    return shapeOf(resources);
  } catch {
    return undefined;
  }
}

function hostsOf({ at, hosts, down, drained, excluded }: Reading): SimulatedHost[] {
  const [isDown, isDrained, isExcluded] = [down, drained, excluded].map((ranks) => new Set(ranksOf(ranks)));
  return hosts
    .flatMap(({ ranks, cores, gpus }) => ranksOf(ranks).map((rank) => ({ rank, cores, gpus })))
    .filter(({ rank }) => !isExcluded?.has(rank))
    .map((host) => ({
      ...host,
      from: isDown?.has(host.rank) ? Infinity : at,
      closes: isDrained?.has(host.rank) ? at : Infinity,
      leaves: Infinity,
    }))
    .sort((a, b) => a.rank - b.rank);
}

function knownSeconds({ limit, typical }: Times, durations: Durations): number | undefined {
  const limited = limit > 0 ? limit : undefined;
  return durations === "limits" || typical === null ? limited : Math.min(typical, limited ?? Infinity);
}

/** End of a running job: not before now, and not after its time limit. */
function endOf({ start, limit }: { start: number; limit: number }, seconds: number, now: number): number {
  if (start + seconds >= now) return start + seconds;
  if (limit > 0) return Math.max(now, start + limit);
  // It has run longer than such jobs usually do, and counts as a job that is half over.
  return now + (now - start);
}
