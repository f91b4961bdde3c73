import * as fs from "node:fs";
import * as path from "node:path";
import { docsDirectory } from "../../../sdk/generator/docs";
import { table } from "../../../sdk/generator/pages/markdown";
import { picturesDirectory } from "../../../sdk/generator/pictures";
import { type Figures, readFigures } from "../figures";
import { renderPage } from "./page";
import { drawPlots } from "./plots";
import { targetTable } from "./targets";

/** The page of the figures, its pictures and the README, by file. */
export const pageFiles = (figures: Figures) =>
  new Map([
    [path.join(docsDirectory, "figures.md"), renderPage(figures)],
    [readme, readmeWith(figures)],
    ...[...drawPlots(figures)].map(([file, svg]) => [path.join(picturesDirectory, file), svg] as const),
  ]);

const readme = path.join(docsDirectory, "../README.md");

/** The README with the figures to reach in the place of its table of them. */
function readmeWith(figures: Figures): string {
  const { columns, rows } = targetTable(figures);
  const lines = table(
    columns,
    rows.map((row) => row.map(String)),
  );
  const [before, after] = fs.readFileSync(readme, "utf8").split(/<!-- prettier-ignore -->\n\| figure .*(?:\n\|.*)+/);
  if (after === undefined) throw new Error("README.md has no table of the figures to reach");
  return `${before}${lines}${after}`;
}

/** Writes them from what was recorded. */
export function writePage(): void {
  for (const [file, text] of pageFiles(readFigures())) fs.writeFileSync(file, text);
}

if (require.main === module) writePage();
