import { z } from "zod";
import { choice, integer, leaf, list, nonEmptyText, object, text } from "../../../../shared/checks";
import { clusterFields, nameField } from "../../../kubernetes/parse";
import { hardwareFields } from "../../../machines";
import {
  NodePoolDeviceAlignment,
  NodePoolDevicesBy,
  type NodePoolTaint,
  MiniClusterTaintEffect,
} from "../../../nodes/args";
import { commonFields, devicePlugin, priceOrList, zonesOf } from "../../../nodes/parse/fields";
import {
  AksNodePoolCapacityType,
  AksNodePoolDiskType,
  AksNodePoolFabric,
  AksNodePoolGpuDriver,
  AksNodePoolGpuPartition,
  AksNodePoolOsSku,
  AksNodePoolPlacement,
  AksNodePoolTopologyManagerPolicy,
} from "../args";

/** Field of `hardware`. */
export const hardware = object({
  ...hardwareFields,
  infinibandDevices: integer(0, 64).default(0),
  nvmeGb: integer(0, 10_000_000).optional(),
});

/** A VM size that the user describes in `hardware`. */
export type AksHardware = z.output<typeof hardware>;

const poolName = text.refine((value) => /^[a-z][a-z0-9]{0,11}$/.test(value), {
  error: ({ input }) =>
    `${JSON.stringify(input)} must be a name of AKS: at most 12 lowercase letters and digits, starting with a letter; set name`,
});

const spotPrice = z
  .number({ error: "must be a number of US dollars" })
  .refine((value) => value === -1 || value > 0, { error: "must be above 0, or -1 for the price on demand" });

/** Fields of the arguments, each checked by itself. Defaults that depend on other fields are set in `index.ts`. */
export const aksPoolFields = object({
  ...commonFields,
  name: poolName,
  resourceGroupName: nameField,
  clusterName: nameField,
  cluster: clusterFields.aks,
  machineType: nonEmptyText,
  hardware: hardware.optional(),
  fabric: choice(AksNodePoolFabric).default(AksNodePoolFabric.None),
  placement: choice(AksNodePoolPlacement).default(AksNodePoolPlacement.None),
  proximityPlacementGroupId: leaf(nonEmptyText).optional(),
  location: leaf(nonEmptyText).optional(),
  zones: zonesOf(choice({ 1: "1", 2: "2", 3: "3" })),
  capacityType: choice(AksNodePoolCapacityType).default(AksNodePoolCapacityType.OnDemand),
  capacityReservationGroupId: leaf(nonEmptyText).optional(),
  spotMaxPrice: leaf(spotPrice).optional(),
  gpuPartition: choice(AksNodePoolGpuPartition).optional(),
  gpuDriver: choice(AksNodePoolGpuDriver).optional(),
  fabricBy: choice(NodePoolDevicesBy).optional(),
  gpuBy: choice(NodePoolDevicesBy).optional(),
  deviceAlignment: choice(NodePoolDeviceAlignment).optional(),
  osSku: choice(AksNodePoolOsSku).default(AksNodePoolOsSku.Ubuntu),
  topologyManagerPolicy: choice(AksNodePoolTopologyManagerPolicy).optional(),
  version: leaf(nonEmptyText).optional(),
  price: priceOrList("lookupAksPrice(machineType, { location })"),
  diskGib: leaf(integer(30, 2048)).optional(),
  diskType: leaf(choice(AksNodePoolDiskType)).optional(),
  vnetSubnetId: leaf(nonEmptyText).optional(),
  applicationSecurityGroupIds: leaf(list(leaf(nonEmptyText))).default([]),
  nvidiaPlugin: devicePlugin,
  rdmaPlugin: devicePlugin,
  moduleLoader: devicePlugin,
});

export type AksPoolFields = z.output<typeof aksPoolFields>;

/** True for a pool with InfiniBand. */
export const hasInfiniband = ({ fabric }: Pick<AksPoolFields, "fabric">) => fabric === AksNodePoolFabric.Infiniband;

/** Minor Kubernetes version of nodes; NaN if it is not known yet. */
export const minorOf = (version: unknown) =>
  typeof version === "string" ? Number(/^v?1\.(\d+)/.exec(version)?.[1]) : NaN;

/** Taint that AKS sets on spot machines. */
export const spotTaint: NodePoolTaint = {
  key: "kubernetes.azure.com/scalesetpriority",
  value: "spot",
  effect: MiniClusterTaintEffect.NoSchedule,
};
