import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { cacheDirectory } from "./cacheDirectory";

/** Directory and version of a real plugin. */
export interface RealPlugin {
  path: string;
  version: string;
}

/** In place of the version of a plugin on PATH. */
const onPath = "on PATH";

const dayMillis = 24 * 3600 * 1000;
const installTimeoutMillis = 60_000;

/** The version of the plugin that the installed SDK goes with. */
export function sdkVersion(name: string): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a manifest is data, read where Node finds it
  return (require(`@pulumi/${name}/package.json`) as { version: string }).version;
}

/** The real plugin that is installed, or that the Pulumi CLI can install. */
export async function realPlugin(pulumi: string, name: string): Promise<RealPlugin | undefined> {
  const version = sdkVersion(name);
  return findPlugin(name, version) ?? (await installPlugin(pulumi, name, version));
}

/**
 * The plugin on PATH, or the newest one that the Pulumi CLI has installed. One that is older than the SDK is
 * useless: the engine would look for a newer one.
 */
function findPlugin(name: string, version: string): RealPlugin | undefined {
  const path = (process.env.PATH ?? "").split(delimiter).find((directory) => hasPlugin(directory, name));
  return path ? { path, version: onPath } : findInstalled(name, version);
}

function findInstalled(name: string, version: string): RealPlugin | undefined {
  const plugins = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");
  if (!existsSync(plugins)) return undefined;
  const prefix = `resource-${name}-v`;
  const byVersion = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });
  const newest = readdirSync(plugins)
    .filter((entry) => entry.startsWith(prefix) && hasPlugin(join(plugins, entry), name))
    .filter((entry) => byVersion(entry, prefix + version) >= 0)
    .sort(byVersion)
    .at(-1);
  return newest === undefined ? undefined : { path: join(plugins, newest), version: newest.slice(prefix.length) };
}

const hasPlugin = (directory: string, name: string) => existsSync(join(directory, `pulumi-resource-${name}`));

/** Installs a plugin with the Pulumi CLI. After a failure the next attempt is on the next day. */
async function installPlugin(pulumi: string, name: string, version: string): Promise<RealPlugin | undefined> {
  const mark = join(cacheDirectory(), `no-plugin-${name}-${version}`);
  if (existsSync(mark) && Date.now() - statSync(mark).mtimeMs < dayMillis) return undefined;
  try {
    // The CLI refuses a directory that has both Pulumi.yaml and PulumiPlugin.yaml, such as the root of this repository.
    const options = { timeout: installTimeoutMillis, killSignal: "SIGKILL", cwd: tmpdir() } as const;
    await promisify(execFile)(pulumi, ["plugin", "install", "resource", name, version], options);
    return findInstalled(name, version);
  } catch (error) {
    // A missing CLI does not show whether the plugin is available.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    mkdirSync(cacheDirectory(), { recursive: true });
    writeFileSync(mark, (error as Error).message);
    return undefined;
  }
}
