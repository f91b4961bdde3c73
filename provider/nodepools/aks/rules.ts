import { properties } from "../../shared/checks";
import type { AddIssue } from "../../shared/rules";
import { NodePoolAcceleratorKind } from "../args";
import { commonRules } from "../checks";
import { needlessHardware, wholeCoresRule } from "../hardwareRules";
import { sizingRules } from "../sizing";
import {
  type AksNodePoolArgs,
  AksNodePoolCapacity,
  AksNodePoolFabric,
  AksNodePoolGpuDriver,
  AksNodePoolOsSku,
  AksNodePoolPlacement,
} from "./args";
import { type AksPoolMachine, poolMachine } from "./machine";
import { aksMachine } from "./machines";

type Args = Partial<AksNodePoolArgs>;

/** The rules that join several arguments, on whatever was given. */
export function aksRules(args: Args, addIssue: AddIssue): void {
  commonRules(args, addIssue);
  sizingRules(args, addIssue);
  countRules(args, addIssue);
  reservedRules(args, addIssue);
  placementRules(args, addIssue);
  capacityRules(args, addIssue);
  // Every pool has this argument but those of Azure.
  if ("threadsPerCore" in args && args.threadsPerCore !== undefined)
    addIssue(
      ["threadsPerCore"],
      "Azure has no setting for it, and sizes for HPC come with one thread to a core; remove it",
    );
  const { machineType: size } = args;
  if (typeof size !== "string") return;
  const machine = poolMachine(size, args.hardware);
  if (!machine) return addIssue(["machineType"], unknownSize(size));
  hardwareRules(args, { addIssue, size });
  fabricRules(args, machine, { addIssue, size });
  pluginRules(args, machine, { addIssue, size });
  acceleratorRules(args, machine, { addIssue, size });
  if (args.arch !== undefined && args.arch !== machine.arch)
    addIssue(["arch"], `${size} is ${machine.arch}, not ${args.arch}; correct arch or leave it out`);
}

const unknownSize = (size: string) =>
  `"${size}" is no size that this package knows; correct it (az vm list-skus --resource-type virtualMachines lists the ` +
  "sizes), or say what it has as hardware: { arch, vcpus, threadsPerCore, memoryMib, … }";

const isInfiniBand = ({ fabric }: Args) => fabric === AksNodePoolFabric.Infiniband;
const isProximity = ({ placement }: Args) => placement === AksNodePoolPlacement.Proximity;

const maxPoolNodes = 1000;

function countRules({ size, autoscale, pairedWith }: Args, addIssue: AddIssue): void {
  const counts: [PropertyKey[], unknown][] = [
    [["size"], size],
    [["autoscale", "max"], properties(autoscale).max],
    [["pairedWith", "size"], properties(pairedWith).size],
    [["pairedWith", "maxSize"], properties(pairedWith).maxSize],
  ];
  for (const [path, count] of counts)
    if (typeof count === "number" && count > maxPoolNodes)
      addIssue(path, `${count} is above the ${maxPoolNodes} nodes that an AKS node pool may have; lower it`);
}

const reservedPrefix = /^(kubernetes\.azure\.com|kubernetes\.io)\//;

function reservedRules({ labels, taints }: Args, addIssue: AddIssue): void {
  const keys: [PropertyKey[], unknown][] = [
    ...Object.keys(properties(labels)).map((key): [PropertyKey[], unknown] => [["labels", key], key]),
    ...(Array.isArray(taints) ? taints : []).map((taint, index): [PropertyKey[], unknown] => [
      ["taints", index, "key"],
      properties(taint).key,
    ]),
  ];
  for (const [path, key] of keys)
    if (typeof key === "string" && reservedPrefix.test(key))
      addIssue(path, `AKS keeps the prefix of ${key} to itself; use a prefix of your own`);
}

function placementRules(args: Args, addIssue: AddIssue): void {
  const { zones, proximityPlacementGroupId, location } = args;
  if (proximityPlacementGroupId !== undefined && !isProximity(args))
    addIssue(
      ["proximityPlacementGroupId"],
      'only means something beside placement "proximity"; add it or remove the id',
    );
  if (location !== undefined && (!isProximity(args) || proximityPlacementGroupId !== undefined))
    addIssue(["location"], "is that of a proximity placement group to be made, and none is made here; remove it");
  if (!Array.isArray(zones) || zones.length < 2) return;
  const reason = isInfiniBand(args)
    ? "InfiniBand does not leave a data center"
    : isProximity(args)
      ? "a proximity placement group lies in one zone"
      : undefined;
  if (reason !== undefined) addIssue(["zones"], `${reason}, and these are ${zones.length}; name one, or none`);
}

function capacityRules(args: Args, addIssue: AddIssue): void {
  const { capacity, capacityReservationGroupId, spotMaxPrice } = args;
  const isReserved = capacity === AksNodePoolCapacity.Reservation;
  if (isReserved && capacityReservationGroupId === undefined)
    addIssue(["capacityReservationGroupId"], 'capacity "reservation" needs the id of the group; add it');
  if (!isReserved && capacityReservationGroupId !== undefined)
    addIssue(
      ["capacityReservationGroupId"],
      'only means something beside capacity "reservation"; add it or remove the id',
    );
  if (isReserved && isProximity(args))
    addIssue(["placement"], "Azure reserves nothing in a proximity placement group; remove placement or capacity");
  if (spotMaxPrice !== undefined && capacity !== AksNodePoolCapacity.Spot)
    addIssue(["spotMaxPrice"], 'only means something beside capacity "spot"; remove it');
}

interface Place {
  addIssue: AddIssue;
  size: string;
}

/** What the user says of a size that the package does not know. */
function hardwareRules({ hardware }: Args, { addIssue, size }: Place): void {
  if (hardware === undefined) return;
  if (aksMachine(size)) return addIssue(["hardware"], needlessHardware(size));
  wholeCoresRule(hardware, addIssue);
  if (properties(properties(hardware).accelerator).kind === NodePoolAcceleratorKind.Neuron)
    addIssue(["hardware", "accelerator", "kind"], 'Azure has accelerators of "nvidia" and "amd" only; correct it');
}

function fabricRules(args: Args, { infinibandDevices }: AksPoolMachine, { addIssue, size }: Place): void {
  const hasDevices = infinibandDevices > 0;
  if (isInfiniBand(args) && !hasDevices)
    addIssue(["fabric"], `${size} has no InfiniBand; choose an HB, HC, HX or ND size with an "r", or remove fabric`);
  if (isInfiniBand(args) && args.osSku === AksNodePoolOsSku.AzureLinux)
    addIssue(["osSku"], 'the InfiniBand driver is made for Ubuntu; use "ubuntu"');
  if (args.capacity === AksNodePoolCapacity.Reservation && hasDevices)
    addIssue(["capacity"], `Azure reserves no sizes with InfiniBand such as ${size}; use "onDemand" or "spot"`);
}

/** What only means something where the plugin is for a device of the nodes. */
function pluginRules(args: Args, { accelerator }: AksPoolMachine, { addIssue, size }: Place): void {
  const { nvidiaPlugin, rdmaPlugin, gpuDriver } = args;
  if (rdmaPlugin !== undefined && !isInfiniBand(args))
    addIssue(["rdmaPlugin"], 'only means something beside fabric "infiniband"; remove it');
  if (nvidiaPlugin === undefined) return;
  if (accelerator?.kind !== NodePoolAcceleratorKind.Nvidia)
    addIssue(["nvidiaPlugin"], `only means something beside NVIDIA GPUs, and ${size} has none; remove it`);
  else if (gpuDriver === AksNodePoolGpuDriver.None)
    addIssue(["nvidiaPlugin"], 'only means something beside gpuDriver "install"; remove it');
}

function acceleratorRules(args: Args, { accelerator }: AksPoolMachine, { addIssue, size }: Place): void {
  const { gpuDriver, osSku } = args;
  const isAmd = accelerator?.kind === NodePoolAcceleratorKind.Amd;
  if (gpuDriver !== undefined && !accelerator) addIssue(["gpuDriver"], `${size} has no accelerators; remove it`);
  if (gpuDriver === AksNodePoolGpuDriver.Install && isAmd)
    addIssue(
      ["gpuDriver"],
      `AKS installs no driver for the ${accelerator.model} of ${size}; use "none" and the AMD GPU Operator`,
    );
  if (osSku === AksNodePoolOsSku.AzureLinux && isAmd)
    addIssue(["osSku"], `the driver of the ${accelerator.model} is made for Ubuntu; use "ubuntu"`);
}
