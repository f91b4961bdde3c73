import * as fs from "node:fs";
import * as path from "node:path";
import { readRecord } from "../../../tests/support/forecast/record";
import { drawElasticRun } from "./elasticRun";
import { drawForecastQueue, type RecordedReading } from "./forecastQueue";
import { drawForecastTruth } from "./forecastTruth";
import { drawPullRequest } from "./pullRequest";
import type { ElasticRun } from "./recording";

/** The pictures of the pages, each beside its source text. */
export const picturesDirectory = path.resolve(__dirname, "../../../docs/pictures");

// With a light background, the pictures are legible on any page. Boxes are sized for Verdana, the widest of the fonts
// in use.
const font = `fontname="Verdana" fontcolor="#1f2a44"`;
const look = `
  graph [bgcolor="#f7f9fc" pad=0.25 nodesep=0.3 ranksep=0.4 color="#5a6b8c" ${font} fontsize=13]
  node [shape=box style="rounded,filled" fillcolor="#ffffff" color="#5a6b8c" margin="0.14,0.08" ${font} fontsize=13]
  edge [color="#3366cc" arrowsize=0.7 ${font} fontsize=12]`;

/** Each picture by the name of its file, drawn from its text. */
export async function drawPictures(): Promise<Map<string, string>> {
  // CommonJS cannot require this module.
  const { Graphviz } = await import("@hpcc-js/wasm-graphviz");
  const graphviz = await Graphviz.load();
  const sources = fs.readdirSync(picturesDirectory).filter((file) => file.endsWith(".dot"));
  const drawn = sources.map((source): [string, string] => {
    const text = fs.readFileSync(path.join(picturesDirectory, source), "utf8");
    return [source.replace(/\.dot$/, ".svg"), trimmed(graphviz.dot(text.replace("{", `{${look}`)))];
  });
  const recorded = <T>(file: string) => JSON.parse(fs.readFileSync(path.join(picturesDirectory, file), "utf8")) as T;
  return new Map([
    ...drawn,
    ["elastic-run.svg", drawElasticRun(recorded<ElasticRun>("elastic-run.json"))],
    ["forecast-queue.svg", drawForecastQueue(recorded<RecordedReading>("forecast-reading.json"))],
    ["forecast-truth.svg", drawForecastTruth(readRecord())],
    ["pull-request.svg", drawPullRequest(previewInCi())],
  ]);
}

/** The preview on the page about CI. */
function previewInCi(): string {
  const page = fs.readFileSync(path.join(picturesDirectory, "../how-to/ci.md"), "utf8");
  return /^```text\n([^]*?)^```$/m.exec(page)?.[1] ?? "";
}

/** In pixels, and without the prologue, the comments and the names of the parts, which browsers show as tool tips. */
function trimmed(svg: string): string {
  const [, head = "", title = "", parts = ""] = /(<svg[^]*?)(<title>[^<]*<\/title>\n)([^]*)/.exec(svg) ?? [];
  return (head + title + parts.replace(/<title>[^<]*<\/title>\n/g, ""))
    .replace(/<!--[^]*?-->\n/g, "")
    .replace(/(width|height)="(\d+)pt"/g, '$1="$2"')
    .replaceAll('"Verdana"', '"Verdana,DejaVu Sans,sans-serif"');
}

async function writePictures(): Promise<void> {
  for (const [file, svg] of await drawPictures()) fs.writeFileSync(path.join(picturesDirectory, file), svg);
}

if (require.main === module) void writePictures();
