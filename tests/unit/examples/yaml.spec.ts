import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { readYamlExample, yamlProblems } from "../../support/languages/yaml";

const examples = path.resolve(__dirname, "../../../examples");

describe("The examples in Pulumi YAML", () => {
  const names = fs.readdirSync(examples).filter((name) => name.endsWith("-yaml"));

  it("are those of the other languages", () => assert.deepEqual(names, ["hello-yaml", "lammps-yaml"]));

  for (const name of names)
    it(`are accepted: ${name}`, async () =>
      assert.deepEqual(await yamlProblems(readYamlExample(path.join(examples, name))), []));
});
