// Installs the project's packages when a command needs them: after a fresh clone, and after the lockfile has changed.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import * as path from "node:path";

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "..");
const installed = path.join(root, "node_modules/.package-lock.json");
const wanted = path.join(root, "package-lock.json");

// The packages are CommonJS and ES modules, which these versions can load alike.
if (!process.features.require_module) {
  console.error(`minicluster needs Node.js 20.19, 22.12 or newer; this is ${process.version}`);
  process.exit(1);
}
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs) {
  console.log("Installing packages (npm ci) ...");
  const flags = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", flags, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
