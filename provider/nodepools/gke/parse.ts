import { parseArgs } from "../../shared/parseArgs";
import { rules } from "../../shared/rules";
import { buildScheduling } from "../scheduling";
import { resolveSizing } from "../sizing";
import { type GkeNodePoolArgs, GkeNodePoolGpuDriver } from "./args";
import { fabricUse } from "./fabric";
import { type GkePoolFields, gkePoolFields, isOnRequest } from "./fields";
import { gkeMachineType, ownTaints, withGpus } from "./machineTypes";
import { gkeRules } from "./rules";

const schema = gkePoolFields.check(rules(...gkeRules));

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseGkeNodePoolArgs = (resourceName: string, args: GkeNodePoolArgs) =>
  settle(parseArgs(schema, "GkeNodePool", resourceName, args));

/** Arguments of which every one is checked and every default is set. */
export type GkePoolSpec = ReturnType<typeof settle>;

function settle(args: GkePoolFields) {
  const type = gkeMachineType(args.machineType, args.hardware);
  if (!type) throw new Error(`the rules let no pool through with an unknown machine type, ${args.machineType}`);
  const machine = withGpus(type, args.gpus);
  const sizing = resolveSizing(args);
  const { rdmaNetworks = [] } = args;
  const taints = [...ownTaints(machine, args), ...args.taints];
  const fabric = fabricUse(machine, { ...args, rdmaNetworks });
  return {
    ...args,
    machine,
    sizing,
    rdmaNetworks,
    gpuDriver: args.gpuDriver ?? GkeNodePoolGpuDriver.Default,
    autoRepair: args.autoRepair ?? !isOnRequest(args),
    scheduling: buildScheduling({ ...args, machine, sizing, taints, fabric }),
  };
}
