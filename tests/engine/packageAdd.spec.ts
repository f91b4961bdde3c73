import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { parse, stringify } from "yaml";
import packageSchema from "../../sdk/schema.json";
import { commandLine } from "../support/checkout";
import { leftIn } from "../support/clusters";
import { engineSetup, pluginSettings } from "../support/engineSetup";
import { writeLauncher } from "../support/plugin";
import { waitFor } from "../sandbox/waiting";
import { sharedCluster } from "../support/sandboxHooks";

const root = path.resolve(__dirname, "../..");

// What an SDK in any language does, in few words.
const program = `
const pulumi = require("@pulumi/pulumi");
const namespace = new pulumi.Config().require("namespace");
const containers = [{ image: "ubuntu:noble", command: "echo hello" }];
const args = { hostlist: undefined, namespace, containers, size: 2 };
const cluster = new pulumi.ComponentResource("minicluster:index:MiniCluster", "demo", args, {}, true);
exports.hostlist = cluster.hostlist;
`;

describe("A checkout as a package (pulumi package add PATH)", () => {
  let directory: string;
  let checkout: string;
  let user: string;
  let served: typeof packageSchema;

  before(async () => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-package-"));
    checkout = path.join(directory, "checkout");
    user = path.join(directory, "user");
    // Nothing compiled is in it: that is what the installation of the plugin has to see to.
    const names = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
    const files = names.toString().trim().split("\n");
    for (const file of files.filter((name) => /^(provider|sdk\/schema|[^/]*$)/.test(name)))
      fs.cpSync(path.join(root, file), path.join(checkout, file));
    fs.mkdirSync(user);
    for (const place of [checkout, user])
      fs.symlinkSync(path.join(root, "node_modules"), path.join(place, "node_modules"));
    const pulumi = await userCommandLine(kubernetesTypes());
    served = JSON.parse(pulumi("package", "get-schema", checkout)) as typeof packageSchema;
  });

  after(() => fs.rmSync(directory, { recursive: true }));

  it("is compiled and served as PulumiPlugin.yaml says, from any folder", () => {
    assert.deepEqual(Object.keys(served.resources).sort(), Object.keys(packageSchema.resources).sort());
    assert.equal(served.version, packageSchema.version);
    assert.deepEqual(
      served.resources["minicluster:index:MiniCluster"].requiredInputs,
      packageSchema.resources["minicluster:index:MiniCluster"].requiredInputs,
    );
    return waitFor("no process of the checkout", () => processesWith(checkout).length === 0);
  });

  it("is served by its executable alone, which needs no language host", async () => {
    const alone = path.join(directory, "alone");
    fs.mkdirSync(alone);
    fs.cpSync(path.join(checkout, "bin/pulumi-resource-minicluster"), path.join(alone, "pulumi-resource-minicluster"));
    const pulumi = await userCommandLine(kubernetesTypes());
    const told = pulumi("package", "get-schema", path.join(alone, "pulumi-resource-minicluster"));
    assert.deepEqual(JSON.parse(told), served);
    await waitFor("no process of the executable", () => processesWith(alone).length === 0);
  });

  it("makes a cluster for a project that names its path", async () => {
    const namespace = await sharedCluster().newNamespace();
    const pulumi = await userCommandLine();
    const plugins = pluginSettings(await engineSetup(), { minicluster: checkout });
    fs.writeFileSync(path.join(user, "Pulumi.yaml"), stringify({ name: "user", runtime: "nodejs", plugins }));
    fs.writeFileSync(path.join(user, "index.js"), program);
    pulumi("stack", "init", "dev");
    pulumi("config", "set", "namespace", namespace);
    try {
      pulumi("up", "--yes", "--skip-preview");
      assert.equal(parse(pulumi("stack", "output", "hostlist")), "demo-[0-1]");
    } finally {
      pulumi("destroy", "--yes", "--skip-preview");
    }
    assert.deepEqual(await leftIn(namespace), []);
    await waitFor("no process of the checkout", () => processesWith(checkout).length === 0);
  });

  /** A directory with a Kubernetes provider that has the types that the package refers to, and nothing else. */
  function kubernetesTypes(): string {
    const types = JSON.stringify(path.join(root, "sdk/generator/kubernetes.json"));
    const serve = [
      `const schema = fs.readFileSync(${types}, "utf8");`,
      `require("@pulumi/pulumi/provider").main({ version: JSON.parse(schema).version, schema }, ` +
        "process.argv.slice(2));",
    ];
    fs.writeFileSync(path.join(user, "kubernetes.js"), `const fs = require("fs");\n${serve.join("\n")}\n`);
    const command = [process.execPath, path.join(user, "kubernetes.js")];
    writeLauncher(user, "pulumi-resource-kubernetes", command);
    return user;
  }

  /** The Pulumi command line in the user's folder. */
  async function userCommandLine(...executables: string[]) {
    const { pulumi } = await engineSetup();
    return commandLine(pulumi.path, {
      directory,
      cwd: user,
      kubeconfigPath: sharedCluster().kubeconfigPath,
      executables,
    });
  }
});

/** The command lines of running processes that name a path. */
function processesWith(name: string): string[] {
  const numbers = fs.readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return numbers.map(commandOf).filter((command) => command.includes(name));
}

function commandOf(number: string): string {
  try {
    return fs.readFileSync(path.join("/proc", number, "cmdline"), "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
