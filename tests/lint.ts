// Checks the scripts and the programs of the pods, which are files. With --write it formats them instead.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { pythonWithPulumi, requirements } from "./support/languages/python";

const root = path.resolve(__dirname, "..");
const caches = path.join(root, "node_modules/.cache");
const scripts = filesIn("provider/brokers/flux/scripts", ".sh");
const programs = [...filesIn("provider/brokers/flux/programs", ".py"), "provider/study/flux/study.py"];
/** Typed stand-ins of Flux's bindings. */
const bindings = "tests/support/fluxPython";
const readers = ["agentLooks", "demandReader", "fluxModel", "restfulClient", "studyReader"].map(
  (name) => `tests/support/${name}.py`,
);
const models = [...readers, ...filesIn("tests/support/fluxReal", ".py")];
const python = [...programs, ...filesIn(bindings, ".py"), ...models];
const configuration = ["provider/brokers/flux/scripts/.shellcheckrc", requirements, __filename];

function filesIn(folder: string, ending: string): string[] {
  const found = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return found
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name))
    .sort();
}

const isWhole = (script: string) => fs.readFileSync(path.join(root, script), "utf8").startsWith("#!");

/** The checks. A part of a script is read where the script includes it. */
const checks = [
  ["shfmt", "--indent=2", "--case-indent", "--diff", ...scripts],
  ...scripts.filter(isWhole).map((script) => ["shellcheck", "--check-sourced", "--severity=style", script]),
  ["ruff", "check", ...python],
  ["ruff", "format", "--check", ...python],
  ["mypy", "--strict", "--cache-dir", path.join(caches, "mypy"), ...programs, `${bindings}/flux`],
];

const formatters = [
  ["shfmt", "--indent=2", "--case-indent", "--write", ...scripts],
  ["ruff", "format", ...python],
];

/** What a command prints where it fails. */
async function failure([program = "", ...args]: string[], environment: string): Promise<string> {
  const env = { ...process.env, MYPYPATH: bindings, RUFF_CACHE_DIR: path.join(caches, "ruff") };
  try {
    await promisify(execFile)(path.join(environment, program), args, { cwd: root, env });
    return "";
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  }
}

async function main(): Promise<void> {
  const isWriting = process.argv.includes("--write");
  const hash = createHash("sha256");
  for (const file of [...scripts, ...python, ...configuration])
    hash.update(file).update(fs.readFileSync(path.resolve(root, file)));
  const digest = hash.digest("hex");
  const passed = path.join(caches, "pods-lint");
  if (!isWriting && fs.existsSync(passed) && fs.readFileSync(passed, "utf8") === digest) return;
  const environment = path.dirname(await pythonWithPulumi());
  const failures = await Promise.all((isWriting ? formatters : checks).map((command) => failure(command, environment)));
  process.stdout.write(failures.join(""));
  if (failures.some((text) => text !== "")) process.exitCode = 1;
  else if (!isWriting) {
    fs.mkdirSync(caches, { recursive: true });
    fs.writeFileSync(passed, digest);
  }
}

void main();
