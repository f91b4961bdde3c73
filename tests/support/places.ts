import type { MiniClusterArgs } from "../../provider";
import { pathOf as innerPath } from "../../provider/shared/errors";
import schema from "../../sdk/schema.json";

/** The schema's description of a value. */
interface Property {
  type?: string;
  $ref?: string;
  items?: Property;
  additionalProperties?: Property;
  properties?: Record<string, Property>;
  plain?: boolean;
  enum?: { value?: string }[];
}

const types: Record<string, Property> = schema.types;
const cluster: Property = {
  properties: schema.resources["minicluster:index:MiniCluster"].inputProperties,
  plain: true,
};
const clusterType = "MiniClusterArgs";

/** Every property of the arguments in the schema, as `MiniClusterArchiveArgs.path`. */
export const schemaProperties = [...typesWithin(cluster, new Map([[clusterType, cluster]]))].flatMap(
  ([type, { properties }]) => Object.keys(properties ?? {}).map((key) => propertyOf(type, key)),
);

/** The types of a value and of all that is in it, by name. */
function typesWithin(known: Property, found = new Map<string, Property>()): Map<string, Property> {
  const name = known.$ref?.split("/").at(-1) ?? "";
  const type = types[name];
  if (type && found.has(name)) return found;
  if (type) found.set(name, type);
  for (const inner of [type, known.items, known.additionalProperties, ...Object.values(known.properties ?? {})])
    if (inner) typesWithin(inner, found);
  return found;
}

function propertyOf(type: string, key: string): string {
  return `${type.split(":").at(-1)}.${key}`;
}

/** A place in the arguments. */
export interface Place {
  path: string;
  keys: (string | number)[];
  value: unknown;
  /** Its path in the schema, if it is a property of a type. */
  property?: string;
  /** May be an output: the schema does not mark it as plain. */
  isLeaf: boolean;
  /** Is a map with user-defined keys. */
  isMap: boolean;
  /** Its possible values, if the schema lists them. */
  choices?: string[];
  /** Is a type of Kubernetes or a part of one: the component's schema does not describe it. */
  isFree: boolean;
}

/** Every place in some arguments, from the outside in. */
export const placesIn = (args: MiniClusterArgs): Place[] => places(args, [], cluster, clusterType);

function places(value: unknown, keys: (string | number)[], known: Property | undefined, owner: string): Place[] {
  if (value === undefined) return [];
  const type = known?.$ref?.split("/").at(-1) ?? owner;
  const isFree = known === undefined || known.$ref?.startsWith("/") === true;
  const key = keys.at(-1);
  const choices = types[known?.$ref?.split("/").at(-1) ?? ""]?.enum?.map((choice) => choice.value ?? "");
  const place: Place = {
    path: pathOf(keys),
    keys,
    value,
    isFree,
    ...(typeof key === "string" && { property: propertyOf(owner, key) }),
    isLeaf: !isFree && known.plain !== true,
    ...(choices && { choices }),
    isMap: known?.additionalProperties !== undefined,
  };
  if (typeof value !== "object" || value === null) return [place];
  const inner = Object.entries(value).flatMap(([name, item]: [string, unknown]) =>
    places(item, [...keys, Array.isArray(value) ? Number(name) : name], isFree ? undefined : inside(known, name), type),
  );
  return [place, ...inner];
}

/** The schema of the value under a key or an index. */
function inside({ $ref, items, additionalProperties, properties }: Property, key: string): Property {
  const type = $ref === undefined ? undefined : types[$ref.split("/").at(-1) ?? ""];
  const found = items ?? additionalProperties ?? properties?.[key] ?? type?.properties?.[key];
  if (!found) throw new Error(`the schema has no property ${key}; is sdk/schema.json current?`);
  return found;
}

const pathOf = (keys: (string | number)[]) => keys.reduce<string>(innerPath, "");

/** A copy of plain data with another value in one place. */
export function withValue(data: unknown, [key, ...rest]: (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(data) ? [...(data as unknown[])] : { ...(data as object) }) as Record<string, unknown>;
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}
