import type { GkeNodePoolArgs } from "../../../../provider";
import { parseGkeNodePoolArgs } from "../../../../provider/nodepools/gke/spec";
import { problemsOfParse, ruleTests } from "../../../support/problems";

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

/** Everything that is wrong with some arguments. */
export const gkeProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseGkeNodePoolArgs("hpc", args as GkeNodePoolArgs));

/** Arguments that break one rule: where the complaint stands, and what it says. */
export type RuleCase = [rule: string, args: unknown, path: string, says: string | RegExp];

const tests = ruleTests(gkeProblemsOf);

/** One test for each rule: the arguments have this problem and no other. */
export const itRefuses = (cases: RuleCase[]) =>
  tests.itRefuses(cases.map(([rule, args, path, says]) => ({ rule, args: args as object, path, says })));

/** One test for each set of arguments that a rule lets through. */
export const itAccepts: (cases: Record<string, GkeNodePoolArgs>) => void = tests.itAccepts;
