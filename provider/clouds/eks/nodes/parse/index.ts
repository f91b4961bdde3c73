import { parseArgs, rules } from "../../../../shared/rules";
import { eksPlace } from "../../../kubernetes/parse";
import { leastMachine } from "../../../machines";
import { NodePoolAcceleratorKind } from "../../../nodes/args";
import { chosenPlugin, type DevicePlugin } from "../../../nodes/parse/devicePlugins";
import { stripedDisk } from "../../../nodes/parse/localDisks";
import { buildScheduling, byClaim } from "../../../nodes/parse/scheduling";
import { resolveSizing } from "../../../nodes/parse/sizing";
import { type EksMachineType, eksMachineType, networkLabelsOf } from "../../machines";
import { type EksNodePoolArgs, EksNodePoolCapacityType, EksNodePoolEfaLayout, EksNodePoolOs } from "../args";
import { fabricUse } from "./efa";
import { type EksPoolFields, eksPoolFields, hasEfa, placementOf } from "./fields";
import { lustreDevices } from "./lustre";
import { osOf } from "./os";
import { eksRules } from "./rules";

const schema = eksPoolFields.check(rules(...eksRules));

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseEksNodePoolArgs = (resourceName: string, args: EksNodePoolArgs) =>
  buildSpec(parseArgs(schema, "EksNodePool", resourceName, args));

/** Arguments that are all checked, with every default set. */
export type EksPoolSpec = ReturnType<typeof buildSpec>;

function buildSpec(args: EksPoolFields) {
  const machine = poolMachine(args);
  const sizing = resolveSizing(args);
  const os = osOf(args, machine);
  return {
    ...args,
    ...eksPlace(args),
    machine,
    sizing,
    os,
    scheduling: buildScheduling({
      ...args,
      machine,
      sizing,
      fabric: fabricUse(machine, args),
      networkLabels: networkLabelsOf(args.machineTypes),
      localDisk: stripedDisk(machine, args.localDisks),
      interruption: interruptionOf([args.capacityType]),
    }),
    efaLayout: args.efaLayout ?? EksNodePoolEfaLayout.Separate,
    placement: placementOf(args),
    efaSecurityGroup: args.efaSecurityGroup ?? hasEfa(args),
    lustreDevices: args.lustreEfaClient ? lustreDevices(args.machineTypes[0], machine.efaInterfaces) : [],
    devicePlugins: devicePlugins({ ...args, os }, machine),
  };
}

/**
 * The interruption of spot machines: at the notice of EC2 ("Spot Instance interruption notices"), EKS ("Managed node
 * groups") and Karpenter ("Interruption") evict the pods.
 */
export const interruptionOf = (capacityTypes: EksNodePoolCapacityType[]) =>
  capacityTypes.includes(EksNodePoolCapacityType.Spot) ? { noticeSeconds: 120, evicts: true } : undefined;

/** A machine of the pool. */
export function poolMachine({
  machineTypes,
  hardware,
}: Pick<EksPoolFields, "machineTypes" | "hardware">): EksMachineType {
  const machine = leastMachine(machineTypes.map((type) => eksMachineType(type, hardware)));
  if (!machine) throw new Error(`the rules did not reject the unknown machine types ${machineTypes.join(", ")}`);
  return machine;
}

/** Device plugins that the pool runs, for devices without claims. Bottlerocket includes the plugin of NVIDIA. */
export function devicePlugins(
  args: Pick<EksPoolFields, "os" | "fabric" | "fabricBy" | "gpuBy" | "nvidiaPlugin" | "efaPlugin">,
  { accelerator }: EksMachineType,
): DevicePlugin[] {
  const hasNvidia = accelerator?.kind === NodePoolAcceleratorKind.Nvidia && args.os !== EksNodePoolOs.Bottlerocket;
  return [
    ...chosenPlugin("nvidia", hasNvidia && !byClaim(args.gpuBy), args.nvidiaPlugin),
    ...chosenPlugin("efa", hasEfa(args) && !byClaim(args.fabricBy), args.efaPlugin),
  ];
}
