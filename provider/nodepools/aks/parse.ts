import { parseArgs } from "../../shared/parseArgs";
import { rules } from "../../shared/rules";
import { NodePoolAcceleratorKind } from "../args";
import { chosenPlugin } from "../devicePlugins";
import { buildScheduling } from "../scheduling";
import { resolveSizing } from "../sizing";
import { type AksNodePoolArgs, AksNodePoolCapacity, AksNodePoolGpuDriver } from "./args";
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
  return {
    ...args,
    machine,
    sizing,
    taints,
    gpuDriver,
    spotMaxPrice: args.spotMaxPrice ?? -1,
    scheduling: buildScheduling({ ...args, machine, sizing, taints, fabric: fabricUse(machine, args) }),
    devicePlugins: [
      // Without a driver from AKS it is an operator's, which runs a plugin of its own.
      ...chosenPlugin("nvidia", hasNvidia && gpuDriver === AksNodePoolGpuDriver.Install, args.nvidiaPlugin),
      ...chosenPlugin("rdma", hasInfiniband(args), args.rdmaPlugin),
    ],
  };
}

const defaultDriver = ({ accelerator }: AksMachineType): AksNodePoolGpuDriver =>
  accelerator?.kind === NodePoolAcceleratorKind.Amd ? AksNodePoolGpuDriver.None : AksNodePoolGpuDriver.Install;
