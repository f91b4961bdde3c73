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
  const [durations, limits] = [of("durations"), of("limits")];
  return [
    summary(durations, limits),
    [
      'By the run times of earlier jobs of the same names. The column "exact" is the end that the simulation gives',
      "with the run times that the jobs then had:",
    ].join("\n"),
    table(
      "queue|policy|forecast, s|truth, s|difference|exact, s|starts within|farthest start, s|load".split("|"),
      durations.map((queue) => [
        ...cells(queue),
        percent(difference(queue)),
        queue.exact.toFixed(1),
        `${queue.within} of ${queue.waiting}`,
        queue.worst.toFixed(1),
        queue.load.toFixed(1),
      ]),
    ),
    [
      "By time limits, which are 1 to 3 times as long as the jobs, and 3 s. The column has the sum of the limits as",
      "a multiple of the sum of the run times:",
    ].join("\n"),
    table(
      "queue|policy|forecast, s|truth, s|limits|at the latest|load".split("|"),
      limits.map((queue) => [
        ...cells(queue),
        `${queue.limits.toFixed(1)} times`,
        isKept(queue) ? "yes" : "no",
        queue.load.toFixed(1),
      ]),
    ),
    surroundings(recorded, measured),
  ].join("\n\n");
}

/** What the tables show, the worst queue included. */
function summary(durations: MeasuredQueue[], limits: MeasuredQueue[]): string {
  const [worst] = [...durations].sort((one, other) => distance(other) - distance(one)) as [MeasuredQueue];
  const near = durations.filter((queue) => distance(queue) <= 0.1).length;
  const starts = durations.reduce((sum, { waiting }) => sum + waiting, 0);
  const within = durations.reduce((sum, queue) => sum + queue.within, 0);
  const inTime = durations.filter((queue) => queue.within >= 0.9 * queue.waiting).length;
  const alike = durations.filter(({ exactWorst }) => exactWorst <= 0.5).length;
  return [
    `- **End**: ${near} of ${durations.length} queues with known run times ended within 10 % of the forecast. The`,
    `  worst is queue ${worst.index} (${worst.policy}), which ended ${percent(distance(worst))} of its time`,
    `  ${difference(worst) > 0 ? "before" : "after"} the forecast.`,
    `- **Starts**: ${percent(within / starts)} of ${starts} starts were at most as far from the forecast as the`,
    '  longest job of the queue takes, the column "starts within". In',
    `  ${inTime} of ${durations.length} queues, 90 % or more were.`,
    "- **Rules**: with the run times that the jobs then had, the simulation starts each job within half a",
    `  second of its true start in ${alike} of ${durations.length} queues.`,
    `- **Latest end**: ${limits.filter(isKept).length} of ${limits.length} queues ended no later than the forecast by`,
    "  time limits.",
  ].join("\n");
}

/** What the queues were measured on. */
function surroundings({ date, seed, machine }: ForecastRecord["recorded"], measured: MeasuredQueue[]): string {
  const loads = measured.map(({ load }) => load);
  const names = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
  return [
    `Each queue has 40 random jobs (seed ${seed}) for the 4 hosts of a cluster, with 2 cores each: whole hosts,`,
    "cores that share them or not, and tasks of two cores; in four priorities. Fluxion plans in whole seconds, so",
    "that a delay of a tenth of a second can change the order of jobs that take seconds, as these do, and hardly",
    `the order of longer ones. Measured on ${date} on real nodes of the sandbox:`,
    `${names.join(", ")}.`,
    "Up to 13 clusters ran side by side, beside other work on the machine. The load is the average number of",
    `runnable processes in the last minute of a queue: ${median(loads).toFixed(1)} in the middle,`,
    `${Math.max(...loads).toFixed(1)} at most.`,
  ].join("\n");
}

const isKept = ({ forecast, truth }: MeasuredQueue) => forecast >= truth;

/** How far a queue ended before its forecast, as a share of its time. */
const difference = ({ forecast, truth }: MeasuredQueue) => (forecast - truth) / truth;

const distance = (queue: MeasuredQueue) => Math.abs(difference(queue));

const cells = ({ index, policy, forecast, truth }: MeasuredQueue) => [
  index,
  policy,
  forecast.toFixed(1),
  truth.toFixed(1),
];

const percent = (share: number) => `${(100 * share).toFixed(share === 1 ? 0 : 1).replace(/^-0\.0$/, "0.0")} %`;

function table(columns: string[], rows: (string | number)[][]): string {
  const line = (words: (string | number)[]) => `| ${words.join(" | ")} |`;
  return ["<!-- prettier-ignore -->", line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}
