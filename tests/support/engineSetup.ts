import * as fs from "node:fs";
import * as path from "node:path";

import { pulumiBinary } from "../sandbox/build/binaries";
import { onPath, type ProviderPlugin, providerPlugins } from "../sandbox/standIns";

/** The CLI and the provider plugins that the tests of this run use. */
export interface EngineSetup {
  pulumi: { path: string; version: string };
  plugins: Awaited<ReturnType<typeof providerPlugins>>;
}

/** Hands the setup from the process that starts the run to mocha's workers, so that only one looks and speaks. */
const variable = "MINICLUSTER_TEST_ENGINE";

let setup: Promise<EngineSetup> | undefined;

/** Finds or builds CLI and plugins once per run, and says once what they are. */
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

/**
 * The `plugins` setting of a project: it names those that the CLI has not installed. The engine warns of one that it finds on
 * PATH, and does not look there where a program asks for a certain version.
 */
export function pluginSettings({ plugins }: EngineSetup, further: Record<string, string> = {}) {
  const ofTheRun = plugins.filter((plugin) => !isInstalled(plugin)).map(({ name, path }) => [name, path]);
  const providers = [...ofTheRun, ...Object.entries(further)].map(([name, path]) => ({ name, path }));
  return providers.length === 0 ? undefined : { providers };
}

/** A home for the CLI that holds nothing of the user's, except the plugins they have installed. */
export function makeHome(directory: string, { plugins }: EngineSetup): string {
  const home = path.join(directory, "home");
  fs.mkdirSync(home);
  const installed = plugins.find(isInstalled);
  if (installed) fs.symlinkSync(path.dirname(installed.path), path.join(home, "plugins"));
  return home;
}

const isInstalled = ({ kind, version }: ProviderPlugin) => kind === "real" && version !== onPath;

/** The environment of the CLI: the user's own, without their Pulumi settings and without their cluster. */
export function engineEnvironment(directory: string, kubeconfigPath: string | undefined): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PULUMI_"));
  return {
    ...Object.fromEntries(inherited),
    KUBECONFIG: kubeconfigPath ?? path.join(directory, "no-kubeconfig"),
    PULUMI_BACKEND_URL: `file://${directory}`,
    PULUMI_CONFIG_PASSPHRASE: "sandbox",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    PULUMI_SUPPRESS_NEO_LINK: "true",
  };
}
