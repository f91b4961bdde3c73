import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { docsDirectory, readSchema, renderPages } from "../../../sdk/generator/docs";
import { describe as parts } from "../../../sdk/generator/pages/reference";

const schema = readSchema();

/** Every property that an argument may have, with its name, and whether it may be left out. */
const inputs = [
  ...Object.entries(schema.resources).map(([token, { inputProperties, requiredInputs = [] }]) => ({
    token,
    properties: inputProperties,
    required: requiredInputs,
  })),
  ...Object.entries(schema.types).map(([token, { properties = {}, required = [] }]) => ({
    token,
    properties,
    required,
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
  const rules: [rule: string, breaks: (argument: (typeof inputs)[number]) => boolean][] = [
    ["what every argument means", ({ meaning }) => meaning === ""],
    [
      "the default of an argument that may be left out, and of no other",
      (one) => one.isRequired !== (one.defaultValue === undefined),
    ],
    ["the default last, in one sentence", ({ defaultValue = "" }) => /\. [A-Z]/.test(defaultValue)],
  ];
  for (const [rule, breaks] of rules) it(`give ${rule}`, () => assert.deepEqual(names(inputs.filter(breaks)), []));

  it("describe every output and every choice", () => {
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
