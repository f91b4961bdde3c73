import assert from "node:assert/strict";
import { readSchema } from "../../../sdk/generator/docs";
import { nameOf, type PropertySchema } from "../../../sdk/generator/pages/schema";
import { componentOf, enumOf, sourceTypeOf, type SourceType } from "./schemaSources";

const schema = readSchema() as ReturnType<typeof readSchema> & { types: Record<string, { description?: string }> };

/** A text of the schema, and the doc comment that it is to be. */
interface Said {
  of: string;
  description: string;
  comment: string;
}

function saidOfProperties(owner: string, properties: Record<string, PropertySchema>, source: SourceType): Said[] {
  return Object.entries(properties).map(([name, { description = "" }]) => {
    const comment = source.properties.get(name)?.comment ?? "";
    return { of: `${owner}.${name}`, description, comment };
  });
}

const ofResources = Object.entries(schema.resources).flatMap(([token, resource]) => {
  const name = nameOf(token);
  const component = componentOf(name);
  return [
    { of: name, description: resource.description ?? "", comment: component.comment },
    ...saidOfProperties(`${name} argument `, resource.inputProperties, sourceTypeOf(component.args)),
    ...saidOfProperties(`${name} output `, resource.properties, component),
  ];
});

const ofObjects = Object.entries(schema.types).flatMap(([token, { description = "", properties }]) => {
  if (!properties) return [];
  const name = nameOf(token);
  const source = sourceTypeOf(name);
  return [{ of: name, description, comment: source.comment }, ...saidOfProperties(name, properties, source)];
});

const ofEnums = Object.entries(schema.types).flatMap(([token, { description = "", enum: choices }]) => {
  if (!choices) return [];
  const name = nameOf(token);
  const { comment, members } = enumOf(name);
  const said = choices.map((choice) => ({
    ...{ of: `${name}.${choice.name}`, description: choice.description ?? "" },
    comment: members.get(choice.name)?.comment ?? "",
  }));
  return [{ of: name, description, comment }, ...said];
});

const all = { components: ofResources, "object types": ofObjects, enums: ofEnums };

describe("the descriptions in the schema", () => {
  for (const [kind, said] of Object.entries(all)) {
    it(`are there for all ${kind} and all that is in them`, () =>
      assert.deepEqual(
        said.filter(({ description }) => description === "").map(({ of }) => of),
        [],
      ));

    it(`are the doc comments of ${kind}, whole`, () =>
      assert.deepEqual(
        said.filter(({ description, comment }) => description !== "" && description !== comment).map(({ of }) => of),
        [],
      ));
  }

  it("hold no tag, whose text the schema would lose, and no markup that other languages do not know", () =>
    assert.deepEqual(
      Object.values(all)
        .flat()
        .filter(({ comment, description }) => /\{@|(^|\n)@|\[object|<(b|code|p|br)>/.test(comment + description))
        .map(({ of }) => of),
      [],
    ));
});
