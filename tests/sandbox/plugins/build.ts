import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Packages that end up in the bundles. */
const bundled = ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "jsonpath-rfc9535", "yaml", "esbuild"];

/**
 * Makes the stand-in executables `<directory>/<name>/pulumi-resource-<name>`, once for each state of the sources, and
 * returns the directory. A bundle in one file starts several times faster than the sources with their packages.
 */
export async function buildStandIns(cache: string, versions: Record<string, string>): Promise<string> {
  const directory = join(cache, `plugins-${sourceHash(versions)}`);
  if (existsSync(directory)) return directory;
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, "plugins-unfinished-"));
  try {
    await Promise.all(Object.entries(versions).map(([name, version]) => buildStandIn(unfinished, name, version)));
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been first; its result is the same.
    if (!existsSync(directory)) throw error;
  }
  return directory;
}

async function buildStandIn(parent: string, name: string, version: string): Promise<void> {
  const directory = join(parent, name);
  await build({
    entryPoints: [join(__dirname, name, "main.ts")],
    outfile: join(directory, "plugin.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "error",
    minifySyntax: true,
    minifyWhitespace: true,
    define: { "process.env.MINICLUSTER_PLUGIN_VERSION": JSON.stringify(version) },
  });
  const launcher = '#!/bin/sh\nexec node "${0%/*}/plugin.cjs" "$@"\n';
  writeFileSync(join(directory, `pulumi-resource-${name}`), launcher, { mode: 0o755 });
}

function sourceHash(versions: Record<string, string>): string {
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
