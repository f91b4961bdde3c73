import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { LanguageHost } from "./harness";

const root = path.resolve(__dirname, "../../..");

/** A program of the examples in a separate folder, with this package as npm packs and installs it. */
export interface InstalledProgram {
  folder: string;
  host: LanguageHost;
  /** Runs a command of the package or of one that it brings, in the folder. */
  npx: (...args: string[]) => string;
  remove: () => void;
}

/** Packs this package, installs it in an empty folder beside an example's program, and compiles that. */
export function installExample(name: string): InstalledProgram {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-consumer-"));
  const remove = () => fs.rmSync(folder, { recursive: true, maxRetries: 3 });
  process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  const npx = (...args: string[]) => run(folder, "npx", "--no-install", ...args);
  fs.cpSync(path.join(root, "examples", name), folder, { recursive: true });
  fs.cpSync(path.join(__dirname, "typescript"), folder, { recursive: true });
  // The package's own build step is skipped: its result exists, and other tests use it.
  const packed = run(root, "npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", folder).trim();
  const file = path.join(folder, "package.json");
  const description = JSON.parse(fs.readFileSync(file, "utf8")) as { dependencies: Record<string, string> };
  description.dependencies["pulumi-minicluster"] = `file:${packed}`;
  fs.writeFileSync(file, JSON.stringify(description, undefined, 2));
  run(folder, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error");
  // The types of libraries are checked as well: the example's settings leave none out.
  npx("tsc", "--noEmit", "false");
  const driver = { command: [process.execPath, path.join(folder, "driver.mjs")] };
  const host: LanguageHost = { name: "typescript", driver: () => Promise.resolve(driver) };
  return { folder, host, npx, remove };
}

function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`${[command, ...args].join(" ")} ended with status ${status}\n${stdout}${stderr}`);
}
