import { z } from "zod";
import { choice, flag, integer, leaf, list, nonEmptyText, object, text } from "../../../shared/checks";
import { type Rule, forEachItem, parseArgs, ruleOn, rules } from "../../../shared/rules";
import { emptyForSeconds, karpenterPoolRules } from "../../karpenter/parse";
import { isSuperchip, leastMachine, wholeCoresRule } from "../../machines";
import { MiniClusterArch, NodePoolAcceleratorKind } from "../../nodes/args";
import { chosenPlugin } from "../../nodes/parse/devicePlugins";
import { commonFields, commonRules, devicePlugin, zonesOf } from "../../nodes/parse/fields";
import { machineFields, onMachineTypes } from "../../nodes/parse/machineTypes";
import { givenPrice } from "../../nodes/parse/pool";
import { buildScheduling } from "../../nodes/parse/scheduling";
import { resolveSizing } from "../../nodes/parse/sizing";
import { type AksMachineType, aksMachineType, isListed } from "../machines";
import { AksNodePoolCapacityType, AksNodePoolGpuDriver, AksNodePoolTopologyManagerPolicy } from "../nodes/args";
import { defaultDriver, interruptionOf } from "../nodes/parse";
import { hardware } from "../nodes/parse/fields";
import { type AksKarpenterNodePoolArgs, AksKarpenterNodePoolImageFamily } from "./args";

const zone = text.refine((value) => /^[a-z]+[a-z\d]*-[1-9]$/.test(value), {
  error: ({ input }) => `${JSON.stringify(input)} must be a zone as Karpenter names it, such as "westus3-1"`,
});

/** Fields of the arguments, each checked by itself. */
const aksKarpenterPoolFields = object({
  ...commonFields,
  machineTypes: list(nonEmptyText).refine((types) => types.length > 0, {
    error: "needs at least one VM size; add one",
  }),
  hardware: hardware.optional(),
  zones: zonesOf(zone),
  vnetSubnetId: leaf(nonEmptyText).optional(),
  capacityType: choice(AksNodePoolCapacityType).default(AksNodePoolCapacityType.OnDemand),
  imageFamily: choice(AksKarpenterNodePoolImageFamily).default(AksKarpenterNodePoolImageFamily.Ubuntu),
  gpuDriver: choice(AksNodePoolGpuDriver).optional(),
  artifactStreaming: leaf(flag).default(false),
  diskGib: leaf(integer(30, 2048)).default(128),
  price: givenPrice.optional(),
  topologyManagerPolicy: choice(AksNodePoolTopologyManagerPolicy).optional(),
  emptyForSeconds,
  nvidiaPlugin: devicePlugin,
});

type AksKarpenterPoolFields = z.output<typeof aksKarpenterPoolFields>;

const rule = ruleOn<AksKarpenterPoolFields>();

const { forEachType, typeRules } = onMachineTypes({
  noun: "VM size",
  machineOf: aksMachineType,
  isListed,
  lookup: (type) => `lookupAksMachine("${type}", { location })`,
});

// The pools of EKS and GKE have these arguments.
const unsupportedRules = (["threadsPerCore", "localDisks"] as const).map((key) =>
  rule([key], (args, addIssue) => {
    if (args[key] !== undefined) addIssue([key], `an AKSNodeClass has no such setting; remove ${key}`);
  }),
);

const capacityRule = rule(["capacityType"], ({ capacityType }, addIssue) => {
  if (capacityType === AksNodePoolCapacityType.Reservation)
    addIssue(
      ["capacityType"],
      'Karpenter cannot use reservations of Azure; use "onDemand" or "spot", or an AksNodePool',
    );
});

/** Sizes that Karpenter does not launch, with the reason (karpenter-provider-azure, `isSupported` of the instance types). */
const notLaunched: [sizes: RegExp, what: string][] = [
  [/^Standard_[A-Z]+\d+-\d+/i, "a size with constrained CPUs"],
  [/^Standard_(DC|EC|NCC)/i, "a confidential machine"],
  [/^Standard_NC(128|256|320)l?ds_xl_RTXPRO6000BSE_v6$/i, "a size that is not among its GPUs"],
];

const launchRule = rule(["machineTypes[]"], ({ machineTypes }, addIssue) =>
  forEachItem(machineTypes, (type, index) => {
    const [, what] = notLaunched.find(([sizes]) => sizes.test(type)) ?? [];
    if (what !== undefined)
      addIssue(
        ["machineTypes", index],
        `Karpenter launches no ${type}, ${what}; choose another size, or use an AksNodePool`,
      );
  }),
);

/** Machines whose NVLink domains span nodes require claims, for which Karpenter launches no nodes. */
const superchipRule = rule(machineFields, (args, addIssue) =>
  forEachType(args, ({ type, machine: { accelerator }, index }) => {
    if (isSuperchip(accelerator))
      addIssue(
        ["machineTypes", index],
        `pods claim the NVLink domain of ${type}, for which Karpenter launches no nodes; use an AksNodePool`,
      );
  }),
);

const streamingRule = rule([...machineFields, "artifactStreaming"], (args, addIssue) =>
  forEachType(args, ({ type, machine: { arch } }) => {
    if (args.artifactStreaming === true && arch === MiniClusterArch.Arm64)
      addIssue(["artifactStreaming"], `is for amd64, and ${type} is ${arch}; remove artifactStreaming`);
  }),
);

const imageRule = rule([...machineFields, "imageFamily"], (args, addIssue) =>
  forEachType(args, ({ type, machine: { accelerator } }) => {
    if (args.imageFamily === AksKarpenterNodePoolImageFamily.AzureLinux && isAmd(accelerator))
      addIssue(["imageFamily"], `the driver of the ${accelerator?.model} of ${type} requires Ubuntu; use "ubuntu"`);
  }),
);

type Accelerator = AksMachineType["accelerator"];
const isAmd = (accelerator: Accelerator) => accelerator?.kind === NodePoolAcceleratorKind.Amd;
const isNvidia = (accelerator: Accelerator) => accelerator?.kind === NodePoolAcceleratorKind.Nvidia;

const gpuDriverRule = rule([...machineFields, "gpuDriver"], (args, addIssue) => {
  const { gpuDriver } = args;
  forEachType(args, ({ type, machine: { accelerator } }) => {
    if (gpuDriver !== undefined && !accelerator)
      addIssue(["gpuDriver"], `${type} has no accelerators; remove gpuDriver`);
    if (gpuDriver === AksNodePoolGpuDriver.Install && isAmd(accelerator))
      addIssue(
        ["gpuDriver"],
        `AKS installs no driver for the ${accelerator?.model} of ${type}; use "none" and the AMD GPU Operator`,
      );
  });
});

const nvidiaPluginRule = rule([...machineFields, "nvidiaPlugin", "gpuDriver"], (args, addIssue) => {
  if (args.nvidiaPlugin === undefined) return;
  forEachType(args, ({ type, machine: { accelerator } }) => {
    if (!isNvidia(accelerator))
      addIssue(["nvidiaPlugin"], `requires NVIDIA GPUs, and ${type} has none; remove nvidiaPlugin`);
    else if (args.gpuDriver === AksNodePoolGpuDriver.None)
      addIssue(["nvidiaPlugin"], 'requires gpuDriver "install"; set it, or remove nvidiaPlugin');
  });
});

// The rules of the CRD of NodePool in karpenter-provider-azure.
const reservedDomains = ["karpenter.sh", "karpenter.azure.com", "kubernetes.azure.com"];
const reservedLabels = ["agentpool", "storageprofile", "storagetier", "accelerator", "kubernetes.io/hostname"];

const labelRule = rule(["labels[]"], ({ labels }, addIssue) => {
  for (const label of Object.keys(labels))
    if (reservedLabels.includes(label)) addIssue(["labels", label], "Karpenter reserves this label; use another key");
});

/** Rules between the arguments of a pool. */
const aksKarpenterRules: Rule<AksKarpenterPoolFields>[] = [
  ...commonRules,
  ...karpenterPoolRules(reservedDomains),
  ...unsupportedRules,
  capacityRule,
  wholeCoresRule,
  ...typeRules,
  launchRule,
  superchipRule,
  streamingRule,
  imageRule,
  gpuDriverRule,
  nvidiaPluginRule,
  labelRule,
];

const schema = aksKarpenterPoolFields.check(rules(...aksKarpenterRules));

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseAksKarpenterNodePoolArgs = (resourceName: string, args: AksKarpenterNodePoolArgs) =>
  buildSpec(parseArgs(schema, "AksKarpenterNodePool", resourceName, args));

/** Arguments that are all checked, with every default set. */
export type AksKarpenterPoolSpec = ReturnType<typeof buildSpec>;

function buildSpec(args: AksKarpenterPoolFields) {
  const machine = leastMachine(args.machineTypes.map((type) => aksMachineType(type, args.hardware)));
  if (!machine) throw new Error(`the rules did not reject the unknown VM sizes ${args.machineTypes.join(", ")}`);
  const sizing = resolveSizing(args);
  const gpuDriver = machine.accelerator && (args.gpuDriver ?? defaultDriver(machine));
  const hasDriver = isNvidia(machine.accelerator) && gpuDriver === AksNodePoolGpuDriver.Install;
  return {
    ...args,
    machine,
    sizing,
    gpuDriver,
    scheduling: buildScheduling({ ...args, machine, sizing, interruption: interruptionOf(args) }),
    devicePlugins: chosenPlugin("nvidia", hasDriver, args.nvidiaPlugin),
  };
}
