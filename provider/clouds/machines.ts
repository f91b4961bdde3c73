import { choice, integer, nonEmptyText, object } from "../shared/checks";
import { ruleOn } from "../shared/rules";
import { type NodePoolAcceleratorArgs, NodePoolAcceleratorKind, MiniClusterArch } from "./nodes/args";

/** A machine type of a cloud, from its vendor's documents. */
export interface MachineType {
  arch: MiniClusterArch;
  /** Virtual CPUs by default, of which `threadsPerCore` share one core. */
  vcpus: number;
  threadsPerCore: number;
  memoryMib: number;
  accelerator?: NodePoolAcceleratorArgs;
  /** Total capacity of the local disks in GB; undefined without local disks, or if it is unknown. */
  localDiskGb?: number;
  /**
   * True if each GPU has interfaces of the fast network on the same PCIe root, as DRA drivers publish them, and all
   * GPUs have the same number of interfaces.
   */
  hasNearInterfaces?: boolean;
}

/** True for GPUs that form one NVLink domain over several nodes: Grace Blackwell. */
export const isSuperchip = (accelerator: MachineType["accelerator"]) => /^GB[23]00$/.test(accelerator?.model ?? "");

/** Virtual CPUs and cores of a machine, with the threads per core of a pool. */
export function processors({ vcpus, threadsPerCore }: MachineType, wanted = threadsPerCore) {
  const cores = vcpus / threadsPerCore;
  return { cores, vcpus: cores * wanted };
}

/**
 * The machine of a pool, if one of its types is known: types differ only in memory and local disks, whose smallest
 * sizes are used.
 */
export function leastMachine<Machine extends MachineType>(types: (Machine | undefined)[]): Machine | undefined {
  const known = types.filter((each) => each !== undefined);
  const [first] = known;
  const disks = known.map(({ localDiskGb = 0 }) => localDiskGb);
  return (
    first && {
      ...first,
      memoryMib: Math.min(...known.map(({ memoryMib }) => memoryMib)),
      ...(first.localDiskGb !== undefined && { localDiskGb: Math.min(...disks) }),
    }
  );
}

/** Fields of `hardware`, in which a user describes a machine type that this package does not list. */
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
  localDiskGb: integer(0, 10_000_000).optional(),
};

/** Message for `hardware` of a machine type that this package lists. */
export const needlessHardware = (type: string) => `this package has the hardware of ${type}; remove hardware`;

/** Rule on the processors that `hardware` describes: the number of cores is an integer. */
export const wholeCoresRule = ruleOn<{ hardware?: MachineType }>()(
  ["hardware.threadsPerCore", "hardware.vcpus"],
  ({ hardware }, addIssue) => {
    if (hardware?.threadsPerCore !== 2 || hardware.vcpus % 2 === 0) return;
    addIssue(
      ["hardware", "vcpus"],
      `${hardware.vcpus} vcpus at 2 threads per core are not a whole number of cores; correct vcpus or threadsPerCore`,
    );
  },
);
