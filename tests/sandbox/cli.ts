import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";

import { buildEverything, findOnPath, pulumiBinary } from "./binaries";
import { askKeeper, keep, keeperLogPath, type KeptCluster, stopKeeper } from "./keeper";
import { providerPlugins } from "./plugins";
import { waitFor } from "./waiting";

const usage = `usage: npm run sandbox:start [-- --nodes <count>]
       npm run sandbox:stop`;

async function main([command, ...rest]: string[]): Promise<void> {
  const nodes = nodeCount(rest);
  if (command === "start") return start(nodes);
  if (command === "keep") return keep(nodes);
  if (command === "stop") return tell((await stopKeeper()) ? "The sandbox is stopped." : "No sandbox is running.");
  throw new Error(usage);
}

function nodeCount(args: string[]): number | undefined {
  if (args.length === 0) return undefined;
  const [flag, value] = args;
  if (flag !== "--nodes" || !/^\d+$/.test(value ?? "") || args.length > 2) throw new Error(usage);
  return Number(value);
}

async function start(nodes: number | undefined): Promise<void> {
  await buildEverything();
  const running = await askKeeper();
  if (running) return explain("A sandbox is already running.", running);
  await explain("The sandbox is running.", await startKeeper(nodes));
}

/** Leaves a process behind that holds the cluster: this one ends, and everything it started would end with it. */
async function startKeeper(nodes: number | undefined): Promise<KeptCluster> {
  const log = fs.openSync(keeperLogPath(), "w");
  const args = [...process.execArgv, __filename, "keep", ...(nodes === undefined ? [] : ["--nodes", String(nodes)])];
  const keeper = spawn(process.execPath, args, { detached: true, stdio: ["ignore", log, log] });
  let ended = false;
  keeper.once("exit", () => (ended = true));
  const answer = await waitFor("the sandbox to start", async () => (await askKeeper()) ?? (ended && "ended"), 120_000);
  if (answer === "ended") throw new Error(`the sandbox did not start:\n${fs.readFileSync(keeperLogPath(), "utf8")}`);
  keeper.unref();
  return answer;
}

async function explain(headline: string, { kubeconfigPath, server }: KeptCluster): Promise<void> {
  const pulumi = await pulumiBinary();
  const plugins = await providerPlugins(pulumi.path);
  const standIns = plugins.filter((plugin) => plugin.kind === "stand-in").map((plugin) => plugin.path);
  const built = findOnPath("pulumi") === pulumi.path ? [] : [path.dirname(pulumi.path)];
  const directories = [...built, ...standIns];
  tell(`${headline} Kubernetes API server: ${server}, no containers are run. To use it in this shell:\n`);
  tell(`export KUBECONFIG=${kubeconfigPath}`);
  if (directories.length > 0) tell(`export PATH=${[...directories, "$PATH"].join(":")}`);
  tell(`\nPulumi CLI ${pulumi.version}: ${pulumi.path}`);
  for (const plugin of plugins) tell(`${plugin.name} plugin ${plugin.version} (${plugin.kind}): ${plugin.path}`);
  tell("\nTry: kubectl get nodes. Stop it with: npm run sandbox:stop");
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
