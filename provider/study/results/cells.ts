import { StudyBetter, StudyScaling } from "../args";
import { medianOf, type Result } from "../parse/plan";
import type { AppSpec, StudySpec } from "../parse/runs";

/** The runs of an application at a size, together. */
export interface Cell {
  app: string;
  size: number;
  /** Numbers of runs with a figure, and of runs without a figure. */
  runs: number;
  failed: number;
  /** Figures of the runs. */
  median?: number;
  min?: number;
  max?: number;
  /** Cost of all attempts, if each had a price. */
  cost?: number;
  /** Parallel efficiency: 1 at the smallest size, and at each other size with an ideal figure. */
  efficiency?: number;
}

/** The figure of a run, if it has one: the wall time for an application without a pattern. */
export function figureOf(result: Result, app: AppSpec | undefined): number | undefined {
  if (!result.ok) return undefined;
  return app?.figure ? result.figure : result.wallSeconds;
}

/** Name and unit of an application's figure. */
export const unitOf = (app: AppSpec): string => (app.figure ? (app.figure.unit ?? "") : "s");

/** True for an application whose larger figures are better. */
export const isRate = (app: AppSpec): boolean => app.figure?.better === StudyBetter.Higher;

/** All cells, by application and size. */
export function cellsOf(spec: StudySpec, results: Result[]): Cell[] {
  const sizes = [...spec.sizes].sort((one, other) => one - other);
  return Object.entries(spec.apps).flatMap(([name, app]) => {
    const cells = sizes.map((size) => cellOf(name, app, size, results));
    const first = cells.find(({ median }) => median !== undefined);
    return cells.map((cell) => ({ ...cell, ...efficiencyOf(cell, first, app) }));
  });
}

function cellOf(name: string, app: AppSpec, size: number, results: Result[]): Cell {
  const own = results.filter((result) => result.app === name && result.size === size);
  const figures = own.map((result) => figureOf(result, app)).filter((figure) => figure !== undefined);
  const median = medianOf(figures);
  const range = median === undefined ? {} : { median, min: Math.min(...figures), max: Math.max(...figures) };
  const cost = own.length > 0 ? costOf(own) : undefined;
  const counts = { runs: figures.length, failed: own.length - figures.length };
  return { app: name, size, ...counts, ...range, ...(cost !== undefined && { cost }) };
}

function efficiencyOf(cell: Cell, first: Cell | undefined, app: AppSpec): Pick<Cell, "efficiency"> {
  if (!cell.median || !first?.median) return {};
  return { efficiency: isRate(app) ? cell.median / ideal(cell, first, app) : ideal(cell, first, app) / cell.median };
}

/** The ideal figure at the size of a cell, derived from the figure at the smallest size. */
export function ideal({ size }: Pick<Cell, "size">, first: Cell, app: AppSpec): number {
  const factor = size / first.size;
  const { median = 0 } = first;
  if (isRate(app)) return median * factor;
  return app.scaling === StudyScaling.Weak ? median : median / factor;
}

/** Host hours of all attempts. */
export const nodeHoursOf = (results: Result[]): number =>
  rounded(results.reduce((total, { size, spentSeconds }) => total + (size * spentSeconds) / 3600, 0));

/** Cost of these hours, if each attempt had a price. */
export function costOf(results: Result[]): number | undefined {
  if (results.some(({ pricePerHour }) => pricePerHour === undefined)) return undefined;
  return rounded(results.reduce((total, result) => total + costOfRun(result), 0));
}

/** Cost of all attempts of a run. */
export const costOfRun = ({ size, spentSeconds, pricePerHour = 0 }: Result): number =>
  (size * spentSeconds * pricePerHour) / 3600;

/** A number rounded to hide the errors of a sum of times. */
export const rounded = (number: number): number => Number(number.toPrecision(6));
