import { formatPath, type Step } from "./paths";
import type { CheckFailure } from "../rpc/backend";
import { isObject, type Json, type Obj, unknown } from "../rpc/values";
import type { Declarations, Properties, Shape } from "./declarations/shapes";

type Value = Json | undefined;

/** Checks values against declarations. Values that are not known yet pass; secrets have to be unwrapped. */
export class Checker {
  constructor(private readonly declarations: Declarations) {}

  /** The problems of a value that should have these properties; `owner` is its name in messages. */
  problems(owner: string, declared: Properties, value: Obj): CheckFailure[] {
    return this.inProperties(owner, declared, value, []);
  }

  private inProperties(owner: string, declared: Properties, value: Obj, path: Step[]): CheckFailure[] {
    const given = Object.entries(value).flatMap(([key, item]) => {
      const property = Object.hasOwn(declared, key) ? declared[key] : undefined;
      if (property) return this.inValue(owner, property.shape, item, [...path, key]);
      const known = Object.keys(declared).sort().join(", ");
      return [failure([...path, key], `${owner} has no such property; the SDK declares ${known}`)];
    });
    const missing = Object.entries(declared)
      .filter(([key, { required }]) => required && value[key] === undefined)
      .map(([key]) => failure([...path, key], `${owner} requires this property, and it is missing`));
    return [...given, ...missing];
  }

  private inValue(owner: string, shape: Shape, value: Value, path: Step[]): CheckFailure[] {
    if (value === unknown || value === undefined || shape.kind === "any") return [];
    if (shape.kind === "union") return this.inUnion(owner, shape.members, value, path);
    if (shape.kind === "array" && Array.isArray(value))
      return value.flatMap((item, i) => this.inValue(owner, shape.items, item, [...path, i]));
    if (shape.kind === "map" && isObject(value))
      return Object.entries(value).flatMap(([key, item]) => this.inValue(owner, shape.values, item, [...path, key]));
    if (shape.kind === "object" && isObject(value))
      return this.inProperties(shape.name, this.declarations.objects[shape.name] ?? {}, value, path);
    if (shape.kind === "oneOf" && shape.values.includes(value as string)) return [];
    // Of an object nothing is right but its properties, and null and arrays are of its type too.
    if (shape.kind === typeof value && shape.kind !== "object") return [];
    return [failure(path, `the SDK declares ${describe(shape)}, and this is ${describeValue(shape, value)}`)];
  }

  private inUnion(owner: string, members: Shape[], value: Json, path: Step[]): CheckFailure[] {
    const results = members.map((member) => this.inValue(owner, member, value, path));
    if (results.some((problems) => problems.length === 0)) return [];
    const reasons = results.flat().map(({ property, reason }) => `${property}: ${reason}`);
    return [failure(path, `this is none of what the SDK declares (${reasons.join("; ")})`)];
  }
}

const failure = (path: Step[], reason: string): CheckFailure => ({ property: formatPath(path), reason });

function describe(shape: Shape): string {
  if (shape.kind === "oneOf") return `one of ${shape.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (shape.kind === "object") return shape.name;
  return `a value of type ${shape.kind}`;
}

/** The value itself only where it was compared; any other may be long, or have been a secret. */
function describeValue({ kind }: Shape, value: Json): string {
  if (kind === "oneOf" && typeof value === "string") return JSON.stringify(value);
  return Array.isArray(value) ? "an array" : value === null ? "null" : `of type ${typeof value}`;
}
