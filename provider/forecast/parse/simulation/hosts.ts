import { type Amounts, roomFor, type Shape, takenBy } from "../shape";
import type { SimulatedHost, Taken, WaitingJob } from "./types";

/** Resources of a host that are taken for a time. */
interface Hold extends Amounts {
  from: number;
  until: number;
}

/** Resources of a host that a job holds now. */
export interface RunningHold extends Hold {
  job: string;
}

/** Resources of a host that a queue has reserved for a job. */
export interface Reservation extends Hold {
  queue: string;
}

/** A number of checks that a simulation may make. */
export interface Steps {
  left: number;
}

/** A host and what is on it. */
export class Host {
  free: Amounts;
  /** Whether it takes jobs now. */
  isOpen = false;
  holds: RunningHold[] = [];
  reservations: Reservation[] = [];

  constructor(readonly spec: SimulatedHost) {
    this.free = { cores: spec.cores, gpus: spec.gpus };
  }

  /** Gives resources to a job. */
  hold(hold: RunningHold): void {
    this.holds.push(hold);
    this.free.cores -= hold.cores;
    this.free.gpus -= hold.gpus;
  }

  /** Takes the resources of a job back. */
  release(job: string): void {
    for (const hold of this.holds.filter((one) => one.job === job)) {
      this.free.cores += hold.cores;
      this.free.gpus += hold.gpus;
    }
    this.holds = this.holds.filter((one) => one.job !== job);
  }

  /** Units of a shape that fit now, and beside all reservations for some seconds. */
  roomNow(shape: Shape, now: number, seconds: number): number {
    const room = roomFor(shape, this.spec, this.free);
    if (room === 0 || this.reservations.length === 0) return room;
    // What other jobs release later does not help a job that starts now, but a reservation may use it.
    return Math.min(room, this.roomIn(shape, now, seconds));
  }

  /** Units of a shape that fit for some seconds from a time on. */
  roomIn(shape: Shape, from: number, seconds: number): number {
    let room = roomFor(shape, this.spec, this.freeAt(from));
    for (const { from: begin } of this.reservations)
      if (room > 0 && begin > from && begin < from + seconds)
        room = Math.min(room, roomFor(shape, this.spec, this.freeAt(begin)));
    return room;
  }

  /** The first time after a time at which resources are released, by the plan of the scheduler. */
  nextRelease(after: number): number {
    let next = Infinity;
    for (const { until } of this.holds) if (until > after && until < next) next = until;
    for (const { until } of this.reservations) if (until > after && until < next) next = until;
    return next;
  }

  /** The last time, from a time on, at which no further reservation begins within some seconds. */
  unreservedUntil(from: number, seconds: number): number {
    let last = Infinity;
    for (const { from: begin } of this.reservations)
      if (begin >= from + seconds) last = Math.min(last, begin - seconds);
    return last;
  }

  /** Resources that are free at a time, by the plan of the scheduler. */
  private freeAt(time: number): Amounts {
    let { cores, gpus } = this.free;
    for (const hold of this.holds)
      if (hold.until <= time) {
        cores += hold.cores;
        gpus += hold.gpus;
      }
    for (const hold of this.reservations)
      if (hold.from <= time && time < hold.until) {
        cores -= hold.cores;
        gpus -= hold.gpus;
      }
    return { cores, gpus };
  }
}

/** The resources of a job on the lowest hosts with room, or nothing if they are too few. */
export function chosen(job: WaitingJob, hosts: readonly Host[], roomOn: (host: Host) => number): [Host, Taken][] {
  const found: [Host, Taken][] = [];
  let left = job.shape.units;
  for (const host of hosts) {
    const units = Math.min(left, roomOn(host));
    if (units === 0) continue;
    found.push([host, { rank: host.spec.rank, ...takenBy(job.shape, units, host.spec) }]);
    left -= units;
    if (left === 0) return found;
  }
  return [];
}
