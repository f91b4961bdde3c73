import type { KarpenterNodePoolArgs } from "../../../../provider";
import { parseKarpenterNodePoolArgs } from "../../../../provider/nodepools/karpenter/parse";
import { problemsOfParse } from "../../../support/problems";

/** Arguments of a small pool, with everything that a test does not care about. */
export function aKarpenterPoolArgs(args: Partial<KarpenterNodePoolArgs> = {}): KarpenterNodePoolArgs {
  const required = { nodeRoleName: "nodes", subnetIds: ["subnet-0a"], securityGroupIds: ["sg-0c"] };
  const sizing = "pairedWith" in args || args.autoscale;
  return { ...required, machineTypes: ["m7i.large"], ...(!sizing && { pairedWith: { size: 2, maxSize: 4 } }), ...args };
}

/** Arguments of a pool with EFA. */
export const aKarpenterEfaArgs = (machineType: string, args: Partial<KarpenterNodePoolArgs> = {}) =>
  aKarpenterPoolArgs({ machineTypes: [machineType], fabric: "efa", zones: ["us-east-1a"], ...args });

/** The spec of a pool. */
export const aKarpenterPool = (args: Partial<KarpenterNodePoolArgs> = {}) =>
  parseKarpenterNodePoolArgs("hpc", aKarpenterPoolArgs(args));

/** The spec of a pool with EFA. */
export const aKarpenterEfaPool = (machineType: string, args: Partial<KarpenterNodePoolArgs> = {}) =>
  parseKarpenterNodePoolArgs("hpc", aKarpenterEfaArgs(machineType, args));

/** Everything that is wrong with some arguments. */
export const karpenterProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseKarpenterNodePoolArgs("hpc", args as KarpenterNodePoolArgs));
