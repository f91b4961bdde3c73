import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";

import { withBuildLock } from "../../sandbox/build/lock";
import { cacheDirectory } from "../../sandbox/build/cacheDirectory";
import type { LanguageHost } from "./harness";

const here = path.join(__dirname, "go");

const executables = new Map<string, Promise<string>>();
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-go-"));
process.once("exit", () => fs.rmSync(directory, { recursive: true, force: true }));

/** Programs in Go, with Pulumi's published SDKs and the generated one of this package. */
export const go: LanguageHost = {
  name: "go",
  driver: async (program) => {
    const executable = executables.get(program) ?? build(program);
    executables.set(program, executable);
    return { command: [await executable] };
  },
};

/** Builds the package main of a folder with the driver in it. */
async function build(folder: string): Promise<string> {
  const name = path.basename(folder);
  // Go does not link again while the last result is current, so that one is kept for all runs. Another checkout may
  // replace it at any time, so each run has a copy.
  const kept = path.join(cacheDirectory(), "go-programs", name);
  const executable = path.join(directory, name);
  await withBuildLock(`${kept}.lock`, report, async () => {
    const flags = ["-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", kept];
    await runGo(folder, ["build", ...flags, ...withDriver(folder), "."]);
    fs.copyFileSync(kept, executable);
  });
  return executable;
}

/** The flags that add a file to the package main of an example, and leave the example itself as it is. */
function withDriver(folder: string): string[] {
  const overlay = path.join(directory, `${path.basename(folder)}.json`);
  const Replace = { [path.join(folder, "driver.go")]: path.join(here, "driver.go") };
  fs.writeFileSync(overlay, JSON.stringify({ Replace }));
  return ["-tags", "driver", "-overlay", overlay];
}

/**
 * Programs of pages, in one executable: each is a file of one package, for which the compiler reads the SDKs once.
 * The name of a folder is the index of its program. Rejects with the compiler's errors.
 */
export async function pagesInGo(programs: string[], folder = "pages"): Promise<LanguageHost> {
  const sources = programs.map((text, index) => [`${folder}/program${index}.go`, asFunction(text, index)] as const);
  const files = [...sources, [`${folder}/main.go`, mainOf(programs.length)] as const].map(([name, text]) => {
    const source = path.join(directory, name);
    fs.mkdirSync(path.dirname(source), { recursive: true });
    fs.writeFileSync(source, text);
    return [path.join(here, name), source];
  });
  const overlay = path.join(directory, `${folder}.json`);
  fs.writeFileSync(overlay, JSON.stringify({ Replace: Object.fromEntries(files) as Record<string, string> }));
  const executable = path.join(directory, `${folder}-driver`);
  const flags = ["-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-overlay", overlay];
  await runGo(here, ["build", ...flags, "-o", executable, `./${folder}`]);
  return { name: "go", driver: () => Promise.resolve({ command: [executable] }) };
}

/** A program as a function, instead of a main that connects to an engine. */
const asFunction = (text: string, index: number) =>
  text
    .replace(
      "func main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {",
      `func run${index}(ctx *pulumi.Context) error {`,
    )
    .replace(/\n\t\}\)\n\}\n$/, "\n}\n");

function mainOf(count: number): string {
  const functions = Array.from({ length: count }, (_, index) => `	"${index}": run${index},`);
  return `package main

import (
	"minicluster-tests/drive"
	"path"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

var programs = map[string]pulumi.RunFunc{
${functions.join("\n")}
}

func main() {
	drive.Main(func(folder string) pulumi.RunFunc { return programs[path.Base(folder)] })
}
`;
}

/** Runs the go command, by default in the workspace of the tests, which has what only the tests import. */
export async function runGo(folder: string, args: string[], { workspace = true } = {}) {
  const GOWORK = workspace ? path.join(here, "go.work") : "off";
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK };
  try {
    const { stdout, stderr } = await promisify(execFile)("go", args, { cwd: folder, env, maxBuffer: 1 << 24 });
    return stdout + stderr;
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === "ENOENT") throw new Error(noGo, { cause: error });
    throw new Error(`go ${args[0]} failed in ${folder}\n${stdout}${stderr}`, { cause: error });
  }
}

const noGo =
  "Programs in Go need the command go, which is not on PATH: install Go 1.21 or later, which fetches the version " +
  "that the " +
  "modules ask for";

const report = (line: string) => process.stderr.write(`go: ${line}\n`);
