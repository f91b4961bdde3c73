import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";

import { prepareBrowser } from "./build/browser";
import { cacheDirectory } from "./build/cacheDirectory";
import { buildEverything, buildMissing, findOnPath, pulumiBinary } from "./build/binaries";
import { definitionModules, kueueModule, prometheusModule } from "./build/modules";
import type { ClusterOptions } from "./cluster";
import { askKeeper, keep, keeperLogPath, type KeptCluster, stopKeeper } from "./keeper";
import { providerPlugins } from "./plugins";
import { imageNames, prepareRealNodes, realNodesObstacle } from "./real";
import { waitFor } from "./waiting";

const usage = `usage: npm run sandbox:start [-- [--real] [--nodes <count>]]
       npm run sandbox:stop

With --real the nodes are real ones, on which pods run: a kubelet and a container runtime each, on this machine.`;

async function main([command, ...rest]: string[]): Promise<void> {
  const options = nodeOptions(rest);
  if (command === "start") return start(options, rest);
  if (command === "build") return build();
  if (command === "keep") return keep(options);
  if (command === "stop") return report((await stopKeeper()) ? "The sandbox is stopped." : "No sandbox is running.");
  throw new Error(usage);
}

/** Builds all that the tests need, before they begin: a compiler beside them would take their processors. */
async function build(): Promise<void> {
  await buildEverything();
  await buildMissing([definitionModules.karpenter, kueueModule, prometheusModule]);
  await prepareBrowser();
  if (realNodesObstacle() === undefined) await prepareRealNodes();
}

function nodeOptions(args: string[]): ClusterOptions {
  const isReal = args.includes("--real");
  const [flag, value, ...more] = args.filter((word) => word !== "--real");
  if (flag !== undefined && (flag !== "--nodes" || !/^\d+$/.test(value ?? "") || more.length > 0))
    throw new Error(usage);
  const count = flag === undefined ? undefined : Number(value);
  if (!isReal) return { nodes: count };
  return { real: count === undefined ? {} : { count } };
}

async function start(options: ClusterOptions, args: string[]): Promise<void> {
  await buildEverything();
  if (options.real) await prepareRealNodes();
  const running = await askKeeper();
  if (running) return explain("A sandbox is already running.", running);
  await explain("The sandbox is running.", await startKeeper(args));
}

/**
 * Starts a background process that holds the cluster: this process ends, and everything it started would end with it.
 */
async function startKeeper(given: string[]): Promise<KeptCluster> {
  const log = fs.openSync(keeperLogPath(), "w");
  const args = [...process.execArgv, __filename, "keep", ...given];
  const keeper = spawn(process.execPath, args, { detached: true, stdio: ["ignore", log, log] });
  let ended = false;
  keeper.once("exit", () => (ended = true));
  const answer = await waitFor("the sandbox to start", async () => (await askKeeper()) ?? (ended && "ended"), 120_000);
  if (answer === "ended") throw new Error(`the sandbox did not start:\n${fs.readFileSync(keeperLogPath(), "utf8")}`);
  keeper.unref();
  return answer;
}

async function explain(headline: string, { kubeconfigPath, server, realNodes }: KeptCluster): Promise<void> {
  const pulumi = await pulumiBinary();
  const plugins = await providerPlugins(pulumi.path);
  const isOurs = ({ path }: { path: string }) => path.startsWith(cacheDirectory());
  const built = findOnPath("pulumi") === pulumi.path ? [] : [path.dirname(pulumi.path)];
  const directories = [...built, ...plugins.filter(isOurs).map((plugin) => plugin.path)];
  const pods = realNodes > 0 ? `${realNodes} real nodes` : "no containers are run";
  report(`${headline} Kubernetes API server: ${server}, ${pods}. To use it in this shell:\n`);
  report(`export KUBECONFIG=${kubeconfigPath}`);
  if (directories.length > 0) report(`export PATH=${[...directories, "$PATH"].join(":")}`);
  report(`\nPulumi CLI ${pulumi.version}: ${pulumi.path}`);
  for (const plugin of plugins) report(`${plugin.name} plugin ${plugin.version} (${plugin.kind}): ${plugin.path}`);
  if (realNodes > 0) report(`Images that pods can have: ${imageNames.base}, and ${imageNames.view} as the Flux view`);
  report("\nTry: kubectl get nodes. Stop it with: npm run sandbox:stop");
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
