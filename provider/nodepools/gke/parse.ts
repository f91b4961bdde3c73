import { parseArgs } from "../../shared/parseArgs";
import { rules } from "../../shared/rules";
import { byClaim } from "../claims";
import { buildScheduling, type GpuSharing } from "../scheduling";
import { resolveSizing } from "../sizing";
import { type GkeNodePoolArgs, GkeNodePoolCapacity, GkeNodePoolGpuDriver } from "./args";
import { fabricUse } from "./fabric";
import { type GkePoolFields, gkePoolFields, isOnRequest } from "./fields";
import { type GkeMachineType, gkeMachineType, ownTaints, placementOf, withGpus } from "./machineTypes";
import { partitionsOf } from "./partitions";
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
  const gpuUse = gpuUseOf(machine, args);
  const fabric = fabricUse(machine, { ...args, rdmaNetworks });
  return {
    ...args,
    machine,
    sizing,
    gpuUse,
    rdmaNetworks,
    gpuDriver: args.gpuDriver ?? (byClaim(args.gpuBy) ? GkeNodePoolGpuDriver.None : GkeNodePoolGpuDriver.Default),
    autoRepair: args.autoRepair ?? !isOnRequest(args),
    // An upgrade in the middle of a gang would take one of its nodes.
    autoUpgrade: args.autoUpgrade ?? args.capacity !== GkeNodePoolCapacity.Queued,
    placement: placementOf(args),
    scheduling: buildScheduling({ ...args, machine, sizing, taints, gpuUse, fabric }),
  };
}

/** Use of GPUs that are divided, shared, or both: GKE's plugin counts all parts and turns as GPUs. */
function gpuUseOf(
  { acceleratorType }: GkeMachineType,
  { gpuPartition, gpuSharing }: Pick<GkePoolFields, "gpuPartition" | "gpuSharing">,
): GpuSharing {
  const parts = gpuPartition === undefined ? 1 : (partitionsOf(acceleratorType)[gpuPartition] ?? 1);
  return { perGpu: parts * (gpuSharing?.clients ?? 1), ...(gpuSharing && { perContainer: 1 }) };
}
