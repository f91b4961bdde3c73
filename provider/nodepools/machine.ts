import type { MiniClusterArch } from "../minicluster/args";
import { NodePoolAcceleratorKind, type NodePoolAcceleratorArgs } from "./args";

export { NodePoolAcceleratorKind };

/** What one machine type of a cloud has, as its vendor documents it. */
export interface Machine {
  arch: MiniClusterArch;
  /** Virtual CPUs as the machine comes, of which `threadsPerCore` share one core. */
  vcpus: number;
  threadsPerCore: number;
  memoryMib: number;
  accelerator?: NodePoolAcceleratorArgs;
}

/** Under which name Kubernetes counts the accelerators that a device plugin has found. */
export const acceleratorResources: Record<NodePoolAcceleratorKind, string> = {
  [NodePoolAcceleratorKind.Nvidia]: "nvidia.com/gpu",
  [NodePoolAcceleratorKind.Amd]: "amd.com/gpu",
  [NodePoolAcceleratorKind.Neuron]: "aws.amazon.com/neuron",
};

/** Virtual CPUs and cores of a machine, with the number of threads that a pool gives each core. */
export function processors({ vcpus, threadsPerCore }: Machine, wanted = threadsPerCore) {
  const cores = vcpus / threadsPerCore;
  return { cores, vcpus: cores * wanted };
}
