import type { Simulated, SimulationInput, WaitingJob } from "../../provider/forecast/parse/simulation";

// A second, slow algorithm of the simulation: whole seconds one after the other, a cell for each core and each GPU of a
// host, and a table of all seconds to come for what the scheduler plans.

/** Seconds that it looks ahead. */
const HORIZON = 100;
const SECONDS = 2 * HORIZON;

type Kind = "cores" | "gpus";
const kinds: Kind[] = ["cores", "gpus"];

interface Held {
  id: string;
  end: number;
  plannedEnd: number;
}
type Cells = Record<Kind, (Held | undefined)[]>;
type Amounts = Record<Kind, number>;
type Places = { at: number; units: number }[];

/** Starts and ends of jobs, as `simulate` finds them. All times of the input are whole seconds. */
export function simulateSlowly(input: SimulationInput): Pick<Simulated, "jobs" | "lost"> {
  const slow = new Slow(input);
  for (let now = input.now; now < input.now + HORIZON; now++) slow.step(now);
  return slow;
}

class Slow {
  readonly jobs: Simulated["jobs"] = new Map();
  readonly lost = new Map<string, number>();
  private readonly cells: Cells[];
  private readonly waiting = new Map<string, WaitingJob[]>();
  /** By queue, what its last loop has reserved on each host: cores, then GPUs at each second. */
  private readonly reserved = new Map<string, Int16Array[]>();
  private now = 0;

  constructor(private readonly input: SimulationInput) {
    this.cells = input.hosts.map(({ cores, gpus }) => ({
      cores: Array(cores).fill(undefined),
      gpus: Array(gpus).fill(undefined),
    }));
    for (const { id, end, plannedEnd, takes } of input.running)
      for (const { rank, ...amounts } of takes)
        this.fill(
          input.hosts.findIndex((host) => host.rank === rank),
          amounts,
          { id, end, plannedEnd },
        );
    const names = [...new Set(input.waiting.map(({ queue }) => queue))].sort();
    for (const name of names)
      this.waiting.set(
        name,
        input.waiting.filter(({ queue }) => queue === name),
      );
  }

  step(now: number): void {
    this.now = now;
    const { hosts } = this.input;
    // The scheduler wakes when a job ends, or a host changes.
    const changes = hosts.flatMap(({ from, closes, leaves }) => [from, closes, leaves, this.input.now]);
    let wakes = changes.includes(now);
    const endsBy = (held: Held | undefined) => held && held.end <= now;
    for (let again = true; again;) {
      again = false;
      for (const [at, cells] of this.cells.entries()) {
        wakes ||= kinds.some((kind) => cells[kind].some(endsBy));
        for (const kind of kinds) cells[kind] = cells[kind].map((held) => (endsBy(held) ? undefined : held));
        for (const held of kinds.flatMap((kind) => cells[kind])) if (held && hosts[at]!.leaves <= now) this.lose(held);
      }
      if (wakes) this.reserved.clear();
      if (wakes) for (const name of this.waiting.keys()) while (this.loop(name)) again = true;
    }
  }

  private lose(held: Held): void {
    this.lost.set(held.id, this.now);
    const job = this.jobs.get(held.id);
    if (job) job.end = this.now;
    for (const cells of this.cells)
      for (const kind of kinds)
        cells[kind] = cells[kind].map((one) => (one === held || one?.id === held.id ? undefined : one));
  }

  /** One loop of a queue. Returns whether it has started a job, and is to be repeated. */
  private loop(name: string): boolean {
    const { kind, queueDepth, reservationDepth } = this.input.policy;
    const most = { fcfs: 0, easy: 1, conservative: Infinity, hybrid: reservationDepth }[kind];
    this.reserved.set(
      name,
      this.input.hosts.map(() => new Int16Array(2 * SECONDS)),
    );
    let [considered, reservations, started] = [0, 0, 0];
    for (const job of [...this.waiting.get(name)!]) {
      if (considered === queueDepth) break;
      const places = this.placesAt(job, this.now);
      if (places) {
        this.start(job, places);
        this.waiting.set(
          name,
          this.waiting.get(name)!.filter((one) => one !== job),
        );
        started++;
      } else if (kind === "fcfs") return false;
      else if (reservations < most) {
        if (!this.reserve(job, name)) continue;
        reservations++;
      }
      considered++;
    }
    return considered === queueDepth && started > 0;
  }

  private reserve(job: WaitingJob, name: string): boolean {
    for (let time = this.now + 1; time < this.now + HORIZON; time++) {
      const places = this.placesAt(job, time);
      if (!places) continue;
      const table = this.reserved.get(name)!;
      for (const { at, units } of places)
        for (const [index, kind] of kinds.entries()) {
          const amount = this.amountOf(job, at, units, kind);
          const first = index * SECONDS + time - this.input.now;
          for (let cell = first; cell < first + this.lengthOf(job, time); cell++) table[at]![cell]! += amount;
        }
      return true;
    }
    return false;
  }

  private start(job: WaitingJob, places: Places): void {
    const held = { id: job.id, end: this.now + job.seconds, plannedEnd: this.now + job.planned };
    const takes = places.map(({ at, units }) => {
      const [cores, gpus] = [this.amountOf(job, at, units, "cores"), this.amountOf(job, at, units, "gpus")];
      this.fill(at, { cores, gpus }, held);
      return { rank: this.input.hosts[at]!.rank, cores, gpus };
    });
    this.jobs.set(job.id, { start: this.now, end: held.end, takes });
  }

  private fill(at: number, amounts: Amounts, held: Held): void {
    for (const kind of kinds)
      for (let count = 0; count < amounts[kind]; count++) {
        const cell = this.cells[at]![kind].indexOf(undefined);
        if (cell < 0) throw new Error(`${held.id} takes a resource that is in use`);
        this.cells[at]![kind][cell] = held;
      }
  }

  private amountOf({ shape }: WaitingJob, at: number, units: number, kind: Kind): number {
    return shape.onHosts && shape.exclusive ? this.input.hosts[at]![kind] : units * shape[kind];
  }

  /** Hosts of a job from a time on, the lowest ones. */
  private placesAt(job: WaitingJob, time: number): Places | undefined {
    const places: Places = [];
    let left = job.shape.units;
    for (const [at, host] of this.input.hosts.entries()) {
      const isOpen = host.from <= this.now && this.now < host.closes && this.now < host.leaves;
      if (!isOpen || job.ranks?.has(host.rank) === false) continue;
      let units = 0;
      while (units < (job.shape.onHosts ? Math.min(1, left) : left) && this.fits(job, at, units + 1, time)) units++;
      if (units > 0) places.push({ at, units });
      left -= units;
    }
    return left === 0 ? places : undefined;
  }

  private fits(job: WaitingJob, at: number, units: number, time: number): boolean {
    return kinds.every((kind) => {
      const amount = Math.max(this.amountOf(job, at, units, kind), units * job.shape[kind]);
      if (time === this.now && this.cells[at]![kind].filter((held) => !held).length < amount) return false;
      for (let second = time; second < time + this.lengthOf(job, time); second++)
        if (this.freeAt(at, second, kind) < amount) return false;
      return true;
    });
  }

  private freeAt(at: number, time: number, kind: Kind): number {
    let free = 0;
    for (const held of this.cells[at]![kind]) if (!held || held.plannedEnd <= time) free++;
    const cell = kinds.indexOf(kind) * SECONDS + time - this.input.now;
    for (const table of this.reserved.values()) free -= table[at]![cell]!;
    return free;
  }

  /** Seconds of the table for which the scheduler plans a job from a time on. */
  private lengthOf({ planned }: WaitingJob, from: number): number {
    return Math.min(planned, SECONDS - (from - this.input.now));
  }
}
