import * as fs from "node:fs";
import * as path from "node:path";
import { docsDirectory } from "../../../sdk/generator/docs";
import { picturesDirectory } from "../../../sdk/generator/pictures";
import { readPage } from "../../support/fences";
import { readRecord } from "../../support/forecast/record";
import { type Figures, readFigures } from "../figures";
import { forecastPage } from "./forecast";
import { renderPage } from "./page";
import { drawPlots } from "./plots";

/** The page of the figures and its pictures, and the page of the forecast with its tables, by file. */
export const pageFiles = (figures: Figures) =>
  new Map([
    [path.join(docsDirectory, "figures.md"), renderPage(figures)],
    [path.join(docsDirectory, "forecast.md"), forecastPage(readPage("docs/forecast.md"), readRecord())],
    ...[...drawPlots(figures)].map(([file, svg]) => [path.join(picturesDirectory, file), svg] as const),
  ]);

/** Writes them from what was recorded. */
export function writePage(): void {
  for (const [file, text] of pageFiles(readFigures())) fs.writeFileSync(file, text);
}

if (require.main === module) writePage();
