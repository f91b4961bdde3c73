import { withCurrency } from "../../clouds/nodes/parse/capacity";
import { andList } from "../../shared/printable";
import { changesOf, identityWords, type Run, runsOf, type StudySpec } from "./runs";

/** The result of a run. */
export interface Result extends Run {
  /** False for a run whose job has failed in each attempt. */
  ok: boolean;
  /** Number of attempts, including the last. */
  attempts: number;
  /** Exit status of the job, if the job has ended by itself: 128 plus the signal's number if a signal has ended it. */
  exitStatus?: number;
  /** Seconds from the start of the job to its end. */
  wallSeconds: number;
  /** Sum of these seconds over all attempts. */
  spentSeconds: number;
  /** Time of the start, in ISO 8601. Empty if the job never started. */
  startedAt: string;
  /** Hosts of the job, as a Flux hostlist. */
  hosts: string;
  /** The number that the pattern has found. */
  figure?: number;
  /** The problem: the job failed, or the pattern found no number. */
  error?: string;
  /** The end of the output, if the run has a problem. */
  lastLines?: string[];
  /** Price of a host per hour at that time. */
  pricePerHour?: number;
}

/** The work of an operation on a study. */
export interface Plan {
  /** Results that are kept. */
  kept: Result[];
  /** Runs without a valid result, in their order, with their former attempts. */
  next: { run: Run; attempts: number }[];
  /** Runs with a result that may not be valid, by parts of their identity that are known only after apply. */
  open: { run: Run; attempts: number; parts: string[] }[];
  /** Results that are dropped. */
  removed: Result[];
}

/** Compares the runs of a study with its results. */
export function planOf(spec: StudySpec, results: Result[]): Plan {
  const runs = runsOf(spec);
  const found = resultsByRun(spec, results);
  const plan: Plan = { kept: [], next: [], open: [], removed: [] };
  for (const run of runs) {
    const { result, open = [] } = found.get(run.id) ?? {};
    if (!result || !isFinal(result, spec)) plan.next.push({ run, attempts: result?.attempts ?? 0 });
    else if (open.length > 0) plan.open.push({ run, attempts: 0, parts: open });
    else plan.kept.push(result);
  }
  const cells = new Set(runs.map(cellOf));
  return { ...plan, removed: results.filter((result) => !cells.has(cellOf(result))) };
}

/** The results of runs of a study, by the ids of the runs, and the parts of the identity that are known only after apply. */
export function resultsByRun(spec: StudySpec, results: Result[]): Map<string, { result: Result; open: string[] }> {
  const byCell = new Map(results.map((result) => [cellOf(result), result]));
  return new Map(
    runsOf(spec).flatMap((run) => {
      const result = byCell.get(cellOf(run));
      const { changed = [], open = [] } = result ? changesOf(spec, run, result.identity) : {};
      return result && changed.length === 0 ? [[run.id, { result: { ...result, ...run }, open }]] : [];
    }),
  );
}

/** True for a result that no further attempt replaces. A test checks that the program of a study decides the same (`is_final`). */
export const isFinal = ({ ok, attempts }: Pick<Result, "ok" | "attempts">, { retries }: Pick<StudySpec, "retries">) =>
  ok || attempts > retries;

const cellOf = ({ app, size, repeat }: Run) => `${app} ${size} ${repeat}`;

/** The reason why each run has no valid result: the first difference from the former results and study. */
function reasons(next: Plan["next"], spec: StudySpec, results: Result[], former: StudySpec | undefined): string[] {
  const begun = new Set(former ? runsOf(former).map(({ id }) => id) : []);
  const byCell = new Map(results.map((result) => [cellOf(result), result]));
  const apps = new Set(results.map(({ app }) => app));
  const sizes = new Set(results.map(({ app, size }) => `${app} ${size}`));
  const found = resultsByRun(spec, results);
  return next.map(({ run }) => {
    const result = byCell.get(cellOf(run));
    if (result && found.has(run.id)) return `failed: ${result.error ?? "no reason is known"}`;
    if (begun.has(run.id)) return "no result yet";
    if (result) return `${wordsOf(changesOf(spec, run, result.identity).changed)} changed`;
    if (!apps.has(run.app)) return "new application";
    return sizes.has(`${run.app} ${run.size}`) ? "more repeats" : "new size";
  });
}

const wordsOf = (parts: string[]) => parts.map((part) => identityWords[part]).join(", ");

/** The work of an operation as a text for a preview; undefined if there is no work. */
export function planText(spec: StudySpec, results: Result[], former?: StudySpec): string | undefined {
  const { kept, next, open, removed } = planOf(spec, results);
  const total = kept.length + next.length + open.length;
  const begin = `study ${spec.name}: ${runsText(total)} on at most ${hostsText(Math.max(...spec.sizes))}`;
  const gone = removed.length > 0 ? `; ${removed.length} removed (${cellsText(removed, spec)})` : "";
  if (next.length + open.length === 0) return removed.length > 0 ? `${begin}; all have results${gone}` : undefined;
  const counted = (count: Plan["next"], what: string, why: string[]) =>
    count.length === 0 ? [] : [`${count.length} ${what} (${reasonsText(count, why, spec)})`];
  const counts =
    results.length === 0
      ? [`${next.length} to run`]
      : [
          `${kept.length} kept`,
          ...counted(next, "to run", reasons(next, spec, results, former)),
          ...counted(
            open,
            "known only after apply",
            open.map(({ parts }) => wordsOf(parts)),
          ),
        ];
  const bound = boundText(spec, [...next, ...open], results);
  return `${begin}; ${counts.join(", ")}${gone}; ${open.length > 0 ? "if all of these run: " : ""}${bound}`;
}

const runsText = (count: number) => `${count} ${count === 1 ? "run" : "runs"}`;
export const hostsText = (count: number) => `${count} ${count === 1 ? "host" : "hosts"}`;

/** Cells by their sizes: "amg and lammps at 4 and 8". If all sizes of the study are affected, none is listed. */
function cellsText(all: Pick<Run, "app" | "size">[], { sizes }: StudySpec): string {
  const sizesOf = new Map<string, Set<number>>();
  for (const { app, size } of all) sizesOf.set(app, (sizesOf.get(app) ?? new Set()).add(size));
  const apps = new Map<string, string[]>();
  for (const [app, found] of sizesOf) {
    const sorted = [...found].sort((one, other) => one - other);
    const at = sizes.every((size) => found.has(size)) ? "" : ` at ${andList(sorted.map(String))}`;
    apps.set(at, [...(apps.get(at) ?? []), app]);
  }
  return andList([...apps].map(([at, names]) => andList(names) + at));
}

/** The reasons, each with its cells. */
function reasonsText(next: Plan["next"], reasonOf: string[], spec: StudySpec): string {
  const cells = (reason: string) => next.filter((_, index) => reasonOf[index] === reason).map(({ run }) => run);
  return [...new Set(reasonOf)].map((reason) => `${cellsText(cells(reason), spec)}: ${reason}`).join("; ");
}

/** The expected duration of the runs: by `timeoutSeconds`, and if all applications have run, by their results. */
function boundText(spec: StudySpec, next: Plan["next"], results: Result[]): string {
  const limit = sum(next.map(({ run }) => run.size * (spec.apps[run.app]?.timeoutSeconds ?? 0)));
  const secondsOf = expectedSeconds(results);
  const expected = sum(next.map(({ run }) => run.size * (secondsOf(run) ?? Infinity)));
  const bound = `at most ${nodeHours(limit, spec)} by timeoutSeconds and one attempt`;
  return Number.isFinite(expected) ? `about ${nodeHours(expected, spec)} by the runs so far, ${bound}` : bound;
}

/** Expected seconds of a run: the median of its application at its size, or at all sizes. */
function expectedSeconds(results: Result[]): (run: Run) => number | undefined {
  const times = new Map<string, number[]>();
  for (const { app, size, wallSeconds } of results.filter(({ ok }) => ok))
    for (const key of [app, `${app} ${size}`]) {
      const seconds = times.get(key) ?? [];
      times.set(key, seconds);
      seconds.push(wallSeconds);
    }
  const medians = new Map([...times].map(([key, seconds]) => [key, medianOf(seconds)]));
  return ({ app, size }) => medians.get(`${app} ${size}`) ?? medians.get(app);
}

/** Host seconds as node-hours, with their price. */
function nodeHours(hostSeconds: number, { pricePerHour, currency }: StudySpec): string {
  const hours = hostSeconds / 3600;
  const price = pricePerHour === undefined ? "" : ` (${withCurrency(amountText(hours * pricePerHour), currency)})`;
  return `${hours < 0.1 ? Math.max(hours, 0.001).toPrecision(1) : hours.toFixed(1)} node-hours${price}`;
}

const amountText = (amount: number) => (amount < 1 ? String(Number(amount.toPrecision(2))) : amount.toFixed(2));

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

/** The median of some numbers: for an even count, the mean of the two middle numbers. */
export function medianOf(numbers: number[]): number | undefined {
  const sorted = [...numbers].sort((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
