import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { AksNodePoolArgs } from "../../../../provider";
import { parseAksNodePoolArgs } from "../../../../provider/nodepools/aks/spec";
import type { InputProblem } from "../../../../provider/shared/errors";

/** Arguments of a small pool, with everything that a test does not care about. */
export const aksArgs = (args: Partial<AksNodePoolArgs> = {}): AksNodePoolArgs => ({
  name: "hpc",
  resourceGroupName: "group",
  clusterName: "cluster",
  machineType: "Standard_D8ds_v5",
  ...((args.autoscale ?? args.pairedWith) ? {} : { size: 2 }),
  ...args,
});

/** The spec of such a pool. */
export const aksPool = (args: Partial<AksNodePoolArgs> = {}) => parseAksNodePoolArgs("pool", aksArgs(args));

/** Everything that is wrong with some arguments. Any error but an InputPropertiesError is thrown. */
export function aksProblems(args: object, resourceName = "pool"): InputProblem[] {
  try {
    parseAksNodePoolArgs(resourceName, args as AksNodePoolArgs);
    return [];
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    return error.errors;
  }
}

/** What a machine has that the table does not know. */
export const unknownHardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMiB: 4096 } as const;

/** Arguments that break one rule: the path that is complained about, and what the complaint says. */
export interface AksRuleCase {
  rule: string;
  args: object;
  path: string;
  says: string | RegExp;
}

/** One test for each rule: the arguments have this problem and no other. */
export function itRefuses(cases: AksRuleCase[]): void {
  for (const { rule, args, path, says } of cases)
    it(`refuse ${rule}`, () => {
      const problems = aksProblems(aksArgs(args));
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
