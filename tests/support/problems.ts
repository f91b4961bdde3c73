import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { BurstClusterArgs, MiniClusterArgs } from "../../provider";
import { admissionRules } from "../../provider/brokers/admission";
import { parseBurstClusterArgs } from "../../provider/bursting/parse";
import { parseMiniClusterArgs } from "../../provider/minicluster/parse";
import type { InputProblem } from "../../provider/shared/errors";

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
  problemsOfParse(() => parseMiniClusterArgs("demo", args as MiniClusterArgs, admissionRules));

/** The same of a cluster that joins. */
export const burstProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseBurstClusterArgs("cloud", args as BurstClusterArgs, admissionRules));
