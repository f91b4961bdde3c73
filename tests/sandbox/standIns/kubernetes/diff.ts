import type { PropertyChange } from "../rpc/backend";
import { isObject, type Json, type Obj } from "../rpc/values";
import { forcesNew } from "./forceNew";
import { containsPath, formatPath, parsePath, type Step } from "./paths";

type Value = Json | undefined;

/** Old and new form of one object, ready to compare. */
export interface Comparison {
  /** The live object, cut to the shape of the inputs that made it. */
  old: Obj;
  /** The live object, whole. */
  live: Obj;
  inputs: Obj;
  forceNew: readonly string[];
  ignoreChanges: readonly string[];
}

/** The changes from old to new, keyed by property path. */
export function diffObjects({ old, live, inputs, forceNew, ignoreChanges }: Comparison): Map<string, PropertyChange> {
  const changes = new Map<string, PropertyChange>();
  const ignored = ignoreChanges.map(parsePath);

  const record = (path: Step[], kind: PropertyChange["kind"], value: Json) => {
    if (ignored.some((outer) => containsPath(outer, path))) return;
    const replace = forcesNew(path, value, forceNew);
    changes.set(formatPath(path), { kind, replace, inputDiff: kind === "delete" });
  };

  const compare = (path: Step[], before: Value, after: Value, current: Value): void => {
    if (after === undefined || after === null) {
      if (before !== undefined && before !== null) record(path, "delete", null);
    } else if (before === undefined) {
      if (!isDroppedByServer(after, current)) record(path, "add", after);
    } else if (isObject(before) && isObject(after)) {
      compareObjects(path, before, after, current);
    } else if (Array.isArray(before) && Array.isArray(after)) {
      compareArrays(path, before, after, current);
    } else if (before !== after) {
      record(path, "update", after);
    }
  };

  const compareObjects = (path: Step[], before: Obj, after: Obj, current: Value) => {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare([...path, key], before[key], after[key], isObject(current) ? current[key] : undefined);
  };

  const compareArrays = (path: Step[], before: Json[], after: Json[], current: Value) => {
    for (let i = 0; i < Math.max(before.length, after.length); i++)
      compare([...path, i], before[i], after[i], Array.isArray(current) ? current[i] : undefined);
  };

  compareObjects([], old, inputs, live);
  return changes;
}

/** The API server leaves empty values out of most objects, so one that is nowhere to be seen is in place. */
function isDroppedByServer(value: Json, current: Value): boolean {
  if (current !== undefined) return false;
  if (Array.isArray(value)) return value.length === 0;
  return value === "" || value === false || (isObject(value) && Object.keys(value).length === 0);
}
