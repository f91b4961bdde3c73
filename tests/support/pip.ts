import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { cacheDirectory } from "../sandbox/build/cacheDirectory";

/** Directory with Python packages, which pip installs once, outside the tree, by default without their dependencies. */
export function installedByPip(name: string, packages: string[], { withDependencies = false } = {}): string {
  const target = path.join(cacheDirectory(), name);
  if (fs.existsSync(target)) return target;
  fs.mkdirSync(path.dirname(target), { recursive: true });
  // Installed beside the target and moved there, so that no process finds an incomplete directory.
  const fresh = fs.mkdtempSync(`${target}-`);
  try {
    const options = ["--quiet", ...(withDependencies ? [] : ["--no-deps"]), "--target", fresh];
    execFileSync("python3", ["-m", "pip", "install", ...options, ...packages], { stdio: "pipe" });
    fs.renameSync(fresh, target);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    // Another process may have been first.
    if (fs.existsSync(target)) return target;
    throw new Error(`pip cannot install ${packages.join(" ")}`, { cause: error });
  }
  return target;
}
