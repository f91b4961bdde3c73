import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { withBuildLock } from "../build/lock";

/** Packages that end up in the bundles. */
const bundled = ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "esbuild"];

/** Plugins that are built together, because their sources belong together. */
export interface PluginSet {
  /** What their directory in the cache is called. */
  label: string;
  versions: Record<string, string>;
  /** The source that a plugin starts with. */
  entryPoint: (name: string) => string;
  /** Puts beside the plugin what it reads at run time. */
  addFiles?: (name: string, directory: string) => void;
}

/**
 * Builds the executables `<name>/pulumi-resource-<name>` of a set, once per state of the sources, and returns the
 * directory that holds them. A bundle in one file starts several times faster than the sources with their packages.
 */
export async function buildPlugins(cache: string, set: PluginSet): Promise<string> {
  const directory = join(cache, `${set.label}-${sourceHash(set)}`);
  if (existsSync(directory)) return directory;
  // Mocha's workers may all request the plugins at once, and one build keeps every processor busy.
  await withBuildLock(
    `${directory}.lock`,
    () => undefined,
    () => buildAll(cache, directory, set),
  );
  return directory;
}

async function buildAll(cache: string, directory: string, set: PluginSet): Promise<void> {
  if (existsSync(directory)) return;
  const unfinished = mkdtempSync(join(cache, `${set.label}-unfinished-`));
  try {
    await Promise.all(Object.keys(set.versions).map((name) => buildPlugin(unfinished, name, set)));
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been first; its result is the same.
    if (!existsSync(directory)) throw error;
  }
}

async function buildPlugin(parent: string, name: string, set: PluginSet): Promise<void> {
  const { versions, entryPoint, addFiles } = set;
  const variables = { MINICLUSTER_PLUGIN_NAME: name, MINICLUSTER_PLUGIN_VERSION: versions[name] };
  const directory = join(parent, name);
  await build({
    entryPoints: [join(__dirname, entryPoint(name))],
    outfile: join(directory, "plugin.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "error",
    minifySyntax: true,
    minifyWhitespace: true,
    define: Object.fromEntries(
      Object.entries(variables).map(([key, value]) => [`process.env.${key}`, JSON.stringify(value)]),
    ),
  });
  const launcher = '#!/bin/sh\nexec node "${0%/*}/plugin.cjs" "$@"\n';
  writeFileSync(join(directory, `pulumi-resource-${name}`), launcher, { mode: 0o755 });
  addFiles?.(name, directory);
}

/** The version of a package that is installed. */
export function installedVersion(name: string): string {
  return (JSON.parse(readFileSync(manifestOf(name), "utf8")) as { version: string }).version;
}

function sourceHash({ versions }: PluginSet): string {
  const hash = createHash("sha256").update(JSON.stringify(versions));
  const entries = readdirSync(__dirname, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /(?<!\.spec)\.ts$/.test(entry.name));
  for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort()) hash.update(readFileSync(file));
  for (const name of bundled) hash.update(readFileSync(manifestOf(name)));
  return hash.digest("hex").slice(0, 16);
}

/** The manifest of an installed package, also of one that does not export it. */
function manifestOf(name: string): string {
  const found = (require.resolve.paths(name) ?? []).map((directory) => join(directory, name, "package.json"));
  const manifest = found.find((path) => existsSync(path));
  if (manifest === undefined) throw new Error(`package ${name} is not installed`);
  return manifest;
}
