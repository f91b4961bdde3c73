import { parseArgs } from "node:util";
import { engineSetup } from "../support/engineSetup";
import { pluginDirectory } from "../support/plugin";
import { type Figures, readFigures, recordPart } from "./figures";
import { keepTemporaryFilesTogether } from "./leftovers";
import { both, surroundings } from "./machine";
import { writePage } from "./page";
import { renderPage } from "./page/page";
import { isPart, type Means, type PartName, parts, usualParts } from "./parts";
import { Ground } from "./scale/ground";
import { full, quick } from "./scale/plan";

const usage = `usage: npm run bench [-- [PART …] [--runs NUMBER] [--grep TEXT] [--continue] [--quick]]
PART: ${Object.keys(parts).join(", ")}; without one, all but those that need real nodes
--grep: of clusters, stacks and pools only what has this in its name, as the bench prints it
--continue: keeps what is recorded of this machine, and measures of it only what is missing`;

async function main(args: string[]): Promise<void> {
  const { names, runs, grep, isContinued, isQuick } = read(args);
  const effort = { ...(isQuick ? quick : full), ...(runs && { runs }) };
  await engineSetup();
  const janitor = keepTemporaryFilesTogether();
  const ground = new Ground(effort.nodes, pluginDirectory(), report);
  endOrderly(ground);
  const figures: Figures = {};
  try {
    for (const name of names) {
      report(name);
      const record = (recording: Figures[PartName]) => {
        Object.assign(figures, { [name]: recording });
        if (!isQuick) recordPart(name, recording);
      };
      // The others are still worth having.
      const kept = isContinued && parts[name].isLong ? readFigures()[name] : undefined;
      await measurePart(name, { effort, ground, report, kept, grep }, record).catch((error: Error) => {
        report(`${name} failed: ${error.stack ?? error.message}`);
        process.exitCode = 1;
      });
    }
  } finally {
    await ground.end();
    await janitor.clean();
  }
  if (isQuick) process.stdout.write(renderPage(figures));
  else writePage();
  report("done");
}

/** After each figure, so that a run of hours that is ended early leaves what it has. */
async function measurePart(
  name: PartName,
  means: Means,
  record: (recording: Figures[PartName]) => void,
): Promise<void> {
  const { rates, measure } = parts[name];
  const { kept } = means;
  const recorded = both(kept?.recorded, await surroundings(means.effort.runs, rates));
  const measured = [...(kept?.measured ?? [])] as never[];
  for await (const figure of measure(means)) {
    measured.push(figure as never);
    record({ recorded, measured });
  }
}

interface Command {
  names: PartName[];
  runs?: number;
  grep: string;
  isContinued: boolean;
  isQuick: boolean;
}

function read(args: string[]): Command {
  const [text, flag] = [{ type: "string" }, { type: "boolean" }] as const;
  const options = { runs: text, grep: text, continue: flag, quick: flag } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const names = positionals.filter(isPart);
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  const isWrong = names.length < positionals.length || (runs !== undefined && !(Number.isInteger(runs) && runs > 0));
  if (isWrong) throw new Error(usage);
  const { grep = "", continue: isContinued = false, quick: isQuick = false } = values;
  return { names: names.length > 0 ? names : usualParts, runs, grep, isContinued, isQuick };
}

/**
 * Ctrl-C leaves nothing behind: running processes are ended first, and the directories are removed with this process.
 */
function endOrderly(ground: Ground): void {
  const end = () => {
    report("interrupted");
    void ground.end().finally(() => process.exit(130));
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
}

// Beside the figures, so that these can be kept in a file.
const report = (line: string) => process.stderr.write(`bench, ${Math.round(performance.now() / 1000)} s: ${line}\n`);

main(process.argv.slice(2)).then(
  // A request to a cluster that has gone would only keep this process.
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
