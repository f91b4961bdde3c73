import type { QueueCase } from "./comparison";
import type { Instance } from "./instance";
import { joining, movable, placingOf, targetsOf } from "./placing";
import type { ClusterPlan, InstancePlan } from "./plan";
import type { Reading } from "./reading";
import { type ElasticCluster, hostSeconds, simulate, type Simulated, type SimulatedHost } from "./simulation";
import { durationText } from "./words";

/** Sizes of clusters that an agent sets, and the costs that it has counted, by the name of the cluster. */
export type LiveSizes = ReadonlyMap<string, { size: number | undefined; spent: Record<string, number> }>;

/** What is compared. */
export interface Compared {
  reading: Reading;
  /** Seconds in which the last new hosts have joined, if known. */
  arrivalSeconds?: number;
  before: InstancePlan;
  after: InstancePlan;
  live: LiveSizes;
  /** Time of the reading by the clock of the user. */
  now: number;
  currency?: string;
}

/** Seconds in which new hosts join, if no host has joined before. */
const assumedArrival = 120;

/** Checks of one host for one job, after which a simulation stops: about half a second. */
const maxSteps = 20_000_000;

/** The cases of a comparison: the same queue with different hosts. */
export class Cases {
  isPart = false;
  private grows = false;
  /** Clusters that get hosts when jobs move there, and those of them that have got some. */
  private readonly targets: ReadonlySet<string>;
  private readonly joined = new Set<string>();
  private base: { plan: InstancePlan; simulated: Simulated } | undefined;

  constructor(
    private readonly given: Compared,
    private readonly limits: Instance,
    private readonly typical: Instance | undefined,
  ) {
    this.targets = targetsOf(given.before, given.after);
  }

  assumptions(): string[] {
    const { arrivalSeconds } = this.given;
    if (!this.grows) return [];
    return [
      ...(this.joined.size > 0 ? [`hosts of ${[...this.joined].join(" and ")} join when jobs move there`] : []),
      arrivalSeconds === undefined
        ? `new hosts are assumed to join in ${durationText(assumedArrival)}`
        : `new hosts join in ${durationText(arrivalSeconds)}, as the last ones did`,
    ];
  }

  /** The queue with a plan. The first plan is the base of the costs. */
  of(plan: InstancePlan, change: string): QueueCase {
    const simulated = this.simulate(this.limits, plan);
    this.base ??= { plan, simulated };
    const typical = plan === this.given.after && this.typical ? this.simulate(this.typical, plan) : undefined;
    const ends = endsOf(this.limits, simulated);
    const starts = [...simulated.jobs.values()].map(({ start }) => start);
    const firstStart = starts.length > 0 ? this.toUser(Math.min(...starts)) : undefined;
    const budget = [...simulated.clusters.values()].flatMap(({ budgetEnd }) => budgetEnd ?? [])[0];
    const lost = this.limits.running.filter(({ id }) => simulated.lost.has(id)).map(({ plannedEnd }) => plannedEnd);
    const addedCost = ends.end === undefined ? undefined : this.addedCost(plan, simulated, ends.end);
    const typicalEnd = typical && endsOf(this.typical!, typical).end;
    return {
      change,
      ...(ends.end !== undefined && { end: this.toUser(ends.end) }),
      ...(typicalEnd !== undefined && { typicalEnd: this.toUser(typicalEnd) }),
      ...(firstStart !== undefined && { firstStart }),
      neverStart: ends.neverStart,
      lost: {
        jobs: lost.length,
        ...(lost.length > 0 && Number.isFinite(Math.max(...lost)) && { end: this.toUser(Math.max(...lost)) }),
      },
      ...(addedCost !== undefined && { addedCost }),
      ...(budget && { budget: { end: this.toUser(budget.at), waiting: budget.waiting } }),
    };
  }

  private simulate(instance: Instance, plan: InstancePlan): Simulated {
    const { running, policy } = instance;
    const { at: now, queues } = this.given.reading;
    const isJoining = ({ name, size, elastic }: ClusterPlan) =>
      size === undefined && !elastic && this.targets.has(name);
    const clusters = plan.clusters.map((cluster) => (isJoining(cluster) ? joining(cluster) : cluster));
    const hosts = clusters.flatMap((cluster) => this.hostsOf(instance, cluster));
    const elastic = clusters.flatMap((cluster) => this.elasticOf(instance, cluster) ?? []);
    const [place, waiting] = [placingOf(plan, queues), movable(instance, plan)];
    const simulated = simulate({ now, hosts, running, waiting, policy, elastic, maxSteps, ...(place && { place }) });
    for (const cluster of plan.clusters) {
      const sizes = simulated.clusters.get(cluster.name)?.sizes ?? [];
      if (!sizes.some(({ size }) => size > sizes[0]!.size)) continue;
      this.grows = true;
      if (isJoining(cluster)) this.joined.add(cluster.name);
    }
    this.isPart ||= simulated.isPart;
    return simulated;
  }

  /** The hosts of a cluster: new ones join later, and those that are removed close at once and leave after the drain timeout. */
  private hostsOf({ hosts }: Instance, cluster: ClusterPlan): SimulatedHost[] {
    const { first, hosts: count, size, elastic, drainSeconds } = cluster;
    const { at } = this.given.reading;
    const own = hosts.filter(({ rank }) => rank >= first && rank < first + count).map((host) => ({ ...host }));
    const joins = (host: SimulatedHost) => ({ ...host, from: at + this.arrivalSeconds });
    if (elastic) {
      const present = this.presentSize(cluster, hosts);
      // No host joins beyond the largest size.
      return own
        .filter((host) => isUp(host) || host.rank < first + elastic.max)
        .map((host) => (isUp(host) || host.rank >= first + present ? host : joins(host)));
    }
    if (size === undefined) return own;
    return own.flatMap((host): SimulatedHost[] => {
      if (host.rank - first >= size) return isUp(host) ? [{ ...host, closes: at, leaves: at + drainSeconds }] : [];
      if (isUp(host)) return [host];
      this.grows = true;
      return [joins(host)];
    });
  }

  /** The size that the agent of a cluster has set, or the number of its hosts that are up. */
  private presentSize({ name, first, hosts: count }: ClusterPlan, hosts: SimulatedHost[]): number {
    const isOwn = ({ rank }: SimulatedHost) => rank >= first && rank < first + count;
    return this.given.live.get(name)?.size ?? hosts.filter((host) => isUp(host) && isOwn(host)).length;
  }

  /** The sizes that the agent of a cluster sets, from its present size on. */
  private elasticOf({ hosts }: Instance, cluster: ClusterPlan): ElasticCluster | undefined {
    const { name, first, elastic, pricePerHour } = cluster;
    if (!elastic) return undefined;
    const { budget, ...pace } = elastic;
    const spent = this.given.live.get(name)?.spent;
    return {
      ...pace,
      name,
      first,
      size: this.presentSize(cluster, hosts),
      arrivalSeconds: this.arrivalSeconds,
      ...(pricePerHour !== undefined && { pricePerHour }),
      ...(budget && { budget: { limits: definedIn(budget), spent: spentNow(spent, this.given.now) } }),
    };
  }

  private get arrivalSeconds(): number {
    return this.given.arrivalSeconds ?? assumedArrival;
  }

  /** Cost of the hosts of a plan until a time, less their cost with the first plan; undefined if a price is unknown. */
  private addedCost(plan: InstancePlan, simulated: Simulated, until: number): number | undefined {
    const base = this.base!;
    const costs = plan.clusters.map((cluster, index) => {
      const [hours, old] = [
        hostHours(cluster, simulated, this.given.reading.at, until),
        hostHours(base.plan.clusters[index]!, base.simulated, this.given.reading.at, until),
      ];
      return hours === old ? 0 : cluster.pricePerHour === undefined ? undefined : (hours - old) * cluster.pricePerHour;
    });
    return costs.every((cost) => cost !== undefined) && costs.some((cost) => cost !== 0)
      ? costs.reduce((sum, cost) => sum + cost, 0)
      : undefined;
  }

  /** A time of the instance by the clock of the user, whose clocks may differ. */
  private toUser(time: number): number {
    return time - this.given.reading.at + this.given.now;
  }
}

/** End of the last waiting job, and the number of waiting jobs that never start. */
function endsOf({ waiting }: Instance, { jobs }: Simulated): { end?: number; neverStart: number } {
  const neverStart = waiting.filter(({ id }) => !jobs.has(id)).length;
  const end = Math.max(...[...jobs.values()].map((job) => job.end));
  return { neverStart, ...(neverStart === 0 && Number.isFinite(end) && { end }) };
}

const isUp = ({ from }: SimulatedHost) => Number.isFinite(from);

/** Hours of all hosts of a cluster from one time to another. */
function hostHours({ name, size = 0 }: ClusterPlan, { clusters }: Simulated, from: number, until: number): number {
  const elastic = clusters.get(name);
  return (elastic ? hostSeconds(elastic, until) : size * (until - from)) / 3600;
}

const definedIn = ({ perDay, perMonth }: { perDay?: number | undefined; perMonth?: number | undefined }) => ({
  ...(perDay !== undefined && { perDay }),
  ...(perMonth !== undefined && { perMonth }),
});

/** What an agent has spent in the present day and month (UTC), by the names that it gives them. */
function spentNow(spent: Record<string, number> = {}, now: number) {
  const day = new Date(now * 1000).toISOString().slice(0, 10);
  return { perDay: spent[day] ?? 0, perMonth: spent[day.slice(0, 7)] ?? 0 };
}
