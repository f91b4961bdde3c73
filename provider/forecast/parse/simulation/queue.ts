import { roomFor, type Shape } from "../shape";
import { chosen, type Host, planOf } from "./hosts";
import type { Profile } from "./profile";
import type { Policy, Taken, WaitingJob } from "./types";

/** What a queue needs of the instance. */
export interface Instance {
  /** The second that has begun: the scheduler plans in whole seconds. */
  readonly second: number;
  /** Checks of a host that the simulation may still make. */
  readonly steps: { left: number };
  /** Open hosts that a constraint allows, by rank. */
  openHosts: (ranks: ReadonlySet<number> | undefined) => readonly Host[];
  /** Starts a job. */
  start: (job: WaitingJob, places: [Host, Taken][]) => void;
}

/** One loop of a policy with backfill. */
interface Loop {
  instance: Instance;
  /** Free resources of all open hosts together: where they do not suffice, no host is checked. */
  total: Profile;
  /** Requests that do not start in this loop, and the time before which none of them is reserved. */
  found: Map<string, number>;
}

/** A queue, which has a loop of the scheduler. */
export class Queue {
  waiting: WaitingJob[] = [];
  private readonly reserved = new Set<Host>();
  /** Numbers of the constraints, and the requests of the jobs. */
  private readonly constraints = new Map<ReadonlySet<number> | undefined, number>();
  private readonly requests = new Map<WaitingJob, string>();

  constructor(
    readonly name: string,
    private readonly policy: Policy,
  ) {}

  /** Starts all jobs that the policy lets start now. */
  schedule(instance: Instance): void {
    if (this.policy.kind === "fcfs") this.scheduleInOrder(instance);
    else while (this.waiting.length > 0 && this.backfill(instance));
  }

  /** Starts the first jobs, until one does not fit. */
  private scheduleInOrder(instance: Instance): void {
    let started = 0;
    while (started < this.waiting.length && this.startNow(this.waiting[started]!, instance).length > 0) started++;
    this.waiting.splice(0, started);
  }

  /**
   * Starts or reserves one job after the other. Returns whether another loop begins, because the queue is deeper than
   * a loop and a job was started.
   */
  private backfill(instance: Instance): boolean {
    for (const host of this.reserved) host.cancelReservations(this.name);
    this.reserved.clear();
    const loop: Loop = { instance, total: planOf(instance.openHosts(undefined)), found: new Map() };
    const started = new Set<WaitingJob>();
    let [considered, reservations] = [0, 0];
    for (const job of this.waiting) {
      if (considered >= this.policy.queueDepth || instance.steps.left <= 0) break;
      const mayReserve = reservations < this.reservationDepth;
      const outcome = this.consider(job, loop, mayReserve);
      if (outcome === "starts") started.add(job);
      if (outcome === "reserved") reservations++;
      // A job that can be reserved at no time blocks no other job, and does not count until hosts change.
      if (outcome !== "waits" || !mayReserve) considered++;
    }
    if (started.size > 0) this.waiting = this.waiting.filter((job) => !started.has(job));
    return considered >= this.policy.queueDepth && started.size > 0;
  }

  private get reservationDepth(): number {
    return { fcfs: 0, easy: 1, conservative: Infinity, hybrid: this.policy.reservationDepth }[this.policy.kind];
  }

  private consider(job: WaitingJob, loop: Loop, mayReserve: boolean): "starts" | "reserved" | "waits" {
    const { instance, found } = loop;
    const key = this.requestOf(job);
    const earliest = found.get(key);
    const hasRoom = earliest === undefined && hasTotal(loop.total, instance.second, 0, job.shape);
    const places = hasRoom ? this.startNow(job, instance) : [];
    if (places.length > 0) {
      take(loop.total, instance.second, job, places);
      return "starts";
    }
    const from = Math.max(earliest ?? 0, instance.second + 1);
    const at = mayReserve ? this.reserve(job, loop, from) : from;
    found.set(key, at);
    return mayReserve && at < Infinity ? "reserved" : "waits";
  }

  /** What a job requests, as a key: resources only become fewer within a loop. */
  private requestOf(job: WaitingJob): string {
    const { shape, ranks, planned } = job;
    const known = this.requests.get(job);
    if (known !== undefined) return known;
    const constraint = this.constraints.get(ranks) ?? this.constraints.size;
    this.constraints.set(ranks, constraint);
    const request = [shape.onHosts, shape.units, shape.cores, shape.gpus, shape.exclusive, planned, constraint].join();
    this.requests.set(job, request);
    return request;
  }

  /** Starts a job if it fits now, and beside all reservations for as long as the scheduler plans. */
  private startNow(job: WaitingJob, instance: Instance): [Host, Taken][] {
    const hosts = instance.openHosts(job.ranks);
    const places = chosen(job, hosts, (host) => host.roomNow(job.shape, instance.second, job.planned));
    instance.steps.left -= hosts.length;
    if (places.length > 0) instance.start(job, places);
    return places;
  }

  /** Reserves the first time from which a job fits. Returns that time, or Infinity. */
  private reserve(job: WaitingJob, { instance, total }: Loop, from: number): number {
    const { shape, planned } = job;
    const hosts = instance.openHosts(job.ranks);
    if (hosts.reduce((sum, host) => sum + roomFor(shape, host.spec), 0) < shape.units) return Infinity;
    const search = new Search(job, hosts);
    const least = leastOf(job, hosts);
    for (let time = from; time < Infinity && instance.steps.left > 0; time = total.nextAfter(time)) {
      instance.steps.left--;
      if (!hasTotal(total, time, planned, least)) continue;
      instance.steps.left -= hosts.length;
      if (search.roomAt(time) < shape.units) continue;
      const places = search.places();
      for (const [host, { cores, gpus }] of places) {
        host.reserve({ queue: this.name, from: time, until: time + planned, cores, gpus });
        this.reserved.add(host);
      }
      take(total, time, job, places);
      return time;
    }
    return Infinity;
  }
}

/** Takes the resources of a job from the free ones. */
function take(total: Profile, from: number, { planned }: WaitingJob, places: [Host, Taken][]): void {
  const sum = { cores: 0, gpus: 0 };
  for (const [, { cores, gpus }] of places) {
    sum.cores -= cores;
    sum.gpus -= gpus;
  }
  total.add(from, from + planned, sum);
}

/** Whether all hosts together have the resources of a shape, for some seconds from a time on. */
function hasTotal(total: Profile, from: number, seconds: number, { units, cores, gpus }: Shape): boolean {
  const free = total.leastIn(from, seconds);
  return free.cores >= units * cores && free.gpus >= units * gpus;
}

/** A shape with the cores that each unit takes at least: an exclusive job takes whole hosts. */
function leastOf({ shape }: WaitingJob, hosts: readonly Host[]): Shape {
  const cores = shape.exclusive ? Math.min(...hosts.map(({ spec }) => spec.cores)) : 0;
  return { ...shape, cores: Math.max(cores, shape.cores) };
}

/** The search for the first time at which a job has room. */
class Search {
  private readonly rooms: number[];
  /** Times until which the rooms are known. */
  private readonly known: number[];
  private room = 0;

  constructor(
    private readonly job: WaitingJob,
    private readonly hosts: readonly Host[],
  ) {
    this.rooms = hosts.map(() => 0);
    this.known = hosts.map(() => -Infinity);
  }

  /** Units that fit at a time, which is later than those before. */
  roomAt(time: number): number {
    const { job, hosts, rooms, known } = this;
    for (let place = 0; place < hosts.length; place++) {
      if (time < known[place]!) continue;
      const plan = hosts[place]!.plan();
      const room = hosts[place]!.roomIn(job.shape, time, job.planned);
      // The first change after the begin, and the first one that the end has not reached.
      const end = time + job.planned;
      known[place] = Math.min(plan.nextAfter(time), end < Infinity ? plan.nextFrom(end) - job.planned : Infinity);
      this.room += room - rooms[place]!;
      rooms[place] = room;
    }
    return this.room;
  }

  /** The lowest hosts that have room at that time. */
  places(): [Host, Taken][] {
    let place = 0;
    return chosen(this.job, this.hosts, () => this.rooms[place++]!);
  }
}
