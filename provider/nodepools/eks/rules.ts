import { NodePoolAcceleratorKind } from "../args";
import { commonRules } from "../common";
import { needlessHardware, wholeCoresRule } from "../machineType";
import { forEachItem, type Rule } from "../../shared/rules";
import { EksNodePoolCapacity, EksNodePoolOs, EksNodePoolPlacement } from "./args";
import { type EksPoolFields, hasEfa, placementOf } from "./fields";
import { type EksMachineType, eksMachineType, isListed } from "./machineTypes";
import { amiTypeOf, osOf } from "./os";

type EksRule = Rule<EksPoolFields>;

const reservedDomains = ["kubernetes.io", "k8s.io", "eks.amazonaws.com"];

/** EKS refuses labels of these domains, or lets them through to a kubelet that does not start with them. */
const labelRule: EksRule = ({ labels }, addIssue) => {
  for (const label of Object.keys(labels)) {
    const [prefix = ""] = label.includes("/") ? label.split("/") : [];
    const domain = reservedDomains.find((each) => prefix === each || prefix.endsWith(`.${each}`));
    if (domain) addIssue(["labels", label], `EKS reserves labels of ${domain}; use another prefix`);
  }
};

const efaRule: EksRule = (args, addIssue) => {
  if (hasEfa(args)) return;
  forEachItem(["efaLayout", "efaSecurityGroup", "efaPlugin"] as const, (key) => {
    if (args[key] !== undefined && args[key] !== false)
      addIssue([key], `requires fabric "efa"; set it, or remove ${key}`);
  });
};

const isCluster = (args: EksPoolFields) => placementOf(args) === EksNodePoolPlacement.Cluster;

const isReserved = ({ capacity }: EksPoolFields) =>
  capacity === EksNodePoolCapacity.Reservation || capacity === EksNodePoolCapacity.CapacityBlock;

/** The reason for which a pool keeps to one availability zone. */
function oneZoneReason(args: EksPoolFields): string | undefined {
  if (hasEfa(args)) return "EFA";
  if (isCluster(args)) return 'placement "cluster"';
  // EKS asks for the subnet in the zone of the reservation, and for no other one.
  return isReserved(args) && args.subnetIds.length !== 1 ? `capacity "${args.capacity}"` : undefined;
}

const zoneRule: EksRule = (args, addIssue) => {
  const reason = oneZoneReason(args);
  if (reason !== undefined && args.zones.length !== 1)
    addIssue(["zones"], `${reason} requires exactly one availability zone, not ${args.zones.length}; name one`);
};

const placementRule: EksRule = (args, addIssue) => {
  if (!isCluster(args)) return;
  if (args.capacity === EksNodePoolCapacity.CapacityBlock)
    addIssue(["placement"], "a capacity block cannot be in a placement group; remove placement");
  if (args.capacity === EksNodePoolCapacity.Reservation && args.placementGroupName === undefined)
    addIssue(
      ["placement"],
      "a reservation has no capacity in a new placement group; set placementGroupName to the reservation's own group, " +
        "or remove placement",
    );
};

const placementGroupRule: EksRule = (args, addIssue) => {
  if (args.placementGroupName !== undefined && !isCluster(args))
    addIssue(["placementGroupName"], 'requires placement "cluster"; set it, or remove placementGroupName');
};

const reservationRule: EksRule = (args, addIssue) => {
  const { capacity, reservationId } = args;
  if (isReserved(args) && reservationId === undefined)
    addIssue(["reservationId"], `capacity "${capacity}" requires the id of the reservation; add it`);
  if (!isReserved(args) && reservationId !== undefined)
    addIssue(
      ["reservationId"],
      'requires capacity "reservation" or "capacityBlock"; set one of these, or remove reservationId',
    );
};

const reservedTypeRule: EksRule = (args, addIssue) => {
  if (isReserved(args) && args.machineTypes.length > 1)
    addIssue(["machineTypes"], "a reservation has one instance type; keep that one");
};

const hardwareRule: EksRule = ({ hardware }, addIssue) => {
  if (hardware && hardware.efaInterfaces > hardware.networkCards)
    addIssue(
      ["hardware", "efaInterfaces"],
      `${hardware.efaInterfaces} EFA interfaces exceed networkCards ${hardware.networkCards}; correct one of the two`,
    );
};

const describedTypeRule: EksRule = ({ hardware, machineTypes }, addIssue) => {
  if (hardware === undefined) return;
  const unlisted = machineTypes.filter((type) => !isListed(type));
  if (unlisted.length === 0) addIssue(["hardware"], needlessHardware(machineTypes.join(" and ")));
  if (unlisted.length > 1)
    addIssue(
      ["hardware"],
      `describes one instance type, and this package does not know ${unlisted.join(", ")}; use a pool for each`,
    );
};

const unknownTypeRule: EksRule = ({ machineTypes, hardware }, addIssue) =>
  forEachItem(machineTypes, (type, index) => {
    if (!eksMachineType(type, hardware))
      addIssue(
        ["machineTypes", index],
        `unknown instance type "${type}"; correct it, or describe it as hardware: await lookupEksMachine("${type}")`,
      );
  });

interface Found {
  type: string;
  index: number;
  machine: EksMachineType;
}

/** Calls back for each machine type of a pool that is known. */
const forEachType = ({ machineTypes, hardware }: EksPoolFields, callback: (found: Found) => void) =>
  forEachItem(machineTypes, (type, index) => {
    const machine = eksMachineType(type, hardware);
    if (machine) callback({ type, index, machine });
  });

const fabricRule: EksRule = (args, addIssue) =>
  forEachType(args, ({ type, machine }) => {
    if (hasEfa(args) && machine.efaInterfaces === 0)
      addIssue(["fabric"], `${type} has no EFA; choose another instance type, or remove fabric`);
  });

const archRule: EksRule = (args, addIssue) =>
  forEachType(args, ({ type, machine: { arch } }) => {
    if (args.arch !== undefined && args.arch !== arch)
      addIssue(["arch"], `${type} is ${arch}, not ${args.arch}; correct or remove arch`);
  });

const capacityRule: EksRule = (args, addIssue) =>
  forEachType(args, ({ type, machine }) => {
    if (args.capacity === EksNodePoolCapacity.Spot && !machine.spot)
      addIssue(["capacity"], `${type} is not available as spot; use "onDemand" or "reservation"`);
    if (args.capacity === EksNodePoolCapacity.CapacityBlock && !machine.capacityBlocks)
      addIssue(["capacity"], `${type} is not available in capacity blocks; use "onDemand" or "reservation"`);
  });

const threadsRule: EksRule = (args, addIssue) =>
  forEachType(args, ({ type, machine }) => {
    const { threadsPerCore } = args;
    if (threadsPerCore === 2 && machine.threadsPerCore === 1)
      addIssue(["threadsPerCore"], `${type} has one thread per core; remove threadsPerCore`);
    if (threadsPerCore === 1 && machine.threadsPerCore === 2 && type.includes(".metal"))
      addIssue(
        ["threadsPerCore"],
        `EC2 has no CPU options for bare metal such as ${type}; choose a virtualized size, or remove threadsPerCore`,
      );
  });

const driverRule: EksRule = (args, addIssue) =>
  forEachType(args, ({ type, machine: { accelerator, hasDriver } }) => {
    if (!hasDriver)
      addIssue(
        ["machineTypes"],
        `the images of EKS have no driver for the ${accelerator?.model} of ${type}; choose another instance type`,
      );
  });

const osRule: EksRule = (args, addIssue) =>
  forEachType(args, ({ type, machine }) => {
    const os = osOf(args, machine);
    const { accelerator, arch } = machine;
    if (amiTypeOf(os, arch, accelerator?.kind) !== undefined) return;
    const remedy = os === EksNodePoolOs.Al2023 ? "choose another instance type" : 'use "al2023"';
    addIssue(["os"], `AWS has no ${os} image for the ${accelerator?.model} of ${type} on ${arch}; ${remedy}`);
  });

const nvidiaPluginRule: EksRule = ({ nvidiaPlugin, machineTypes, hardware, os }, addIssue) => {
  if (nvidiaPlugin === undefined || machineTypes.length === 0) return;
  const found = machineTypes.map((type) => eksMachineType(type, hardware));
  // A type that is not known may have GPUs.
  if (!found.some((type) => !type || type.accelerator?.kind === NodePoolAcceleratorKind.Nvidia))
    addIssue(["nvidiaPlugin"], "requires NVIDIA GPUs; remove nvidiaPlugin");
  else if (os === EksNodePoolOs.Bottlerocket)
    addIssue(["nvidiaPlugin"], 'Bottlerocket has its own NVIDIA plugin; remove nvidiaPlugin, or use os "al2023"');
};

/** Facts in which the types of a pool are alike, for the pods of a Job are. */
const factsOf = ({ arch, vcpus, threadsPerCore, efaInterfaces, networkCards, accelerator }: EksMachineType) => ({
  architecture: arch,
  CPUs: `${vcpus}/${threadsPerCore}`,
  EFA: `${efaInterfaces}/${networkCards}`,
  accelerators: `${accelerator?.count} ${accelerator?.model}`,
});

const alikeRule: EksRule = (args, addIssue) => {
  const [first] = args.machineTypes;
  const machine = first === undefined ? undefined : eksMachineType(first, args.hardware);
  if (!machine) return;
  const facts = Object.entries(factsOf(machine));
  forEachType(args, (other) => {
    const others = new Map(Object.entries(factsOf(other.machine)));
    const different = facts.filter(([name, fact]) => others.get(name) !== fact).map(([name]) => name);
    if (different.length > 0)
      addIssue(
        ["machineTypes", other.index],
        `${other.type} and ${first} differ in ${different.join(", ")}; use a pool for each`,
      );
  });
};

/** Rules between the arguments of a pool. */
export const eksRules: EksRule[] = [
  ...commonRules,
  ...[labelRule, efaRule, zoneRule, placementRule, placementGroupRule, reservationRule, reservedTypeRule],
  ...[wholeCoresRule, hardwareRule, describedTypeRule, unknownTypeRule],
  ...[fabricRule, archRule, capacityRule, threadsRule, driverRule, osRule, nvidiaPluginRule, alikeRule],
];
