import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { GkeNodePoolArgs } from "../../../../provider";
import { parseGkeNodePoolArgs } from "../../../../provider/nodepools/gke/spec";
import type { InputProblem } from "../../../../provider/shared/errors";

const zone = "us-central1-a";

/** Arguments of a small pool, with everything that a test does not care about. */
export function aGkePoolArgs(args: Partial<GkeNodePoolArgs> = {}): GkeNodePoolArgs {
  const required = { clusterName: "flux", location: "us-central1", machineType: "n4-standard-16" };
  const sizing = args.size ?? args.autoscale ?? args.pairedWith;
  return { ...required, ...(sizing === undefined && { size: 2 }), zones: [zone], ...args };
}

/** As many networks for RDMA as are wanted, called as the Cluster Toolkit calls them. */
export const rdmaNetworks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    network: "vpc-rdma",
    subnetwork: `subnet-${index}`,
    name: `rdma-${index}`,
  }));

/** Arguments of a pool with RoCE between its GPUs. */
export const aRocePoolArgs = (args: Partial<GkeNodePoolArgs> = {}): GkeNodePoolArgs =>
  aGkePoolArgs({
    machineType: "a3-ultragpu-8g",
    fabric: "rdma",
    gvnicNetwork: { network: "vpc-gvnic", subnetwork: "subnet-gvnic" },
    rdmaNetworks: rdmaNetworks(8),
    ...args,
  });

/** Arguments of a pool with Falcon between its CPUs. */
export const aFalconPoolArgs = (args: Partial<GkeNodePoolArgs> = {}): GkeNodePoolArgs =>
  aGkePoolArgs({ machineType: "h4d-highmem-192-lssd", fabric: "rdma", rdmaNetworks: rdmaNetworks(1), ...args });

/** The spec of a pool. */
export const aGkePool = (args: Partial<GkeNodePoolArgs> = {}) => parseGkeNodePoolArgs("hpc", aGkePoolArgs(args));

/** Everything that is wrong with some arguments. Any error but an InputPropertiesError is thrown. */
export function gkeProblemsOf(args: unknown): InputProblem[] {
  try {
    parseGkeNodePoolArgs("hpc", args as GkeNodePoolArgs);
    return [];
  } catch (error) {
    if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
    return error.errors;
  }
}

/** Arguments that break one rule: where the complaint stands, and what it says. */
export type RuleCase = [rule: string, args: unknown, path: string, says: string | RegExp];

/** One test for each rule: the arguments have this problem and no other. */
export function itRefuses(cases: RuleCase[]): void {
  for (const [rule, args, path, says] of cases)
    it(`refuses ${rule}`, () => {
      const problems = gkeProblemsOf(args);
      const paths = problems.map(({ propertyPath }) => propertyPath);
      assert.deepEqual(paths, [path], JSON.stringify(problems));
      const [{ reason } = { reason: "" }] = problems;
      if (typeof says === "string") assert.equal(reason, says);
      else assert.match(reason, says);
    });
}

/** One test for each set of arguments that a rule lets through. */
export function itAccepts(cases: Record<string, GkeNodePoolArgs>): void {
  for (const [name, args] of Object.entries(cases))
    it(`accepts ${name}`, () => assert.deepEqual(gkeProblemsOf(args), []));
}
