import { execFile, execFileSync } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import { agentProgram } from "../../provider/autoscale/objects";
import { consoleProgram } from "../../provider/console/objects";
import { leadProgram } from "../../provider/minicluster/register/leadProgram";

/** Folder of the Python packages of the pods' programs: `core.programs.signing` is a module below it. */
export const pythonSources = path.resolve(__dirname, "../../provider");

/** Folder of the typed stand-in of Flux's bindings. */
export const fluxBindings = path.join(__dirname, "fluxPython");

/** The environment in which Python finds the modules of the programs, and the stand-in of Flux's bindings. */
export const withModules = {
  ...process.env,
  PYTHONPATH: `${pythonSources}:${fluxBindings}`,
  PYTHONDONTWRITEBYTECODE: "1",
};

/** What a program in this folder prints, as JSON. */
export async function printed<T>(file: string, args: (string | number)[] = [], input = ""): Promise<T> {
  const words = [path.join(__dirname, file), ...args.map(String)];
  const run = promisify(execFile)("python3", words, { env: withModules, maxBuffer: 2 ** 26 });
  run.child.stdin?.end(input);
  return JSON.parse((await run).stdout) as T;
}

/** What a Python text prints that imports modules of the programs. */
export const printedBy = (text: string, args: string[] = []): string =>
  execFileSync("python3", ["-c", text, ...args], { env: withModules, encoding: "utf8" }).trim();

/** The programs of the pods by their names. */
export const programs = { agent: agentProgram, console: consoleProgram, lead: leadProgram };
