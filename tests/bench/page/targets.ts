import type { Figures } from "../figures";
import { isCreate, isResize, isUnchanged, type Step } from "../scale/step";
import { groupBy, median } from "../statistics";
import { counted, seconds } from "./numbers";
import { ratesLabels } from "./scaleTables";
import type { Table } from "./table";

/** A target for a figure. */
export interface Target {
  figure: string;
  target: string;
  recorded: string;
  /** Undefined if no record decides it. */
  reached: boolean | undefined;
}

const largestSize = 5000;
const mostClusters = 100;

/** The targets, with the records: medians of the runs. */
export function targets(figures: Figures): Target[] {
  const cluster = figures.cluster?.measured ?? [];
  const previews = figures.previews?.measured ?? [];
  const stack = figures.stack?.measured ?? [];
  return [
    previewTarget(
      `preview of a resize to ${counted(largestSize)} pods`,
      2,
      previews.filter((step) => isResize(step) && step.to === largestSize),
    ),
    previewTarget(
      `preview of ${mostClusters} new clusters in one stack`,
      20,
      previews.filter((step) => isCreate(step) && step.clusters === mostClusters),
    ),
    linearTarget(previews.filter(isCreate)),
    slowestPreviewTarget(stack.filter((step) => isCreate(step) && step.clusters === mostClusters)),
    ...groupBy(cluster, ({ rates }) => rates).map(resizeTarget),
    ...groupBy(stack, ({ rates }) => rates).map(stackResizeTarget),
    flatTarget("configuration", cluster),
    flatTarget("state", cluster),
  ];
}

/** The targets as a table. */
export const targetTable = (figures: Figures): Table => ({
  title: "Figures to reach (medians)",
  columns: ["figure", "to reach", "recorded", "reached"],
  rows: targets(figures).map(({ figure, target, recorded, reached }) => [
    figure,
    target,
    recorded,
    reached === undefined ? "not measured" : reached ? "yes" : "no",
  ]),
});

const notMeasured = { recorded: "-", reached: undefined };

function previewTarget(figure: string, limit: number, steps: Step[]): Target {
  const preview = medianOf(steps, "preview");
  const target = `under ${limit} s`;
  if (preview === undefined) return { figure, target, ...notMeasured };
  return { figure, target, recorded: `${seconds(preview)} s`, reached: preview < limit * 1000 };
}

/** The same preview in the journeys of stacks, right before their up: the slower of the medians at each rates. */
function slowestPreviewTarget(steps: Step[]): Target {
  const figure = `preview of ${mostClusters} new clusters, right before the up of the stack`;
  const medians = groupBy(steps, ({ rates }) => rates).map((same) => medianOf(same, "preview"));
  const known = medians.filter((each) => each !== undefined);
  const target = "under 20 s";
  if (known.length === 0) return { figure, target, ...notMeasured };
  const slowest = Math.max(...known);
  return { figure, target, recorded: `${seconds(slowest)} s`, reached: slowest < 20_000 };
}

/** Linear: the second half of the clusters costs no more than the first, with a tenth for chance. */
function linearTarget(steps: Step[]): Target {
  const figure = `the same, for each of the clusters from ${mostClusters / 2} to ${mostClusters}`;
  const previews = [mostClusters / 4, mostClusters / 2, mostClusters].map((count) =>
    medianOf(
      steps.filter(({ clusters }) => clusters === count),
      "preview",
    ),
  );
  const [quarter, half, all] = previews;
  const target = `at most 1.1 times each of the clusters from ${mostClusters / 4} to ${mostClusters / 2}`;
  if (quarter === undefined || half === undefined || all === undefined) return { figure, target, ...notMeasured };
  const [first, second] = [(half - quarter) / (mostClusters / 4), (all - half) / (mostClusters / 2)];
  return { figure, target, recorded: `${(second / first).toFixed(2)} times`, reached: second <= 1.1 * first };
}

const resizeLimit = "at most 1.1 times the bare patch + an up with nothing to do";

/** A resize of all clusters of the largest stack, beside the patches alone. */
function stackResizeTarget(steps: Step[]): Target {
  const [{ rates }] = steps as [Step];
  const figure = `resize of ${mostClusters} clusters in one stack, ${ratesLabels[rates]}: up to all Ready`;
  const largest = steps.filter(({ clusters }) => clusters === mostClusters);
  const readyBy = (way: Step["way"]) =>
    medianOf(
      largest.filter((step) => isResize(step) && step.way === way),
      "ready",
    );
  const [up, requests] = [readyBy("up"), readyBy("requests")];
  const constant = medianOf(largest.filter(isUnchanged), "returned");
  if (up === undefined || requests === undefined || constant === undefined)
    return { figure, target: resizeLimit, ...notMeasured };
  const recorded =
    `${seconds(up)} s; patches alone ${seconds(requests)} s, ` + `an up with nothing to do ${seconds(constant)} s`;
  return { figure, target: resizeLimit, recorded, reached: up <= 1.1 * requests + constant };
}

/** The engine's constant is an `up` that has nothing to do, at the smallest size. */
function resizeTarget(steps: Step[]): Target {
  const [{ rates }] = steps as [Step];
  const unchanged = steps
    .filter((step) => isUnchanged(step) && step.way === "up")
    .sort((one, other) => one.to - other.to);
  const constant = medianOf(
    unchanged.filter(({ to }) => to === unchanged[0]?.to),
    "returned",
  );
  const figure = `every resize of one cluster, ${ratesLabels[rates]}: up to all Ready`;
  const target = resizeLimit;
  const resizes = groupBy(
    steps.filter((step) => isResize(step) && step.antiAffinity),
    ({ from, to }) => `${counted(from)} to ${counted(to)}`,
  );
  const ratios = resizes.map((same) => {
    const [up, requests] = (["up", "requests"] as const).map((way) =>
      medianOf(
        same.filter((step) => step.way === way),
        "ready",
      ),
    );
    return up === undefined || requests === undefined || constant === undefined ? NaN : (up - constant) / requests;
  });
  if (ratios.length === 0) return { figure, target, ...notMeasured };
  const failed = ratios.filter(Number.isNaN).length;
  const worst = Math.max(...ratios.filter((ratio) => !Number.isNaN(ratio)));
  const recorded = `at most ${worst.toFixed(2)} times + ${seconds(constant ?? NaN)} s`;
  if (failed === ratios.length) return { figure, target, ...notMeasured };
  if (failed > 0)
    return { figure, target, recorded: `${recorded}; ${failed} of ${ratios.length} failed`, reached: false };
  return { figure, target, recorded, reached: worst > 1.1 ? false : reachedWithLargest(resizes.flat()) };
}

/** Beyond the digits of the size, no size takes more than the smallest. */
function flatTarget(what: "configuration" | "state", steps: Step[]): Target {
  const bySize = steps
    .filter((step) => step.way === "up" && isCreate(step) && step[what])
    .sort((one, other) => one.to - other.to);
  const [first] = bySize;
  const figure = `bytes of ${what}, all sizes`;
  const target = "flat, beyond the digits of the size";
  if (!first) return { figure, target, ...notMeasured };
  const bytes = [...new Set(bySize.map((step) => step[what]?.beyondDigits as number))];
  const recorded = bytes.length === 1 ? `${bytes[0]} at each` : `${Math.min(...bytes)} to ${Math.max(...bytes)}`;
  return {
    figure,
    target,
    recorded,
    reached: Math.max(...bytes) > (first[what]?.beyondDigits as number) ? false : reachedWithLargest(bySize),
  };
}

/** What holds of all sizes was only seen where the largest was among them. */
const reachedWithLargest = (steps: Step[]) => steps.some(({ to }) => to === largestSize) || undefined;

function medianOf(steps: Step[], figure: "preview" | "returned" | "ready"): number | undefined {
  const known = steps.map((step) => step[figure]).filter((each) => each !== undefined);
  return known.length === 0 ? undefined : median(known);
}
