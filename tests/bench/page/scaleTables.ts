import type { Recording } from "../figures";
import type { RatesName } from "../../sandbox/controlPlane/commands";
import { memoryOwners } from "../scale/memory";
import { isCreate, isResize, isUnchanged, type Step } from "../scale/step";
import { groupBy } from "../statistics";
import { counted, mebibytes, spread, timesTaken } from "./numbers";
import type { Table } from "./table";

/** The tables of one cluster, or of many in one stack. */
export function stepTables(what: string, { recorded, measured }: Recording<Step>): Table[] {
  const rates = Object.keys(recorded.rates ?? {}) as RatesName[];
  const kinds: [title: string, of: (step: Step) => boolean][] = [
    [`From nothing to Ready pods, ${what}`, isCreate],
    [`Resizes in place, ${what}`, isResize],
  ];
  const timeTables = rates.flatMap((name) =>
    kinds.map(([title, of]) => {
      const steps = measured.filter((step) => step.rates === name && of(step));
      return timeTable(`${title}, ${ratesLabels[name]}, seconds`, steps);
    }),
  );
  // These figures hardly depend on the rates.
  const last = rates.filter((name) => measured.some((step) => step.rates === name)).at(-1);
  const ofLast = measured.filter((step) => step.rates === last);
  const costs = ofLast.filter((step) => step.antiAffinity && !step.failure);
  const bytes = measured.filter((step) => step.way === "up" && isCreate(step) && !step.failure);
  return [
    ...timeTables,
    unchangedTable(`An up that has nothing to do, ${what}, seconds`, ofLast.filter(isUnchanged)),
    costTable(`Requests to the API server and peak memory, ${what}, ${last && ratesLabels[last]}`, costs),
    byteTable(`Bytes and resources, ${what}`, bytes),
  ].filter(({ rows }) => rows.length > 0);
}

/** What rates are called where their numbers stand elsewhere. */
export const ratesLabels: Record<RatesName, string> = {
  default: "Kubernetes' default rates",
  raised: "raised rates",
};

/** How steps are distinguished. A single cluster is not counted. */
const columnsOf = (steps: Step[]) =>
  steps.some(({ groups }) => groups)
    ? ["groups", "pods of each", "by"]
    : isOfOne(steps)
      ? ["pods", "by"]
      : ["clusters", "pods of each", "by"];

const isOfOne = (steps: Step[]) => steps.every(({ clusters, groups }) => clusters === 1 && !groups);

function cellsOf({ clusters, groups, from, to, way, antiAffinity }: Step, steps: Step[]): (number | string)[] {
  const pods =
    from === 0 ? counted(to) : from === to ? `${counted(to)} as before` : `${counted(from)} to ${counted(to)}`;
  return [...(isOfOne(steps) ? [] : [groups ?? clusters]), pods, way + (antiAffinity ? "" : ", no anti-affinity")];
}

/**
 * A table with a row for the runs of each step, in the order of size. What failed has a separate row, and below the
 * table stands what was seen. The runs are counted in each row where some steps were taken more often than others.
 */
function stepTable(title: string, steps: Step[], figures: Record<string, (same: Step[]) => string | number>): Table {
  const inOrder = [...steps].sort(
    (one, other) => one.clusters - other.clusters || one.to - other.to || one.from - other.from,
  );
  const rows: Table["rows"] = [];
  const notes: string[] = [];
  const groups = groupBy(inOrder, (step) => cellsOf(step, steps).join()).map((same) => ({
    cells: cellsOf(same[0] as Step, steps),
    good: same.filter(({ failure }) => !failure),
    failed: same.filter(({ failure }) => failure),
  }));
  const counts = [...new Set(groups.map(({ good }) => good.length))].filter((count) => count > 0);
  const isEven = counts.length <= 1;
  const columns = isEven ? figures : { runs: (good: Step[]) => good.length, ...figures };
  for (const { cells, good, failed } of groups) {
    if (good.length > 0) rows.push([...cells, ...Object.values(columns).map((figure) => figure(good))]);
    if (failed.length > 0) rows.push([...cells, ...Object.keys(columns).map(() => "failed")]);
    notes.push(...failed.map(({ run, failure }) => `Failed: ${cells.join(", ")}, run ${run}: ${failure}.`));
  }
  const taken = isEven ? timesTaken(counts[0] ?? 0) : "median and range of the runs";
  return { title: `${title} (${taken})`, columns: [...columnsOf(steps), ...Object.keys(columns)], rows, notes };
}

const times = (...names: [name: string, time: "preview" | "firstPod" | "lastPod" | "ready" | "returned"][]) =>
  Object.fromEntries(names.map(([name, time]) => [name, (same: Step[]) => spread(same.map((step) => step[time]))]));

const preview = ["preview", "preview"] as const;
const returned = ["returned", "returned"] as const;

/** The table of previews alone. */
export const previewTable = ({ measured }: Recording<Step>): Table =>
  stepTable("Previews alone, seconds", measured, times([...preview]));

const timeTable = (title: string, steps: Step[]) =>
  stepTable(
    title,
    steps,
    times([...preview], ["first pod", "firstPod"], ["last pod", "lastPod"], ["all Ready", "ready"], [...returned]),
  );

const unchangedTable = (title: string, steps: Step[]) => stepTable(title, steps, times([...preview], [...returned]));

const owners = Object.keys(memoryOwners) as (keyof typeof memoryOwners)[];

const costTable = (title: string, steps: Step[]) =>
  stepTable(title, steps, {
    "own requests": (same) => verbs(same.at(-1)?.requests?.own ?? {}),
    "of everybody": numbers(({ requests }) => requests?.all),
    ...Object.fromEntries(
      owners.map((owner) => [`${memoryOwners[owner]}, MiB`, (same: Step[]) => memoryOf(same, owner)]),
    ),
  });

const memoryOf = (steps: Step[], owner: keyof typeof memoryOwners) =>
  spread(
    steps.map(({ memory }) => memory?.[owner]),
    mebibytes,
  );

const verbs = (own: Record<string, number>) =>
  Object.entries(own)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([verb, count]) => `${count} ${verb}`)
    .join(", ");

const byteTable = (title: string, steps: Step[]) =>
  stepTable(title, steps, {
    resources: numbers(({ resources }) => resources && Object.values(resources).reduce((sum, count) => sum + count, 0)),
    configuration: numbers(({ configuration }) => configuration?.all),
    "beyond digits": numbers(({ configuration }) => configuration?.beyondDigits),
    state: numbers(({ state }) => state?.all),
    "state beyond digits": numbers(({ state }) => state?.beyondDigits),
  });

const numbers = (figure: (step: Step) => number | undefined) => (same: Step[]) => spread(same.map(figure), counted);
