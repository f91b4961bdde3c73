import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../provider";
import { parseMiniClusterArgs } from "../../provider/minicluster/parse";
import type { InputProblem } from "../../provider/shared/errors";
import { aMiniClusterArgs } from "./fixtures";

/** Everything that a parse finds wrong. Any error but an InputPropertiesError is thrown. */
export function problemsOfParse(parse: () => unknown): InputProblem[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    assert.ok(error.errors.length > 0, "it is refused, and not a word is said of why");
    return error.errors;
  }
}

/** Everything that is wrong with the arguments of a cluster. */
export const problemsOf = (args: unknown) =>
  problemsOfParse(() => parseMiniClusterArgs("demo", args as MiniClusterArgs));

/** Arguments that break one rule: the path that is complained about, and what the complaint says. */
export interface RuleCase {
  rule: string;
  args: object;
  path: string;
  says: string | RegExp;
}

/** Tests of rules, for arguments whose problems are found in some way. */
export function ruleTests(found: (args: object) => InputProblem[], refuses = "refuses") {
  return {
    /** One test for each rule: the arguments have this problem and no other. */
    itRefuses: (cases: RuleCase[]): void => {
      for (const { rule, args, path, says } of cases)
        it(`${refuses} ${rule}`, () => {
          const problems = found(args);
          assert.deepEqual(
            problems.map(({ propertyPath }) => propertyPath),
            [path],
            JSON.stringify(problems),
          );
          const reason = problems[0]?.reason ?? "";
          if (typeof says === "string") assert.equal(reason, says);
          else assert.match(reason, says);
        });
    },
    /** One test for each set of arguments that a rule lets through. */
    itAccepts: (cases: Record<string, object>): void => {
      for (const [name, args] of Object.entries(cases)) it(`accepts ${name}`, () => assert.deepEqual(found(args), []));
    },
  };
}

export const { itRefuses, itAccepts } = ruleTests((args) => problemsOf(aMiniClusterArgs(args)));
