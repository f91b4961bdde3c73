import { choice, integer, nonEmptyText, object } from "../shared/checks";
import type { AddIssue } from "../shared/rules";
import { type NodePoolAcceleratorArgs, NodePoolAcceleratorKind, MiniClusterArch } from "./nodes/args";

/** A machine type of a cloud, as its vendor documents it. */
export interface MachineType {
  arch: MiniClusterArch;
  /** Virtual CPUs as the machine comes, of which `threadsPerCore` share one core. */
  vcpus: number;
  threadsPerCore: number;
  memoryMib: number;
  accelerator?: NodePoolAcceleratorArgs;
  /** True if each GPU has interfaces of the fast network on its own PCIe root, as many as every other, by what DRA drivers publish. */
  hasNearInterfaces?: boolean;
}

/** True for GPUs of which those of several nodes are one NVLink domain: Grace Blackwell. */
export const isSuperchip = (accelerator: MachineType["accelerator"]) => /^GB[23]00$/.test(accelerator?.model ?? "");

/** Virtual CPUs and cores of a machine, with the number of threads that a pool gives each core. */
export function processors({ vcpus, threadsPerCore }: MachineType, wanted = threadsPerCore) {
  const cores = vcpus / threadsPerCore;
  return { cores, vcpus: cores * wanted };
}

/** Fields of `hardware`, by which a user describes a machine type that this package does not know. */
export const hardwareFields = {
  arch: choice(MiniClusterArch),
  vcpus: integer(1, 100_000),
  threadsPerCore: integer(1, 2),
  memoryMib: integer(1, Number.MAX_SAFE_INTEGER),
  accelerator: object({
    kind: choice(NodePoolAcceleratorKind),
    model: nonEmptyText,
    count: integer(1, 1000),
  }).optional(),
};

/**
 * The machine type that a user describes. It reads each property that is required: a rule ends at one that is missing, which a
 * mere copy would not have.
 */
export function describedType<T extends MachineType>(hardware: T): T {
  const { arch, vcpus, threadsPerCore, memoryMib } = hardware;
  return { ...hardware, arch, vcpus, threadsPerCore, memoryMib };
}

/** Message for `hardware` of a machine type that this package knows. */
export const needlessHardware = (type: string) => `this package knows ${type}; remove hardware`;

/** Rule on the processors that `hardware` describes: cores are whole. */
export function wholeCoresRule({ hardware }: { hardware?: MachineType }, addIssue: AddIssue): void {
  if (hardware?.threadsPerCore !== 2 || hardware.vcpus % 2 === 0) return;
  addIssue(
    ["hardware", "vcpus"],
    `${hardware.vcpus} vcpus at 2 threads per core are no whole number of cores; correct vcpus or threadsPerCore`,
  );
}
