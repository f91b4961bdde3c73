import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";

const root = path.resolve(__dirname, "../../..");
const examples = path.join(root, "examples");

/** What the project file of an example says of plugins. */
interface Project {
  plugins?: { providers: { name: string; path: string }[] };
}

describe("The examples that need the plugin", () => {
  const folders = fs.readdirSync(examples).filter((name) => /-(python|go|yaml)$/.test(name));

  it("are hello and lammps in each language", () =>
    assert.deepEqual(
      folders,
      ["hello", "lammps"].flatMap((name) => ["go", "python", "yaml"].map((language) => `${name}-${language}`)),
    ));

  for (const folder of folders)
    it(`find it where this checkout makes it: ${folder}`, () => {
      const project = parse(fs.readFileSync(path.join(examples, folder, "Pulumi.yaml"), "utf8")) as Project;
      const [plugin, ...others] = project.plugins?.providers ?? [];
      assert.deepEqual([plugin?.name, others], ["minicluster", []]);
      const directory = path.resolve(examples, folder, plugin?.path ?? "");
      fs.accessSync(path.join(directory, "pulumi-resource-minicluster"), fs.constants.X_OK);
    });
});
