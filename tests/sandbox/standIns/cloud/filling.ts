import { isObject, type Json, type Obj } from "../rpc/values";
import type { Declarations, Properties, Shape } from "./declarations/shapes";

/**
 * A value with all properties that the SDK declares: absent ones are empty values of the declared type. No component
 * depends on a cloud's values for them, but a program that reads them must find them.
 */
export function filled(declarations: Declarations, declared: Properties, given: Obj): Obj {
  const entries = Object.entries(declared)
    .filter(([key, { required }]) => required || given[key] !== undefined)
    .map(([key, { shape }]) => [key, fill(declarations, shape, given[key])]);
  return { ...given, ...(Object.fromEntries(entries) as Obj) };
}

function fill(declarations: Declarations, shape: Shape, given: Json | undefined): Json {
  if (given === undefined) return empty(declarations, shape);
  if (shape.kind === "array" && Array.isArray(given)) return given.map((item) => fill(declarations, shape.items, item));
  if (shape.kind !== "object" || !isObject(given)) return given;
  return filled(declarations, declarations.objects[shape.name] ?? {}, given);
}

function empty(declarations: Declarations, shape: Shape): Json {
  switch (shape.kind) {
    case "string":
      return "";
    case "number":
      return 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "map":
    case "any":
      return {};
    case "oneOf":
      return shape.values[0] ?? "";
    case "object":
      return filled(declarations, declarations.objects[shape.name] ?? {}, {});
    case "union":
      return shape.members[0] ? empty(declarations, shape.members[0]) : {};
  }
}
