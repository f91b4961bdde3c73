import assert from "node:assert/strict";
import * as fs from "node:fs";
import { readSchema } from "../../../sdk/generator/docs";
import { renderSchema, schemaFile } from "../../../sdk/generator/schema";
import { innermost, nameOf, type PropertySchema, tokenOf } from "../../../sdk/generator/pages/schema";
import {
  baseNames,
  componentNames,
  componentOf,
  enumNames,
  enumOf,
  interfaceNames,
  interfaceOf,
  type SourceType,
  sourceTypeOf,
  typesCalled,
} from "./schemaSources";

interface Required {
  required?: string[];
}
const schema = readSchema() as ReturnType<typeof readSchema> & { resources: Record<string, Required> };
const types = Object.entries(schema.types).map(([token, type]) => ({ token, name: nameOf(token), ...type }));
const resources = Object.entries(schema.resources).map(([token, resource]) => ({
  ...{ token, name: nameOf(token) },
  ...resource,
}));
const objects = types.flatMap(({ properties, ...type }) => (properties ? [{ ...type, properties }] : []));
const enums = types.flatMap((type) => (type.enum ? [{ name: type.name, members: type.enum }] : []));

type Properties = Record<string, PropertySchema>;

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

const ofInputs = reached(resources.flatMap(({ inputProperties }) => Object.values(inputProperties)));
const ofOutputs = reached(resources.flatMap(({ properties }) => Object.values(properties)));

/** A property in the notation of the sources. What is read from an output is never an input. */
function line(name: string, property: PropertySchema, required: string[], isInput: boolean): string {
  return `${name}${required.includes(name) ? "" : "?"}: ${isInput ? written(property) : withoutInputs(property)}`;
}

function written(property: PropertySchema): string {
  const text = bare(property, written);
  return property.plain ? text : `Input<${text}>`;
}

const withoutInputs = (property: PropertySchema): string => bare(property, withoutInputs);

function bare({ type, $ref, items, additionalProperties }: PropertySchema, inner: typeof written): string {
  if ($ref !== undefined) return nameOf($ref);
  if (items) return `${inner(items)}[]`;
  if (additionalProperties) return `Record<string, ${inner(additionalProperties)}>`;
  // Sources have no word for integers.
  return type === "integer" ? "number" : String(type);
}

const linesOf = (properties: Properties, required: string[], isInput: boolean) =>
  Object.entries(properties)
    .map(([name, property]) => line(name, property, required, isInput))
    .sort();

const linesIn = ({ properties }: SourceType, isInput = true) =>
  [...properties.values()].map((property) => (isInput ? property.line : withoutOutput(property.line))).sort();

const withoutOutput = (text: string) => text.replace(/Output<(.*)>$/, "$1");

describe("the schema", () => {
  it("is current (npm run schema rewrites it)", function () {
    this.timeout(300_000);
    assert.equal(fs.readFileSync(schemaFile, "utf8"), renderSchema());
  });

  it("has every component of the package", () =>
    assert.deepEqual(resources.map(({ name }) => name).sort(), [...componentNames].sort()));

  for (const { name, inputProperties, requiredInputs = [] } of resources)
    it(`has the arguments of ${name}, plain and required as they are in TypeScript`, () =>
      assert.deepEqual(linesOf(inputProperties, requiredInputs, true), linesIn(interfaceOf(componentOf(name).args))));

  for (const { name, properties, required = [] } of resources)
    it(`has the public fields of ${name} as outputs, and no others`, () =>
      assert.deepEqual(linesOf(properties, required, false), linesIn(componentOf(name), false)));

  for (const { name, token, properties, required = [] } of objects)
    it(`has ${name} as it is in TypeScript`, () => {
      const isInput = ofInputs.has(token);
      assert.deepEqual(linesOf(properties, required, isInput), linesIn(sourceTypeOf(name)));
    });

  for (const name of interfaceNames.filter((each) => interfaceNames.includes(`${each}Args`)))
    it(`calls ${name} and ${name}Args one type, as what the one gives the other takes`, () => {
      const given = linesIn(interfaceOf(name));
      assert.deepEqual(
        given,
        linesIn(interfaceOf(`${name}Args`)).map((text) => text.replace(/Input<(\w+)>/g, "$1")),
      );
    });

  for (const { name, members } of enums)
    it(`has the members of ${name}`, () => {
      const inSources = [...enumOf(name).members].map(([member, { value }]) => `${member} = ${value}`);
      assert.deepEqual(members.map((member) => `${member.name} = ${member.value}`).sort(), inSources.sort());
    });
});

describe("the types of the schema", () => {
  it("are all referred to", () =>
    assert.deepEqual(
      types.filter(({ token }) => !ofInputs.has(token) && !ofOutputs.has(token)).map(({ name }) => name),
      [],
    ));

  it("are all there, but for that of the Kubernetes provider", () => {
    const text = fs.readFileSync(schemaFile, "utf8");
    const references = new Set([...text.matchAll(/"\$ref": "(.*)"/g)].map(([, reference = ""]) => reference));
    const known = new Set(types.map(({ token }) => `#/types/${token}`));
    const others = [...references].filter((reference) => !known.has(reference));
    assert.equal(others.length, 1);
    assert.match(
      others[0] ?? "",
      /^\/kubernetes\/v\d+\.\d+\.\d+\/schema\.json#\/types\/kubernetes:core%2Fv1:PodTemplateSpecPatch$/,
    );
  });

  it("have names that no other type of the sources has, for it would be taken for the same", () => {
    const names = types.flatMap(({ name }) => [name, `${name}Args`]);
    assert.deepEqual(
      names.filter((name) => typesCalled(name) > 1),
      [],
    );
  });

  it("are all exported, so that a program in TypeScript can name them", () => {
    const exported = new Set([...interfaceNames.map((name) => name.replace(/Args$/, "")), ...enumNames]);
    assert.deepEqual(
      types.map(({ name }) => name).filter((name) => !exported.has(name)),
      [],
    );
  });

  it("hold every interface of arguments and every enum that is exported", () => {
    const known = new Set([...types.map(({ name }) => name), ...resources.map(({ name }) => name)]);
    const own = interfaceNames.filter((name) => name.endsWith("Args") && !baseNames.has(name));
    const names = [...own.map((name) => name.slice(0, -"Args".length)), ...enumNames];
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
    );
  });
});
