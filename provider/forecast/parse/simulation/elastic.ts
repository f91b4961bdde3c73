import { Demand } from "./demand";
import type { Host } from "./hosts";
import { Spending } from "./spending";
import type { ElasticCluster, ElasticResult, WaitingJob } from "./types";

/** Least seconds between two changes of a size. */
const PERIOD = 1;

/** What the elastic clusters need of the instance. */
interface Instance {
  readonly now: number;
  readonly steps: { left: number };
  /** Adds a time at which they decide. */
  wake: (time: number) => void;
}

/** The sizes of the clusters that follow the queue, by the rules of autoscale/programs/deciding.py. */
export class Elastic {
  private readonly deciders: Decider[];

  constructor(
    clusters: ElasticCluster[],
    private readonly hosts: Host[],
    private readonly instance: Instance,
  ) {
    this.deciders = clusters.map((cluster) => new Decider(cluster, hosts, instance));
  }

  /** Decides on all sizes. */
  decide(waiting: WaitingJob[]): void {
    if (this.deciders.length === 0) return;
    const { steps } = this.instance;
    const tops = this.deciders.map((decider) => decider.busy());
    const demand = new Demand(this.possibleHosts(), steps);
    for (const job of waiting) {
      // No further job changes the largest size.
      if (steps.left <= 0 || tops.every((top, place) => top >= this.deciders[place]!.cluster.max)) break;
      for (const { spec } of demand.hostsFor(job))
        for (const [place, { cluster }] of this.deciders.entries())
          if (isOf(cluster, spec.rank)) tops[place] = Math.max(tops[place]!, spec.rank + 1 - cluster.first);
    }
    for (const [place, decider] of this.deciders.entries()) decider.decide(tops[place]!, waiting.length);
  }

  /** What each cluster has had. */
  results(): Map<string, ElasticResult> {
    return new Map(this.deciders.map(({ cluster, result }) => [cluster.name, result]));
  }

  /** Hosts that take jobs, or do once they have joined. */
  possibleHosts(): Host[] {
    const { now } = this.instance;
    return this.hosts.filter(({ spec }) => {
      const isElastic = this.deciders.some(({ cluster }) => isOf(cluster, spec.rank));
      return isElastic ? spec.closes > now || spec.leaves <= now : spec.closes > now && spec.leaves > now;
    });
  }

  /** These hosts, and those that are drained but stay. */
  allHosts(): Host[] {
    const possible = new Set(this.possibleHosts());
    return this.hosts.filter((host) => possible.has(host) || host.spec.leaves === Infinity);
  }
}

/** Whether a rank is of a cluster, at its largest size. */
const isOf = ({ first, max }: ElasticCluster, rank: number) => first <= rank && rank < first + max;

class Decider {
  readonly result: ElasticResult;
  private readonly hosts: Host[];
  private readonly spending?: Spending;
  private readonly began: number;
  private readonly maxStep: number;
  /** Wanted sizes, each until a time. */
  private seen: { until: number; wanted: number }[] = [];
  private wanted = 0;
  private changedAt = -Infinity;
  private size: number;

  constructor(
    readonly cluster: ElasticCluster,
    hosts: Host[],
    private readonly instance: Instance,
  ) {
    const { first, size, budget, pricePerHour = 0, maxStep = Infinity } = cluster;
    this.began = instance.now;
    this.size = size;
    this.maxStep = maxStep;
    this.result = { sizes: [{ at: instance.now, size }] };
    if (budget) this.spending = new Spending(budget, pricePerHour, instance.now);
    this.hosts = hosts.filter(({ spec }) => spec.rank >= first && spec.rank < first + Math.max(size, cluster.max));
    for (const { spec } of this.hosts) if (spec.rank >= first + size) spec.from = Infinity;
  }

  /** The size that its running jobs need. */
  busy(): number {
    const ranks = this.hosts
      .filter(({ holds }) => holds.size > 0)
      .map(({ spec }) => spec.rank + 1 - this.cluster.first);
    return Math.max(0, ...ranks);
  }

  decide(needed: number, waiting: number): void {
    const { now, wake } = this.instance;
    const { idleSeconds, cooldownSeconds } = this.cluster;
    this.spending?.charge(now, this.size);
    const wanted = this.bounded(needed);
    this.seen = this.seen.filter(({ until }) => until > now - idleSeconds);
    if (this.wanted > wanted) this.seen.push({ until: now, wanted: this.wanted });
    this.wanted = wanted;
    if (now - this.changedAt < cooldownSeconds) return wake(this.changedAt + cooldownSeconds);
    const target = this.bounded(wanted < this.size ? this.smaller(wanted) : Math.min(wanted, this.size + this.maxStep));
    const until = target > this.size ? this.spending?.blockedUntil() : undefined;
    if (until === undefined) return this.resize(target);
    this.result.budgetEnd ??= { at: now, waiting };
    wake(until);
    // The smallest size does not depend on the queue.
    this.resize(Math.max(this.size, this.cluster.min));
  }

  /** The next size while fewer hosts are wanted: hosts leave after they were idle for a while. */
  private smaller(wanted: number): number {
    const { now, wake } = this.instance;
    const { idleSeconds } = this.cluster;
    const recent = this.seen.filter((one) => one.wanted > wanted && idleSeconds > 0);
    for (const time of [this.began, ...recent.map(({ until }) => until)])
      if (time + idleSeconds > now) wake(time + idleSeconds);
    if (now < this.began + idleSeconds) return this.size;
    const most = Math.min(this.size, Math.max(wanted, ...recent.map((one) => one.wanted)));
    return Math.max(most, this.size - this.maxStep);
  }

  private bounded(size: number): number {
    return Math.max(this.cluster.min, Math.min(this.cluster.max, size));
  }

  private resize(size: number): void {
    if (size === this.size) return;
    const { now, wake } = this.instance;
    const { first, arrivalSeconds, cooldownSeconds } = this.cluster;
    for (const { spec } of this.hosts) {
      const place = spec.rank - first;
      if (place >= this.size && place < size)
        Object.assign(spec, { from: now + arrivalSeconds, closes: Infinity, leaves: Infinity });
      if (place >= size && place < this.size) spec.leaves = now;
    }
    wake(size > this.size ? now + arrivalSeconds : now);
    wake(now + Math.max(PERIOD, cooldownSeconds));
    this.size = size;
    this.changedAt = now;
    this.result.sizes.push({ at: now, size });
  }
}

/** Seconds for which a cluster has had its hosts until a time, all hosts together. */
export function hostSeconds({ sizes }: ElasticResult, until: number): number {
  return sizes.reduce((sum, { at, size }, place) => {
    const end = Math.min(until, sizes[place + 1]?.at ?? until);
    return sum + size * Math.max(0, end - at);
  }, 0);
}
