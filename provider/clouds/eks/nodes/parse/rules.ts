import { type Rule, ruleOn } from "../../../../shared/rules";
import { isSuperchip, wholeCoresRule } from "../../../machines";
import { placeRule } from "../../../kubernetes/parse";
import { NodePoolAcceleratorKind } from "../../../nodes/args";
import { commonRules } from "../../../nodes/parse/fields";
import { type EksMachineType, eksMachineType } from "../../machines";
import { EksNodePoolCapacityType, EksNodePoolOs } from "../args";
import { capacityRules } from "./capacityRules";
import { driverRule, localDisksRule, ownImageRule } from "./imageRules";
import { claimVersionRule, sharedClaimRules, ultraServerRule } from "./claimRules";
import { capacityTypesOf, type EksPoolFields, hasEfa, type SharedEksFields } from "./fields";
import { lustreRules } from "./lustreRules";
import { forEachType, machineFields, typeRules } from "./machineTypes";
import { amiTypeOf, osOf } from "./os";
import { warmPoolRules } from "./warmPoolRules";

const rule = ruleOn<EksPoolFields>();

/** Rules on nodes, also on nodes that Karpenter launches. */
const sharedRule = ruleOn<SharedEksFields>();

const reservedDomains = ["kubernetes.io", "k8s.io", "eks.amazonaws.com"];

/** EKS rejects labels of these domains, or passes them to a kubelet that does not start with them. */
const labelRule = sharedRule(["labels[]"], ({ labels }, addIssue) => {
  for (const label of Object.keys(labels)) {
    const [prefix = ""] = label.includes("/") ? label.split("/") : [];
    const domain = reservedDomains.find((each) => prefix === each || prefix.endsWith(`.${each}`));
    if (domain) addIssue(["labels", label], `EKS reserves labels of ${domain}; use another prefix`);
  }
});

const efaRules = (["fabricBy", "efaLayout", "efaPlugin"] as const).map((key) =>
  sharedRule(["fabric", key], (args, addIssue) => {
    if (!hasEfa(args) && args[key] !== undefined) addIssue([key], requiresEfa(key));
  }),
);

const requiresEfa = (key: string) => `requires fabric "efa"; set it, or remove ${key}`;

const securityGroupRule = rule(["fabric", "efaSecurityGroup"], (args, addIssue) => {
  if (!hasEfa(args) && args.efaSecurityGroup === true) addIssue(["efaSecurityGroup"], requiresEfa("efaSecurityGroup"));
});

const hardwareRule = sharedRule(["hardware.efaInterfaces", "hardware.networkCards"], ({ hardware }, addIssue) => {
  if (hardware && hardware.efaInterfaces > hardware.networkCards)
    addIssue(
      ["hardware", "efaInterfaces"],
      `${hardware.efaInterfaces} EFA interfaces exceed networkCards ${hardware.networkCards}; correct one of the two`,
    );
});

const cardsRule = sharedRule(["hardware.networkCards", "hardware.interfacesPerCard"], ({ hardware }, addIssue) => {
  const { networkCards, interfacesPerCard } = hardware ?? {};
  if (interfacesPerCard && interfacesPerCard.length !== networkCards)
    addIssue(
      ["hardware", "interfacesPerCard"],
      `has ${interfacesPerCard.length} numbers for networkCards ${networkCards}; set one for each card`,
    );
});

const fabricRule = sharedRule([...machineFields, "fabric"], (args, addIssue) =>
  forEachType(args, ({ type, machine }) => {
    if (hasEfa(args) && machine.efaInterfaces === 0)
      addIssue(["fabric"], `${type} has no EFA; choose another instance type, or remove fabric`);
  }),
);

const capacityRule = sharedRule([...machineFields, "capacityType", "capacityTypes"], (args, addIssue) => {
  const types = capacityTypesOf(args);
  const path = [args.capacityTypes ? "capacityTypes" : "capacityType"];
  forEachType(args, ({ type, machine }) => {
    // Machines of UltraServers have a separate rule.
    if (types.includes(EksNodePoolCapacityType.Spot) && !machine.spot && !isSuperchip(machine.accelerator))
      addIssue(path, `${type} is not available as spot; use "onDemand" or "reservation"`);
    if (types.includes(EksNodePoolCapacityType.CapacityBlock) && !machine.capacityBlocks)
      addIssue(path, `${type} is not available in capacity blocks; use "onDemand" or "reservation"`);
  });
});

const threadsRule = rule([...machineFields, "threadsPerCore"], (args, addIssue) =>
  forEachType(args, ({ type, machine }) => {
    const { threadsPerCore } = args;
    if (threadsPerCore === 2 && machine.threadsPerCore === 1)
      addIssue(["threadsPerCore"], `${type} has one thread per core; remove threadsPerCore`);
    if (threadsPerCore === 1 && machine.threadsPerCore === 2 && type.includes(".metal"))
      addIssue(
        ["threadsPerCore"],
        `EC2 has no CPU options for bare metal such as ${type}; choose a virtualized size, or remove threadsPerCore`,
      );
  }),
);

const osRule = sharedRule([...machineFields, "os", "fabric"], (args, addIssue) =>
  forEachType(args, ({ type, machine }) => {
    const os = osOf(args, machine);
    const { accelerator, arch } = machine;
    if (amiTypeOf(os, arch, accelerator?.kind) !== undefined) return;
    const remedy = os === EksNodePoolOs.Al2023 ? "choose another instance type" : 'use "al2023"';
    addIssue(["os"], `AWS has no ${os} image for the ${accelerator?.model} of ${type} on ${arch}; ${remedy}`);
  }),
);

/** Below this nodeadm ignores the feature gate. */
const isTooSmallToPullFast = ({ vcpus, memoryMib }: EksMachineType) => vcpus < 4 || memoryMib < 8192;

const fastPullDiskRule = sharedRule(["fastImagePull", "diskType"], ({ fastImagePull, diskType }, addIssue) => {
  if (fastImagePull && typeof diskType === "string" && diskType !== "gp3")
    addIssue(
      ["diskType"],
      `fastImagePull sets the throughput of the disk, which ${diskType} does not support; use "gp3"`,
    );
});

const fastPullRule = sharedRule([...machineFields, "fastImagePull", "os", "fabric"], (args, addIssue) => {
  if (!args.fastImagePull) return;
  forEachType(args, ({ type, index, machine }) => {
    if (osOf(args, machine) === EksNodePoolOs.Al2023 && isTooSmallToPullFast(machine))
      addIssue(
        ["machineTypes", index],
        `${type} is too small for fastImagePull, which requires 4 vCPUs and 8 GiB; choose a larger size, or remove fastImagePull`,
      );
  });
});

const nvidiaPluginRule = sharedRule(
  ["nvidiaPlugin", "machineTypes", "hardware", "os"],
  ({ nvidiaPlugin, machineTypes, hardware, os }, addIssue) => {
    if (nvidiaPlugin === undefined || machineTypes.length === 0) return;
    const found = machineTypes.map((type) => eksMachineType(type, hardware));
    // An unknown type may have GPUs.
    if (!found.some((type) => !type || type.accelerator?.kind === NodePoolAcceleratorKind.Nvidia))
      addIssue(["nvidiaPlugin"], "requires NVIDIA GPUs; remove nvidiaPlugin");
    else if (os === EksNodePoolOs.Bottlerocket)
      addIssue(["nvidiaPlugin"], 'Bottlerocket includes the NVIDIA plugin; remove nvidiaPlugin, or use os "al2023"');
  },
);

/** Rules between arguments that a KarpenterNodePool also has. */
export const sharedEksRules: Rule<SharedEksFields>[] = [
  ...commonRules,
  labelRule,
  ...efaRules,
  wholeCoresRule,
  hardwareRule,
  cardsRule,
  ...typeRules,
  fabricRule,
  capacityRule,
  osRule,
  fastPullDiskRule,
  fastPullRule,
  nvidiaPluginRule,
  localDisksRule,
  ...sharedClaimRules,
];

/** Rules between the arguments of a pool. */
export const eksRules: Rule<EksPoolFields>[] = [
  placeRule(["clusterName"]),
  ...sharedEksRules,
  securityGroupRule,
  ...capacityRules,
  threadsRule,
  ultraServerRule,
  claimVersionRule,
  driverRule,
  ownImageRule,
  ...warmPoolRules,
  ...lustreRules,
];
