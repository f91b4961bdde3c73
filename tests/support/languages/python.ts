import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";

import { withBuildLock } from "../../sandbox/build/lock";
import { cacheDirectory } from "../../sandbox/build/cacheDirectory";
import type { LanguageHost } from "./harness";

const sdk = path.resolve(__dirname, "../../../sdk/python");
/** The packages of the virtual environment, each with its version. */
export const requirements = path.join(__dirname, "python/requirements.txt");
const install = "install Python 3.10 or newer, with its modules venv and pip (on Debian and Ubuntu: python3-venv)";
const reach = "check that pip can reach a package index, and run this again";
/** The oldest that the pinned Pulumi SDK runs with. */
const oldest = { major: 3, minor: 10 };

/** Programs in Python, with Pulumi's published SDKs and the generated one of this package. */
export const python: LanguageHost = {
  name: "python",
  driver: async () => {
    const interpreter = await pythonWithPulumi();
    return {
      command: [interpreter, path.join(__dirname, "python/driver.py")],
      environment: {
        PYTHONPATH: await installedSdk(interpreter),
        // Nothing compiled may land in the tree.
        PYTHONDONTWRITEBYTECODE: "1",
      },
    };
  },
};

/** The interpreter of a virtual environment that has Pulumi's published SDKs; made once, outside the tree. */
export async function pythonWithPulumi(python3 = "python3", cache = cacheDirectory()): Promise<string> {
  const version = await pythonVersion(python3);
  const key = createHash("sha256").update(version).update(fs.readFileSync(requirements)).digest("hex");
  const directory = path.join(cache, `python-${key.slice(0, 16)}`);
  const python = path.join(directory, "bin/python");
  // A virtual environment contains its own path, so it cannot be built elsewhere and moved: a mark that is written
  // last shows that it is complete. The interpreter is a link, which is broken once its Python has been removed.
  const mark = path.join(directory, "complete");
  const isComplete = () => fs.existsSync(mark) && fs.existsSync(python);
  if (isComplete()) return python;
  await withBuildLock(`${directory}.lock`, report, async () => {
    if (isComplete()) return;
    report("installing Pulumi's SDK for Python, once");
    fs.rmSync(directory, { recursive: true, force: true });
    await runPython(python3, ["-m", "venv", directory], install);
    await runPython(python, [...pip, "--requirement", requirements], reach);
    fs.writeFileSync(mark, "");
  });
  return python;
}

/** A directory with the SDK as pip installs it, once for each state: it reads its version from the installation. */
async function installedSdk(python: string): Promise<string> {
  const directory = path.join(cacheDirectory(), `python-sdk-${sdkHash()}`);
  if (fs.existsSync(directory)) return directory;
  fs.mkdirSync(cacheDirectory(), { recursive: true });
  const unfinished = fs.mkdtempSync(`${directory}.building-`);
  try {
    // Of a copy, because a build leaves files where the sources are.
    const copy = path.join(unfinished, "source");
    fs.cpSync(sdk, copy, { recursive: true, filter: (file) => !isLeftOver(path.relative(sdk, file)) });
    const target = path.join(unfinished, "installed");
    const flags = ["--no-deps", "--no-build-isolation", "--no-compile", "--target", target];
    await runPython(python, [...pip, ...flags, copy], "sdk/python is no package that pip can install");
    // If another process was first, its result is equivalent.
    if (!fs.existsSync(directory)) fs.renameSync(target, directory);
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
  return directory;
}

function sdkHash(): string {
  const hash = createHash("sha256").update(fs.readFileSync(requirements));
  const files = fs.readdirSync(sdk, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) => path.relative(sdk, path.join(entry.parentPath, entry.name)));
  for (const name of names.filter((name) => !isLeftOver(name)).sort())
    hash.update(name).update(fs.readFileSync(path.join(sdk, name)));
  return hash.digest("hex").slice(0, 16);
}

/** Files that building and running a Python package leaves beside its sources. */
const isLeftOver = (file: string) => /^(build|dist)(\/|$)|\.egg-info(\/|$)|(^|\/)__pycache__(\/|$)/.test(file);

async function pythonVersion(python3: string): Promise<string> {
  const version = (
    await runPython(python3, ["-c", "import platform; print(platform.python_version())"], install)
  ).trim();
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
    throw new Error(`${python3} is Python ${version}, too old for Pulumi's SDK: ${install}`);
  return version;
}

const pip = ["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"];

async function runPython(python: string, args: string[], advice: string): Promise<string> {
  try {
    return (await promisify(execFile)(python, args, { maxBuffer: 1 << 24 })).stdout;
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === "ENOENT")
      throw new Error(`Programs in Python need ${python}, which is not on PATH: ${install}`, { cause: error });
    throw new Error(`${python} ${args.join(" ")} failed: ${advice}\n${stdout}${stderr}`, { cause: error });
  }
}

const report = (line: string) => process.stderr.write(`python: ${line}\n`);
