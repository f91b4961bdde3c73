import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { docsDirectory, readSchema, renderPages } from "../../../sdk/generator/docs";
import { describe as parts, renderReference } from "../../../sdk/generator/pages/reference";
import type { PackageSchema } from "../../../sdk/generator/pages/schema";

const schema = readSchema();

/** Every property that an argument may have, with its name, and whether it may be left out. */
const inputs = [
  ...Object.entries(schema.resources).map(([token, { inputProperties, requiredInputs = [] }]) => ({
    ...{ token, properties: inputProperties, required: requiredInputs },
  })),
  ...Object.entries(schema.types).map(([token, { properties = {}, required = [] }]) => ({
    ...{ token, properties, required },
  })),
].flatMap(({ token, properties, required }) =>
  Object.entries(properties).map(([name, property]) => ({
    name: `${token}.${name}`,
    isRequired: required.includes(name),
    ...parts(property),
  })),
);

const names = (found: { name: string }[]) => found.map(({ name }) => name);

describe("doc comments", () => {
  it("tell what every argument means", () =>
    assert.deepEqual(names(inputs.filter(({ meaning }) => meaning === "")), []));

  it("tell the default of every argument that may be left out", () =>
    assert.deepEqual(names(inputs.filter((one) => !one.isRequired && one.defaultValue === undefined)), []));

  it("tell no default of one that may not", () =>
    assert.deepEqual(names(inputs.filter((one) => one.isRequired && one.defaultValue !== undefined)), []));

  it("tell the default last, in one sentence", () =>
    assert.deepEqual(names(inputs.filter((one) => /\. [A-Z]/.test(one.defaultValue ?? ""))), []));

  it("tell what every output and every choice is", () => {
    const outputs = Object.values(schema.resources).flatMap(({ properties }) => Object.entries(properties));
    const choices = Object.values(schema.types).flatMap((type) => type.enum ?? []);
    const silent = [...outputs.filter(([, { description }]) => !description).map(([name]) => ({ name }))];
    assert.deepEqual(names([...silent, ...choices.filter(({ description }) => !description)]), []);
  });
});

describe("the pages", () => {
  for (const [file, text] of Object.entries(renderPages()))
    it(`${file} is current (npm run docs rewrites it)`, () =>
      assert.equal(fs.readFileSync(path.join(docsDirectory, file), "utf8"), text));
});

describe("the reference", () => {
  const page = (properties: PackageSchema["types"][string]["properties"]) =>
    renderReference(
      {
        resources: { "minicluster:index:MiniCluster": { inputProperties: properties ?? {}, properties: {} } },
        types: {
          "a:index:Kind": { enum: [{ name: "One", value: "one", description: "The first." }] },
          "a:index:Inner": { properties: { deep: { type: "number", plain: true, description: "D. Default: 1." } } },
        },
      },
      (own) => (own === "list[].deep" ? ["spec.deep"] : []),
    ).split("\n");

  const rows: [name: string, properties: PackageSchema["types"][string]["properties"], row: string][] = [
    [
      "what is plain",
      { a: { type: "string", plain: true, description: "A word. Default: none." } },
      "| `a` | string | none | A word. | – |",
    ],
    [
      "what may be an output",
      { a: { type: "string", description: "A word,\nor two. Default: none." } },
      "| `a` | string; may be an output | none | A word, or two. | – |",
    ],
    [
      "maps whose values may be",
      {
        a: { type: "object", plain: true, additionalProperties: { type: "string" }, description: "A. Default: none." },
      },
      "| `a` | map of string; values may be outputs | none | A. | – |",
    ],
    [
      "choices, with a link",
      { a: { $ref: "#/types/a:index:Kind", plain: true, description: 'A | B. Default: "one".' } },
      '| `a` | [Kind](#kind): `"one"` | "one" | A \\| B. | – |',
    ],
    [
      "what the operator has, too",
      { list: { type: "array", plain: true, items: { $ref: "#/types/a:index:Inner", plain: true } } },
      "| `deep` | number | 1 | D. | `spec.deep` |",
    ],
  ];
  for (const [name, properties, row] of rows)
    it(`shows ${name}`, () => assert.ok(page(properties).includes(row), page(properties).join("\n")));
});
