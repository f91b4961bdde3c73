import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import * as YAML from "yaml";
import packageJson from "../../../package.json";
import { schemaFile } from "../../../sdk/generator/schema";
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

  it("has every argument, and would be broken if one were gone", () => {
    const { resources = {} } = structuredClone(released);
    const gone = Object.entries(resources).flatMap(([token, { inputProperties = {} }]) =>
      Object.keys(inputProperties).map((name) => `input ${token}.${name} is gone`),
    );
    assert.ok(gone.length > 100);
    for (const resource of Object.values(resources)) resource.inputProperties = {};
    assert.deepEqual(breakingChanges(released, { ...released, resources }), gone);
  });
});
