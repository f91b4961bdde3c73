import { properties } from "../../shared/checks";
import { isPlainObject } from "../../shared/objects";
import type { AddIssue } from "../../shared/rules";
import { needlessHardware, wholeCoresRule } from "../hardwareRules";
import { NodePoolAcceleratorKind } from "../machine";
import { GkeNodePoolCapacity, GkeNodePoolPlacement, type GkeNodePoolArgs } from "./args";
import { hasHyperdiskAlone, hasSpot } from "./families";
import { bareMachine, ownTaints, withGpus } from "./machine";
import { type GkeMachine, gkeMachine } from "./machines";

type Args = Partial<GkeNodePoolArgs>;

/** The rules between the machine type and what is asked of it. */
export function machineRules(args: Args, addIssue: AddIssue): void {
  const { machineType: type } = args;
  if (typeof type !== "string") return;
  const bare = bareMachine(args);
  if (!bare) return addIssue(["machineType"], unknownType(type));
  gpuRules(args, bare, { addIssue, type });
  hardwareRules(args, { addIssue, type });
  processorRules(args, bare, { addIssue, type });
  saleRules(args, bare, { addIssue, type });
  taintRules(args, withGpus(bare, args.gpus), addIssue);
}

const unknownType = (type: string) =>
  `"${type}" is no machine type that this package knows; correct it, or say what it has as hardware: ` +
  `await lookupGkeMachine("${type}", { zone, arch, threadsPerCore })`;

interface Place {
  addIssue: AddIssue;
  type: string;
}

function gpuRules({ gpus, gpuDriver, hardware }: Args, machine: GkeMachine, { addIssue, type }: Place): void {
  if (gpuDriver !== undefined && gpus === undefined && !machine.accelerator)
    addIssue(["gpuDriver"], `${type} has no GPUs; remove it`);
  if (!isPlainObject(gpus)) return;
  const { attachable } = machine;
  if (machine.accelerator) return addIssue(["gpus"], `${type} comes with its GPUs; remove it`);
  if (!attachable) {
    const isGiven = hardware !== undefined && !gkeMachine(type);
    const remedy = isGiven
      ? "say what it has as hardware.accelerator"
      : "choose one of N1, or one that comes with GPUs";
    return addIssue(["gpus"], `${type} takes no GPUs; ${remedy}`);
  }
  const found = Object.hasOwn(attachable, gpus.type) ? attachable[gpus.type] : undefined;
  if (!found)
    return addIssue(["gpus", "type"], `${type} takes none of these; use one of ${Object.keys(attachable).join(", ")}`);
  if (typeof gpus.count === "number" && !found.counts.includes(gpus.count))
    addIssue(
      ["gpus", "count"],
      `${type} takes ${found.counts.join(", ")} of ${found.model}, not ${gpus.count}; correct it`,
    );
}

/** What the user says of a type that the package does not know. */
function hardwareRules({ hardware }: Args, { addIssue, type }: Place): void {
  if (hardware === undefined) return;
  if (gkeMachine(type)) return addIssue(["hardware"], needlessHardware(type));
  wholeCoresRule(hardware, addIssue);
  const { accelerator, acceleratorType } = properties(hardware);
  if (accelerator === undefined) {
    if (acceleratorType !== undefined)
      addIssue(["hardware", "acceleratorType"], "only means something beside accelerator; add it or remove the name");
    return;
  }
  const { kind } = properties(accelerator);
  if (kind !== undefined && kind !== NodePoolAcceleratorKind.Nvidia)
    addIssue(["hardware", "accelerator", "kind"], 'GKE has node pools with accelerators of "nvidia" only; correct it');
  if (acceleratorType === undefined)
    addIssue(["hardware", "acceleratorType"], "GKE wants its own name for the accelerators; add it");
}

function processorRules({ arch, threadsPerCore }: Args, machine: GkeMachine, { addIssue, type }: Place): void {
  if (arch !== undefined && arch !== machine.arch)
    addIssue(["arch"], `${type} is ${machine.arch}, not ${arch}; correct arch or leave it out`);
  if (threadsPerCore !== undefined && threadsPerCore > machine.threadsPerCore)
    addIssue(["threadsPerCore"], `a core of ${type} has one thread; leave it out`);
}

/** In which ways Google sells a machine. */
function saleRules(args: Args, machine: GkeMachine, { addIssue, type }: Place): void {
  const { placement, capacity, diskType } = args;
  if (placement === GkeNodePoolPlacement.Compact && !machine.compactPlacement)
    addIssue(
      ["placement"],
      `GKE has no compact placement for ${type}; choose another machine type, or remove placement`,
    );
  if (capacity === GkeNodePoolCapacity.Spot && !hasSpot(type))
    addIssue(["capacity"], `${type} is not sold as spot capacity; use "onDemand" or "reservation"`);
  if (typeof diskType === "string" && diskType.startsWith("pd-") && hasHyperdiskAlone(type))
    addIssue(["diskType"], `${type} has no persistent disk; use "hyperdisk-balanced" or leave it out`);
}

/** A taint that is set twice would be taken away and given back in turns. */
function taintRules({ taints, capacity }: Args, machine: GkeMachine, addIssue: AddIssue): void {
  const own = ownTaints(machine, capacity).map(({ key }) => key);
  (Array.isArray(taints) ? taints : []).map(properties).forEach(({ key }, index) => {
    if (key !== undefined && own.includes(key))
      addIssue(["taints", index], `GKE sets a taint ${key} on these nodes by itself, and pods tolerate it; remove it`);
  });
}
