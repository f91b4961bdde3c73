import { roomFor } from "../shape";
import { chosen, type Host, type Steps } from "./hosts";
import type { Policy, Taken, WaitingJob } from "./types";

/** What a queue needs of the instance. */
export interface Instance {
  readonly now: number;
  readonly steps: Steps;
  /** Open hosts that a constraint allows, by rank. */
  openHosts: (ranks: ReadonlySet<number> | undefined) => readonly Host[];
  /** Starts a job. */
  start: (job: WaitingJob, places: [Host, Taken][]) => void;
}

/** What a loop has found for jobs of the same request: none starts now, and none is reserved before a time. */
type Found = Map<string, number>;

/** A queue, which has a loop of the scheduler. */
export class Queue {
  waiting: WaitingJob[] = [];
  private reserved: Host[] = [];

  constructor(
    readonly name: string,
    private readonly policy: Policy,
  ) {}

  /** Starts all jobs that the policy lets start now. */
  schedule(instance: Instance): void {
    if (this.policy.kind === "fcfs") this.scheduleInOrder(instance);
    else while (this.backfill(instance));
  }

  /** Forgets all reservations. */
  cancelReservations(): void {
    for (const host of this.reserved) host.reservations = host.reservations.filter(({ queue }) => queue !== this.name);
    this.reserved = [];
  }

  /** Starts the first jobs, until one does not fit. */
  private scheduleInOrder(instance: Instance): void {
    let started = 0;
    for (const job of this.waiting) {
      if (!this.startNow(job, instance)) break;
      started++;
    }
    this.waiting.splice(0, started);
  }

  /**
   * One loop of a policy with backfill: starts or reserves one job after the other. Returns whether another loop begins,
   * because the queue is deeper than a loop and a job was started.
   */
  private backfill(instance: Instance): boolean {
    this.cancelReservations();
    const found: Found = new Map();
    const started = new Set<WaitingJob>();
    let [considered, reservations] = [0, 0];
    for (const job of this.waiting) {
      if (considered >= this.policy.queueDepth || instance.steps.left <= 0) break;
      const mayReserve = reservations < this.reservationDepth;
      const outcome = this.consider(job, instance, found, mayReserve);
      if (outcome === "starts") started.add(job);
      if (outcome === "reserved") reservations++;
      // A job that can be reserved at no time blocks no other job, and does not count until hosts change.
      if (outcome !== "waits" || !mayReserve) considered++;
    }
    const isDeeper = considered >= this.policy.queueDepth;
    if (started.size > 0) this.waiting = this.waiting.filter((job) => !started.has(job));
    return isDeeper && started.size > 0 && this.waiting.length > 0;
  }

  private get reservationDepth(): number {
    return { fcfs: 0, easy: 1, conservative: Infinity, hybrid: this.policy.reservationDepth }[this.policy.kind];
  }

  private consider(job: WaitingJob, instance: Instance, found: Found, mayReserve: boolean) {
    const { units, cores, gpus, onHosts, exclusive } = job.shape;
    const ranks = job.ranks ? rankSets.numberOf(job.ranks) : "";
    const key = [units, cores, gpus, onHosts, exclusive, job.planned, ranks].join();
    const earliest = found.get(key);
    if (earliest === undefined && this.startNow(job, instance)) return "starts";
    const from = Math.max(earliest ?? 0, instance.now + 1);
    const at = mayReserve ? this.reserve(job, instance, from) : from;
    found.set(key, at);
    return mayReserve && at < Infinity ? "reserved" : "waits";
  }

  /** Starts a job if it fits now, and beside all reservations for as long as the scheduler plans. */
  private startNow(job: WaitingJob, instance: Instance): boolean {
    const hosts = instance.openHosts(job.ranks);
    const places = chosen(job, hosts, (host) => host.roomNow(job.shape, instance.now, job.planned));
    instance.steps.left -= hosts.length;
    if (places.length === 0) return false;
    instance.start(job, places);
    return true;
  }

  /** Reserves the first time from which a job fits. Returns that time, or Infinity. */
  private reserve(job: WaitingJob, instance: Instance, from: number): number {
    const { shape, planned } = job;
    const hosts = instance.openHosts(job.ranks);
    const most = hosts.reduce((sum, host) => sum + roomFor(shape, host.spec), 0);
    // Fluxion plans a job without a limit up to the end of all time, so that it begins now or not at all.
    if (most < shape.units || planned === Infinity) return Infinity;
    const rooms = hosts.map(() => 0);
    const releases = hosts.map(() => -Infinity);
    const lasts = hosts.map(() => -Infinity);
    let room = 0;
    for (let time = from; time < Infinity;) {
      let next = Infinity;
      for (const [place, host] of hosts.entries()) {
        if (releases[place]! <= time || lasts[place]! < time) {
          room -= rooms[place]!;
          rooms[place] = host.roomIn(shape, time, planned);
          releases[place] = host.nextRelease(time);
          lasts[place] = host.unreservedUntil(time, planned);
          room += rooms[place]!;
        }
        next = Math.min(next, releases[place]!);
      }
      instance.steps.left -= hosts.length;
      if (room >= shape.units) return this.keep(job, hosts, rooms, time);
      if (instance.steps.left <= 0) break;
      time = next;
    }
    return Infinity;
  }

  /** Keeps the lowest hosts for a job from a time on. */
  private keep(job: WaitingJob, hosts: readonly Host[], rooms: number[], from: number): number {
    let place = 0;
    for (const [host, { cores, gpus }] of chosen(job, hosts, () => rooms[place++]!)) {
      host.reservations.push({ queue: this.name, from, until: from + job.planned, cores, gpus });
      this.reserved.push(host);
    }
    return from;
  }
}

/** Numbers of the sets of ranks, by which jobs with the same set are found. */
class Numbers {
  private readonly known = new WeakMap<object, number>();
  private next = 0;

  numberOf(set: object): number {
    const number = this.known.get(set) ?? this.next++;
    this.known.set(set, number);
    return number;
  }
}

const rankSets = new Numbers();
