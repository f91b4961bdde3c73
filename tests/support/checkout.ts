import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { leftIn } from "./clusters";
import { engineEnvironment, engineSetup } from "./engineSetup";
import { writeLauncher } from "./plugin";
import { sharedCluster } from "./sandboxHooks";
import assert from "node:assert/strict";

const root = path.resolve(__dirname, "../..");

/** A directory with a program and a stack of it, as a person at a shell has them. */
export interface Checkout {
  namespace: string;
  /** Runs the Pulumi command line, and gives its output; throws an error with the output when it fails. */
  pulumi: (...args: string[]) => string;
}

/** Runs a test at the shell, in a copy of this checkout, and sees to it that destroy leaves nothing. */
export async function withCheckout(
  body: (checkout: Checkout) => Promise<void> | void,
  /** The default program; where none is given, that of the checkout. */
  program?: string,
): Promise<void> {
  const { kubeconfigPath, newNamespace } = sharedCluster();
  const namespace = await newNamespace();
  const directory = copyCheckout();
  if (program !== undefined) fs.writeFileSync(path.join(directory, "examples/lammps/index.ts"), program);
  const setup = await engineSetup();
  const executables = setup.plugins.map((plugin) => plugin.path);
  const pulumi = commandLine(setup.pulumi.path, { directory, cwd: directory, kubeconfigPath, executables });
  pulumi("stack", "init", "dev");
  pulumi("config", "set", "namespace", namespace);
  try {
    await body({ namespace, pulumi });
  } finally {
    pulumi("destroy", "--yes", "--skip-preview");
    assert.deepEqual(await leftIn(namespace), []);
    fs.rmSync(directory, { recursive: true });
  }
}

/** Where a Pulumi command line runs, and with what. */
interface CommandLineOptions {
  /** Holds its state, its home and the language host. */
  directory: string;
  /** The folder of the project. */
  cwd: string;
  kubeconfigPath: string;
  /** Directories of further executables that it finds on PATH. */
  executables: string[];
}

/** The Pulumi command line, with a language host for programs and plugins in Node.js. */
export function commandLine(executable: string, { directory, cwd, kubeconfigPath, executables }: CommandLineOptions) {
  const environment = engineEnvironment(directory, kubeconfigPath);
  const env = {
    ...environment,
    PATH: [languageHost(directory), ...executables, environment["PATH"]].join(path.delimiter),
    PULUMI_HOME: path.join(directory, "home"),
  };
  return (...args: string[]) =>
    execFileSync(executable, [...args, "--non-interactive"], {
      cwd,
      env,
      encoding: "utf8",
      stdio: "pipe",
      // A schema is long.
      maxBuffer: 2 ** 24,
    });
}

/** A copy of the parts of the checkout that a program sees, so that a stack's settings do not land in the tree. */
function copyCheckout(): string {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-checkout-"));
  for (const name of ["Pulumi.yaml", "package.json", "tsconfig.json", "examples"])
    fs.cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  for (const name of ["node_modules", "bin", "sdk"]) fs.symlinkSync(path.join(root, name), path.join(copy, name));
  return copy;
}

/** Makes a directory with the language host as an executable. */
function languageHost(directory: string): string {
  const host = path.join(directory, "language-host");
  fs.mkdirSync(host, { recursive: true });
  const command = [
    process.execPath,
    "--require",
    require.resolve("tsx/cjs"),
    path.join(root, "tests/support/languageHost.ts"),
  ];
  writeLauncher(host, "pulumi-language-nodejs", command);
  return host;
}
