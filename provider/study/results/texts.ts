import type { Result } from "../parse/plan";
import type { StudySpec } from "../parse/runs";
import { type Cell, cellsOf, costOf, costOfRun, figureOf, nodeHoursOf, rounded, unitOf } from "./cells";

/** The text outputs of a study. */
export interface Texts {
  /** A table for people, one line for each cell. */
  table: string;
  /** One line for each run, for programs (RFC 4180). */
  csv: string;
  /** The runs and the cells, in the format of `docs/public/study.schema.json`. */
  json: string;
}

/** The results of a study as texts. */
export const textsOf = (spec: StudySpec, results: Result[]): Texts => ({
  table: tableOf(spec, results),
  csv: csvOf(spec, results),
  json: JSON.stringify(jsonOf(spec, results), undefined, 2),
});

const number = (value: number | undefined) => (value === undefined ? "-" : String(Number(value.toPrecision(4))));
const percent = (value: number | undefined) => (value === undefined ? "-" : `${Math.round(value * 100)} %`);

function tableOf(spec: StudySpec, results: Result[]): string {
  const hasPrice = spec.pricePerHour !== undefined;
  const price = hasPrice ? [["cost", spec.currency].filter((word) => word).join(" ")] : [];
  const heading = ["app", "hosts", "runs", "failed", "median", "min", "max", "unit", "efficiency", ...price];
  const unit = ({ app }: Cell) => (spec.apps[app] && unitOf(spec.apps[app])) || "-";
  const rows = cellsOf(spec, results).map((cell) => {
    const { app, size, runs, failed, median, min, max, efficiency, cost } = cell;
    const figures = [median, min, max].map(number);
    const counts = [size, runs, failed].map(String);
    return [app, ...counts, ...figures, unit(cell), percent(efficiency), ...(hasPrice ? [number(cost)] : [])];
  });
  return aligned([heading, ...rows], [0, 7]);
}

/** Rows with columns of equal width: texts aligned left, numbers aligned right. */
function aligned(rows: string[][], texts: number[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) =>
    texts.includes(column) ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}

/** A run in `csv` and `json`. */
const rowOf = (spec: StudySpec, result: Result) => {
  const app = spec.apps[result.app];
  return {
    app: result.app,
    size: result.size,
    repeat: result.repeat,
    ok: result.ok,
    figure: figureOf(result, app),
    unit: app ? unitOf(app) : "",
    wall_seconds: rounded(result.wallSeconds),
    exit_status: result.exitStatus,
    attempts: result.attempts,
    hosts: result.hosts,
    started_at: result.startedAt,
    node_hours: nodeHoursOf([result]),
    cost: result.pricePerHour === undefined ? undefined : rounded(costOfRun(result)),
    error: result.error,
  };
};

const columns = [
  "app",
  "size",
  "repeat",
  "ok",
  "figure",
  "unit",
  "wall_seconds",
  "exit_status",
  "attempts",
  "hosts",
  "started_at",
  "node_hours",
  "cost",
  "error",
] as (keyof ReturnType<typeof rowOf>)[];

function csvOf(spec: StudySpec, results: Result[]): string {
  const lines = results.map((result) => {
    const row = rowOf(spec, result);
    return columns.map((column) => csvField(row[column])).join(",");
  });
  return [columns.join(","), ...lines].map((line) => `${line}\n`).join("");
}

const csvField = (value: string | number | boolean | undefined) => {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const jsonOf = (spec: StudySpec, results: Result[]) => ({
  study: spec.name,
  node_hours: nodeHoursOf(results),
  cost: costOf(results),
  currency: spec.currency,
  cells: cellsOf(spec, results),
  runs: results.map((result) => ({ ...rowOf(spec, result), last_lines: result.lastLines })),
});
