import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as provider from "../../../provider";
import { readSchema } from "../../../sdk/generator/docs";
import { innermost, nameOf, type PropertySchema, tokenOf } from "../../../sdk/generator/pages/schema";
import { renderSchema, schemaFile } from "../../../sdk/generator/schema";

const schema = readSchema();

/** Tokens of the types that some properties lead to, through others and through lists and maps. */
function reached(properties: PropertySchema[], found = new Set<string>()): Set<string> {
  for (const property of properties) {
    const token = tokenOf(innermost(property).property);
    if (token === undefined || found.has(token)) continue;
    found.add(token);
    reached(Object.values(schema.types[token]?.properties ?? {}), found);
  }
  return found;
}

const exported = Object.entries(provider as Record<string, unknown>);
const isComponent = (value: unknown) =>
  typeof value === "function" && value.prototype instanceof pulumi.ComponentResource;

describe("the schema", () => {
  it("is current (npm run schema rewrites it)", function () {
    this.timeout(300_000);
    assert.equal(fs.readFileSync(schemaFile, "utf8"), renderSchema());
  });

  it("has every component that the package exports, and no other", () =>
    assert.deepEqual(
      Object.keys(schema.resources).map(nameOf).sort(),
      exported.flatMap(([name, value]) => (isComponent(value) ? [name] : [])).sort(),
    ));

  it("has every choice that the package exports, with its members, but for those of outputs, which are texts", () => {
    const ofOutputs = ["NodePoolAcceleratorKind", "NodePoolFabric"];
    const isChoice = (value: unknown) => typeof value === "object" && !Array.isArray(value);
    const choices = Object.entries(schema.types).filter(([, { enum: members }]) => members);
    assert.deepEqual(
      Object.fromEntries(
        choices.map(([token, { enum: members = [] }]) => [
          nameOf(token),
          Object.fromEntries(members.map(({ name, value }) => [name, value])),
        ]),
      ),
      Object.fromEntries(exported.filter(([name, value]) => isChoice(value) && !ofOutputs.includes(name))),
    );
  });

  // Pulumi's host of YAML refuses a choice of an output where an argument has the same choice.
  it("has a text in the place of each choice in an output and its parts", () => {
    const results = Object.values(schema.functions).map((each) => each.outputs);
    const owners = [...Object.values(schema.resources), ...results];
    const outputs = owners.flatMap(({ properties = {} }) => Object.values(properties));
    assert.deepEqual([...reached(outputs)].filter((token) => schema.types[token]?.enum), []); // prettier-ignore
  });

  it("refers to all of its types, and beside them to that of the Kubernetes provider alone", () => {
    const properties = Object.values(schema.resources).flatMap((resource) => [
      ...Object.values(resource.inputProperties),
      ...Object.values(resource.properties),
    ]);
    assert.deepEqual([...reached(properties)].sort(), Object.keys(schema.types).sort());
    const text = fs.readFileSync(schemaFile, "utf8");
    const references = new Set([...text.matchAll(/"\$ref": "(.*)"/g)].map(([, reference = ""]) => reference));
    const others = [...references].filter((reference) => !(reference.replace("#/types/", "") in schema.types));
    assert.equal(others.length, 1);
    assert.match(
      others[0] ?? "",
      /^\/kubernetes\/v[\d.]+\/schema\.json#\/types\/kubernetes:core%2Fv1:PodTemplateSpecPatch$/,
    );
  });

  it("has descriptions without tags, which it would lose, and without markup that other languages do not support", () =>
    assert.doesNotMatch(fs.readFileSync(schemaFile, "utf8"), /"description": ".*(\{@|\\n@|\[object|<(b|code|p|br)>)/));
});
