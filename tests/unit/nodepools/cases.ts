import * as assert from "node:assert/strict";
import type { InputProblem } from "../../../provider/shared/errors";

/** Arguments that differ from a good pool's, and every problem that they have, as `path: reason`. */
export type Case<Args> = [args: Partial<Args>, ...problems: string[]];

/** Tests of the rules of one cloud, on arguments that are completed to those of a good pool. */
export function casesOf<Args>(problemsOf: (args: Partial<Args>) => InputProblem[]) {
  const textsOf = (args: Partial<Args>) =>
    problemsOf(args).map(({ propertyPath, reason }) => `${propertyPath}: ${reason}`);
  return {
    textsOf,
    itRefuses: (cases: Case<Args>[]) => {
      for (const [args, ...problems] of cases)
        it(`refuse ${JSON.stringify(args)}: ${problems.join(", ")}`, () => assert.deepEqual(textsOf(args), problems));
    },
    itAccepts: (cases: Record<string, Partial<Args>>) => {
      for (const [name, args] of Object.entries(cases)) it(`accept ${name}`, () => assert.deepEqual(textsOf(args), []));
    },
  };
}
