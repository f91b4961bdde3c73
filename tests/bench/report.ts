/** Figures to print side by side. */
export interface Table {
  title: string;
  columns: string[];
  rows: (string | number)[][];
  /** What a reader has to know to understand the figures, a sentence each. */
  notes?: string[];
}

const noteWidth = 110;

/** A table as plain text that keeps its shape wherever it is pasted. */
export function renderTable({ title, columns, rows, notes = [] }: Table): string {
  const cells = rows.map((row) => row.map(String));
  const widths = columns.map((column, i) => Math.max(column.length, ...cells.map((row) => row[i]?.length ?? 0)));
  // A column of figures is read from its last digit, a column of words from its first letter.
  const areFigures = columns.map((_, i) => cells.every((row) => /^[-+\d]/.test(row[i] ?? "")));
  const line = (row: string[]) =>
    row
      .map((cell, i) => (areFigures[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [title, "", line(columns), rule, ...cells.map(line), ...notes.flatMap(wrap), ""].join("\n");
}

function wrap(note: string): string[] {
  const lines = [""];
  for (const word of note.split(" ")) {
    const last = lines.at(-1) as string;
    if (last.length + word.length < noteWidth) lines[lines.length - 1] = `${last} ${word}`.trimStart();
    else lines.push(word);
  }
  return lines;
}

/** The value below which a share of the values lies; 0.5 is the median. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below = NaN, above = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/** The value in the middle. */
export const median = (values: number[]) => quantile(values, 0.5);

/** Milliseconds as seconds. */
export const seconds = (ms: number) => (ms / 1000).toFixed(2);

/** Milliseconds to three decimals, for what takes less than a few of them. */
export const milliseconds = (ms: number) => ms.toFixed(3);

/** Least, median and greatest of several times, in seconds; of a single time only that. */
export function spread(ms: number[]): string {
  const figures = ms.length === 1 ? ms : [Math.min(...ms), median(ms), Math.max(...ms)];
  return figures.map(seconds).join(" / ");
}

/** Says what figures were made from how many runs. */
export const timesTaken = (figures: string, runs: number) => (runs === 1 ? "one run" : `${figures} of ${runs} runs`);
