import type { EksNodePoolArgs } from "../../../../provider";
import { parseEksNodePoolArgs } from "../../../../provider/nodepools/eks/parse";
import { problemsOfParse } from "../../../support/problems";

/** Arguments of a small pool, with everything that a test does not care about. */
export function anEksPoolArgs(args: Partial<EksNodePoolArgs> = {}): EksNodePoolArgs {
  const required = {
    clusterName: "flux",
    nodeRoleArn: "arn:aws:iam::1:role/nodes",
    subnetIds: ["subnet-a", "subnet-b"],
  };
  const sizing = args.size ?? args.autoscale ?? args.pairedWith;
  return { ...required, machineTypes: ["m7i.large"], ...(sizing === undefined && { size: 2 }), ...args };
}

/** Arguments of a pool with EFA. */
export const anEfaPoolArgs = (machineType: string, args: Partial<EksNodePoolArgs> = {}): EksNodePoolArgs =>
  anEksPoolArgs({ machineTypes: [machineType], fabric: "efa", zones: ["us-east-1a"], ...args });

/** The spec of a pool. */
export const anEksPool = (args: Partial<EksNodePoolArgs> = {}) => parseEksNodePoolArgs("hpc", anEksPoolArgs(args));

/** Everything that is wrong with some arguments. */
export const eksProblemsOf = (args: unknown) =>
  problemsOfParse(() => parseEksNodePoolArgs("hpc", args as EksNodePoolArgs));

/** An instance type that the tables do not have. */
export const m99 = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 32_768 } as const;
