// Builds the executable of the plugin: one file with all its code, so that it starts at once and needs no node_modules.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildPage } from "./brokers/flux/page/build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = path.join(root, "bin");

/**
 * Parts of packages that are loaded at start, but not used by the plugin. Loading them would take most of the start-up
 * time:
 * - in the Pulumi SDK, the serialization of functions, with TypeScript and npm's reader of package trees, and the
 *   Automation API;
 * - the SDK's reader of source maps, which would inspect each stack trace. The SDK creates a trace for every promise,
 *   which takes a fifth of the time of a stack of 100 clusters, and the file has no source map;
 * - the messages of zod in fifty languages.
 */
const unused = [
  { filter: /\/closure\/(serializeClosure|codePaths)$/ },
  { filter: /^\.\/automation$/, importer: path.join("@pulumi", "pulumi", "index.js") },
  { filter: /^source-map-support$/, importer: path.join("@pulumi", "pulumi", "provider", "server.js") },
  { filter: /\/locales\/index\.js$/ },
];

const withoutUnused = {
  name: "without-unused",
  setup({ onResolve, onLoad }) {
    for (const { filter, importer = "" } of unused) {
      onResolve({ filter }, (found) =>
        found.importer.endsWith(importer) ? { path: found.path, namespace: "unused" } : undefined,
      );
    }
    onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "module.exports = { install() {} };" }));
  },
};

/** Calls of `textFile`, which reads a file beside a module. */
const textFiles = /textFile\(__dirname, "([^"]+)"\)/g;

/** Adds each text to the executable, and copies its file to the path at which the npm package reads it. */
const withTexts = {
  name: "with-texts",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]provider[/\\].*\.ts$/ }, ({ path: file }) => {
      const folder = path.dirname(file);
      const copies = path.join(bin, path.relative(root, folder));
      const contents = readFileSync(file, "utf8").replace(textFiles, (_, name) => {
        mkdirSync(copies, { recursive: true });
        copyFileSync(path.join(folder, name), path.join(copies, name));
        return JSON.stringify(readFileSync(path.join(folder, name), "utf8"));
      });
      return { contents, loader: "ts" };
    });
  },
};

/** The licences of the packages in the executable and in the web page, without duplicates. */
function licences(inputs) {
  const users = new Map();
  const directories = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  for (const directory of [...new Set(directories)].sort()) {
    const folder = path.join(root, directory);
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    const entries = readdirSync(folder, { withFileTypes: true });
    const files = entries.filter(
      (entry) => entry.isFile() && /^(licen[cs]e|unlicense|notice|copying)/i.test(entry.name),
    );
    const texts = files.map((file) => readFileSync(path.join(folder, file.name), "utf8").trim());
    for (const text of texts.length > 0 ? texts : [`Licence: ${license}`])
      users.set(text, [...(users.get(text) ?? []), `${name} ${version}`]);
  }
  return [...users].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`).join(`\n${"-".repeat(80)}\n\n`);
}

mkdirSync(bin, { recursive: true });
const page = await buildPage(root);
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["provider/server.ts"],
  outfile: path.join(bin, "pulumi-resource-minicluster"),
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  tsconfig: "provider/tsconfig.json",
  banner: { js: "#!/usr/bin/env node" },
  // Names stay readable in stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  metafile: true,
  plugins: [withoutUnused, withTexts],
});
chmodSync(path.join(bin, "pulumi-resource-minicluster"), 0o755);
writeFileSync(path.join(bin, "THIRD-PARTY-LICENCES.txt"), licences([...Object.keys(metafile.inputs), ...page]));
