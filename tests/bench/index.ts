import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { lab, startLab, stopLab } from "../real/lab";
import { startCluster, type Cluster } from "../sandbox/cluster";
import { startJanitor } from "../sandbox/controlPlane/processes";
import { realNodesObstacle } from "../sandbox/real";
import { engineSetup } from "../support/engineSetup";
import { aMiniClusterArgs } from "../support/fixtures";
import { clusterProgram } from "../support/programs";
import { type Effort, Lab } from "./lab";
import { measurePackage, measurePlugins } from "./plugins";
import { measureRealNodes } from "./realNodes";
import { measureReading, measureRendering, countTemplates } from "./rendering";
import { measureSizes } from "./resizingTables";
import { measureStacks } from "./stacks";
import { measureStarts } from "./starting";
import { renderTable, type Table } from "./report";

const usage = "usage: npm run bench [-- [real] [--quick]]";

const full: Effort = {
  nodes: 300,
  sizes: [4, 64, 512, 5000],
  withPods: [4, 64],
  startSizes: [4, 64, 256],
  stackSizes: [1, 10, 50],
  runs: 3,
  render: { processes: 3, runs: 300 },
  pluginRuns: 3,
};

const quick: Effort = {
  nodes: 80,
  sizes: [4, 5000],
  withPods: [4],
  startSizes: [4, 64],
  stackSizes: [],
  runs: 1,
  render: { processes: 1, runs: 200 },
  pluginRuns: 1,
};

async function main(flags: string[]): Promise<void> {
  if (flags.some((flag) => !["real", "--quick"].includes(flag))) throw new Error(usage);
  const effort = flags.includes("--quick") ? quick : full;
  await engineSetup();
  if (flags.includes("real")) return onRealNodes(effort);
  tell("rendering");
  // Before there is a cluster, which would take its share of the processor.
  const withoutCluster = [await measureRendering(effort.render), await measureReading(effort.render), countTemplates()];
  tell("starting the plugin");
  withoutCluster.push(await measurePlugins(effort.pluginRuns), measurePackage());
  const janitor = keepTemporaryFilesTogether();
  tell("starting a cluster");
  const cluster = await startCluster({ nodes: effort.nodes });
  try {
    print(await describeMachine(cluster, `${effort.nodes} simulated nodes`));
    withoutCluster.forEach(print);
    await measure(new Lab(cluster, effort));
  } finally {
    await cluster.stop();
    await janitor.clean();
  }
  tell("done");
}

/** The part that needs nodes on which pods run. */
async function onRealNodes({ runs }: Effort): Promise<void> {
  const obstacle = realNodesObstacle();
  if (obstacle) throw new Error(obstacle);
  const janitor = keepTemporaryFilesTogether();
  tell("starting a cluster with real nodes");
  await startLab();
  try {
    print(await describeMachine(lab(), `${lab().realNodes.length} real nodes`));
    print(await measureRealNodes(runs, tell));
  } finally {
    await stopLab();
    await janitor.clean();
  }
  tell("done");
}

async function measure(lab: Lab): Promise<void> {
  endOrderly(lab);
  await warmUp(lab);
  tell("creating and resizing");
  (await measureSizes(lab)).forEach(print);
  tell("starting pods");
  print(await measureStarts(lab));
  if (lab.effort.stackSizes.length === 0) return;
  tell("many clusters in one stack");
  print(await measureStacks(lab));
}

/** Makes one directory of all that is temporary, which goes however this process ends, even by SIGKILL. */
function keepTemporaryFilesTogether(): { clean(): Promise<void> } {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-bench-"));
  process.env.TMPDIR = directory;
  return startJanitor({ directory });
}

/** The first operation of a run reads the engine and its plugins from the disk, which is not what is measured. */
async function warmUp(lab: Lab): Promise<void> {
  await lab.withStack(async (stack) => {
    stack.program = clusterProgram(aMiniClusterArgs());
    await lab.operate(stack, "preview");
  });
}

/** Ctrl-C leaves as little behind as the end does: what runs is ended first, then the directories go with this process. */
function endOrderly(lab: Lab): void {
  const end = () => {
    tell("interrupted");
    void lab.abandon().finally(() => process.exit(130));
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
}

const print = (table: Table) => process.stdout.write(`${renderTable(table)}\n`);

// Beside the figures, so that these can be kept in a file.
const tell = (line: string) => process.stderr.write(`bench, ${Math.round(performance.now() / 1000)} s: ${line}\n`);

main(process.argv.slice(2)).then(
  // Whatever still polls a cluster that has gone would only keep this process.
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);

/** What the figures were taken on. */
export async function describeMachine(cluster: Cluster, nodes: string): Promise<Table> {
  const { pulumi, plugins } = await engineSetup();
  const { gitVersion } = await cluster.api.request<{ gitVersion: string }>("GET", "/version");
  const cpus = os.cpus();
  return {
    title: "Machine",
    columns: ["part", "value"],
    rows: [
      ["cores", `${cpus.length}`],
      ["memory", `${Math.round(os.totalmem() / 2 ** 30)} GiB`],
      ["CPU", cpus[0]?.model.trim() ?? "unknown"],
      ["Node.js", process.version],
      ["Pulumi CLI", pulumi.version],
      ...plugins.map(({ name, version, kind }) => [`plugin ${name}`, `${version} (${kind})`]),
      ["Kubernetes", `${gitVersion}, ${nodes}, on the same cores as the engine`],
    ],
  };
}
