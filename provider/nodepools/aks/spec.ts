import { z } from "zod";
import { choice, integer, leaf, list, nonEmptyText, object, text } from "../../shared/checks";
import { MiniClusterTaintEffect, type NodePoolScheduling, type NodePoolTaint } from "../../minicluster/args";
import { NodePoolAcceleratorKind } from "../args";
import { commonFields, devicePlugin, hardwareFields, parsePool } from "../checks";
import { chosenPlugin } from "../devicePlugins";
import { buildScheduling } from "../scheduling";
import { resolveSizing } from "../sizing";
import {
  type AksNodePoolArgs,
  AksNodePoolCapacity,
  AksNodePoolDiskType,
  AksNodePoolFabric,
  AksNodePoolGpuDriver,
  AksNodePoolOsSku,
  AksNodePoolPlacement,
} from "./args";
import { settledFabric } from "./infiniband";
import { type AksPoolMachine, poolMachine } from "./machine";
import { aksRules } from "./rules";

const poolName = text.refine((value) => /^[a-z][a-z0-9]{0,11}$/.test(value), {
  error: ({ input }) =>
    `${JSON.stringify(input)} must be a name of AKS: at most 12 lowercase letters and digits, starting with a letter; set name`,
});

const price = z
  .number({ error: "must be a number of US dollars" })
  .refine((value) => value === -1 || value > 0, { error: "must be above 0, or -1 for the price on demand" });

const fields = object({
  ...commonFields,
  name: poolName,
  resourceGroupName: leaf(nonEmptyText),
  clusterName: leaf(nonEmptyText),
  machineType: nonEmptyText,
  hardware: object({ ...hardwareFields, infinibandDevices: integer(0, 64).default(0) }).optional(),
  fabric: choice(AksNodePoolFabric).default(AksNodePoolFabric.None),
  placement: choice(AksNodePoolPlacement).default(AksNodePoolPlacement.None),
  proximityPlacementGroupId: leaf(nonEmptyText).optional(),
  location: leaf(nonEmptyText).optional(),
  zones: list(choice({ 1: "1", 2: "2", 3: "3" })).default([]),
  capacity: choice(AksNodePoolCapacity).default(AksNodePoolCapacity.OnDemand),
  capacityReservationGroupId: leaf(nonEmptyText).optional(),
  spotMaxPrice: leaf(price).default(-1),
  gpuDriver: choice(AksNodePoolGpuDriver).optional(),
  osSku: choice(AksNodePoolOsSku).default(AksNodePoolOsSku.Ubuntu),
  version: leaf(nonEmptyText).optional(),
  diskGib: integer(30, 2048).optional(),
  diskType: choice(AksNodePoolDiskType).optional(),
  vnetSubnetId: leaf(nonEmptyText).optional(),
  applicationSecurityGroupIds: list(leaf(nonEmptyText)).default([]),
  nvidiaPlugin: devicePlugin,
  rdmaPlugin: devicePlugin,
});

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseAksNodePoolArgs = (resourceName: string, args: AksNodePoolArgs) =>
  parsePool("AksNodePool", resourceName, args, { fields, rules: aksRules, resolve });

/** Arguments of which every one is checked and every default is set. */
export type AksPoolSpec = ReturnType<typeof parseAksNodePoolArgs>;

/** The taint that AKS gives spot machines by itself. */
export const spotTaint: NodePoolTaint = {
  key: "kubernetes.azure.com/scalesetpriority",
  value: "spot",
  effect: MiniClusterTaintEffect.NoSchedule,
};

function resolve(args: z.output<typeof fields>) {
  const machine = poolMachine(args.machineType, args.hardware);
  if (!machine) throw new Error(`the rules let no pool through with an unknown size, ${args.machineType}`);
  const hasInfiniBand = args.fabric === AksNodePoolFabric.Infiniband;
  const taints = args.capacity === AksNodePoolCapacity.Spot ? [...args.taints, spotTaint] : args.taints;
  const gpuDriver = machine.accelerator && (args.gpuDriver ?? defaultDriver(machine));
  const sizing = resolveSizing(args);
  const fabric = settledFabric(machine, args);
  const hasNvidia = machine.accelerator?.kind === NodePoolAcceleratorKind.Nvidia;
  return {
    ...args,
    machine,
    sizing,
    taints,
    gpuDriver,
    scheduling: buildScheduling({ ...args, machine, sizing, taints, fabric }) satisfies NodePoolScheduling,
    devicePlugins: [
      // Without a driver from AKS it is an operator's, which runs a plugin of its own.
      ...chosenPlugin("nvidia", hasNvidia && gpuDriver === AksNodePoolGpuDriver.Install, args.nvidiaPlugin),
      ...chosenPlugin("rdma", hasInfiniBand, args.rdmaPlugin),
    ],
  };
}

const defaultDriver = ({ accelerator }: AksPoolMachine): AksNodePoolGpuDriver =>
  accelerator?.kind === NodePoolAcceleratorKind.Amd ? AksNodePoolGpuDriver.None : AksNodePoolGpuDriver.Install;
