import { pathOf as innerPath } from "../../provider/shared/errors";
import { readSchema } from "../../sdk/generator/docs";
import { type PropertySchema, tokenOf } from "../../sdk/generator/pages/schema";

const schema = readSchema();

type Key = string | number;

/** A place in the arguments of a component, by the schema alone: the first item of each list, and a key of each map. */
export interface SchemaPlace {
  keys: Key[];
  path: string;
  property: PropertySchema;
  /** Kind of value: that of the schema, or "choice" or "group" where it names a type. */
  kind: string;
}

/** Every place in the arguments of a component, from the outside in. */
export function schemaPlaces(component: string): SchemaPlace[] {
  const { inputProperties } = schema.resources[`minicluster:index:${component}`] ?? { inputProperties: {} };
  return placesOf(inputProperties, []);
}

const placesOf = (properties: Record<string, PropertySchema>, keys: Key[]): SchemaPlace[] =>
  Object.entries(properties).flatMap(([name, property]) => placesAt(property, [...keys, name]));

function placesAt(property: PropertySchema, keys: Key[]): SchemaPlace[] {
  const type = schema.types[tokenOf(property) ?? ""];
  const kind = type?.enum ? "choice" : property.$ref === undefined ? (property.type ?? "") : "group";
  const place = { keys, path: keys.reduce<string>(innerPath, ""), property, kind };
  if (property.items) return [place, ...placesAt(property.items, [...keys, 0])];
  if (property.additionalProperties) return [place, ...placesAt(property.additionalProperties, [...keys, "key"])];
  return [place, ...placesOf(type?.properties ?? {}, keys)];
}

/** A copy of some arguments with a value in one place, and with what is required around it. */
export function withValueAt(data: unknown, [key, ...rest]: Key[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy: unknown = typeof key === "number" ? [...((data ?? []) as unknown[])] : { ...(data as object) };
  const inner = (copy as Record<Key, unknown>)[key];
  // A cluster has one of both.
  if (key === "container") delete (copy as Record<Key, unknown>)["containers"];
  return Object.assign(copy as object, { [key]: withValueAt(inner, rest, value) });
}
