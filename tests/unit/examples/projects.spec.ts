import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";
import packageJson from "../../../package.json";

const root = path.resolve(__dirname, "../../..");
const examples = path.join(root, "examples");

/** What the project file of an example says. */
interface Project {
  name: string;
  runtime: unknown;
  config?: Record<string, object>;
  plugins?: { providers: { name: string; path: string }[] };
}

describe("The examples in TypeScript", () => {
  const sdks = { EksNodePool: "@pulumi/aws", GkeNodePool: "@pulumi/gcp", AksNodePool: "@pulumi/azure-native" } as const;

  for (const folder of fs.readdirSync(examples).filter((name) => fs.existsSync(path.join(examples, name, "index.ts"))))
    it(`install what they import, and the SDK of the cloud of their pools: ${folder}`, () => {
      const program = fs.readFileSync(path.join(examples, folder, "index.ts"), "utf8");
      const imported = [...program.matchAll(/from "((?:@[^/"]+\/)?[^/:"]+)["/]/g)].map(([, name]) => name);
      const pools = Object.entries(sdks).filter(([pool]) => program.includes(`new ${pool}(`));
      const description = fs.readFileSync(path.join(examples, folder, "package.json"), "utf8");
      const { dependencies } = JSON.parse(description) as { dependencies: Record<string, string> };
      const needed = new Set([...imported, ...pools.map(([, sdk]) => sdk), "@pulumi/pulumi"]);
      assert.deepEqual(Object.keys(dependencies).sort(), [...needed].sort());
      for (const [, sdk] of pools) assert.equal(dependencies[sdk], packageJson.peerDependencies[sdk]);
    });
});

describe("The READMEs of the examples", () => {
  const folders = fs.readdirSync(examples).filter((name) => fs.existsSync(path.join(examples, name, "Pulumi.yaml")));
  const readme = (folder: string) => fs.readFileSync(path.join(examples, folder, "README.md"), "utf8");

  for (const folder of folders.filter((name) => fs.existsSync(path.join(examples, name, "index.ts"))))
    it(`set every value without a default that the program requires: ${folder}`, () => {
      const program = fs.readFileSync(path.join(examples, folder, "index.ts"), "utf8");
      const required = [...program.matchAll(/\.require\w*(?:<[^>]*>)?\("(\w+)"\)/g)].map(([, key = ""]) => key);
      const set = [...readme(folder).matchAll(/pulumi config set (?:--path ')?(\w+)/g)].map(([, key]) => key);
      assert.deepEqual(
        required.filter((key) => !set.includes(key)),
        [],
      );
    });
});

describe("The examples that need the plugin", () => {
  const folders = fs.readdirSync(examples).filter((name) => /-(python|go|yaml)$/.test(name));

  for (const folder of folders)
    it(`find it where this checkout makes it: ${folder}`, () => {
      const project = parse(fs.readFileSync(path.join(examples, folder, "Pulumi.yaml"), "utf8")) as Project;
      const [plugin, ...others] = project.plugins?.providers ?? [];
      assert.deepEqual([plugin?.name, others], ["minicluster", []]);
      const directory = path.resolve(examples, folder, plugin?.path ?? "");
      fs.accessSync(path.join(directory, "pulumi-resource-minicluster"), fs.constants.X_OK);
    });
});

describe("The projects of the examples", () => {
  const folders = fs.readdirSync(examples).filter((name) => fs.existsSync(path.join(examples, name, "Pulumi.yaml")));
  const projects = folders.map((folder) => readProject(folder));

  it("have each a name of its own, for a stack of one is not to be taken for that of another", () =>
    assert.deepEqual(
      projects.map(({ name }) => name),
      folders.map((folder) => `minicluster-${folder}`),
    ));
});

function readProject(folder: string): Project {
  return parse(fs.readFileSync(path.join(examples, folder, "Pulumi.yaml"), "utf8")) as Project;
}
