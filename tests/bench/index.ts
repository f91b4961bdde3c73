import { parseArgs } from "node:util";
import { engineSetup } from "../support/engineSetup";
import { pluginDirectory } from "../support/plugin";
import { type Figures, recordPart } from "./figures";
import { keepTemporaryFilesTogether } from "./leftovers";
import { surroundings } from "./machine";
import { writePage } from "./page";
import { renderPage } from "./page/page";
import { isPart, type Means, type PartName, parts, usualParts } from "./parts";
import { Ground } from "./scale/ground";
import { full, quick } from "./scale/plan";

const usage = `usage: npm run bench [-- [PART …] [--runs NUMBER] [--quick]]
PART: ${Object.keys(parts).join(", ")}; without one, all but those that need real nodes`;

async function main(args: string[]): Promise<void> {
  const { names, runs, isQuick } = read(args);
  const effort = { ...(isQuick ? quick : full), ...(runs && { runs }) };
  await engineSetup();
  const janitor = keepTemporaryFilesTogether();
  const ground = new Ground(effort.nodes, pluginDirectory(), tell);
  endOrderly(ground);
  const figures: Figures = {};
  try {
    for (const name of names) {
      tell(name);
      const record = (recording: Figures[PartName]) => {
        Object.assign(figures, { [name]: recording });
        if (!isQuick) recordPart(name, recording);
      };
      // The others are still worth having.
      await measurePart(name, { effort, ground, tell }, record).catch((error: Error) => {
        tell(`${name} failed: ${error.stack ?? error.message}`);
        process.exitCode = 1;
      });
    }
  } finally {
    await ground.end();
    await janitor.clean();
  }
  if (isQuick) process.stdout.write(renderPage(figures));
  else writePage();
  tell("done");
}

/** After each figure, so that a run of hours that is ended early leaves what it has. */
async function measurePart(
  name: PartName,
  means: Means,
  record: (recording: Figures[PartName]) => void,
): Promise<void> {
  const { rates, measure } = parts[name];
  const recorded = await surroundings(means.effort.runs, rates);
  const measured: never[] = [];
  for await (const figure of measure(means)) {
    measured.push(figure as never);
    record({ recorded, measured });
  }
}

function read(args: string[]): { names: PartName[]; runs?: number; isQuick: boolean } {
  const options = { runs: { type: "string" }, quick: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const names = positionals.filter(isPart);
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  const isWrong = names.length < positionals.length || (runs !== undefined && !(Number.isInteger(runs) && runs > 0));
  if (isWrong) throw new Error(usage);
  return { names: names.length > 0 ? names : usualParts, runs, isQuick: values.quick ?? false };
}

/** Ctrl-C leaves as little behind as the end does: what runs is ended first, then the directories go with this process. */
function endOrderly(ground: Ground): void {
  const end = () => {
    tell("interrupted");
    void ground.end().finally(() => process.exit(130));
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
}

// Beside the figures, so that these can be kept in a file.
const tell = (line: string) => process.stderr.write(`bench, ${Math.round(performance.now() / 1000)} s: ${line}\n`);

main(process.argv.slice(2)).then(
  // Whatever still polls a cluster that has gone would only keep this process.
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
