// Builds the web page of an instance: one file, which sends requests to its own server only.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The page below the folder of built files, where `builtText` looks for it. */
export const pageFile = "console/programs/page.html";

/** The source of a content security policy that allows this script or this style, and no other. */
const allowed = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Writes the page to the folder of built files. Returns its source files. */
export async function buildPage(root) {
  const bundle = (files, options = {}) =>
    build({
      absWorkingDir: root,
      entryPoints: files.map((file) => path.join(here, file)),
      outdir: "page",
      bundle: true,
      minify: true,
      target: "es2022",
      format: "iife",
      tsconfig: path.join(here, "tsconfig.json"),
      legalComments: "none",
      metafile: true,
      write: false,
      ...options,
    });
  const simulator = await bundle(["simulator.ts"]);
  const define = { SIMULATOR: JSON.stringify(simulator.outputFiles[0].text.trim()) };
  const { outputFiles, metafile } = await bundle(["main.tsx", "page.css"], { define });
  const textOf = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
  // The text must not contain the end tag of its own element.
  const script = textOf(".js").replaceAll("</script", "<\\/script");
  const style = textOf(".css");
  const policy = [
    "default-src 'none'",
    `script-src ${allowed(script)}`,
    `style-src ${allowed(style)}`,
    // The simulation of the queue, which is a part of the script.
    "worker-src blob:",
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const parts = { POLICY: policy.join("; "), STYLE: style, SCRIPT: script };
  const template = readFileSync(path.join(here, "page.html"), "utf8");
  const html = template.replace(/\b(POLICY|STYLE|SCRIPT)\b/g, (_, part) => parts[part]);
  const target = path.join(root, "bin/provider", pageFile);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, html);
  return [...new Set([metafile, simulator.metafile].flatMap(({ inputs }) => Object.keys(inputs)))];
}
