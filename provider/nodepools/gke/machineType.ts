import type { GetMachineTypesResult } from "@pulumi/gcp/compute/getMachineTypes";
import type { MiniClusterArch } from "../../minicluster/args";
import { NodePoolAcceleratorKind } from "../args";
import type { GkeNodePoolHardwareArgs } from "./args";

/** What Google's data source does not have. */
interface Cores {
  arch: MiniClusterArch;
  threadsPerCore: number;
}

type MachineType = GetMachineTypesResult["machineTypes"][number];

/** The facts of the Compute Engine API in the form of this package. */
export function hardwareFrom(
  { guestCpus, memoryMb, accelerators }: Pick<MachineType, "guestCpus" | "memoryMb" | "accelerators">,
  { arch, threadsPerCore }: Cores,
): GkeNodePoolHardwareArgs {
  const [gpu] = accelerators;
  // What the API calls MB are MiB.
  const machine = { arch, threadsPerCore, vcpus: guestCpus, memoryMib: memoryMb };
  if (!gpu) return machine;
  const { guestAcceleratorType: acceleratorType, guestAcceleratorCount: count } = gpu;
  return {
    ...machine,
    acceleratorType,
    accelerator: { kind: NodePoolAcceleratorKind.Nvidia, model: modelOf(acceleratorType), count },
  };
}

/** What people call the GPUs that Google calls "nvidia-h100-mega-80gb". */
const modelOf = (acceleratorType: string) =>
  acceleratorType
    .replace(/^nvidia-(tesla-)?/, "")
    .replace(/(-mega)?(-\d+gb)?$/, "")
    .replaceAll("-", " ")
    .toUpperCase();
