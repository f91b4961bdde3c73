import { type Amounts, roomFor, type Shape, takenBy } from "../shape";
import { Profile, type Release } from "./profile";
import type { SimulatedHost, Taken, WaitingJob } from "./types";

/** Resources of a host that a job holds until a time, by the plan of the scheduler. */
export interface Hold extends Release {
  job: string;
}

/** Resources of a host that a queue has reserved for a job. */
export interface Reservation extends Release {
  queue: string;
  from: number;
}

/** A host and what is on it. */
export class Host {
  readonly free: Amounts;
  /** Whether it takes jobs now. */
  isOpen = false;
  readonly holds = new Map<string, Hold>();
  reservations: readonly Reservation[] = [];
  /** Free resources without and with the reservations, until a job starts or ends here. */
  private unreserved?: Profile;
  private profile?: Profile;

  constructor(readonly spec: SimulatedHost) {
    this.free = { cores: spec.cores, gpus: spec.gpus };
  }

  /** Gives resources to a job. */
  hold(hold: Hold): void {
    const { cores = 0, gpus = 0 } = this.holds.get(hold.job) ?? {};
    this.holds.set(hold.job, { ...hold, cores: cores + hold.cores, gpus: gpus + hold.gpus });
    this.change(hold, -1);
  }

  /** Takes the resources of a job back. */
  release(job: string): void {
    const hold = this.holds.get(job);
    this.holds.delete(job);
    if (hold) this.change(hold, 1);
  }

  /** Keeps resources for a job of a queue. */
  reserve(reservation: Reservation): void {
    this.profile = this.reservations.length === 0 ? this.plan().copy() : this.plan();
    this.reservations = [...this.reservations, reservation];
    reserveIn(this.profile, reservation);
  }

  /** Forgets the reservations of one queue, or of all. */
  cancelReservations(queue?: string): void {
    if (this.reservations.length === 0) return;
    this.reservations = queue === undefined ? [] : this.reservations.filter((one) => one.queue !== queue);
    this.profile = undefined;
  }

  /** Units of a shape that fit now, and beside all reservations for some seconds. */
  roomNow(shape: Shape, now: number, seconds: number): number {
    const room = roomFor(shape, this.spec, this.free);
    if (room === 0 || this.reservations.length === 0) return room;
    return Math.min(room, this.roomIn(shape, now, seconds));
  }

  /** Units of a shape that fit for some seconds from a time on, by the plan of the scheduler. */
  roomIn(shape: Shape, from: number, seconds: number): number {
    return roomFor(shape, this.spec, this.plan().leastIn(from, seconds));
  }

  /** Free resources over time, by the plan of the scheduler. */
  plan(): Profile {
    this.unreserved ??= new Profile(this.free, this.holds.values());
    if (this.profile) return this.profile;
    this.profile = this.unreserved;
    if (this.reservations.length > 0) {
      this.profile = this.unreserved.copy();
      for (const reservation of this.reservations) reserveIn(this.profile, reservation);
    }
    return this.profile;
  }

  private change({ cores, gpus }: Amounts, sign: 1 | -1): void {
    this.free.cores += sign * cores;
    this.free.gpus += sign * gpus;
    this.unreserved = this.profile = undefined;
  }
}

const reserveIn = (profile: Profile, { from, until, cores, gpus }: Reservation) =>
  profile.add(from, until, { cores: -cores, gpus: -gpus });

/** Free resources of all hosts together over time, by the plan of the scheduler. */
export function planOf(hosts: readonly Host[]): Profile {
  const free = { cores: 0, gpus: 0 };
  for (const host of hosts) {
    free.cores += host.free.cores;
    free.gpus += host.free.gpus;
  }
  const holds = hosts.flatMap((host) => [...host.holds.values()]);
  const profile = new Profile(free, holds);
  for (const host of hosts) for (const reservation of host.reservations) reserveIn(profile, reservation);
  return profile;
}

/** The resources of a job on the lowest hosts with room, or nothing if they are too few. */
export function chosen(job: WaitingJob, hosts: readonly Host[], roomOn: (host: Host) => number): [Host, Taken][] {
  const found: [Host, number][] = [];
  let left = job.shape.units;
  for (const host of hosts) {
    const units = Math.min(left, roomOn(host));
    if (units === 0) continue;
    found.push([host, units]);
    left -= units;
    if (left === 0)
      return found.map(([host, units]) => [host, { rank: host.spec.rank, ...takenBy(job.shape, units, host.spec) }]);
  }
  return [];
}
