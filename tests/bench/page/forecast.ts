import type { Knowledge } from "../../support/forecast/queues";
import type { ForecastRecord, MeasuredQueue } from "../../support/forecast/record";
import { median } from "../statistics";

const begin = "<!-- forecast table -->";
const end = "<!-- end -->";

/** The page of the forecast with the tables of the recorded queues, between two comments. */
export function forecastPage(page: string, record: ForecastRecord): string {
  const [before, rest] = split(page, begin);
  const [, after] = split(rest, end);
  return `${before}${begin}\n\n${forecastTables(record)}\n\n${end}${after}`;
}

function split(text: string, mark: string): [before: string, after: string] {
  const place = text.indexOf(mark);
  if (place < 0) throw new Error(`the page has no ${mark}`);
  return [text.slice(0, place), text.slice(place + mark.length)];
}

function forecastTables({ recorded, measured }: ForecastRecord): string {
  const of = (known: Knowledge) => measured.filter((queue) => queue.known === known);
  const loads = measured.map(({ load }) => load);
  const machine = Object.entries(recorded.machine).map(([name, value]) => `${name} ${value}`);
  return [
    ...summary(of("durations"), of("limits")),
    table(
      ["queue", "policy", "forecast, s", "truth, s", "difference", "starts within", "farthest start, s", "load"],
      of("durations").map((queue) => [
        ...cells(queue),
        percent(difference(queue)),
        `${percent(queue.within)} of ${queue.waiting}`,
        queue.worst,
        queue.load,
      ]),
    ),
    "By time limits alone, which are 1 to 3 times as long as the jobs:",
    table(
      ["queue", "policy", "forecast, s", "truth, s", "limits", "at the latest", "load"],
      of("limits").map((queue) => [
        ...cells(queue),
        `${queue.limits} times`,
        queue.forecast >= queue.truth ? "yes" : "no",
        queue.load,
      ]),
    ),
    `Measured on ${recorded.date} with seed ${recorded.seed}, on ${machine.join(", ")}. Three instances ran side by side. The ` +
      `load is the average number of runnable processes at the end of a queue: ${median(loads)} in the middle, ` +
      `${Math.max(...loads)} at most.`,
  ].join("\n\n");
}

/** What the tables show, the worst queue included. */
function summary(durations: MeasuredQueue[], limits: MeasuredQueue[]): string[] {
  const worst = [...durations].sort((one, other) => Math.abs(difference(other)) - Math.abs(difference(one)))[0];
  if (!worst) return [];
  const near = durations.filter((queue) => Math.abs(difference(queue)) <= 0.1).length;
  const starts = durations.reduce((sum, { waiting }) => sum + waiting, 0);
  const within = durations.reduce((sum, queue) => sum + Math.round(queue.within * queue.waiting), 0);
  const inTime = durations.filter((queue) => queue.within >= 0.9).length;
  const kept = limits.filter(({ forecast, truth }) => forecast >= truth).length;
  return [
    `With known run times, ${near} of ${durations.length} queues ended within 10 % of the forecast. The worst is queue ` +
      `${worst.index} (${worst.policy}), which ended ${percent(Math.abs(difference(worst)))} ` +
      `${difference(worst) > 0 ? "before" : "after"} its forecast. ${percent(within / starts)} of the ${starts} starts were at most as ` +
      `far from the forecast as the longest job of the queue takes; in ${inTime} of the queues, 90 % or more of the starts were. ` +
      `By time limits, ${kept} of ${limits.length} queues ended at the forecast time or earlier.`,
  ];
}

/** How far a queue ended before its forecast, as a share of its time. */
const difference = ({ forecast, truth }: MeasuredQueue) => (forecast - truth) / truth;

const cells = ({ index, policy, forecast, truth }: MeasuredQueue) => [
  index,
  policy,
  forecast.toFixed(1),
  truth.toFixed(1),
];

const percent = (share: number) => `${(100 * share).toFixed(share === 1 ? 0 : 1)} %`;

function table(columns: string[], rows: (string | number)[][]): string {
  const line = (words: (string | number)[]) => `| ${words.join(" | ")} |`;
  return ["<!-- prettier-ignore -->", line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}
