import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { engineEnvironment, engineSetup } from "../support/engineSetup";
import { leftIn } from "../support/clusters";
import { writeLauncher } from "../support/launcher";
import { sharedCluster } from "../support/sandboxHooks";

const root = path.resolve(__dirname, "../..");

/** A copy of the parts of the checkout that a program sees, so that a stack's settings do not land in the tree. */
function checkout(): string {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-checkout-"));
  for (const name of ["Pulumi.yaml", "package.json", "tsconfig.json", "examples"])
    fs.cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  for (const name of ["node_modules", "bin", "sdk"]) fs.symlinkSync(path.join(root, name), path.join(copy, name));
  return copy;
}

/** A directory with the language host as an executable. */
function languageHost(directory: string): string {
  const host = path.join(directory, "language-host");
  fs.mkdirSync(host);
  const command = [
    process.execPath,
    "--require",
    require.resolve("tsx/cjs"),
    path.join(root, "tests/support/languageHost.ts"),
  ];
  writeLauncher(host, "pulumi-language-nodejs", command);
  return host;
}

describe("A plain pulumi up", () => {
  it("at the root of a checkout runs the LAMMPS example", async () => {
    const { kubeconfigPath, newNamespace, kube } = sharedCluster();
    const namespace = await newNamespace();
    const directory = checkout();
    const { pulumi, plugins } = await engineSetup();
    const environment = engineEnvironment(directory, kubeconfigPath);
    const directories = [languageHost(directory), ...plugins.map((plugin) => plugin.path), environment["PATH"]];
    const env = {
      ...environment,
      PATH: directories.join(path.delimiter),
      PULUMI_HOME: path.join(directory, "home"),
      PULUMI_BACKEND_URL: `file://${directory}`,
    };
    const run = (...args: string[]) =>
      execFileSync(pulumi.path, [...args, "--non-interactive"], {
        cwd: directory,
        env,
        encoding: "utf8",
        stdio: "pipe",
      });
    run("stack", "init", "dev");
    run("config", "set", "namespace", namespace);
    try {
      run("up", "--yes", "--skip-preview");
      assert.equal((await kube.podsOfJob(namespace, "lammps")).filter(({ ready }) => ready).length, 4);
      assert.match(run("stack", "output", "logs"), /kubectl logs/);

      run("config", "set", "size", "9");
      const refused =
        /MiniCluster lammps: invalid arguments, nothing was created\n +size: size 9 is above maxSize 8;[^\n]*\n\s*\n/;
      assert.throws(
        () => run("preview"),
        (error: { stdout: string }) => refused.test(error.stdout),
      );
    } finally {
      run("destroy", "--yes", "--skip-preview");
      assert.deepEqual(await leftIn(namespace), []);
      fs.rmSync(directory, { recursive: true });
    }
  });
});
