import { type Amounts, roomFor, takenBy } from "../shape";
import type { Host } from "./hosts";
import type { WaitingJob } from "./types";

/**
 * Ranks that waiting jobs want, in the order of the scheduler, as `Plan` of core/programs/planning.py finds them: each
 * job takes the lowest hosts with room, whether they have joined or not, or waits for the lowest ones that have it idle.
 */
export class Demand {
  private readonly free: Map<Host, Amounts>;
  /** Requests for which no room was left: room only shrinks. */
  private readonly failed = new Set<string>();

  constructor(private readonly hosts: readonly Host[]) {
    this.free = new Map(hosts.map((host) => [host, { ...host.free }]));
  }

  /** Ranks for a job. Nothing if no number of hosts suffices. */
  ranksFor(job: WaitingJob): number[] {
    const { shape } = job;
    const request = [shape.onHosts, shape.units, shape.cores, shape.gpus, shape.exclusive].join();
    if (job.ranks || !this.failed.has(request)) {
      const places = this.search(job, (host) => roomFor(shape, host.spec, this.free.get(host)));
      for (const [host, units] of places) {
        const [free, taken] = [this.free.get(host)!, takenBy(shape, units, host.spec)];
        this.free.set(host, { cores: free.cores - taken.cores, gpus: free.gpus - taken.gpus });
      }
      if (places.length > 0) return places.map(([{ spec }]) => spec.rank);
      if (!job.ranks) this.failed.add(request);
    }
    return this.search(job, (host) => roomFor(shape, host.spec)).map(([{ spec }]) => spec.rank);
  }

  private search({ shape, ranks }: WaitingJob, roomOn: (host: Host) => number): [Host, number][] {
    const found: [Host, number][] = [];
    let left = shape.units;
    for (const host of this.hosts) {
      const units = ranks?.has(host.spec.rank) === false ? 0 : Math.min(left, roomOn(host));
      if (units === 0) continue;
      found.push([host, units]);
      left -= units;
      if (left === 0) return found;
    }
    return [];
  }
}
