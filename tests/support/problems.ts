import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../provider";
import { parseMiniClusterArgs } from "../../provider/minicluster/spec";
import type { InputProblem } from "../../provider/shared/errors";
import { aMiniClusterArgs } from "./fixtures";

/** Everything that is wrong with some arguments. Any error but an InputPropertiesError is thrown. */
export function problemsOf(args: unknown): InputProblem[] {
  try {
    parseMiniClusterArgs("demo", args as MiniClusterArgs);
    return [];
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    return error.errors;
  }
}

/** Arguments that break one rule: the path that is complained about, and what the complaint says. */
export interface RuleCase {
  rule: string;
  args: object;
  path: string;
  says: string | RegExp;
}

/** One test for each rule: the arguments have this problem and no other. */
export function itRefuses(cases: RuleCase[]): void {
  for (const { rule, args, path, says } of cases)
    it(`refuses ${rule}`, () => {
      const problems = problemsOf(aMiniClusterArgs(args));
      assert.deepEqual(
        problems.map(({ propertyPath }) => propertyPath),
        [path],
        JSON.stringify(problems),
      );
      const reason = problems[0]?.reason ?? "";
      if (typeof says === "string") assert.equal(reason, says);
      else assert.match(reason, says);
    });
}

/** One test for each set of arguments that a rule lets through. */
export function itAccepts(cases: Record<string, object>): void {
  for (const [name, args] of Object.entries(cases))
    it(`accepts ${name}`, () => assert.deepEqual(problemsOf(aMiniClusterArgs(args)), []));
}
