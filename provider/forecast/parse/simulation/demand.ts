import { getOrMake } from "../../../shared/objects";
import { type Amounts, roomFor, takenBy } from "../shape";
import type { Host } from "./hosts";
import type { WaitingJob } from "./types";

/** What is known of requests that differ only in their units. */
interface Kind {
  /** Hosts that their constraint allows. */
  hosts: readonly Host[];
  /** Place of the first of them that had room for the last such job: room only shrinks. */
  first: number;
  /** The fewest units for which no room was left. */
  failed: number;
  /** The hosts with room if they are idle, and the units on each of them and those before it. */
  idle?: { hosts: Host[]; sums: number[] };
}

/**
 * Hosts that waiting jobs want, in the order of the scheduler, as `Plan` of core/programs/planning.py finds them: each
 * job takes the lowest hosts with room, whether they have joined or not, or waits for the lowest ones that have it idle.
 */
export class Demand {
  private readonly free: Map<Host, Amounts>;
  private readonly kinds = new Map<ReadonlySet<number> | undefined, Map<string, Kind>>();

  constructor(
    private readonly hosts: readonly Host[],
    private readonly steps: { left: number },
  ) {
    steps.left -= hosts.length;
    this.free = new Map(hosts.map((host) => [host, { ...host.free }]));
  }

  /** The hosts for a job, now or later. None if no number of hosts suffices. */
  hostsFor(job: WaitingJob): Host[] {
    const hosts = this.start(job);
    return hosts.length > 0 ? hosts : this.idleOf(job).hosts.slice(0, this.hostsIfIdle(job));
  }

  /** Gives a job the lowest hosts that have room beside the jobs before it, or none. */
  start(job: WaitingJob): Host[] {
    const { shape } = job;
    const kind = this.kindOf(job);
    if (shape.units >= kind.failed) return [];
    const found: [Host, number][] = [];
    let [left, place] = [shape.units, kind.first];
    for (; left > 0 && place < kind.hosts.length; place++) {
      const host = kind.hosts[place]!;
      const units = Math.min(left, roomFor(shape, host.spec, this.free.get(host)));
      if (units === 0) continue;
      if (found.length === 0) kind.first = place;
      found.push([host, units]);
      left -= units;
    }
    this.steps.left -= place - kind.first;
    if (left > 0) {
      kind.failed = shape.units;
      return [];
    }
    for (const [host, units] of found) {
      const [free, taken] = [this.free.get(host)!, takenBy(shape, units, host.spec)];
      this.free.set(host, { cores: free.cores - taken.cores, gpus: free.gpus - taken.gpus });
    }
    return found.map(([host]) => host);
  }

  /** Number of the lowest hosts that have room for a job if they are idle. 0 if it can never start. */
  hostsIfIdle(job: WaitingJob): number {
    return this.idleOf(job).sums.findIndex((sum) => sum >= job.shape.units) + 1;
  }

  private idleOf(job: WaitingJob): NonNullable<Kind["idle"]> {
    const kind = this.kindOf(job);
    if (kind.idle) return kind.idle;
    this.steps.left -= kind.hosts.length;
    kind.idle = { hosts: [], sums: [] };
    let sum = 0;
    for (const host of kind.hosts) {
      const units = roomFor(job.shape, host.spec);
      if (units === 0) continue;
      sum += units;
      kind.idle.hosts.push(host);
      kind.idle.sums.push(sum);
    }
    return kind.idle;
  }

  private kindOf({ shape, ranks }: WaitingJob): Kind {
    const kinds = getOrMake(this.kinds, ranks, () => new Map<string, Kind>());
    const request = [shape.onHosts, shape.cores, shape.gpus, shape.exclusive].join();
    return getOrMake(kinds, request, () => {
      const hosts = ranks ? this.hosts.filter(({ spec }) => ranks.has(spec.rank)) : this.hosts;
      return { hosts, first: 0, failed: Infinity };
    });
  }
}
