import * as fs from "node:fs";
import * as path from "node:path";

import { pulumiBinary } from "../sandbox/build/binaries";
import { providerPlugins } from "../sandbox/plugins";
import type { RunningPlugin } from "./plugin";

/** The CLI and the provider plugins that the tests of this run use. */
export interface EngineSetup {
  pulumi: { path: string; version: string };
  plugins: Awaited<ReturnType<typeof providerPlugins>>;
}

/**
 * Passes the setup from the process that starts the run to mocha's workers, so that only one prepares and reports it.
 */
const variable = "MINICLUSTER_TEST_ENGINE";

let setup: Promise<EngineSetup> | undefined;

/** Finds or builds CLI and plugins once per run, and reports them once. */
export function engineSetup(): Promise<EngineSetup> {
  return (setup ??= prepare());
}

async function prepare(): Promise<EngineSetup> {
  const inherited = process.env[variable];
  if (inherited) return JSON.parse(inherited) as EngineSetup;
  const pulumi = await pulumiBinary();
  const plugins = await providerPlugins(pulumi.path);
  const names = plugins.map((plugin) => `${plugin.name} ${plugin.version} (${plugin.kind})`);
  process.stderr.write(`engine: pulumi ${pulumi.version}, provider plugins: ${names.join(", ")}\n`);
  process.env[variable] = JSON.stringify({ pulumi, plugins } satisfies EngineSetup);
  return { pulumi, plugins };
}

/** The `plugins` setting of a project. The engine accepts any version of a plugin that has a path. */
export const pluginSettings = ({ plugins }: EngineSetup, further: Record<string, string> = {}) => ({
  providers: [...plugins.map(({ name, path }) => ({ name, path })), ...namedPaths(further)],
});

const namedPaths = (paths: Record<string, string>) => Object.entries(paths).map(([name, path]) => ({ name, path }));

/** An empty home for the CLI, without settings of the user. */
export function makeHome(directory: string): string {
  const home = path.join(directory, "home");
  fs.mkdirSync(home);
  return home;
}

/** The environment of the CLI: the user's own, without their Pulumi settings and without their cluster. */
export function engineEnvironment(
  directory: string,
  kubeconfigPath: string | undefined,
  running: RunningPlugin[] = [],
): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PULUMI_"));
  const attached = running.map(({ address }) => address);
  return {
    ...Object.fromEntries(inherited),
    KUBECONFIG: kubeconfigPath ?? path.join(directory, "no-kubeconfig"),
    // No separate files with checksums: no engine reads the state beside an empty one, which a killed engine leaves.
    PULUMI_BACKEND_URL: `file://${directory}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE: "sandbox",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
    ...(attached.length > 0 && { PULUMI_DEBUG_PROVIDERS: attached.join(",") }),
    // Of the time of a short operation, the garbage collector takes a fifth by default.
    GOGC: "400",
  };
}
