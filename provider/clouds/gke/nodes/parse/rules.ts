import { type Rule, forEachItem } from "../../../../shared/rules";
import { needlessHardware, wholeCoresRule } from "../../../machines";
import { placeRule } from "../../../kubernetes/parse";
import { NodePoolAcceleratorKind, NodePoolLocalDisks } from "../../../nodes/args";
import { commonRules } from "../../../nodes/parse/fields";
import { requireLocalDisks } from "../../../nodes/parse/localDisks";
import { countFields, isFixedSize, limitNodes } from "../../../nodes/parse/sizing";
import {
  hasHyperdiskAlone,
  hasPlacedFlexStart,
  hasSpot,
  hasWorkloadPolicy,
  isListed,
  machineTypeOf,
  nvlinkTopologyOf,
  ownTaints,
  placementOf,
  withGpus,
} from "../../machines";
import { GkeNodePoolCapacityType, GkeNodePoolPlacement } from "../args";
import { claimRules, gpuRules } from "./deviceRules";
import { type GkePoolFields, gkeRule as rule, isOnRequest, typeFields } from "./fields";
import { isRdma, networkRules } from "./networkRules";

type Fields<Name extends keyof GkePoolFields> = Pick<GkePoolFields, Name>;

/** Fields that determine the placement. */
const placementFields = ["placement", "machineType"] as const;
type Placed = Fields<(typeof placementFields)[number]>;

const isCompact = (args: Placed) => placementOf(args) === GkeNodePoolPlacement.Compact;
const isPlaced = (args: Placed) => placementOf(args) !== GkeNodePoolPlacement.None;
const byWorkloadPolicy = ({ placement }: Fields<"placement">) => placement === GkeNodePoolPlacement.HighThroughput;
const isReserved = ({ capacityType }: Fields<"capacityType">) => capacityType === GkeNodePoolCapacityType.Reservation;
const isQueued = ({ capacityType }: Fields<"capacityType">) => capacityType === GkeNodePoolCapacityType.Queued;

const duplicateZoneRule = rule(["zones[]"], ({ zones }, addIssue) =>
  forEachItem(zones, (zone, index) => {
    if (typeof zone === "string" && zones.indexOf(zone) !== index)
      addIssue(["zones", index], `duplicate zone ${zone}; remove one of the two`);
  }),
);

const oneZoneRule = rule([...placementFields, "fabric", "zones[]"], (args, addIssue) => {
  const reason = isRdma(args) ? 'fabric "rdma"' : isPlaced(args) ? `placement "${placementOf(args)}"` : undefined;
  if (reason !== undefined && args.zones.length !== 1)
    addIssue(["zones"], `${reason} requires exactly one zone, not ${args.zones.length}; set one`);
});

const namedZonesRule = rule(
  [...placementFields, "zones[]", "fabric", "capacityType", ...countFields],
  (args, addIssue) => {
    if (args.zones.length > 0 || isRdma(args) || isPlaced(args)) return;
    if (isReserved(args))
      addIssue(["zones"], 'capacityType "reservation" requires the zone of the reservation; set it');
    else if (isFixedSize(args) && !isOnRequest(args))
      addIssue(["zones"], "a fixed size requires zones, because GKE counts nodes per zone; set one or more");
  },
);

const shareRule = rule([...countFields, "zones[]"], ({ size = 0, maxSize, zones: { length } }, addIssue) => {
  if (maxSize !== undefined || length === 0 || size % length === 0) return;
  const [less, more] = [Math.floor, Math.ceil].map((round) => round(size / length) * length);
  addIssue(["size"], `${size} nodes cannot be distributed equally over ${length} zones; use ${less} or ${more}`);
});

// "Define compact placement for GKE nodes".
const maxCompactNodes = 1500;

const compactRule = rule([...placementFields, ...countFields], (args, addIssue) => {
  if (isCompact(args))
    limitNodes(args, maxCompactNodes, "of a compact placement; lower it, or remove placement", addIssue);
});

const placementRule = rule([...placementFields, "capacityType"], (args, addIssue) => {
  if (!isPlaced(args)) return;
  if (isQueued(args)) addIssue(["placement"], 'capacityType "queued" determines the placement; remove placement');
  if (args.capacityType === GkeNodePoolCapacityType.FlexStart && !hasPlacedFlexStart(args.machineType))
    addIssue(
      ["placement"],
      'capacityType "flexStart" supports a placement only on A3 Ultra, A4 and H4D; choose one of these, or remove placement',
    );
});

const domainRule = rule(["placement", "machineType"], (args, addIssue) => {
  const { placement = GkeNodePoolPlacement.Compact } = args;
  if (placement !== GkeNodePoolPlacement.Compact && nvlinkTopologyOf(args.machineType) !== undefined)
    addIssue(["placement"], `all nodes of ${args.machineType} are in one NVLink domain; remove placement`);
});

const domainSizeRule = rule([...typeFields, ...countFields], (args, addIssue) => {
  const { accelerator } = machineTypeOf(args) ?? {};
  const topology = nvlinkTopologyOf(args.machineType);
  if (topology === undefined || !accelerator) return;
  const gpus = topology.split("x").reduce((product, count) => product * Number(count), 1);
  limitNodes(args, gpus / accelerator.count, "of an NVLink domain; lower it, and use a pool for each domain", addIssue);
});

const placementPolicyRule = rule([...placementFields, "placementPolicyName"], (args, addIssue) => {
  if (args.placementPolicyName !== undefined && !isPlaced(args))
    addIssue(
      ["placementPolicyName"],
      'requires placement "compact" or "highThroughput"; set one of these, or remove placementPolicyName',
    );
});

const workloadPolicyRule = rule(placementFields, (args, addIssue) => {
  // Google may support the policies for other types, which a user describes in `hardware`.
  if (byWorkloadPolicy(args) && isListed(args.machineType) && !hasWorkloadPolicy(args.machineType))
    addIssue(
      ["placement"],
      `Google has no workload policies for ${args.machineType}, only for A3 High with 8 GPUs, A3 Mega, A3 Ultra, A4, A4X and H4D; ` +
        'use "compact", or remove placement',
    );
});

const distanceRule = rule(["placement", "maxTopologyDistance"], (args, addIssue) => {
  if (args.maxTopologyDistance !== undefined && !byWorkloadPolicy(args))
    addIssue(["maxTopologyDistance"], 'requires placement "highThroughput"; set it, or remove maxTopologyDistance');
});

const policyDistanceRule = rule(["placementPolicyName", "maxTopologyDistance"], (args, addIssue) => {
  if (args.maxTopologyDistance !== undefined && args.placementPolicyName !== undefined)
    addIssue(["maxTopologyDistance"], "the existing policy has its own distance; remove it, or placementPolicyName");
});

const reservationRule = rule(["capacityType", "reservationName"], (args, addIssue) => {
  if (isReserved(args) && args.reservationName === undefined)
    addIssue(["reservationName"], 'capacityType "reservation" requires the name of the reservation; add it');
  if (!isReserved(args) && args.reservationName !== undefined)
    addIssue(["reservationName"], 'requires capacityType "reservation"; set it, or remove reservationName');
});

const runTimeRule = rule(["maxRunSeconds", "capacityType"], (args, addIssue) => {
  if (args.maxRunSeconds !== undefined && !isOnRequest(args))
    addIssue(
      ["maxRunSeconds"],
      'requires capacityType "flexStart" or "queued"; set one of these, or remove maxRunSeconds',
    );
});

const requestedSizeRule = rule([...countFields, "capacityType"], (args, addIssue) => {
  if (isFixedSize(args) && isOnRequest(args))
    addIssue(["size"], `nodes of capacityType "${args.capacityType}" cannot have a fixed number; set maxSize`);
});

const queuedMinRule = rule(["minSize", "capacityType"], (args, addIssue) => {
  const { minSize = 0 } = args;
  if (isQueued(args) && minSize > 0)
    addIssue(["minSize"], `must be 0 with capacityType "queued", not ${minSize}; remove it`);
});

const repairRule = rule(["autoRepair", "capacityType"], (args, addIssue) => {
  if (args.autoRepair === true && isOnRequest(args))
    addIssue(["autoRepair"], `GKE does not repair nodes of capacityType "${args.capacityType}"; remove autoRepair`);
});

const ownLabels =
  /^((node|topology)\.)?kubernetes\.io\/|^cloud\.google\.com\/(gke-(nodepool|accelerator|spot|preemptible|boot-disk|ephemeral-storage-local-ssd)$|gce-topology-)/;

const labelRule = rule(["labels[]"], ({ labels }, addIssue) => {
  for (const key of Object.keys(labels))
    if (ownLabels.test(key)) addIssue(["labels", key], "GKE sets this label; use another key");
});

const unknownTypeRule = rule(typeFields, (args, addIssue) => {
  const { machineType } = args;
  if (!machineTypeOf(args))
    addIssue(
      ["machineType"],
      `unknown machine type "${machineType}"; correct it, or describe it as hardware: ` +
        `await lookupGkeMachine("${machineType}", { zone, arch, threadsPerCore })`,
    );
});

const needlessHardwareRule = rule(["hardware?", "machineType"], ({ hardware, machineType }, addIssue) => {
  if (hardware !== undefined && isListed(machineType)) addIssue(["hardware"], needlessHardware(machineType));
});

const acceleratorRule = rule(["machineType", "hardware"], ({ hardware, machineType }, addIssue) => {
  if (hardware === undefined || isListed(machineType)) return;
  const { accelerator, acceleratorType } = hardware;
  const path = ["hardware", "acceleratorType"];
  if (!accelerator && acceleratorType !== undefined)
    addIssue(path, "requires hardware.accelerator; add it, or remove acceleratorType");
  if (accelerator && acceleratorType === undefined)
    addIssue(path, 'hardware.accelerator requires the name of the GPUs in GKE, such as "nvidia-l4"; add it');
  if (accelerator && accelerator.kind !== NodePoolAcceleratorKind.Nvidia)
    addIssue(["hardware", "accelerator", "kind"], 'GKE supports only accelerators of "nvidia"; correct it');
});

const archRule = rule([...typeFields, "arch"], (args, addIssue) => {
  const { arch } = machineTypeOf(args) ?? {};
  if (args.arch !== undefined && arch !== undefined && args.arch !== arch)
    addIssue(["arch"], `${args.machineType} is ${arch}, not ${args.arch}; correct or remove arch`);
});

const localDisksRule = rule([...typeFields, "localDisks"], (args, addIssue) => {
  const { localDisks, machineType } = args;
  const type = machineTypeOf(args);
  if (!type) return;
  requireLocalDisks(machineType, type, localDisks, addIssue);
  if (localDisks === NodePoolLocalDisks.None && type.localSsds !== undefined)
    addIssue(["localDisks"], `${machineType} always has local SSDs; use "raid0" or "raw", or remove localDisks`);
  // "Provision and use Local SSD-backed raw block storage".
  if (localDisks === NodePoolLocalDisks.Raw && /^z[34]/.test(machineType))
    addIssue(["localDisks"], `Google advises against raw local SSDs of ${machineType}; use "raid0"`);
});

const threadsRule = rule([...typeFields, "threadsPerCore"], (args, addIssue) => {
  if (args.threadsPerCore === 2 && machineTypeOf(args)?.threadsPerCore === 1)
    addIssue(["threadsPerCore"], `${args.machineType} has one thread per core; remove threadsPerCore`);
});

const compactTypeRule = rule([...typeFields, "placement"], (args, addIssue) => {
  if (isCompact(args) && machineTypeOf(args)?.compactPlacement === false)
    addIssue(
      ["placement"],
      `GKE does not support compact placement for ${args.machineType}; choose another machine type, or remove placement`,
    );
});

const spotRule = rule(["capacityType", "machineType"], ({ capacityType, machineType }, addIssue) => {
  if (capacityType === GkeNodePoolCapacityType.Spot && !hasSpot(machineType))
    addIssue(["capacityType"], `${machineType} is not available as spot; use "onDemand" or "reservation"`);
});

const spotNoticeRule = rule(["capacityType", "spotNoticeSeconds"], ({ capacityType, spotNoticeSeconds }, addIssue) => {
  if (spotNoticeSeconds !== undefined && capacityType !== GkeNodePoolCapacityType.Spot)
    addIssue(["spotNoticeSeconds"], 'requires capacityType "spot"; set it, or remove spotNoticeSeconds');
});

const diskRule = rule(["diskType", "machineType"], ({ diskType, machineType }, addIssue) => {
  if (typeof diskType === "string" && diskType.startsWith("pd-") && hasHyperdiskAlone(machineType))
    addIssue(
      ["diskType"],
      `${machineType} does not support Persistent Disk; use "hyperdisk-balanced", or remove diskType`,
    );
});

const secondaryDiskRule = rule(["secondaryBootDisks[]", "imageStreaming"], (args, addIssue) => {
  const { secondaryBootDisks, imageStreaming = false } = args;
  if (secondaryBootDisks.length > 0 && imageStreaming === false)
    addIssue(["secondaryBootDisks"], "requires imageStreaming; set it to true, or remove secondaryBootDisks");
});

/** A duplicate taint would be removed and set again at every update. */
const ownTaintRule = rule([...typeFields, "gpus", "capacityType", "taints[].key"], (args, addIssue) => {
  const type = machineTypeOf(args);
  if (!type) return;
  const own = ownTaints(withGpus(type, args.gpus), args).map(({ key }) => key);
  forEachItem(args.taints, ({ key }, index) => {
    if (own.includes(key)) addIssue(["taints", index], `GKE sets the taint ${key} on these nodes; remove it`);
  });
});

/** Rules between the arguments of a pool. */
export const gkeRules: Rule<GkePoolFields>[] = [
  placeRule(["clusterName", "location"], ["project"]),
  ...commonRules,
  duplicateZoneRule,
  oneZoneRule,
  namedZonesRule,
  shareRule,
  compactRule,
  placementRule,
  domainRule,
  domainSizeRule,
  placementPolicyRule,
  workloadPolicyRule,
  distanceRule,
  policyDistanceRule,
  compactTypeRule,
  reservationRule,
  runTimeRule,
  requestedSizeRule,
  queuedMinRule,
  repairRule,
  spotRule,
  spotNoticeRule,
  labelRule,
  ownTaintRule,
  diskRule,
  secondaryDiskRule,
  ...claimRules,
  ...networkRules,
  unknownTypeRule,
  archRule,
  threadsRule,
  localDisksRule,
  ...gpuRules,
  wholeCoresRule,
  needlessHardwareRule,
  acceleratorRule,
];
