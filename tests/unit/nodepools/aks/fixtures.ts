import type { AksNodePoolArgs } from "../../../../provider";
import { parseAksNodePoolArgs } from "../../../../provider/nodepools/aks/spec";
import { problemsOfParse, ruleTests } from "../../../support/problems";

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

/** Everything that is wrong with some arguments. */
export const aksProblems = (args: object, resourceName = "pool") =>
  problemsOfParse(() => parseAksNodePoolArgs(resourceName, args as AksNodePoolArgs));

/** What a machine has that the table does not know. */
export const unknownHardware = { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 4096 } as const;

/** Tests of the rules on a pool. */
export const { itRefuses } = ruleTests((args) => aksProblems(aksArgs(args)), "refuse");
