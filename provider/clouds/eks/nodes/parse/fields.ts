import type { z } from "zod";
import { choice, flag, integer, leaf, list, nonEmptyText, object } from "../../../../shared/checks";
import { clusterFields, nameField } from "../../../kubernetes/parse";
import { hardwareFields } from "../../../machines";
import { NodePoolDevicesBy } from "../../../nodes/args";
import { commonFields, devicePlugin, priceOrList, zonesOf } from "../../../nodes/parse/fields";
import { maxPoolNodes } from "../../../nodes/parse/sizing";
import {
  EksNodePoolCapacityType,
  EksNodePoolEfaLayout,
  EksNodePoolFabric,
  EksNodePoolOs,
  EksNodePoolPlacement,
  EksNodePoolReservationPreference,
  EksNodePoolWarmPoolState,
} from "../args";

const hardware = object({
  ...hardwareFields,
  networkCards: integer(1, 64).default(1),
  efaInterfaces: integer(0, 64).default(0),
  interfacesPerCard: list(integer(1, 64)).optional(),
});

/** An instance type, as EC2 or the user describes it. */
export type EksHardware = z.output<typeof hardware>;

const warmPool = object({
  poolState: choice(EksNodePoolWarmPoolState).optional(),
  minSize: integer(0, maxPoolNodes).optional(),
  maxGroupPreparedCapacity: integer(-1, maxPoolNodes).optional(),
  reuseOnScaleIn: flag.optional(),
});

const diskType = nonEmptyText.refine((type) => type !== "io1" && type !== "io2", {
  error: 'provisioned-IOPS volumes (io1, io2) are not supported; use "gp3"',
});

/** Fields of the arguments, each checked by itself. Defaults that depend on other fields are set in `index.ts`. */
export const eksPoolFields = object({
  ...commonFields,
  clusterName: nameField,
  cluster: clusterFields.eks,
  nodeRoleArn: leaf(nonEmptyText),
  subnetIds: leaf(
    list(leaf(nonEmptyText)).refine((ids) => ids.length > 0, { error: "needs at least one subnet; add one" }),
  ),
  zones: zonesOf(nonEmptyText),
  machineTypes: list(nonEmptyText).refine((types) => types.length > 0, {
    error: "needs at least one instance type; add one",
  }),
  hardware: hardware.optional(),
  warmPool: warmPool.optional(),
  fabric: choice(EksNodePoolFabric).default(EksNodePoolFabric.None),
  fabricBy: choice(NodePoolDevicesBy).optional(),
  gpuBy: choice(NodePoolDevicesBy).optional(),
  efaLayout: choice(EksNodePoolEfaLayout).optional(),
  placement: choice(EksNodePoolPlacement).optional(),
  placementGroupName: leaf(nonEmptyText).optional(),
  capacityType: choice(EksNodePoolCapacityType).default(EksNodePoolCapacityType.OnDemand),
  reservationId: leaf(nonEmptyText).optional(),
  reservationResourceGroupArn: leaf(nonEmptyText).optional(),
  reservationPreference: choice(EksNodePoolReservationPreference).optional(),
  os: choice(EksNodePoolOs).optional(),
  amiId: leaf(nonEmptyText).optional(),
  userData: leaf(nonEmptyText).optional(),
  version: leaf(nonEmptyText).optional(),
  nodeRepair: leaf(flag).optional(),
  price: priceOrList("lookupEksPrice(machineType)"),
  diskGib: leaf(integer(20, 16_384)).default(150),
  diskType: leaf(diskType).default("gp3"),
  fastImagePull: flag.default(false),
  securityGroupIds: leaf(list(leaf(nonEmptyText))).default([]),
  efaSecurityGroup: flag.optional(),
  lustreEfaClient: flag.default(false),
  nvidiaPlugin: devicePlugin,
  efaPlugin: devicePlugin,
});

export type EksPoolFields = z.output<typeof eksPoolFields>;

/** Fields of nodes, also of nodes that Karpenter launches, whose capacity types may be a list. */
export const sharedEksFields = {
  ...eksPoolFields.out.omit({
    clusterName: true,
    cluster: true,
    nodeRoleArn: true,
    warmPool: true,
    reservationResourceGroupArn: true,
    reservationPreference: true,
    placement: true,
    version: true,
    amiId: true,
    userData: true,
    nodeRepair: true,
    efaSecurityGroup: true,
    lustreEfaClient: true,
  }).shape,
  capacityType: choice(EksNodePoolCapacityType).optional(),
  capacityTypes: list(choice(EksNodePoolCapacityType)).optional(),
};

export type SharedEksFields = z.output<z.ZodObject<typeof sharedEksFields>>;

/** All capacity types of a pool. */
export const capacityTypesOf = ({
  capacityType = EksNodePoolCapacityType.OnDemand,
  capacityTypes = [capacityType],
}: Partial<Pick<SharedEksFields, "capacityType" | "capacityTypes">>) => capacityTypes;

/** True for a pool with EFA. */
export const hasEfa = ({ fabric }: Pick<EksPoolFields, "fabric">) => fabric === EksNodePoolFabric.Efa;

/** Fields that determine the placement. */
export const placementFields = ["placement", "fabric", "capacityType", "reservationPreference"] as const;

/** Placement, by default the best placement for EFA. A reservation has no capacity in a new placement group. */
export function placementOf(args: Pick<EksPoolFields, (typeof placementFields)[number]>): EksNodePoolPlacement {
  const isGrouped =
    hasEfa(args) &&
    args.capacityType === EksNodePoolCapacityType.OnDemand &&
    args.reservationPreference !== EksNodePoolReservationPreference.Open;
  return args.placement ?? (isGrouped ? EksNodePoolPlacement.Cluster : EksNodePoolPlacement.None);
}
