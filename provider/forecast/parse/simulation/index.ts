import { Elastic } from "./elastic";
import { Host } from "./hosts";
import { Moves } from "./moves";
import { Queue } from "./queue";
import { Times } from "./times";
import type { Simulated, SimulationInput, Taken, WaitingJob } from "./types";

export { hostSeconds } from "./elastic";
export * from "./types";

/** A job that holds resources. */
interface Active {
  id: string;
  end: number;
  hosts: Host[];
}

/**
 * Simulates the queues of a Flux instance, as its scheduler Fluxion starts their jobs. It ends when nothing more can
 * happen: jobs that never start are not in the result.
 *
 * A job that runs longer than planned keeps its resources until its end, and the scheduler plans as if it ended soon.
 */
export function simulate(input: SimulationInput): Simulated {
  const simulation = new Simulation(input);
  simulation.run();
  return simulation.result;
}

class Simulation {
  readonly result: Simulated = { jobs: new Map(), lost: new Map(), clusters: new Map(), isPart: false };
  readonly steps: { left: number };
  now: number;
  private readonly hosts: Host[];
  private readonly byRank: Map<number, Host>;
  private readonly queues: Queue[];
  private readonly active = new Map<string, Active>();
  private readonly times = new Times();
  private readonly elastic: Elastic;
  private readonly moves?: Moves;
  private waiting: WaitingJob[];
  /** Open hosts by constraint, until a host opens or closes. */
  private open = new Map<ReadonlySet<number> | undefined, Host[]>();

  constructor(input: SimulationInput) {
    this.now = input.now;
    this.steps = { left: input.maxSteps ?? Infinity };
    this.hosts = [...input.hosts].sort((a, b) => a.rank - b.rank).map((spec) => new Host({ ...spec }));
    this.byRank = new Map(this.hosts.map((host) => [host.spec.rank, host]));
    for (const { from, closes, leaves } of input.hosts)
      for (const time of [from, closes, leaves]) if (time > this.now) this.times.add(time);
    for (const { id, end, plannedEnd, takes } of input.running) {
      const places = takes.flatMap((taken): [Host, Taken][] => {
        const host = this.byRank.get(taken.rank);
        return host ? [[host, taken]] : [];
      });
      this.hold(id, places, end, Math.round(plannedEnd));
    }
    this.queues = queuesOf(input);
    this.waiting = input.waiting;
    this.elastic = new Elastic(input.elastic ?? [], this.hosts, this);
    this.result.clusters = this.elastic.results();
    if (input.place) this.moves = new Moves(input.place, input.waiting, this);
  }

  /** Handles one time after the other, until nothing more happens. */
  run(): void {
    for (let time = this.now; time < Infinity; time = this.times.next()) {
      this.now = Math.max(this.now, time);
      this.endJobs();
      this.changeHosts();
      // Where queues share hosts, the reservations of one queue must not outlive the time for which they were made.
      for (const host of this.hosts) host.cancelReservations();
      for (const queue of this.queues) queue.schedule(this);
      this.waiting = this.waiting.filter(({ id }) => !this.result.jobs.has(id));
      this.moveJobs();
      this.elastic.decide(this.waiting);
      if (this.steps.left <= 0) {
        this.result.isPart = true;
        return;
      }
    }
  }

  get second(): number {
    return Math.floor(this.now);
  }

  wake = (time: number): void => this.times.add(time);

  possibleHosts = (): Host[] => this.elastic.possibleHosts();

  allHosts = (): Host[] => this.elastic.allHosts();

  openHosts(ranks: ReadonlySet<number> | undefined): Host[] {
    const known = this.open.get(ranks);
    if (known) return known;
    const found = this.hosts.filter(({ isOpen, spec }) => isOpen && (ranks === undefined || ranks.has(spec.rank)));
    this.open.set(ranks, found);
    return found;
  }

  start(job: WaitingJob, places: [Host, Taken][]): void {
    const end = this.now + job.seconds;
    this.result.jobs.set(job.id, { start: this.now, end, takes: places.map(([, taken]) => taken) });
    this.hold(job.id, places, end, this.second + job.planned);
  }

  private hold(id: string, places: [Host, Taken][], end: number, until: number): void {
    for (const [host, { cores, gpus }] of places) host.hold({ job: id, until, cores, gpus });
    this.active.set(id, { id, end, hosts: places.map(([host]) => host) });
    this.times.add(end);
  }

  /** Moves jobs to other queues, whose next loop begins at once. */
  private moveJobs(): void {
    const moved = this.moves?.move(this.waiting) ?? this.waiting;
    if (moved === this.waiting) return;
    this.waiting = moved;
    for (const queue of this.queues) queue.waiting = moved.filter((job) => job.queue === queue.name);
    this.wake(this.now);
  }

  private endJobs(): void {
    for (const job of this.active.values()) if (job.end <= this.now) this.release(job);
  }

  private release(job: Active): void {
    for (const host of job.hosts) host.release(job.id);
    this.active.delete(job.id);
  }

  /** Opens and closes hosts, and ends the jobs of hosts that leave. */
  private changeHosts(): void {
    for (const host of this.hosts) {
      const { from, closes, leaves } = host.spec;
      const isOpen = from <= this.now && this.now < closes && this.now < leaves;
      if (isOpen !== host.isOpen) this.open = new Map();
      host.isOpen = isOpen;
      if (leaves <= this.now) for (const job of [...host.holds.keys()]) this.lose(job);
    }
  }

  private lose(id: string): void {
    const job = this.active.get(id);
    if (!job) return;
    this.release(job);
    this.result.lost.set(id, this.now);
    const started = this.result.jobs.get(id);
    if (started) started.end = this.now;
  }
}

/** The queues by name, each with its waiting jobs. */
function queuesOf({ waiting, policy, place }: SimulationInput): Queue[] {
  const queues = new Map(place?.others.map(({ queue }) => [queue, new Queue(queue, policy)]));
  for (const job of waiting) {
    const queue = queues.get(job.queue) ?? new Queue(job.queue, policy);
    queues.set(job.queue, queue);
    queue.waiting.push({ ...job, planned: Math.ceil(job.planned) });
  }
  return [...queues.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
