// Runs all linters, side by side. With --write it formats the scripts and the programs of the pods instead.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { pythonWithPulumi, requirements } from "./support/languages/python";

const root = path.resolve(__dirname, "..");
const caches = path.join(root, "node_modules/.cache");
const scripts = filesIn("provider", ".sh");
const programs = filesIn("provider", ".py");
/** Typed stand-ins of Flux's bindings. */
const bindings = "tests/support/fluxPython";
const readers = ["agentBench", "demandReader", "fluxModel", "restfulClient", "studyReader"].map(
  (name) => `tests/support/${name}.py`,
);
const models = [...readers, ...filesIn("tests/support/fluxReal", ".py"), ...filesIn("tests/unit", ".py")];
const python = [...programs, ...filesIn(bindings, ".py"), ...models];
const configuration = ["provider/core/flux/scripts/.shellcheckrc", requirements, __filename];

function filesIn(folder: string, ending: string): string[] {
  const found = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return found
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name))
    .sort();
}

const isWhole = (script: string) => fs.readFileSync(path.join(root, script), "utf8").startsWith("#!");

/** Linters of all files, each with a cache of its results. */
const linters = [
  ["tsc", "--build"],
  ["tsc", "--build", "provider/console/page"],
  ["eslint", "--cache", "--cache-location", `${path.join(caches, "eslint")}/`, "."],
  ["prettier", "--cache", "--check", "."],
  ["tsx", "sdk/generator/words.ts"],
];

/** Packages of the programs have no file `__init__.py`. */
const packages = ["--namespace-packages", "--explicit-package-bases"];

/** Checks of the scripts and the programs of the pods. A part of a script is read where the script includes it. */
const checks = [
  ["shfmt", "--indent=2", "--case-indent", "--diff", ...scripts],
  ...scripts.filter(isWhole).map((script) => ["shellcheck", "--check-sourced", "--severity=style", script]),
  ["ruff", "check", ...python],
  ["ruff", "format", "--check", ...python],
  ["vermin", "--target=3.8-", "--violations", "--no-tips", "--quiet", ...programs],
  ["mypy", "--strict", ...packages, "--cache-dir", path.join(caches, "mypy"), ...programs, `${bindings}/flux`],
];

const formatters = [
  ["shfmt", "--indent=2", "--case-indent", "--write", ...scripts],
  ["ruff", "format", ...python],
];

/** The output of a command that fails, and an empty text otherwise. */
async function failure([program = "", ...args]: string[], environment: string): Promise<string> {
  const env = { ...process.env, MYPYPATH: `provider:${bindings}`, RUFF_CACHE_DIR: path.join(caches, "ruff") };
  try {
    await promisify(execFile)(path.join(environment, program), args, { cwd: root, env, maxBuffer: 2 ** 26 });
    return "";
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}` || String(error);
  }
}

/** The output of checks of the pods' files that fail, unless these files have passed before. */
async function podsFailures(): Promise<string[]> {
  const hash = createHash("sha256");
  for (const file of [...scripts, ...python, ...configuration])
    hash.update(file).update(fs.readFileSync(path.resolve(root, file)));
  const digest = hash.digest("hex");
  const passed = path.join(caches, "pods-lint");
  if (fs.existsSync(passed) && fs.readFileSync(passed, "utf8") === digest) return [];
  const failures = await run(checks, path.dirname(await pythonWithPulumi()));
  if (failures.length === 0) {
    fs.mkdirSync(caches, { recursive: true });
    fs.writeFileSync(passed, digest);
  }
  return failures;
}

const run = async (commands: string[][], environment: string): Promise<string[]> =>
  (await Promise.all(commands.map((command) => failure(command, environment)))).filter((text) => text !== "");

async function main(): Promise<void> {
  const failures = process.argv.includes("--write")
    ? await run(formatters, path.dirname(await pythonWithPulumi()))
    : (await Promise.all([run(linters, path.join(root, "node_modules/.bin")), podsFailures()])).flat();
  process.stdout.write(failures.join(""));
  if (failures.length > 0) process.exitCode = 1;
}

void main();
