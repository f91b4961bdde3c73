import type { z } from "zod";
import {
  choice,
  dnsLabel,
  flag,
  integer,
  leaf,
  list,
  map,
  nonEmptyText,
  object,
  serviceName,
  text,
} from "../../../../shared/checks";
import { ruleOn } from "../../../../shared/rules";
import { clusterFields, nameField } from "../../../kubernetes/parse";
import { hardwareFields } from "../../../machines";
import { NodePoolDeviceAlignment, NodePoolDevicesBy } from "../../../nodes/args";
import { commonFields, devicePlugin, priceOrList, zonesOf } from "../../../nodes/parse/fields";
import {
  GkeNodePoolCapacityType,
  GkeNodePoolFabric,
  GkeNodePoolGpuDriver,
  GkeNodePoolGpuSharingStrategy,
  GkeNodePoolHostMaintenance,
  GkeNodePoolPlacement,
  GkeNodePoolTopologyDistance,
} from "../args";

const hardware = object({
  ...hardwareFields,
  acceleratorType: nonEmptyText.optional(),
  tier1: flag.default(false),
  compactPlacement: flag.default(false),
  rdmaInterfaces: integer(0, 64).default(0),
  bareMetal: flag.default(false),
});

/** A machine type that the user describes in `hardware`. */
export type GkeHardware = z.output<typeof hardware>;

const zone = text.refine((value) => /^[a-z]+-[a-z]+\d+-[a-z\d]+$/.test(value), {
  error: ({ input }) => `${JSON.stringify(input)} must be a zone, such as "us-central1-a"`,
});

const network = { network: leaf(nonEmptyText), subnetwork: leaf(nonEmptyText) };

const reservationParts = "(/reservationBlocks/[^/]+(/reservationSubBlocks/[^/]+)?)?";
const reservationPattern = new RegExp(`^(projects/[^/]+/reservations/)?[^/]+${reservationParts}$`);

const reservation = text.refine((value) => reservationPattern.test(value), {
  error: ({ input }) =>
    `${JSON.stringify(input)} must be a reservation: "NAME" or "projects/PROJECT/reservations/NAME", of which a part is selected by ` +
    '"/reservationBlocks/BLOCK" or "/reservationBlocks/BLOCK/reservationSubBlocks/SUBBLOCK" at the end',
});

const diskImage = text.refine((value) => /(^|\/)projects\/[^/]+\/global\/images\/[^/]+$/.test(value), {
  error: ({ input }) => `${JSON.stringify(input)} must be a disk image, "projects/PROJECT/global/images/NAME"`,
});

const secondaryBootDisk = object({
  diskImage: leaf(diskImage),
  containerImageCache: flag.default(false),
});

const label = (pattern: RegExp) =>
  text.refine((value) => pattern.test(value), {
    error: ({ input }) =>
      `${JSON.stringify(input)} must be a label of Google Cloud: at most 63 lowercase letters, digits, - and _`,
  });

const tags = map(label(/^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u), leaf(label(/^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u)));

/** Fields of the arguments, each checked by itself. Defaults that depend on other fields are set in `index.ts`. */
export const gkePoolFields = object({
  ...commonFields,
  clusterName: nameField,
  cluster: clusterFields.gke,
  location: nameField,
  project: leaf(nonEmptyText).optional(),
  zones: zonesOf(zone),
  machineType: nonEmptyText,
  hardware: hardware.optional(),
  fabric: choice(GkeNodePoolFabric).default(GkeNodePoolFabric.None),
  fabricBy: choice(NodePoolDevicesBy).optional(),
  gpuBy: choice(NodePoolDevicesBy).optional(),
  deviceAlignment: choice(NodePoolDeviceAlignment).optional(),
  rdmaNetworks: list(object({ ...network, name: dnsLabel })).optional(),
  gvnicNetwork: object(network).optional(),
  placement: choice(GkeNodePoolPlacement).optional(),
  maxTopologyDistance: choice(GkeNodePoolTopologyDistance).optional(),
  placementPolicyName: leaf(nonEmptyText).optional(),
  capacityType: choice(GkeNodePoolCapacityType).default(GkeNodePoolCapacityType.OnDemand),
  reservationName: leaf(reservation).optional(),
  maxRunSeconds: leaf(integer(1, 604_800)).optional(),
  spotNoticeSeconds: integer(30, 120).optional(),
  gpus: object({ type: nonEmptyText, count: integer(1, 16) }).optional(),
  gpuPartition: nonEmptyText.optional(),
  gpuSharing: object({ strategy: choice(GkeNodePoolGpuSharingStrategy), clients: integer(2, 48) }).optional(),
  gpuDriver: choice(GkeNodePoolGpuDriver).optional(),
  gibInstaller: devicePlugin,
  version: leaf(nonEmptyText).optional(),
  autoRepair: leaf(flag).optional(),
  autoUpgrade: leaf(flag).optional(),
  imageStreaming: leaf(flag).optional(),
  secondaryBootDisks: list(secondaryBootDisk).default([]),
  hostMaintenance: leaf(choice(GkeNodePoolHostMaintenance)).optional(),
  price: priceOrList("lookupGkePrice(machineType, { region })"),
  diskGib: leaf(integer(10, 65_536)).default(150),
  diskType: leaf(nonEmptyText).optional(),
  tags: tags.default({}),
  networkTags: leaf(list(leaf(serviceName))).default([]),
  serviceAccount: leaf(nonEmptyText).optional(),
});

export type GkePoolFields = z.output<typeof gkePoolFields>;

/** A rule between the fields. */
export const gkeRule = ruleOn<GkePoolFields>();

/** Fields that determine the machine type. */
export const typeFields = ["machineType", "hardware"] as const;

/** True if nodes are only added on request, and the size of the pool cannot be fixed. */
export const isOnRequest = ({ capacityType }: Pick<GkePoolFields, "capacityType">) =>
  capacityType === GkeNodePoolCapacityType.FlexStart || capacityType === GkeNodePoolCapacityType.Queued;
