import { parseArgs } from "../../shared/parseArgs";
import { rules } from "../../shared/rules";
import { NodePoolAcceleratorKind } from "../args";
import { byClaim } from "../claims";
import { chosenPlugin } from "../devicePlugins";
import { buildScheduling } from "../scheduling";
import { resolveSizing } from "../sizing";
import { type AksNodePoolArgs, AksNodePoolCapacity, AksNodePoolGpuDriver, AksNodePoolGpuPartition } from "./args";
import { fabricUse } from "./fabric";
import { type AksPoolFields, aksPoolFields, hasInfiniband, spotTaint } from "./fields";
import { type AksMachineType, aksMachineType } from "./machineTypes";
import { aksRules } from "./rules";

const schema = aksPoolFields.check(rules(...aksRules));

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseAksNodePoolArgs = (resourceName: string, args: AksNodePoolArgs) =>
  settle(parseArgs(schema, "AksNodePool", resourceName, args));

/** Arguments of which every one is checked and every default is set. */
export type AksPoolSpec = ReturnType<typeof settle>;

function settle(args: AksPoolFields) {
  const machine = aksMachineType(args.machineType, args.hardware);
  if (!machine) throw new Error(`the rules let no pool through with an unknown VM size, ${args.machineType}`);
  const sizing = resolveSizing(args);
  const taints = args.capacity === AksNodePoolCapacity.Spot ? [...args.taints, spotTaint] : args.taints;
  const gpuDriver = machine.accelerator && (args.gpuDriver ?? defaultDriver(machine));
  const hasNvidia = machine.accelerator?.kind === NodePoolAcceleratorKind.Nvidia;
  const gpuUse = args.gpuPartition && { perGpu: partsPerGpu[args.gpuPartition] };
  return {
    ...args,
    machine,
    sizing,
    taints,
    ...(gpuUse && { gpuUse }),
    gpuDriver,
    spotMaxPrice: args.spotMaxPrice ?? -1,
    scheduling: buildScheduling({ ...args, machine, sizing, taints, gpuUse, fabric: fabricUse(machine, args) }),
    devicePlugins: [
      // Without a driver from AKS it is an operator's, which runs a plugin of its own.
      ...chosenPlugin(
        "nvidia",
        hasNvidia && gpuDriver === AksNodePoolGpuDriver.Install && !byClaim(args.gpuBy),
        args.nvidiaPlugin,
      ).map((plugin) => ({ ...plugin, ...(gpuUse && { isDivided: true }) })),
      ...chosenPlugin("rdma", hasInfiniband(args), args.rdmaPlugin),
    ],
  };
}

/** Parts of a GPU ("Multi-instance GPU node pool"). */
const partsPerGpu: Record<AksNodePoolGpuPartition, number> = {
  [AksNodePoolGpuPartition.OneSlice]: 7,
  [AksNodePoolGpuPartition.TwoSlices]: 3,
  [AksNodePoolGpuPartition.ThreeSlices]: 2,
  [AksNodePoolGpuPartition.FourSlices]: 1,
  [AksNodePoolGpuPartition.SevenSlices]: 1,
};

const defaultDriver = ({ accelerator }: AksMachineType): AksNodePoolGpuDriver =>
  accelerator?.kind === NodePoolAcceleratorKind.Amd ? AksNodePoolGpuDriver.None : AksNodePoolGpuDriver.Install;
