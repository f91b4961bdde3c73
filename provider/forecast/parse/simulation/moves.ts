import { Demand } from "./demand";
import type { Host } from "./hosts";
import type { Placing, PlacingQueue, WaitingJob } from "./types";

/** Rounds after which a job stays: none of them has found hosts, and nothing else has changed. */
const mostRounds = 3;

/** What the moves need of the instance. */
interface Instance {
  readonly now: number;
  readonly steps: { left: number };
  /** Adds a time at which jobs are due. */
  wake: (time: number) => void;
  /** Hosts that take jobs, or do once they have joined. */
  possibleHosts: () => Host[];
  /** These hosts, and drained ones. */
  allHosts: () => Host[];
}

/** The last move of a job, as its memo has it: the round, and the queues that were tried in it. */
interface Memo {
  round: number;
  tried: string[];
  at: number;
}

/** The state of all queues at one time. */
interface Look {
  demand: Demand;
  isNever: (job: WaitingJob) => boolean;
  /** Queues in which a job waits for others to end. */
  blocked: Set<string>;
  /** Jobs that have room beside the jobs before them, but on hosts that have not joined. */
  away: Set<string>;
}

/** The moves of jobs that wait too long, by the rules of bursting/programs/placing.py. */
export class Moves {
  private readonly memos = new Map<string, Memo>();
  /** Jobs as they were in the home queue. */
  private readonly home = new Map<string, WaitingJob>();

  constructor(
    private readonly placing: Placing,
    waiting: WaitingJob[],
    private readonly instance: Instance,
  ) {
    for (const job of waiting) if (job.queue === placing.home && job.since !== undefined) this.home.set(job.id, job);
  }

  /** All waiting jobs, those that are due in their next queue. The same array if none has moved. */
  move(waiting: WaitingJob[]): WaitingJob[] {
    const { now, steps, wake, possibleHosts, allHosts } = this.instance;
    const free = waiting.filter(({ id }) => this.home.has(id));
    if (free.length === 0) return waiting;
    steps.left -= waiting.length;
    const all = new Demand(allHosts(), steps);
    const isNever = (job: WaitingJob) => all.hostsIfIdle(job) === 0;
    const due = new Set(free.filter((job) => this.dueAt(job) <= now || isNever(job)));
    wake(free.reduce((first, job) => (due.has(job) ? first : Math.min(first, this.dueAt(job))), Infinity));
    if (due.size === 0) return waiting;
    const look: Look = { demand: new Demand(possibleHosts(), steps), isNever, blocked: new Set(), away: new Set() };
    for (const job of waiting) {
      const hosts = look.demand.start(job);
      if (hosts.length === 0) look.blocked.add(job.queue);
      if (hosts.some(({ isOpen }) => !isOpen)) look.away.add(job.id);
    }
    const moved = waiting.map((job) => (due.has(job) ? this.decide(job, look) : job));
    return moved.some((job, place) => job !== waiting[place]) ? moved : waiting;
  }

  /** Time until which a job stays in its queue. */
  private dueAt({ id, queue }: WaitingJob): number {
    const { home, afterSeconds, giveUpSeconds } = this.placing;
    const memo = this.memos.get(id);
    if (!memo) return this.home.get(id)!.since! + afterSeconds;
    return memo.at + (queue === home ? Math.max(afterSeconds, giveUpSeconds) : giveUpSeconds);
  }

  /** A job that is due, in its next queue or in its present one. */
  private decide(job: WaitingJob, look: Look): WaitingJob {
    // In a queue with running jobs it starts when they end, and leaves only for a cluster with room.
    const isStuck = look.isNever(job) || (job.queue !== this.placing.home && this.lacksHosts(job, look));
    if (!isStuck && this.placing.others.every(({ queue }) => look.blocked.has(queue))) return job;
    const { round, tried }: Omit<Memo, "at"> = this.memos.get(job.id) ?? { round: 1, tried: [] };
    const others = this.ordered(job, look.demand).filter(({ queue }) => queue !== job.queue);
    const targets = others.filter(({ queue }) => !tried.includes(queue));
    const free = targets.find((target) => !look.blocked.has(target.queue) && this.hasRoom(job, target, look));
    if (free) return this.go(job, free, round, tried);
    if (!isStuck) return job;
    if (targets[0]) return this.go(job, targets[0], round, tried);
    if (round === mostRounds) return job;
    const home = this.home.get(job.id)!;
    if (look.demand.hostsIfIdle(home) > 0) {
      this.memos.set(job.id, { round: round + 1, tried: [], at: this.instance.now });
      return home;
    }
    return others[0] ? this.go(job, others[0], round + 1, []) : job;
  }

  /** The other queues whose clusters may have room for a job at some time, in the order of preference. */
  private ordered(job: WaitingJob, demand: Demand): PlacingQueue[] {
    const { others, byPrice } = this.placing;
    const found = others
      .map((target) => ({ target, hosts: demand.hostsIfIdle(inside(job, target)) }))
      .filter(({ hosts }) => hosts > 0);
    if (byPrice) found.sort((a, b) => a.hosts * a.target.price - b.hosts * b.target.price);
    return found.map(({ target }) => target);
  }

  private hasRoom(job: WaitingJob, target: PlacingQueue, { demand }: Look): boolean {
    return demand.start(inside(job, target)).length > 0;
  }

  /** Whether a job waits for hosts that have not joined, or behind jobs that do: no job there ends soon. */
  private lacksHosts({ id, ranks }: WaitingJob, { away }: Look): boolean {
    const isUsed = ({ holds, spec }: Host) => holds.size > 0 && ranks?.has(spec.rank) !== false;
    return away.has(id) || !this.instance.allHosts().some(isUsed);
  }

  private go(job: WaitingJob, target: PlacingQueue, round: number, tried: string[]): WaitingJob {
    this.memos.set(job.id, { round, tried: [...tried, target.queue], at: this.instance.now });
    return inside(job, target);
  }
}

/** A job in another queue, with the constraint of that queue. */
const inside = (job: WaitingJob, { queue, ranks }: PlacingQueue): WaitingJob => ({ ...job, queue, ranks });
