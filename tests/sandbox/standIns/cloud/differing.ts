import { isDeepStrictEqual } from "node:util";
import { containsPath, parsePath, type Step } from "./paths";
import { isObject, type Json, type Obj } from "../rpc/values";

type Value = Json | undefined;

/** One property whose input changed. */
export interface Difference {
  path: Step[];
  kind: "add" | "delete" | "update";
  before: Value;
  after: Value;
}

/** The innermost differences between two sets of inputs. */
export function differences(before: Obj, after: Obj): Difference[] {
  return within([], before, after);
}

function within(path: Step[], before: Value, after: Value): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => within([...path, key], before[key], after[key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const indexes = Array.from({ length: Math.max(before.length, after.length) }, (_, i) => i);
    return indexes.flatMap((i) => within([...path, i], before[i], after[i]));
  }
  return [{ path, kind: before === undefined ? "add" : after === undefined ? "delete" : "update", before, after }];
}

/** Whether a difference is one of the properties named by the patterns, lies in one, or brings or takes one away. */
export function touches({ path, before, after }: Difference, patterns: readonly string[]): boolean {
  return patterns.map(parsePath).some((pattern) => {
    if (containsPath(pattern, path)) return true;
    if (!containsPath(pattern.slice(0, path.length), path)) return false;
    const rest = pattern.slice(path.length);
    return holds(before, rest) || holds(after, rest);
  });
}

function holds(value: Value, [step, ...rest]: Step[]): boolean {
  if (step === undefined) return value !== undefined;
  if (Array.isArray(value)) return value.some((item) => step === "*" && holds(item, rest));
  return isObject(value) && holds(value[step], rest);
}
