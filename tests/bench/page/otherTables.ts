import type { Figures, Surroundings } from "../figures";
import type { PartRates } from "../../sandbox/controlPlane/commands";
import { realNodeTimes } from "../realNodes";
import { groupBy, median } from "../statistics";
import { counted, kibibytes, mebibytes, milliseconds, seconds, spread, timesTaken } from "./numbers";
import { ratesLabels } from "./scaleTables";
import type { Table } from "./table";

/** What a part was measured on. */
export function surroundingsTable({ date, package: version, machine, rates = {} }: Surroundings): Table {
  return {
    title: "Measured on",
    columns: ["part", "value"],
    rows: [
      ["date", date],
      ["package", version],
      ...Object.entries(machine),
      ...Object.entries(rates).map(([name, { controllerManager, scheduler }]) => [
        ratesLabels[name as keyof typeof ratesLabels],
        `controller manager ${rateText(controllerManager)}; scheduler ${rateText(scheduler)}`,
      ]),
    ],
  };
}

function rateText({ qps, burst, concurrentSyncs = {} }: PartRates): string {
  const syncs = Object.entries(concurrentSyncs).map(([name, count]) => `, ${count} ${name} syncs`);
  return `${qps}/s, burst ${burst}${syncs.join("")}`;
}

/** Tables of all that needs no cluster. */
export function tablesWithoutCluster({ rendering, templates, plugin, package: packed }: Figures): Table[] {
  return [
    ...(rendering ? [renderingTable(rendering)] : []),
    ...(templates ? [templateTable(templates)] : []),
    ...(plugin ? [pluginTable(plugin)] : []),
    ...(packed ? packed.measured.map(packageTable) : []),
  ];
}

const works = { arguments: "arguments, size", manifest: "minicluster.yaml, lines" };

const renderingTable = ({ measured }: NonNullable<Figures["rendering"]>): Table => ({
  title: "From arguments, or a manifest of the operator, to Kubernetes objects, milliseconds",
  columns: ["from", "of", "calls", "median", "p99", "first call"],
  rows: measured.map(({ from, amount, calls, ...times }) => [
    works[from],
    amount,
    calls,
    ...[times.median, times.p99, times.first].map(milliseconds),
  ]),
  notes: ["First call: of a new process, after its modules were loaded."],
});

const templateTable = ({ measured }: NonNullable<Figures["templates"]>): Table => ({
  title: `Distinct values over all sizes from 1 to ${counted(measured[0]?.sizes ?? 0)}`,
  columns: ["of", "distinct"],
  rows: measured.map(({ of, distinct }) => [of, distinct]),
});

const pluginTable = ({ recorded, measured }: NonNullable<Figures["plugin"]>): Table => ({
  title: `Start of the provider plugin, seconds (${timesTaken(recorded.runs)}, taken in turn)`,
  columns: ["served by", "ready", "schema served"],
  rows: groupBy(measured, ({ servedBy }) => servedBy).map((starts) => [
    starts[0]?.servedBy ?? "",
    spread(starts.map(({ ready }) => ready)),
    spread(starts.map(({ schema }) => schema)),
  ]),
  notes: [
    "Ready: its port is printed. Schema served: the engine's GetSchema is answered, which the last way also does " +
      "before the first component. Pulumi's runner loads TypeScript for any program.",
  ],
});

type PackageSizes = NonNullable<Figures["package"]>["measured"][number];

const packageTable = ({ packed, unpacked, files, parts }: PackageSizes): Table => ({
  title: `The npm package: ${kibibytes(packed)} KiB packed`,
  columns: ["of", "files", "KiB unpacked"],
  rows: [...parts.map((part) => [part.of, part.files, kibibytes(part.unpacked)]), ["all", files, kibibytes(unpacked)]],
});

/** The table of what was measured on real nodes. */
export function realNodesTable({ recorded, measured }: NonNullable<Figures["real"]>): Table {
  const [first] = measured;
  const ways = groupBy(measured, ({ way }) => way);
  return {
    title:
      `A cluster of ${first?.size} pods on real nodes with ${first?.flux}, seconds (${timesTaken(recorded.runs)}, ` +
      "in turn)",
    columns: ["time", ...ways.map(([round]) => round?.way ?? "")],
    rows: Object.entries(realNodeTimes).map(([key, label]) => [
      label,
      ...ways.map((rounds) => {
        const times = rounds
          .map((round) => round[key as keyof typeof realNodeTimes])
          .filter((time) => time !== undefined);
        return times.length === 0 ? "-" : seconds(median(times));
      }),
    ]),
    notes: [
      "The images are on the nodes, and these, the control plane and the engine share the cores. The request is the " +
        "start of `up`. The lead's exit is the end of its first process; all other times are from polling the API " +
        "server, the log or Flux.",
      "The bare Job has the same policies, and pods of bash and sleep, which start and end at once: its times are " +
        "the times of Kubernetes alone. The longest is the Job controller's pause of 10 s before each new pod.",
    ],
  };
}

/** The table of previews with and without a forecast. */
export function forecastTable({ recorded, measured }: NonNullable<Figures["forecast"]>): Table {
  const previews = (waiting: unknown, hasForecast: boolean) =>
    spread(
      measured.filter((one) => one.waiting === waiting && one.hasForecast === hasForecast).map(({ millis }) => millis),
    );
  return {
    title:
      `The preview of a resize from 2 to 4 pods, with ${measured[0]?.flux}, seconds ` +
      `(${timesTaken(recorded.runs)}, in turn)`,
    columns: ["jobs that wait", "without a forecast", "with a forecast"],
    rows: groupBy(measured, ({ waiting }) => String(waiting)).map(([one]) => [
      one?.waiting ?? "",
      previews(one?.waiting, false),
      previews(one?.waiting, true),
    ]),
    notes: [
      "No instance: the preview of the cluster before it is created. The brokers share the cores with the engine.",
    ],
  };
}

/** The table of jobs that pass while readers follow the console. */
export function consoleLoadTable({ recorded, measured }: NonNullable<Figures["console"]>): Table {
  const ways = groupBy(measured, ({ perSecond, readers }) => `${perSecond} ${readers}`);
  return {
    title:
      `${counted(measured[0]?.jobs ?? 0)} jobs on a real node, and readers of the console's events, seconds ` +
      `(${timesTaken(recorded.runs)}, in turn)`,
    columns:
      "submitted|readers|all jobs|late: median|99 %|most|lost|CPU of broker|of console|MiB of broker|of console".split(
        "|",
      ),
    rows: ways.map((rounds) => {
      const [{ perSecond, readers } = {}] = rounds;
      const figures = (figure: (round: (typeof rounds)[number]) => number | undefined, unit = seconds) =>
        spread(rounds.map(figure), unit);
      return [
        perSecond === undefined ? "at once" : `${perSecond} a second`,
        readers ?? "no console",
        figures(({ time }) => time),
        figures(({ late }) => late?.median),
        figures(({ late }) => late?.p99),
        figures(({ late }) => late?.most),
        figures(({ lost }) => lost, String),
        figures(({ broker }) => broker.cpu),
        figures((round) => round.console?.cpu),
        figures(({ broker }) => broker.memory, mebibytes),
        figures((round) => round.console?.memory, mebibytes),
      ];
    }),
    notes: [
      "Each job runs `true`. Late is the time from the end of a job, as Flux notes it, to a reader. The broker, the " +
        "jobs, flux submit, the console and all of its readers share the cores of the machine.",
    ],
  };
}

/** The table of what the page of the console takes. */
export const consolePageTable = ({ recorded, measured }: NonNullable<Figures["page"]>): Table => ({
  title: `The web page of the console in Chromium, milliseconds (${timesTaken(recorded.runs)})`,
  columns: ["of", "jobs", "hosts", "time"],
  rows: (
    [
      ["log-in to the first picture", "first"],
      ["longest task at the opening", "opening"],
      ["longest task above 50 while 100 jobs and 48 hosts change a second", "changing"],
    ] as const
  ).map(([label, key]) => [
    label,
    counted(measured[0]?.jobs ?? 0),
    counted(measured[0]?.hosts ?? 0),
    spread(
      measured.map((each) => each[key]),
      (time) => Math.round(time),
    ),
  ]),
});
