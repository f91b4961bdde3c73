import type { AksNodePoolArgs } from "../../../../provider";
import { parseAksNodePoolArgs } from "../../../../provider/nodepools/aks/parse";
import { problemsOfParse } from "../../../support/problems";

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

/** A size with InfiniBand, in use. */
export const hb = { machineType: "Standard_HB120rs_v3", fabric: "infiniband" } as const;

/** A size that the table does not have. */
export const x1 = {
  machineType: "Standard_X1",
  hardware: { arch: "amd64", vcpus: 8, threadsPerCore: 2, memoryMib: 4096 },
} as const;
