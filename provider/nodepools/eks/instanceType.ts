import type { GetInstanceTypeResult } from "@pulumi/aws/ec2/getInstanceType";
import { MiniClusterArch } from "../../minicluster/args";
import { NodePoolAcceleratorKind, type NodePoolAcceleratorArgs } from "../args";
import type { EksNodePoolHardwareArgs } from "./args";

/** The facts of the EC2 API in the form of this package. */
export function hardwareFrom(type: GetInstanceTypeResult): EksNodePoolHardwareArgs {
  const accelerator = acceleratorIn(type);
  return {
    arch: type.supportedArchitectures.includes("arm64") ? MiniClusterArch.Arm64 : MiniClusterArch.Amd64,
    vcpus: type.defaultVcpus,
    threadsPerCore: type.defaultThreadsPerCore,
    memoryMib: type.memorySize,
    ...(accelerator && { accelerator }),
    networkCards: Math.max(1, type.maximumNetworkCards),
    efaInterfaces: type.efaSupported ? type.efaMaximumInterfaces : 0,
  };
}

function acceleratorIn({ gpuses, neuronDevices }: GetInstanceTypeResult): NodePoolAcceleratorArgs | undefined {
  const [neuron] = neuronDevices;
  if (neuron) return { kind: NodePoolAcceleratorKind.Neuron, model: neuron.name, count: neuron.count };
  const [gpu] = gpuses;
  const kind = gpu && gpuMakers[gpu.manufacturer.toLowerCase()];
  return kind && { kind, model: gpu.name, count: gpu.count };
}

/** Makers whose GPUs Kubernetes counts. EC2 lists others among the GPUs too, such as the Gaudi of Habana. */
const gpuMakers: Record<string, NodePoolAcceleratorKind | undefined> = {
  nvidia: NodePoolAcceleratorKind.Nvidia,
  amd: NodePoolAcceleratorKind.Amd,
};
