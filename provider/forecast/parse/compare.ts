import { Cases, type Compared } from "./cases";
import type { Comparison, QueueCounts } from "./comparison";
import { type Durations, fitsOn, type Instance, instanceOf } from "./instance";
import { changesText, type InstancePlan, planBetween, planChanges } from "./plan";
import type { Reading } from "./reading";
import { durationText } from "./words";

/** Waiting jobs times hosts that a simulation of each policy takes in a fraction of a second. */
const mostPairs = { fcfs: Infinity, easy: 64_000, hybrid: 12_000, conservative: 12_000 };

/** The queue of a reading with two plans of its instance, or "idle" if no job waits, or why its end is not known. */
export function compare(given: Compared): Comparison | { unknown: string } | "idle" {
  const { before, after, now, currency } = given;
  if (given.reading.waiting.length === 0) return "idle";
  const reading = withFirstJobs(given.reading, after);
  const hasMoves = [before, after].some(({ moves }) => moves);
  const instance = (durations: Durations) => withoutRejected(instanceOf(reading, durations), hasMoves);
  const limits = instance("limits");
  if (limits.withoutLimit > 0 && limits.assumedSeconds === undefined)
    return { unknown: `${jobsText(limits.withoutLimit)} no time limit, and no job has ended yet` };
  const hasTypical = [...reading.waiting, ...reading.running].some(({ typical }) => typical !== null);
  const typical = hasTypical ? instance("typical") : undefined;
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

/** An instance without the jobs that Flux rejects once it considers them, unless they may move to other hosts. */
const withoutRejected = (instance: Instance, hasMoves: boolean): Instance =>
  hasMoves ? instance : { ...instance, waiting: instance.waiting.filter((job) => fitsOn(job, instance.hosts)) };

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
