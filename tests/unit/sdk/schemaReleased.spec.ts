import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as YAML from "yaml";
import packageJson from "../../../package.json";
import { schemaFile } from "../../../sdk/generator/schema";
import { withValueAt } from "../../support/schemaPlaces";
import { breakingChanges, releasedPart, type ReleasedSchema } from "../../support/schemaCompatibility";

const file = path.resolve(__dirname, "../../golden/schema.yaml");
// A variable of its own: who rewrites the other goldens has not accepted that programs break.
const rewrite = "ACCEPT_SCHEMA=1 rewrites tests/golden/schema.yaml; review the difference";

/** The part of a schema that programs depend on, in sorted YAML with a line for each property and each choice. */
function render(schema: ReleasedSchema): string {
  const document = new YAML.Document(releasedPart(schema), { sortMapEntries: true, aliasDuplicateObjects: false });
  YAML.visit(document, {
    Pair: (_, { key, value }) => {
      const holder = YAML.isScalar(key) ? String(key.value) : "";
      if (/^(properties|inputProperties)$/.test(holder) && YAML.isMap(value))
        for (const { value: property } of value.items) if (YAML.isMap(property)) property.flow = true;
      if (holder === "enum" && YAML.isSeq(value))
        for (const member of value.items) if (YAML.isMap(member)) member.flow = true;
    },
  });
  return document.toString({ lineWidth: 0 });
}

describe("the released schema", () => {
  const schema = JSON.parse(fs.readFileSync(schemaFile, "utf8")) as ReleasedSchema;
  let released: ReleasedSchema;
  before(() => {
    if (process.env.ACCEPT_SCHEMA === "1") fs.writeFileSync(file, render(schema));
    released = YAML.parse(fs.readFileSync(file, "utf8")) as ReleasedSchema;
  });

  it("is kept with all that programs depend on, and no more", () =>
    assert.equal(fs.readFileSync(file, "utf8"), render(released)));

  it("is of the version of the package, whose changes have then been accepted", () =>
    assert.equal(released.version, packageJson.version, `a new version has a new schema: ${rewrite}`));

  it("has nothing that the schema of today would break in a program", () => {
    const changes = breakingChanges(released, schema);
    const advice = `Programs written for ${released.version} break:\n${changes.join("\n")}\nIf that is meant, ${rewrite}.`;
    assert.deepEqual(changes, [], advice);
  });

  const cluster = "minicluster:index:MiniCluster";
  const [archive, policy] = [`${cluster}Archive`, `${cluster}QueuePolicy`];
  const inputs = ["resources", cluster, "inputProperties"];
  const breaks: [keys: (string | number)[], value: unknown, says: string][] = [
    [["name"], "q", "the package minicluster is now q"],
    [["language", "python", "packageName"], "q", 'language python: packageName "pulumi_minicluster" is now "q"'],
    [["resources", cluster], undefined, `resource ${cluster} is gone`],
    [["resources", cluster, "isComponent"], false, `resource ${cluster} is no longer a component`],
    [["resources", cluster, "properties", "size"], undefined, `output ${cluster}.size is gone`],
    [["resources", cluster, "requiredInputs"], ["containers", "size"], `input ${cluster}.size has become required`],
    [[...inputs, "size"], undefined, `input ${cluster}.size is gone`],
    [[...inputs, "size", "type"], "number", `input ${cluster}.size was integer and is number`],
    [[...inputs, "size", "plain"], false, `input ${cluster}.size takes outputs now, and was plain`],
    [["types", archive], undefined, `type ${archive} is gone`],
    [["types", archive, "properties", "path"], undefined, `type ${archive}.path is gone`],
    [["types", policy, "enum"], undefined, `type ${policy} is no longer an enum`],
    [["types", policy, "enum", 0, "value"], "off", `enum ${policy}: the value of Fcfs was "fcfs" and is "off"`],
  ];
  for (const [keys, value, says] of breaks)
    it(`would be broken: ${says}`, () =>
      assert.deepEqual(breakingChanges(released, withValueAt(released, keys, value) as ReleasedSchema), [says]));
});
