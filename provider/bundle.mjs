// Builds the executable of the plugin: one file with all its code, so that it starts at once and needs no node_modules.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildPage, pageFile } from "./console/page/build.mjs";

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

/** Texts below `provider` that `sourceText` and `builtText` read, by their paths there: the scripts and programs of the pods, and their data. */
function sourceTexts() {
  const provider = path.join(root, "provider");
  const names = readdirSync(provider, { recursive: true, encoding: "utf8" });
  const sources = names
    .filter((name) => /^\w+[/\\]((programs|flux)[/\\].+\.(py|json|sh)|contract\.json)$/.test(name))
    .sort();
  const texts = sources.map((name) => [name.replaceAll("\\", "/"), readFileSync(path.join(provider, name), "utf8")]);
  for (const [name, text] of texts) {
    const copy = path.join(bin, "provider", name);
    mkdirSync(path.dirname(copy), { recursive: true });
    writeFileSync(copy, text);
  }
  return { ...Object.fromEntries(texts), [pageFile]: readFileSync(path.join(bin, "provider", pageFile), "utf8") };
}

/** Adds these texts to the executable, and copies their files to the paths at which the npm package reads them. */
const withSources = {
  name: "with-sources",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]provider[/\\]shared[/\\]sources\.ts$/ }, () => ({
      contents: `const texts = ${JSON.stringify(sourceTexts())};
        export const sourceText = (name) => texts[name];
        export const builtText = sourceText;`,
      loader: "js",
    }));
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

/** Deletes the compiled and copied files of sources that have been moved or deleted: an import could find them. */
function deleteStale() {
  const compiled = path.join(bin, "provider");
  const files = readdirSync(compiled, { recursive: true, encoding: "utf8" });
  // Files precede their folders, which may then be empty.
  for (const file of files.sort().reverse()) {
    const source = path.join(root, "provider", file.replace(/(\.d\.ts|\.js)$/, ".ts"));
    if (file !== path.normalize(pageFile) && !existsSync(source))
      rmSync(path.join(compiled, file), { recursive: true });
  }
}

mkdirSync(bin, { recursive: true });
deleteStale();
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
  plugins: [withoutUnused, withSources],
});
chmodSync(path.join(bin, "pulumi-resource-minicluster"), 0o755);
writeFileSync(path.join(bin, "THIRD-PARTY-LICENCES.txt"), licences([...Object.keys(metafile.inputs), ...page]));
