import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";
import packageJson from "../../../package.json";

const root = path.resolve(__dirname, "../../..");
const examples = path.join(root, "examples");
const read = (...file: string[]) => fs.readFileSync(path.join(examples, ...file), "utf8");
const having = (file: string) =>
  fs.readdirSync(examples).filter((name) => fs.existsSync(path.join(examples, name, file)));
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);

/** What the project file of an example says. */
const projectOf = (folder: string) =>
  parse(read(folder, "Pulumi.yaml")) as { name: string; plugins?: { providers: { name: string; path: string }[] } };

describe("The examples in TypeScript", () => {
  const sdks = { EksNodePool: "@pulumi/aws", GkeNodePool: "@pulumi/gcp", AksNodePool: "@pulumi/azure-native" } as const;

  for (const folder of having("index.ts"))
    it(`install what they import, and set every value that the program requires: ${folder}`, () => {
      const program = read(folder, "index.ts");
      const pools = Object.entries(sdks).filter(([pool]) => program.includes(`new ${pool}(`));
      const { dependencies } = JSON.parse(read(folder, "package.json")) as { dependencies: Record<string, string> };
      const imported = matches(program, /from "((?:@[^/"]+\/)?[^/:"]+)["/]/g);
      const needed = new Set([...imported, ...pools.map(([, sdk]) => sdk), "@pulumi/pulumi"]);
      assert.deepEqual(Object.keys(dependencies).sort(), [...needed].sort());
      for (const [, sdk] of pools) assert.equal(dependencies[sdk], packageJson.peerDependencies[sdk]);
      const set = matches(read(folder, "README.md"), /pulumi config set (?:--path ')?(\w+)/g);
      const required = matches(program, /\.require\w*(?:<[^>]*>)?\("(\w+)"\)/g);
      assert.deepEqual(required.filter((key) => !set.includes(key)), []); // prettier-ignore
    });
});

describe("The examples in other languages", () => {
  for (const folder of having("Pulumi.yaml").filter((name) => /-(python|go|yaml)$/.test(name)))
    it(`find the plugin where this checkout makes it: ${folder}`, () => {
      const [plugin, ...others] = projectOf(folder).plugins?.providers ?? [];
      assert.deepEqual([plugin?.name, others], ["minicluster", []]);
      const directory = path.resolve(examples, folder, plugin?.path ?? "");
      fs.accessSync(path.join(directory, "pulumi-resource-minicluster"), fs.constants.X_OK);
    });
});

it("Each example has a separate project name, for a stack of one is not to be taken for that of another", () =>
  assert.deepEqual(
    having("Pulumi.yaml").map((folder) => projectOf(folder).name),
    having("Pulumi.yaml").map((folder) => `minicluster-${folder}`),
  ));

it("A checkout is a plugin by itself (pulumi package add PATH): the runner for Node.js finds the executable", () => {
  const { runtime } = parse(fs.readFileSync(path.join(root, "PulumiPlugin.yaml"), "utf8")) as { runtime: string };
  assert.equal(runtime, "nodejs");
  fs.accessSync(path.join(root, packageJson.main), fs.constants.X_OK);
});
