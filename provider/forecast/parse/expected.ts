import { getOrMake } from "../../shared/objects";
import { fitsOn, instanceOf } from "./instance";
import type { Reading } from "./reading";
import { type Amounts, roomFor, type Shape } from "./shape";
import { type RunningJob, simulate, type SimulatedHost, type WaitingJob } from "./simulation";

/** What is expected of a waiting job. */
export interface Expected {
  /** Time in seconds at which it starts. Absent if it never does, or if a job before it is of unknown duration. */
  start?: number;
  /** True if jobs before it count with their time limits, and may end earlier. */
  mayBeEarlier: boolean;
  /** Why it waits, in a sentence. */
  why: string;
}

/** Number of waiting jobs of a queue before a job, and the first of them that keeps the others waiting. */
interface Line {
  length: number;
  head?: WaitingJob;
}

/** Checks of one host for one job, after which no later starts are found: a few seconds of a browser. */
const maxSteps = 30_000_000;

/**
 * The expected start of each waiting job of a reading, and why it waits, by its id. A job counts with the typical run
 * time of such jobs; without one, with its time limit, so that the jobs behind it start at the expected time or earlier;
 * without a limit, with the median of all ended jobs.
 */
export function expectedStarts(reading: Reading): Map<string, Expected> {
  const { at } = reading;
  const { hosts, running, waiting, policy } = instanceOf(reading, "typical");
  const possible = new Set(waiting.filter((job) => fitsOn(job, hosts)));
  const { jobs } = simulate({ now: at, hosts, running, waiting: [...possible], policy, maxSteps });
  const taken = [...running, ...[...jobs.values()].filter(({ start }) => start <= at)];
  const room = new Room(hosts, taken, at);
  const lines = new Map<string, Line>();
  const limited = new Set([...reading.running, ...reading.waiting].filter(countsLimit).map(({ id }) => id));
  let mayBeEarlier = running.some(({ id }) => limited.has(id));
  const found = new Map<string, Expected>();
  for (const job of waiting) {
    const start = jobs.get(job.id)?.start;
    if (start !== undefined && start <= at)
      found.set(job.id, { start, mayBeEarlier: false, why: "Its resources are free: it is about to start." });
    else {
      const line = getOrMake(lines, job.queue, (): Line => ({ length: 0 }));
      found.set(job.id, { ...(start !== undefined && { start }), mayBeEarlier, why: whyOf(job, room, line) });
      line.length++;
      // With backfill, the scheduler skips a job for which the hosts that accept jobs are too few.
      if (!line.head && possible.has(job) && (policy.kind === "fcfs" || !room.isShort(job))) line.head = job;
    }
    mayBeEarlier ||= limited.has(job.id);
  }
  return found;
}

const countsLimit = ({ limit, typical }: Pick<Reading["waiting"][number], "limit" | "typical">) =>
  limit > 0 && typical === null;

function whyOf(job: WaitingJob, room: Room, line: Line): string {
  const { shape } = job;
  const wanted = `It waits for ${needOf(shape)}`;
  const { all, allowed, open, free } = room.of(job);
  if (all < shape.units) return `${wanted}, and the instance has ${all || "none"}.`;
  if (allowed < shape.units) return `${wanted}, and its queue and its constraints allow ${allowed || "none"}.`;
  if (open < shape.units) return `${wanted}, and ${open || "none"} ${open > 1 ? "are" : "is"} up and not drained.`;
  if (free >= shape.units && line.head)
    return `It waits behind ${line.head.id}, which needs ${needOf(line.head.shape)}.`;
  const before = line.length === 1 ? ", and 1 job is before it" : `, and ${line.length} jobs are before it`;
  return `${wanted}: ${free === 0 ? "none" : free} ${free > 1 ? "are" : "is"} free${line.length > 0 ? before : ""}.`;
}

/** Units of a shape for which some hosts have room. */
interface Units {
  /** On idle hosts: all, those that a job may use, and those of them that accept jobs. */
  all: number;
  allowed: number;
  open: number;
  /** On hosts that accept jobs, beside the jobs that run. */
  free: number;
}

/** The room of an instance for waiting jobs, of which many have the same shape. */
class Room {
  private readonly free: Map<number, Amounts>;
  private readonly known = new Map<ReadonlySet<number> | undefined, Map<string, Units>>();

  constructor(
    private readonly hosts: SimulatedHost[],
    running: Pick<RunningJob, "takes">[],
    private readonly now: number,
  ) {
    this.free = new Map(hosts.map(({ rank, cores, gpus }) => [rank, { cores, gpus }]));
    for (const { rank, cores, gpus } of running.flatMap(({ takes }) => takes)) {
      const free = this.free.get(rank);
      if (free) this.free.set(rank, { cores: free.cores - cores, gpus: free.gpus - gpus });
    }
  }

  /** True if the hosts that accept jobs are too few for a job, even if they are idle. */
  isShort = (job: WaitingJob) => this.of(job).open < job.shape.units;

  of({ shape, ranks }: WaitingJob): Units {
    const known = getOrMake(this.known, ranks, () => new Map<string, Units>());
    return getOrMake(known, JSON.stringify({ ...shape, units: 0 }), () => this.count(shape, ranks));
  }

  private count(shape: Shape, ranks: ReadonlySet<number> | undefined): Units {
    const units = { all: 0, allowed: 0, open: 0, free: 0 };
    for (const host of this.hosts) {
      const idle = roomFor(shape, host);
      units.all += idle;
      if (ranks && !ranks.has(host.rank)) continue;
      units.allowed += idle;
      if (host.from > this.now || host.closes <= this.now) continue;
      units.open += idle;
      units.free += roomFor(shape, host, this.free.get(host.rank));
    }
    return units;
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** The resources of a job in words: "4 hosts", "2 hosts with 1 GPU each", "16 cores". */
function needOf({ onHosts, units, cores, gpus, exclusive }: Shape): string {
  if (!onHosts && cores === 1 && gpus === 0) return count(units, "core");
  const amounts = [
    ...(cores > 0 && !exclusive ? [count(cores, "core")] : []),
    ...(gpus > 0 ? [count(gpus, "GPU")] : []),
  ].join(" and ");
  return `${count(units, onHosts ? "host" : "slot")}${amounts && ` with ${amounts}`}${amounts && units > 1 ? " each" : ""}`;
}
