import * as assert from "node:assert/strict";
import type { InputProblem } from "../../../provider/shared/errors";
import { parsePropertyPath } from "../propertyPaths";

type Owner = Record<string, unknown>;

/** Removes what a path leads to, or the nearest part around it. True if it is in the arguments. */
function remove(args: Owner, path: string): boolean {
  const steps = parsePropertyPath(path);
  const owners: Owner[] = [args];
  for (const step of steps.slice(0, -1)) {
    const next = owners.at(-1)?.[step];
    if (typeof next !== "object" || next === null) break;
    owners.push(next as Owner);
  }
  while (owners.length > 0) {
    const [owner, step] = [owners.at(-1), steps[owners.length - 1]];
    if (owner && step !== undefined && step in owner) {
      if (Array.isArray(owner)) owner.splice(Number(step), 1);
      else Reflect.deleteProperty(owner, step);
      return true;
    }
    owners.pop();
  }
  return false;
}

/** The arguments without their invalid parts. Undefined if that is a container, the name or the cluster to join. */
export function mended<Args extends object>(args: Args, problemsOf: (args: Args) => InputProblem[]): Args | undefined {
  const left = structuredClone(args);
  for (let rounds = 0; rounds < 100; rounds++) {
    const problems = problemsOf(left).map(({ propertyPath }) => propertyPath);
    if (problems.length === 0) return left;
    assert.ok(!problems.includes(""), "each problem has a property path");
    if (problems.some((path) => /^(containers(\[\d+\])?|name|root)$/.test(path))) return undefined;
    // Later items of a list are removed first, so that the places of the others stay.
    const found = [...new Set(problems)].sort(byPlace).map((path) => remove(left as Owner, path));
    if (!found.includes(true)) return undefined;
  }
  return undefined;
}

const byPlace = (one: string, other: string) => other.localeCompare(one, "en", { numeric: true });
