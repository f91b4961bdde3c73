/**
 * A table. Its columns are not aligned, so that a change of one row is a change of one line; a comment keeps prettier
 * from aligning them.
 */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return ["<!-- prettier-ignore -->", line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

const cell = (text: string) => text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

export const code = (text: string) => `\`${text}\``;

/** A link to a heading of the same page. */
export const anchor = (heading: string) => `[${heading}](#${heading.toLowerCase()})`;

/** Parts of a cell, one below the other. */
export const stacked = (parts: string[]) => parts.join("<br>");

/** A page from its parts, one empty line between them. */
export const page = (...parts: string[]) => `${parts.join("\n\n")}\n`;
