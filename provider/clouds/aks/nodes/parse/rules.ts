import { type Rule, forEachItem, ruleOn } from "../../../../shared/rules";
import { needlessHardware, wholeCoresRule } from "../../../machines";
import { placeRule } from "../../../kubernetes/parse";
import { NodePoolAcceleratorKind, NodePoolDeviceAlignment, NodePoolLocalDisks } from "../../../nodes/args";
import { commonRules } from "../../../nodes/parse/fields";
import { requireLocalDisks } from "../../../nodes/parse/localDisks";
import { alignsNothing, besideDriver, byClaim } from "../../../nodes/parse/scheduling";
import { countFields, limitNodes } from "../../../nodes/parse/sizing";
import { aksMachineType, isListed } from "../../machines";
import { AksNodePoolCapacityType, AksNodePoolGpuDriver, AksNodePoolOsSku, AksNodePoolPlacement } from "../args";
import { type AksPoolFields, hasInfiniband, minorOf } from "./fields";

const rule = ruleOn<AksPoolFields>();

type Fields<Name extends keyof AksPoolFields> = Pick<AksPoolFields, Name>;

const isProximity = ({ placement }: Fields<"placement">) => placement === AksNodePoolPlacement.Proximity;
const isReserved = ({ capacityType }: Fields<"capacityType">) => capacityType === AksNodePoolCapacityType.Reservation;

/** Fields that determine the machine type. */
const typeFields = ["machineType", "hardware"] as const;
const typeOf = ({ machineType, hardware }: Fields<(typeof typeFields)[number]>) =>
  aksMachineType(machineType, hardware);

const countRule = rule(countFields, (args, addIssue) =>
  limitNodes(args, 1000, "of an AKS node pool; lower it", addIssue),
);

const reservedPrefix = /^(kubernetes\.azure\.com|kubernetes\.io)\//;
const reservedKey = (key: string) => `AKS reserves the prefix of ${key}; use another prefix`;

const labelRule = rule(["labels[]"], ({ labels }, addIssue) => {
  for (const key of Object.keys(labels)) if (reservedPrefix.test(key)) addIssue(["labels", key], reservedKey(key));
});

const taintRule = rule(["taints[].key"], ({ taints }, addIssue) =>
  forEachItem(taints, ({ key }, index) => {
    if (reservedPrefix.test(key)) addIssue(["taints", index, "key"], reservedKey(key));
  }),
);

const placementGroupRule = rule(["proximityPlacementGroupId", "placement"], (args, addIssue) => {
  if (args.proximityPlacementGroupId !== undefined && !isProximity(args))
    addIssue(
      ["proximityPlacementGroupId"],
      'requires placement "proximity"; set it, or remove proximityPlacementGroupId',
    );
});

const locationRule = rule(["location", "machineType", "placement", "proximityPlacementGroupId"], (args, addIssue) => {
  // The lookup of a size that is not listed checks its location.
  if (
    args.location !== undefined &&
    isListed(args.machineType) &&
    (!isProximity(args) || args.proximityPlacementGroupId !== undefined)
  )
    addIssue(
      ["location"],
      "is the region of a new proximity placement group, and this pool creates none; remove location",
    );
});

const zoneRule = rule(["zones[]", "fabric", "placement"], (args, addIssue) => {
  const reason = hasInfiniband(args) ? "InfiniBand" : isProximity(args) ? 'placement "proximity"' : undefined;
  if (reason !== undefined && args.zones.length > 1)
    addIssue(["zones"], `${reason} requires a single zone, not ${args.zones.length}; set one zone, or none`);
});

const reservationRule = rule(["capacityType", "capacityReservationGroupId"], (args, addIssue) => {
  const { capacityReservationGroupId: group } = args;
  const path = ["capacityReservationGroupId"];
  if (isReserved(args) && group === undefined)
    addIssue(path, 'capacityType "reservation" requires the id of the capacity reservation group; add it');
  if (!isReserved(args) && group !== undefined)
    addIssue(path, 'requires capacityType "reservation"; set it, or remove capacityReservationGroupId');
});

const reservedPlacementRule = rule(["capacityType", "placement"], (args, addIssue) => {
  if (isReserved(args) && isProximity(args))
    addIssue(
      ["placement"],
      "a capacity reservation cannot be in a proximity placement group; remove placement or capacityType",
    );
});

const priceRule = rule(["spotMaxPrice", "capacityType"], ({ spotMaxPrice, capacityType }, addIssue) => {
  if (spotMaxPrice !== undefined && capacityType !== AksNodePoolCapacityType.Spot)
    addIssue(["spotMaxPrice"], 'requires capacityType "spot"; set it, or remove spotMaxPrice');
});

// The pools of EKS and GKE have this argument.
const threadsRule = rule(["threadsPerCore"], ({ threadsPerCore }, addIssue) => {
  if (threadsPerCore !== undefined)
    addIssue(["threadsPerCore"], "AKS does not set threads per core, and HPC sizes have one; remove threadsPerCore");
});

const unknownTypeRule = rule(typeFields, (args, addIssue) => {
  if (!typeOf(args))
    addIssue(
      ["machineType"],
      `unknown VM size "${args.machineType}"; correct it (az vm list-skus --resource-type virtualMachines lists the ` +
        `sizes), or describe it as hardware: await lookupAksMachine("${args.machineType}", { location })`,
    );
});

const needlessHardwareRule = rule(["hardware?", "machineType"], ({ hardware, machineType }, addIssue) => {
  if (hardware !== undefined && isListed(machineType)) addIssue(["hardware"], needlessHardware(machineType));
});

const acceleratorRule = rule(["hardware.accelerator.kind", "machineType"], ({ hardware, machineType }, addIssue) => {
  if (hardware?.accelerator?.kind === NodePoolAcceleratorKind.Neuron && !isListed(machineType))
    addIssue(["hardware", "accelerator", "kind"], 'Azure has accelerators of "nvidia" and "amd" only; correct it');
});

const archRule = rule([...typeFields, "arch"], (args, addIssue) => {
  const { arch } = typeOf(args) ?? {};
  if (args.arch !== undefined && arch !== undefined && args.arch !== arch)
    addIssue(["arch"], `${args.machineType} is ${arch}, not ${args.arch}; correct or remove arch`);
});

const localDisksRule = rule([...typeFields, "localDisks"], (args, addIssue) => {
  const { machineType, localDisks } = args;
  const type = typeOf(args);
  if (!type) return;
  requireLocalDisks(machineType, type, localDisks, addIssue);
  if (type.stripesItself && localDisks !== undefined && localDisks !== NodePoolLocalDisks.Raid0)
    addIssue(
      ["localDisks"],
      `the image of AKS mounts the disks of ${machineType} itself; use "raid0", or remove localDisks`,
    );
});

const fabricRule = rule([...typeFields, "fabric"], (args, addIssue) => {
  if (hasInfiniband(args) && typeOf(args)?.infinibandDevices === 0)
    addIssue(
      ["fabric"],
      `${args.machineType} has no InfiniBand; choose an HB, HC, HX or ND size with an "r", or remove fabric`,
    );
});

const osRule = rule([...typeFields, "osSku", "fabric"], (args, addIssue) => {
  if (args.osSku !== AksNodePoolOsSku.AzureLinux) return;
  const { accelerator } = typeOf(args) ?? {};
  if (hasInfiniband(args)) addIssue(["osSku"], 'the InfiniBand driver requires Ubuntu; use "ubuntu"');
  if (accelerator?.kind === NodePoolAcceleratorKind.Amd)
    addIssue(["osSku"], `the driver of the ${accelerator.model} requires Ubuntu; use "ubuntu"`);
});

const needlessFabricRules = (["fabricBy", "rdmaPlugin", "moduleLoader"] as const).map((key) =>
  rule(["fabric", key], (args, addIssue) => {
    if (args[key] !== undefined && !hasInfiniband(args))
      addIssue([key], `requires fabric "infiniband"; set it, or remove ${key}`);
  }),
);

const rdmaPluginRule = rule(["rdmaPlugin", "fabricBy"], ({ rdmaPlugin, fabricBy }, addIssue) => {
  if (byClaim(fabricBy) && rdmaPlugin !== undefined) addIssue(["rdmaPlugin"], besideDriver("fabricBy", "rdmaPlugin"));
});

const nvidiaPluginRule = rule([...typeFields, "nvidiaPlugin", "gpuDriver", "gpuBy"], (args, addIssue) => {
  const type = typeOf(args);
  if (args.nvidiaPlugin === undefined || !type) return;
  if (type.accelerator?.kind !== NodePoolAcceleratorKind.Nvidia)
    addIssue(["nvidiaPlugin"], `requires NVIDIA GPUs, and ${args.machineType} has none; remove nvidiaPlugin`);
  else if (args.gpuDriver === AksNodePoolGpuDriver.None)
    addIssue(["nvidiaPlugin"], 'requires gpuDriver "install"; set it, or remove nvidiaPlugin');
  else if (byClaim(args.gpuBy)) addIssue(["nvidiaPlugin"], besideDriver("gpuBy", "nvidiaPlugin"));
});

const gpuByRule = rule([...typeFields, "gpuBy"], (args, addIssue) => {
  const type = typeOf(args);
  if (args.gpuBy !== undefined && type && type.accelerator?.kind !== NodePoolAcceleratorKind.Nvidia)
    addIssue(["gpuBy"], `requires NVIDIA GPUs, and ${args.machineType} has none; remove gpuBy`);
});

// Kubernetes has resource.k8s.io/v1 from this minor version on.
const minorOfClaims = 34;

const claimVersionRules = (["fabricBy", "gpuBy"] as const).map((key) =>
  rule([key, "version"], (args, addIssue) => {
    if (byClaim(args[key]) && minorOf(args.version) < minorOfClaims)
      addIssue(
        ["version"],
        `${key} "claim" requires Kubernetes 1.${minorOfClaims}, not ${JSON.stringify(args.version)}; raise version`,
      );
  }),
);

const alignmentRule = rule(["deviceAlignment", "fabricBy", "gpuBy"], (args, addIssue) => {
  if (args.deviceAlignment !== undefined && !(byClaim(args.fabricBy) && byClaim(args.gpuBy)))
    addIssue(["deviceAlignment"], alignsNothing);
});

const pcieRootRule = rule(["deviceAlignment"], ({ deviceAlignment }, addIssue) => {
  if (deviceAlignment === NodePoolDeviceAlignment.PcieRoot)
    addIssue(["deviceAlignment"], 'no two devices of an Azure machine have a common PCIe root; use "numaNode"');
});

// GPUs for which AKS documents MIG ("Multi-instance GPU node pool"), and GPUs of the same kind.
const divisible = ["A100", "H100", "H200"];

const partitionRule = rule([...typeFields, "gpuPartition", "gpuBy"], (args, addIssue) => {
  const type = typeOf(args);
  if (args.gpuPartition === undefined || !type) return;
  if (byClaim(args.gpuBy))
    addIssue(["gpuPartition"], 'pods claim whole GPUs (gpuBy "claim"); remove gpuPartition, or gpuBy');
  const { accelerator } = type;
  if (accelerator?.kind !== NodePoolAcceleratorKind.Nvidia || !divisible.includes(accelerator.model))
    addIssue(
      ["gpuPartition"],
      `${args.machineType} has no GPUs that can be partitioned (MIG); remove gpuPartition, or choose A100, H100 or H200`,
    );
});

const gpuDriverRule = rule([...typeFields, "gpuDriver"], (args, addIssue) => {
  const type = typeOf(args);
  if (args.gpuDriver === undefined || !type) return;
  const { accelerator } = type;
  if (!accelerator) addIssue(["gpuDriver"], `${args.machineType} has no accelerators; remove gpuDriver`);
  else if (accelerator.kind === NodePoolAcceleratorKind.Amd && args.gpuDriver === AksNodePoolGpuDriver.Install)
    addIssue(
      ["gpuDriver"],
      `AKS installs no driver for the ${accelerator.model} of ${args.machineType}; use "none" and the AMD GPU Operator`,
    );
});

/** Rules between the arguments of a pool. */
export const aksRules: Rule<AksPoolFields>[] = [
  placeRule(["resourceGroupName", "clusterName"]),
  ...commonRules,
  countRule,
  labelRule,
  taintRule,
  threadsRule,
  placementGroupRule,
  locationRule,
  zoneRule,
  reservationRule,
  reservedPlacementRule,
  priceRule,
  wholeCoresRule,
  needlessHardwareRule,
  acceleratorRule,
  unknownTypeRule,
  archRule,
  localDisksRule,
  fabricRule,
  osRule,
  ...needlessFabricRules,
  rdmaPluginRule,
  nvidiaPluginRule,
  gpuDriverRule,
  gpuByRule,
  ...claimVersionRules,
  alignmentRule,
  pcieRootRule,
  partitionRule,
];
