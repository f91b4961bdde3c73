/** A list in an object, with the keys that identify its items: none where it is one value. */
export interface KeyedList {
  owner: string;
  name: string;
  keys: string[];
}

/** A part of the OpenAPI of the API server, in the parts that are read here. */
interface Schema {
  $ref?: string;
  type?: string;
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  "x-kubernetes-list-map-keys"?: string[];
}

/** Every list that can be in an object of a type, in the OpenAPI (version 3) of an API server. */
export function keyedLists(openApi: object, type: string): KeyedList[] {
  const { schemas } = (openApi as { components: { schemas: Record<string, Schema> } }).components;
  const types = [type];
  // The list grows while it is walked through.
  for (const each of types) {
    const found = referencesIn(schemas[each] ?? {}).filter((reference) => !types.includes(reference));
    types.push(...new Set(found));
  }
  return types.flatMap((owner) =>
    Object.entries(schemas[owner]?.properties ?? {})
      .filter(([, property]) => property.type === "array")
      .map(([name, property]) => ({ owner, name, keys: property["x-kubernetes-list-map-keys"] ?? [] })),
  );
}

function referencesIn({ $ref, allOf = [], items, properties = {}, additionalProperties }: Schema): string[] {
  const values = typeof additionalProperties === "object" ? [additionalProperties] : [];
  const parts = [...allOf, ...(items ? [items] : []), ...Object.values(properties), ...values];
  return [...($ref === undefined ? [] : [$ref.split("/").at(-1) ?? ""]), ...parts.flatMap(referencesIn)];
}
