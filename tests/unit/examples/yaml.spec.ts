import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { readSchema } from "../../support/languages/packageSchema";
import { readYamlExample } from "../../support/languages/yaml";
import { yamlProblems } from "../../support/languages/yamlCheck";

const examples = path.resolve(__dirname, "../../../examples");
const schema = readSchema();

describe("The examples in Pulumi YAML", () => {
  const names = fs.readdirSync(examples).filter((name) => name.endsWith("-yaml"));

  it("are those of the other languages", () => assert.deepEqual(names, ["hello-yaml", "lammps-yaml"]));

  for (const name of names)
    it(`fit the schema: ${name}`, () =>
      assert.deepEqual(yamlProblems(readYamlExample(path.join(examples, name)), schema), []));
});
