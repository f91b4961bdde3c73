import * as os from "node:os";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildEverything } from "../sandbox/build/binaries";
import { startCluster } from "../sandbox/cluster";
import { prepareRealNodes, viewVariable } from "../sandbox/real";
import { createStack, type OperationResult, type TestStack } from "../support/engine";
import { showElastic } from "./elastic";
import { askInstance, labProgram, realImages } from "./lab";
import { showStudy } from "./study";
import { type ListPods, podsByKubectl, podsBySandbox, podTable, table } from "./pods";

const usage = `npm run demo [-- --real | --elastic | --study | --current-context]

Brings the first program of docs/start.md up, resizes it from 4 to 8 pods, and destroys it. By default it does so in a
sandbox: a real Kubernetes control plane on this machine, with simulated nodes. With --real its nodes are real, and jobs
run in the pods: by a stand-in of Flux, or the real one that MINICLUSTER_FLUX_VIEW leads to (an OCI archive or a
directory). With --elastic, which needs the real Flux, jobs on real nodes grow and shrink a cluster with a console. With
--study it runs a small study on real nodes, adds a size to it, and ends with its table and its plot. With
--current-context it uses the cluster that kubectl points at, and the namespace "default".`;

const namespace = "default";
const isTerminal = process.stdout.isTTY;
/** Options of every operation: the engine's own colours on a terminal. */
const watched = { onText, color: isTerminal ? "always" : "never" } as const;
const pauseMillis = 2_000;
const timings: [string, number][] = [];

async function main(flags: string[]): Promise<void> {
  const unknown = flags.filter((flag) => !["--current-context", "--real", "--elastic", "--study"].includes(flag));
  if (unknown.length > 0 || flags.length > 1) {
    console.log(usage);
    process.exitCode = unknown.includes("--help") ? 0 : 2;
    return;
  }
  if (flags.includes("--current-context")) {
    const kubeconfigPath = process.env["KUBECONFIG"] ?? path.join(os.homedir(), ".kube/config");
    await runStack(kubeconfigPath, podsByKubectl, labProgram());
    return;
  }
  if (flags.includes("--elastic") && !process.env[viewVariable]) throw new Error(`--elastic needs ${viewVariable}`);
  const isReal = flags.length > 0;
  await buildEverything();
  if (isReal) await prepareRealNodes();
  await heading(`Start the sandbox: an API server, its controllers, and ${isReal ? "4 real" : "8 simulated"} nodes`);
  const cluster = await timed("start the sandbox", () => startCluster(isReal ? { real: {} } : { nodes: 8 }));
  // The program runs in this process, and its diagnostics ask the API server.
  process.env["KUBECONFIG"] = cluster.kubeconfigPath;
  try {
    const show = { heading, timed, options: watched };
    if (flags.includes("--study")) return await showStudy(cluster.kubeconfigPath, show);
    if (flags.includes("--elastic")) return await showElastic(cluster.kubeconfigPath, show);
    const program = isReal ? labProgram(realImages) : labProgram();
    const ask: Ask | undefined = isReal ? (command) => askInstance(cluster, command).then(console.log) : undefined;
    await runStack(cluster.kubeconfigPath, podsBySandbox(cluster.kubeconfigPath), program, ask);
  } finally {
    await cluster.stop();
  }
}

type Program = () => unknown;
/** Prints a command and its output in the shell of the instance. */
type Ask = (command: string) => Promise<void>;

async function runStack(kubeconfigPath: string, listPods: ListPods, program: Program, ask?: Ask): Promise<void> {
  const stack = await createStack({ program, projectName: "lab", stackName: "dev", kubeconfigPath });
  try {
    await createAndResize(stack, () => listPods(namespace, "lab"), ask);
  } finally {
    await heading("Destroy");
    await timed("destroy", () => stack.destroy(watched));
    stack.dispose();
  }
  const left = await listPods(namespace, "lab");
  console.log(left.length === 0 ? "\nNothing is left." : `\nLeft behind:\n${podTable(left)}`);
  await heading("What took how long");
  console.log(table(timings.map(([what, ms]) => [what, `${(ms / 1000).toFixed(1)} s`])));
}

async function createAndResize(stack: TestStack, pods: () => ReturnType<ListPods>, ask?: Ask): Promise<void> {
  await heading("Preview a Flux instance on 4 nodes, which can grow to 8");
  await timed("preview of 4 pods", () => stack.preview(watched));
  await heading("Bring it up");
  await timed("up to 4 pods Ready", () => stack.up(watched));
  const first = await pods();
  console.log(podTable(first));
  await ask?.("flux resource list");
  await ask?.("flux run -N4 hostname");

  await heading("Preview size 8: what changes, and what does not");
  await stack.setConfig("size", "8");
  await timed("preview of 4 to 8", () => stack.preview({ diff: true, ...watched }));
  await heading("Apply it");
  const grown = await timed("up to 8 pods Ready", () => stack.up(watched));
  const eight = await pods();
  console.log(podTable(eight));
  await ask?.("flux run -N8 hostname");
  const kept = first.filter(({ uid }) => eight.some((pod) => pod.uid === uid));
  console.log(`\n${kept.length} of the ${first.length} old pods are still there. ${changeSummary(grown)}`);
}

function changeSummary({ summary }: OperationResult): string {
  return `Resources updated: ${summary.update ?? 0}, replaced: ${summary.replace ?? 0}.`;
}

function onText(text: string): void {
  process.stdout.write(text);
}

/** A heading, after a pause to read what is above it. */
async function heading(text: string): Promise<void> {
  if (isTerminal) await sleep(pauseMillis);
  console.log(isTerminal ? `\n\x1b[1;36m=== ${text} ===\x1b[0m\n` : `\n=== ${text} ===\n`);
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  timings.push([what, performance.now() - begun]);
  return result;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
