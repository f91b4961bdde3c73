import { MiniClusterArch } from "../../minicluster/args";
import type { AddIssue } from "../../shared/rules";
import { properties } from "../../shared/checks";
import { NodePoolAcceleratorKind } from "../args";
import { commonRules } from "../checks";
import { needlessHardware, wholeCoresRule } from "../hardwareRules";
import { sizingRules } from "../sizing";
import {
  type EksNodePoolArgs,
  EksNodePoolCapacity,
  EksNodePoolFabric,
  EksNodePoolOs,
  EksNodePoolPlacement,
} from "./args";
import { amiTypeOf } from "./amiTypes";
import { defaultOs, defaultPlacement, eksMachine, unlistedTypes } from "./machine";
import type { EksMachine } from "./machines";

type Args = Partial<EksNodePoolArgs>;

/** The rules that join several arguments, on whatever was given. */
export function eksRules(args: Args, addIssue: AddIssue): void {
  commonRules(args, addIssue);
  sizingRules(args, addIssue);
  labelRules(args, addIssue);
  fabricRules(args, addIssue);
  placementRules(args, addIssue);
  capacityRules(args, addIssue);
  hardwareRules(args, addIssue);
  diskRules(args, addIssue);
  const { machineTypes } = args;
  if (!Array.isArray(machineTypes)) return;
  if (machineTypes.length === 0) addIssue(["machineTypes"], "needs at least one instance type; add one");
  const machines = machineTypes.map((type: unknown, index) => {
    const machine = typeof type === "string" ? eksMachine(type, args.hardware) : undefined;
    // Where there is hardware and no machine from it, it is no object, which the schema says.
    if (typeof type === "string" && !machine && args.hardware === undefined)
      addIssue(["machineTypes", index], unknownType(type));
    return machine;
  });
  machines.forEach((machine, index) => {
    if (machine) machineRules(args, machine, { addIssue, type: machineTypes[index] as string });
    const [first] = machines;
    if (machine && first) alikeRules(first, machine, machineTypes, { addIssue, index });
  });
  pluginRules(args, machines, addIssue);
}

const unknownType = (type: string) =>
  `"${type}" is no instance type that this package knows; correct it, or say what it has as hardware: ` +
  `await lookupEksMachine("${type}")`;

const reservedDomains = ["kubernetes.io", "k8s.io", "eks.amazonaws.com"];

/** EKS refuses labels of these domains, or lets them through to a kubelet that does not start with them. */
function labelRules({ labels }: Args, addIssue: AddIssue): void {
  for (const label of Object.keys(properties(labels))) {
    const [prefix = ""] = label.includes("/") ? label.split("/") : [];
    const domain = reservedDomains.find((each) => prefix === each || prefix.endsWith(`.${each}`));
    if (domain) addIssue(["labels", label], `EKS takes no labels of ${domain}; choose another prefix`);
  }
}

const isEfa = ({ fabric }: Args) => fabric === EksNodePoolFabric.Efa;

function fabricRules(args: Args, addIssue: AddIssue): void {
  const { zones } = args;
  if (isEfa(args) && isNotOne(zones))
    addIssue(["zones"], `EFA does not leave an availability zone, and ${countOf(zones)}; name exactly one`);
  if (isEfa(args)) return;
  if (args.efaLayout !== undefined) addIssue(["efaLayout"], 'only means something beside fabric "efa"; remove it');
  if (args.efaSecurityGroup === true)
    addIssue(["efaSecurityGroup"], 'only means something beside fabric "efa"; remove it');
}

/** Whether there are too many zones or too few. What is no list at all is not counted. */
const isNotOne = (zones: string[] = []) => Array.isArray(zones) && zones.length !== 1;

const countOf = (zones: string[] = []) => (zones.length > 0 ? `these are ${zones.length}` : "there is none here");

const isCluster = (args: Args) =>
  (args.placement ?? defaultPlacement(args.capacity, isEfa(args))) === EksNodePoolPlacement.Cluster;

function placementRules(args: Args, addIssue: AddIssue): void {
  const { placementGroupName, capacity, zones } = args;
  if (isCluster(args) && capacity === EksNodePoolCapacity.CapacityBlock)
    addIssue(
      ["placement"],
      "a capacity block is placed already, and a group finds no capacity in it; remove placement",
    );
  if (isCluster(args) && capacity === EksNodePoolCapacity.Reservation && placementGroupName === undefined)
    addIssue(
      ["placement"],
      "a new placement group finds no capacity in a reservation; name the reservation's own group as placementGroupName, " +
        "or remove placement",
    );
  if (isCluster(args) && !isEfa(args) && isNotOne(zones))
    addIssue(
      ["zones"],
      `a cluster placement group lies in one availability zone, and ${countOf(zones)}; name exactly one`,
    );
  if (placementGroupName !== undefined && !isCluster(args))
    addIssue(["placementGroupName"], 'only means something beside placement "cluster"; add it or remove the name');
}

function capacityRules(args: Args, addIssue: AddIssue): void {
  const { capacity, reservationId, machineTypes, zones, subnetIds } = args;
  const isReserved = capacity === EksNodePoolCapacity.Reservation || capacity === EksNodePoolCapacity.CapacityBlock;
  if (isReserved && reservationId === undefined)
    addIssue(["reservationId"], `capacity "${capacity}" needs the id of the reservation; add it`);
  if (!isReserved && reservationId !== undefined)
    addIssue(["reservationId"], 'only means something beside capacity "reservation" or "capacityBlock"; remove it');
  if (isReserved && Array.isArray(machineTypes) && machineTypes.length > 1)
    addIssue(["machineTypes"], "a reservation is for one instance type; keep that one");
  // EKS asks for the subnet in the zone of the reservation, and for no other one.
  const isOneSubnet = Array.isArray(subnetIds) && subnetIds.length === 1;
  if (isReserved && !isEfa(args) && !isCluster(args) && !isOneSubnet && isNotOne(zones))
    addIssue(["zones"], `a reservation lies in one availability zone, and ${countOf(zones)}; name exactly one`);
}

/** What the user says of a machine fits together, and is of one that nobody knows. */
function hardwareRules(args: Args, addIssue: AddIssue): void {
  const { hardware, machineTypes } = args;
  const { networkCards = 1, efaInterfaces = 0 } = properties(hardware);
  if ([efaInterfaces, networkCards].every(Number.isInteger) && efaInterfaces > networkCards)
    addIssue(
      ["hardware", "efaInterfaces"],
      `${efaInterfaces} EFA interfaces do not fit on ${networkCards} network cards; correct one of the two`,
    );
  wholeCoresRule(hardware, addIssue);
  if (hardware === undefined || !Array.isArray(machineTypes) || machineTypes.length === 0) return;
  const unlisted = unlistedTypes(args);
  if (machineTypes.every((type) => typeof type === "string") && unlisted.length === 0)
    addIssue(["hardware"], needlessHardware(machineTypes.join(" and ")));
  if (unlisted.length > 1)
    addIssue(
      ["hardware"],
      `describes one instance type, and this package knows none of ${unlisted.join(", ")}; give them pools of their own`,
    );
}

function diskRules({ diskType }: Args, addIssue: AddIssue): void {
  if (diskType === "io1" || diskType === "io2")
    addIssue(["diskType"], `${diskType} is sold by operations per second, which this package does not set; use "gp3"`);
}

interface Place {
  addIssue: AddIssue;
  type: string;
}

function machineRules(args: Args, machine: EksMachine, { addIssue, type }: Place): void {
  const { arch, capacity, threadsPerCore } = args;
  if (isEfa(args) && machine.efaInterfaces === 0)
    addIssue(["fabric"], `${type} has no EFA; choose another instance type, or remove fabric`);
  if (arch !== machine.arch && [arch, machine.arch].every((each) => isOneOf(MiniClusterArch, each)))
    addIssue(["arch"], `${type} is ${machine.arch}, not ${arch}; correct arch or leave it out`);
  if (capacity === EksNodePoolCapacity.Spot && !machine.spot)
    addIssue(["capacity"], `${type} is not sold as spot capacity; use "onDemand" or "reservation"`);
  if (capacity === EksNodePoolCapacity.CapacityBlock && !machine.capacityBlocks)
    addIssue(["capacity"], `${type} is not sold in capacity blocks; use "onDemand" or "reservation"`);
  if (threadsPerCore === 2 && machine.threadsPerCore === 1)
    addIssue(["threadsPerCore"], `a core of ${type} has one thread; leave it out`);
  if (threadsPerCore === 1 && machine.threadsPerCore === 2 && type.includes(".metal"))
    addIssue(["threadsPerCore"], `${type} is a whole machine, of which EC2 changes nothing; use a virtual size`);
  if (!machine.hasDriver)
    addIssue(
      ["machineTypes"],
      `the images of EKS have no driver for the ${machine.accelerator?.model} of ${type}; choose another instance type`,
    );
  osRules(args, machine, { addIssue, type });
}

function osRules(args: Args, machine: EksMachine, { addIssue, type }: Place): void {
  const { accelerator, arch } = machine;
  const os = args.os ?? defaultOs(machine, isEfa(args));
  const isWellFormed = isOneOf(EksNodePoolOs, os) && isOneOf(MiniClusterArch, arch);
  if (!isWellFormed || !isOneOf({ ...NodePoolAcceleratorKind, None: "none" }, accelerator?.kind ?? "none")) return;
  if (amiTypeOf(os, arch, accelerator?.kind) !== undefined) return;
  const remedy = os === EksNodePoolOs.Al2023 ? "choose another instance type" : 'use "al2023"';
  addIssue(["os"], `AWS has no ${os} image for the ${accelerator?.model} of ${type} on ${arch}; ${remedy}`);
}

/** Whether a value is in an enum: whatever is not, the schema speaks of. */
const isOneOf = (values: Record<string, string>, value: unknown) =>
  (Object.values(values) as unknown[]).includes(value);

/** What is said of a plugin is said where one is run. */
function pluginRules(args: Args, machines: (EksMachine | undefined)[], addIssue: AddIssue): void {
  if (args.efaPlugin !== undefined && !isEfa(args))
    addIssue(["efaPlugin"], 'only means something beside fabric "efa"; remove it');
  if (args.nvidiaPlugin === undefined || machines.length === 0) return;
  const isNvidia = (machine?: EksMachine) => !machine || machine.accelerator?.kind === NodePoolAcceleratorKind.Nvidia;
  if (!machines.some(isNvidia)) addIssue(["nvidiaPlugin"], "only means something beside NVIDIA GPUs; remove it");
  else if (args.os === EksNodePoolOs.Bottlerocket)
    addIssue(["nvidiaPlugin"], 'only means something beside os "al2023", for Bottlerocket brings its own; remove it');
}

interface Alike {
  addIssue: AddIssue;
  index: number;
}

/** The pods of a Job are all alike, so its nodes have to be, too. */
function alikeRules(first: EksMachine, other: EksMachine, types: string[], { addIssue, index }: Alike): void {
  const facts = ({ arch, vcpus, threadsPerCore, efaInterfaces, networkCards, accelerator }: EksMachine) => ({
    architecture: arch,
    CPUs: `${vcpus}/${threadsPerCore}`,
    EFA: `${efaInterfaces}/${networkCards}`,
    accelerators: `${accelerator?.count} ${accelerator?.model}`,
  });
  const [ours, theirs] = [facts(first), facts(other)];
  const different = (Object.keys(ours) as (keyof typeof ours)[]).filter((key) => ours[key] !== theirs[key]);
  if (different.length > 0)
    addIssue(
      ["machineTypes", index],
      `${types[index]} and ${types[0]} differ in ${different.join(", ")}; give them pools of their own`,
    );
}
