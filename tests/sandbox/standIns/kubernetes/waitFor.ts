import { query } from "jsonpath-rfc9535";
import { isObject, type Obj } from "../rpc/values";
import { jsonPathProblem } from "./jsonPath";
import { annotationOf, getPath, objectsAt, stringAt } from "./objects";

/** The result of one `pulumi.com/waitFor` expression for an object. */
export type Condition = (object: Obj) => boolean;

/**
 * The conditions in the waitFor annotation of a live object, all of which must hold; none when there is no annotation.
 * The annotation is one expression or a JSON array of them.
 */
export function waitForConditions(live: Obj): Condition[] {
  const annotation = annotationOf(live, "pulumi.com/waitFor");
  return annotation === "" ? [] : expressions(annotation).map(parseCondition);
}

function expressions(annotation: string): string[] {
  try {
    const parsed: unknown = JSON.parse(annotation);
    if (Array.isArray(parsed) && parsed.every((item) => typeof item === "string")) {
      if (parsed.length === 0) throw new Error("at least one condition must be specified");
      return parsed;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return [annotation];
}

/** Reads `jsonpath={…}`, `jsonpath={…}=value`, `condition=Type` or `condition=Type=status`. */
export function parseCondition(expression: string): Condition {
  if (expression.startsWith("condition=")) return statusCondition(expression.slice("condition=".length));
  if (expression.startsWith("jsonpath=")) return jsonPathCondition(expression.slice("jsonpath=".length));
  throw new Error(`expected a "jsonpath=" or "condition=" prefix, got ${JSON.stringify(expression)}`);
}

function statusCondition(expression: string): Condition {
  const [type = "", status = "True"] = expression.split(/=(.*)/s);
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  return (object) =>
    objectsAt(object, "status", "conditions").some(
      (condition) => same(stringAt(condition, "type"), type) && same(stringAt(condition, "status"), status),
    );
}

function jsonPathCondition(raw: string): Condition {
  const { path, value } = splitValue(raw);
  const bracketed = /\{\s*(.*?)\s*\}/.exec(path)?.[1];
  if (/^'.*'$/s.test(path)) throw new Error(`${path} should omit shell quotes`);
  if (bracketed === undefined) throw new Error(`${path} should be wrapped in brackets { ... }`);
  const expression = bracketed.startsWith("$") ? bracketed : `$${bracketed}`;
  const problem = jsonPathProblem(expression);
  if (problem !== undefined) throw new Error(`parsing ${JSON.stringify(path)}: ${problem}`);
  return (object) => isObservedCurrent(object) && firstMatches(object, expression, path, value);
}

/** Splits `{path}=value` at its only single "=". */
function splitValue(raw: string): { path: string; value: string } {
  const parts = raw.split(/(?<!=)=(?!=)/);
  const [path = "", value] = parts;
  if (parts.length > 2) throw new Error(`format should be {.path}=value or {.path}, got ${JSON.stringify(raw)}`);
  if (value === "") throw new Error(`${path}= requires a value`);
  return { path, value: value ?? "" };
}

/** A status from before the last change of the object says nothing about it. */
function isObservedCurrent(object: Obj): boolean {
  const observed = getPath(object, ["status", "observedGeneration"]);
  const generation = getPath(object, ["metadata", "generation"]);
  return !(typeof observed === "number" && typeof generation === "number" && observed < generation);
}

function firstMatches(object: Obj, expression: string, path: string, value: string): boolean {
  const results = query(object as Parameters<typeof query>[0], expression) as unknown[];
  if (results.length === 0) return false;
  if (value === "") return true;
  const [found] = results;
  if (isObject(found) || Array.isArray(found))
    throw new Error(`${JSON.stringify(path)} has a non-primitive value (${JSON.stringify(found)})`);
  return String(found) === value;
}
