import type { Comparison, QueueCase, QueueCounts } from "./comparison";
import { type Instance, instanceOf } from "./instance";
import { joining, movable, placingOf, targetsOf } from "./placing";
import { changesText, type ClusterPlan, type InstancePlan, planBetween, planChanges } from "./plan";
import type { Reading } from "./reading";
import { type ElasticCluster, simulate, type Simulated, type SimulatedHost } from "./simulation";
import { hostSeconds } from "./simulation/elastic";
import { durationText } from "./words";

/** Sizes of clusters that an agent sets, and the costs that it has counted, by the name of the cluster. */
export type LiveSizes = ReadonlyMap<string, { size: number | undefined; spent: Record<string, number> }>;

interface Compared {
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

/** Waiting jobs times hosts that a simulation of each policy takes in a fraction of a second. */
const mostPairs = { fcfs: Infinity, easy: 64_000, hybrid: 12_000, conservative: 12_000 };

/** The queue of a reading with two plans of its instance, or "idle" if no job waits, or why its end is not known. */
export function compare(given: Compared): Comparison | { unknown: string } | "idle" {
  const { before, after, now, currency } = given;
  if (given.reading.waiting.length === 0) return "idle";
  const reading = withFirstJobs(given.reading, after);
  const limits = instanceOf(reading, "limits");
  if (limits.withoutLimit > 0 && limits.assumedSeconds === undefined)
    return { unknown: `${jobsText(limits.withoutLimit)} no time limit, and no job has ended yet` };
  const hasTypical = [...reading.waiting, ...reading.running].some(({ typical }) => typical !== null);
  const typical = hasTypical ? instanceOf(reading, "typical") : undefined;
  const changes = planChanges(before, after);
  const middle = planBetween(before, after);
  const cases = new Cases({ ...given, reading }, limits, typical);
  const [old, changed] = [
    cases.of(before, changesText(changes, "old")),
    cases.of(after, changesText(changes, "changed")),
  ];
  const between = middle && cases.of(middle, changesText(planChanges(before, middle), "changed"));
  if (cases.isPart) return { unknown: "the queue is too long to simulate" };
  const counts = countsOf(reading, limits);
  const largest = Math.max(0, ...after.clusters.map(({ drainSeconds }) => drainSeconds));
  return {
    now,
    change: changesText(changes),
    counts,
    before: old,
    after: changed,
    ...(between && { between }),
    isBound: limits.withoutLimit === 0,
    ...(currency !== undefined && { currency }),
    drainSeconds: largest,
    assumptions: [...assumptionsOf(reading, limits, counts), ...cases.assumptions()],
  };
}

/** A reading with the first waiting jobs alone, if all of them are too many for its policy. */
function withFirstJobs(reading: Reading, { clusters }: InstancePlan): Reading {
  const hosts = clusters.reduce((sum, { hosts: count }) => sum + count, 0);
  const most = Math.max(1, Math.floor(mostPairs[reading.scheduler.policy] / hosts));
  return { ...reading, waiting: reading.waiting.slice(0, most) };
}

const jobsText = (count: number) => (count === 1 ? "1 job has" : `${count} jobs have`);

function countsOf(reading: Reading, { waiting, withoutLimit }: Instance): QueueCounts {
  const { counts, running } = reading;
  return { ...counts, running: running.length, simulated: waiting.length, withoutLimit };
}

function assumptionsOf(reading: Reading, { withoutLimit, assumedSeconds }: Instance, counts: QueueCounts): string[] {
  const { count } = reading.ended;
  const apart = [
    [counts.held, "held"],
    [counts.dependent, "dependent on others"],
    [counts.stopped, "in stopped queues"],
    [counts.unread, "not understood"],
  ] as const;
  const left = apart.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return [
    "durations are time limits",
    ...(withoutLimit > 0 && assumedSeconds !== undefined
      ? [
          `${withoutLimit} ${withoutLimit === 1 ? "job" : "jobs"} without one ${withoutLimit === 1 ? "counts" : "count"} as ` +
            `${durationText(assumedSeconds)}, the median of the last ${count}`,
        ]
      : []),
    ...(left.length > 0 ? [`jobs that do not count: ${left.join(", ")}`] : []),
  ];
}

/** The cases of a comparison: the same queue with different hosts. */
class Cases {
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
    const elastic = clusters.flatMap((cluster) => this.elasticOf(hosts, cluster) ?? []);
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
    // No host joins beyond the largest size.
    if (size === undefined) return own.filter((host) => isUp(host) || host.rank < first + (elastic?.max ?? count));
    return own.flatMap((host): SimulatedHost[] => {
      if (host.rank - first >= size) return isUp(host) ? [{ ...host, closes: at, leaves: at + drainSeconds }] : [];
      if (isUp(host)) return [host];
      this.grows = true;
      return [{ ...host, from: at + this.arrivalSeconds }];
    });
  }

  /** The sizes that the agent of a cluster sets, from its present size on. */
  private elasticOf(
    hosts: SimulatedHost[],
    { name, first, elastic, pricePerHour }: ClusterPlan,
  ): ElasticCluster | undefined {
    if (!elastic) return undefined;
    const {
      size = hosts.filter((host) => isUp(host) && host.rank >= first && host.rank < first + elastic.max).length,
      spent,
    } = this.given.live.get(name) ?? {};
    const { budget, min, max, idleSeconds, cooldownSeconds, maxStep } = elastic;
    return {
      name,
      first,
      min,
      max,
      size,
      idleSeconds,
      cooldownSeconds,
      maxStep,
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
