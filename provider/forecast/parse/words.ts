import { withCurrency } from "../../clouds/nodes/parse/capacity";
import type { Comparison, QueueCase } from "./comparison";

/** Seconds within which a start is "now". */
const soon = 1;

/** Seconds from now up to which times have seconds. */
const shortTime = 900;

/** A time in UTC, with its date unless it is today. */
export function timeText(time: number, now: number): string {
  const [day = "", clock = ""] = new Date(time * 1000).toISOString().split("T");
  const text = clock.slice(0, Math.abs(time - now) < shortTime ? 8 : 5);
  return day === new Date(now * 1000).toISOString().slice(0, day.length) ? text : `${day} ${text}`;
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

const startText = (start: number, now: number) => (start - now <= soon ? "now" : `at ${timeText(start, now)}`);

/** The lines of a preview: the change, and then the value between both and what the times assume. */
export function forecastLines(comparison: Comparison): string[] {
  const { change, between, assumptions } = comparison;
  const alternative = between ? [betweenText(comparison, between)] : [];
  const second = [...alternative, assumptions.join("; ")].filter((text) => text !== "").join(". ");
  return [`${change}: ${changeText(comparison)}`, ...(second === "" ? [] : [capitalized(second)])];
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function changeText(comparison: Comparison): string {
  const { after, now } = comparison;
  return [
    endsText(comparison),
    ...(after.typicalEnd === undefined
      ? []
      : [`about ${timeText(after.typicalEnd, now)} by earlier runs of these jobs`]),
    ...budgetText(comparison, after),
    ...lostText(comparison),
    ...costText(comparison, after),
  ].join("; ");
}

/** When the queue ends and begins to move, with the change and without it. */
function endsText({ counts, before, after, isBound, now }: Comparison): string {
  const jobs = counts.simulated === 1 ? "1 waiting job" : `${counts.simulated} waiting jobs`;
  const preposition = isBound ? "by" : "about";
  const verb = counts.simulated === 1 ? "ends" : "end";
  const starts = (count: number) => (count === 1 ? "starts" : "start");
  const ofBefore = before.neverStart > 0 ? neverText(before, counts.simulated, "without the change ") : undefined;
  if (after.neverStart > 0 || after.end === undefined) {
    const ends = before.end === undefined ? ofBefore : `without the change they end ${preposition} ${timeText(before.end, now)}`;
    return [
      after.neverStart === counts.simulated
        ? `the ${jobs} never ${starts(counts.simulated)}`
        : `${after.neverStart} of the ${jobs} never ${starts(after.neverStart)}`,
      ...(ends === undefined ? [] : [ends]),
    ].join(", ");
  }
  const end = timeText(after.end, now);
  const instead = (value: string, other: string | undefined) =>
    other === undefined || other === value ? "" : ` instead of ${other}`;
  const oldEnd = before.end === undefined ? undefined : timeText(before.end, now);
  const same = oldEnd === end ? " as without the change" : "";
  const oldStart = before.firstStart === undefined ? undefined : startText(before.firstStart, now);
  const start = after.firstStart === undefined ? "" : startText(after.firstStart, now);
  const first = start === "" || start === oldStart ? "" : `, the first starts ${start}${instead(start, oldStart)}`;
  const never = ofBefore === undefined ? "" : `; ${ofBefore}`;
  return `the ${jobs} ${verb} ${preposition} ${end}${instead(end, oldEnd)} (UTC)${same}${first}${never}`;
}

const neverText = ({ neverStart }: QueueCase, all: number, when: string) =>
  `${when}${neverStart === all ? (all === 1 ? "it" : "they") : `${neverStart} of them`} never ${neverStart === 1 ? "starts" : "start"}`;

const budgetText = ({ now }: Comparison, { budget }: QueueCase): string[] =>
  budget === undefined
    ? []
    : [
        `the budget is spent at ${timeText(budget.end, now)}, and ${budget.waiting} ${budget.waiting === 1 ? "job waits" : "jobs wait"} then`,
      ];

function lostText({ after: { lost }, drainSeconds, now }: Comparison): string[] {
  if (lost.jobs === 0) return [];
  const [jobs, lose, their] = lost.jobs === 1 ? ["1 running job", "loses", "its"] : [`${lost.jobs} running jobs`, "lose", "their"];
  const when = drainSeconds === 0 ? "at once" : `after the drain timeout of ${drainSeconds} s`;
  const end = lost.end === undefined ? `${their} end is not limited` : `${their} time ${lost.jobs === 1 ? "limit ends" : "limits end"} at ${timeText(lost.end, now)}`;
  return [`${jobs} ${lose} ${their} hosts ${when} (${end})`];
}

const costText = ({ currency }: Pick<Comparison, "currency">, { addedCost }: QueueCase): string[] =>
  addedCost === undefined
    ? []
    : [`${addedCost < 0 ? "-" : "+"}${withCurrency(Math.abs(addedCost).toFixed(2), currency)}`];

/** A value between the old and the new one, in short. */
function betweenText(comparison: Comparison, between: QueueCase): string {
  const { now } = comparison;
  const end =
    between.end === undefined
      ? `${between.neverStart} ${between.neverStart === 1 ? "job never starts" : "jobs never start"}`
      : timeText(between.end, now);
  return `${between.change}: ${[end, ...costText(comparison, between)].join(", ")}`;
}
