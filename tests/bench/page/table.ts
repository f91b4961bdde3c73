/** Figures to print side by side. */
export interface Table {
  title: string;
  columns: string[];
  rows: (string | number)[][];
  /** What a reader needs to understand the figures, a sentence each. */
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
