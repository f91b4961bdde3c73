import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";

import { findOnPath, withProgress } from "./binaries";
import { cacheDirectory } from "./cacheDirectory";

const run = promisify(execFile);

// An npm package whose archive holds Chromium's headless shell for Linux on x86-64.
const chromiumPackage = { name: "@sparticuz/chromium", version: "153.0.0" };
const namesOnPath = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const installed = () => path.join(cacheDirectory(), `chromium-${chromiumPackage.version}`, "chromium");

/** Path of a Chromium: the one on PATH, or the one that `prepareBrowser` has installed; undefined without either. */
export function findBrowser(): string | undefined {
  const found = namesOnPath.map(findOnPath).find((file) => file !== undefined);
  return found ?? (fs.existsSync(installed()) ? installed() : undefined);
}

/** Installs a Chromium outside the tree, if none is found and one is available. */
export async function prepareBrowser(): Promise<void> {
  if (findBrowser() !== undefined || process.platform !== "linux" || process.arch !== "x64") return;
  const target = path.dirname(installed());
  const unfinished = fs.mkdtempSync(`${target}.installing-`);
  try {
    await withProgress("installing a Chromium for the tests of the site", () => install(unfinished));
    fs.renameSync(unfinished, target);
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

async function install(directory: string): Promise<void> {
  const { name, version } = chromiumPackage;
  const { stdout } = await run("npm", ["pack", "--silent", `${name}@${version}`], { cwd: directory });
  const archive = path.join(directory, stdout.trim());
  await run("tar", ["-xzf", archive, "-C", directory, "package/bin/chromium.br", "package/LICENSE"]);
  const compressed = path.join(directory, "package/bin/chromium.br");
  const executable = fs.createWriteStream(path.join(directory, "chromium"), { mode: 0o755 });
  await pipeline(fs.createReadStream(compressed), createBrotliDecompress(), executable);
  fs.rmSync(archive);
  fs.rmSync(compressed);
}
