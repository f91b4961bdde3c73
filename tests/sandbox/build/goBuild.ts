import { execFile, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";

import { buildFlags, type GoModule, moduleDirectory } from "./modules";

const tailLines = 25;

/** Builds a module into `target`, which appears complete or not at all. */
export async function buildModule(module: GoModule, target: string): Promise<void> {
  const unfinished = fs.mkdtempSync(`${target}.building-`);
  try {
    const result = await runGo([...buildFlags(module), "-o", unfinished + path.sep, ...module.packages], module);
    if (result.code !== 0) throw new Error(buildFailure(module, result.output));
    if (module.files) {
      const source = await sourceDirectory(module, module.files.module);
      for (const file of module.files.paths)
        fs.copyFileSync(path.join(source, file), path.join(unfinished, path.basename(file)));
    }
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(unfinished, target);
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Directory with the sources of a module that another module requires. */
export async function sourceDirectory(module: Pick<GoModule, "name" | "folder">, required: string): Promise<string> {
  const { stdout } = await promisify(execFile)("go", ["mod", "download", "-json", required], {
    cwd: moduleDirectory(module),
  });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

async function runGo(args: string[], module: GoModule): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, CGO_ENABLED: module.cgo ? "1" : "0" };
  const go = spawn("go", ["build", ...args], { cwd: moduleDirectory(module), env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const collect = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000));
  go.stdout.on("data", collect);
  go.stderr.on("data", collect);
  return new Promise((resolve, reject) => {
    go.on("close", (code) => resolve({ code, output }));
    go.on("error", (error: NodeJS.ErrnoException) => reject(error.code === "ENOENT" ? new Error(noGo) : error));
  });
}

const noGo =
  "The sandbox builds its Kubernetes API server (and Pulumi, when there is none) from Go modules, and there is no " +
  "`go` " +
  "on PATH. Install Go 1.21 or later, which fetches the version the modules ask for, and run this again.";

function buildFailure(module: GoModule, output: string): string {
  const tail = output.trimEnd().split("\n").slice(-tailLines).join("\n");
  return (
    `go build of the sandbox's "${module.name}" module failed. If the lines below speak of the network, check that ` +
    "the " +
    `Go module proxy can be reached (go env GOPROXY); if of the disk, free some space. Then run this again: finished ` +
    `parts are kept.\n${tail}`
  );
}
