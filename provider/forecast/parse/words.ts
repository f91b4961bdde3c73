import { withCurrency } from "../../clouds/nodes/parse/capacity";
import type { Comparison, QueueCase } from "./comparison";

/** Seconds within which a start is "now". */
const soon = 1;

/** Seconds up to which times of a queue have seconds. */
const shortTime = 900;

/** Times in UTC as people read them: with a date unless it is today, and in seconds only if the queue is short. */
class Clock {
  private readonly isShort: boolean;

  constructor({ now, before, after }: Comparison) {
    this.now = now;
    this.isShort = Math.max(after.end ?? 0, before.end ?? 0) - now < shortTime;
  }

  private readonly now: number;

  /** A time, rounded up, so that an end is not before its latest time. */
  text(time: number): string {
    const unit = this.isShort ? 1 : 60;
    const [day = "", clock = ""] = new Date(Math.ceil(time / unit) * unit * 1000).toISOString().split("T");
    const text = clock.slice(0, this.isShort ? 8 : 5);
    return day === new Date(this.now * 1000).toISOString().slice(0, day.length) ? text : `${day} ${text}`;
  }

  isNow(time: number): boolean {
    return time - this.now <= soon;
  }
}

/** A number of seconds in the unit in which people say it. */
export function durationText(seconds: number): string {
  const units: [seconds: number, name: string][] = [
    [3600, "h"],
    [60, "min"],
  ];
  const [size, name] = units.find(([unit]) => seconds >= 2 * unit || seconds === unit) ?? [1, "s"];
  return `${Number((seconds / size).toFixed(size === 1 ? 0 : 1))} ${name}`;
}

/** The lines of a preview: the change, and then the value between both and what the times assume. */
export function forecastLines(comparison: Comparison): string[] {
  const { change, between, assumptions } = comparison;
  const clock = new Clock(comparison);
  const second = [
    ...(between ? [betweenText(comparison, between, clock)] : []),
    ...(assumptions.length > 0 ? [capitalized(assumptions.join("; "))] : []),
  ].join(". ");
  return [`${change}: ${changeText(comparison, clock)}`, ...(second === "" ? [] : [second])];
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function changeText(comparison: Comparison, clock: Clock): string {
  const { after } = comparison;
  return [
    endsText(comparison, clock),
    ...(after.typicalEnd === undefined ? [] : [`about ${clock.text(after.typicalEnd)} by earlier runs of these jobs`]),
    ...budgetText(after, clock),
    ...lostText(comparison, clock),
    ...costText(comparison, after),
  ].join("; ");
}

/** When the queue ends and begins to move, with the change and without it. */
function endsText(comparison: Comparison, clock: Clock): string {
  const { counts, before, after } = comparison;
  const [jobs, end, never] = wordsFor(counts);
  const preposition = comparison.isBound ? "by" : "about";
  const oldEnd = before.end === undefined ? undefined : clock.text(before.end);
  if (after.end === undefined) {
    const some = after.neverStart < counts.simulated ? `${after.neverStart} of ` : "";
    const without =
      oldEnd === undefined ? "as without the change" : `without the change they end ${preposition} ${oldEnd} (UTC)`;
    return `${some}the ${jobs} never ${some && after.neverStart === 1 ? "starts" : never}, ${without}`;
  }
  const newEnd = clock.text(after.end);
  const ends = `the ${jobs} ${end} ${preposition} ${newEnd}${newEnd === oldEnd ? " (UTC), as without the change" : instead(oldEnd) + " (UTC)"}`;
  return [ends, ...firstText(before, after, clock)].join(", ") + neverText(before, counts.simulated);
}

const instead = (other: string | undefined) => (other === undefined ? "" : ` instead of ${other}`);

/** The simulated jobs and their verbs. */
function wordsFor({ simulated, waiting }: Comparison["counts"]): [jobs: string, end: string, start: string] {
  if (simulated < waiting)
    return [`first ${countText(simulated)} of ${countText(waiting)} waiting jobs`, "end", "start"];
  return simulated === 1 ? ["waiting job", "ends", "starts"] : [`${countText(simulated)} waiting jobs`, "end", "start"];
}

const countText = (count: number) => count.toLocaleString("en-US");

function firstText(before: QueueCase, after: QueueCase, clock: Clock): string[] {
  const [old, start] = [before, after].map(({ firstStart: time }) =>
    time === undefined ? undefined : clock.isNow(time) ? "now" : clock.text(time),
  );
  if (start === undefined || start === old) return [];
  return [`the first starts ${start === "now" ? start : `at ${start}`}${instead(old)}`];
}

function neverText({ neverStart }: QueueCase, all: number): string {
  if (neverStart === 0) return "";
  const who = neverStart < all ? `${neverStart} of them` : all === 1 ? "it" : "they";
  return `; without the change ${who} never ${neverStart === 1 ? "starts" : "start"}`;
}

const budgetText = ({ budget }: QueueCase, clock: Clock): string[] =>
  budget === undefined
    ? []
    : [
        `the budget is spent at ${clock.text(budget.end)}, and ${budget.waiting} ${budget.waiting === 1 ? "job waits" : "jobs wait"} then`,
      ];

function lostText({ after: { lost }, drainSeconds }: Comparison, clock: Clock): string[] {
  if (lost.jobs === 0) return [];
  const isOne = lost.jobs === 1;
  const jobs = isOne ? "1 running job loses its hosts" : `${lost.jobs} running jobs lose their hosts`;
  const when = drainSeconds === 0 ? "at once" : `after the drain timeout of ${drainSeconds} s`;
  const limits = isOne ? "its time limit ends" : "their time limits end";
  const end = lost.end === undefined ? "no time limit ends before" : `${limits} at ${clock.text(lost.end)}`;
  return [`${jobs} ${when} (${end})`];
}

const costText = ({ currency }: Pick<Comparison, "currency">, { addedCost }: QueueCase): string[] =>
  addedCost === undefined
    ? []
    : [`${addedCost < 0 ? "-" : "+"}${withCurrency(Math.abs(addedCost).toFixed(2), currency)}`];

/** A value between the old and the new one, in short. */
function betweenText(comparison: Comparison, between: QueueCase, clock: Clock): string {
  const { neverStart, end } = between;
  const text =
    end === undefined ? `${neverStart} ${neverStart === 1 ? "job never starts" : "jobs never start"}` : clock.text(end);
  return `${between.change}: ${[text, ...costText(comparison, between)].join(", ")}`;
}
