import { differingPaths } from "./propertyPaths";

/** Paths at which two sets of named objects differ, such as `jobScale.spec.completions`. */
export function changedPaths(before: object, after: object): string[] {
  return differingPaths(before, after, "").map((path) => path.replace(/^\./, ""));
}
