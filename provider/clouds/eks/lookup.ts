import type { GetInstanceTypeResult } from "@pulumi/aws/ec2/getInstanceType";
import type * as pulumi from "@pulumi/pulumi";
import { fromOptionalPackage } from "../../shared/optionalPackage";
import { type NodePoolAcceleratorArgs, NodePoolAcceleratorKind, MiniClusterArch } from "../nodes/args";
import type { EksHardware } from "./nodes/parse/fields";

/**
 * Facts from EC2 on an instance type that this package does not know: the value of an EksNodePool's `hardware`. Rejects where
 * EC2 does not have the type either. Uses the AWS provider of `options`, or the default one.
 */
export async function lookupEksMachine(machineType: string, options?: pulumi.InvokeOptions): Promise<EksHardware> {
  return eksHardware(await aws().getInstanceType({ instanceType: machineType }, options));
}

type AwsModule = typeof import("@pulumi/aws/ec2/getInstanceType");
// eslint-disable-next-line @typescript-eslint/no-require-imports
const aws = () => fromOptionalPackage("@pulumi/aws", () => require("@pulumi/aws/ec2/getInstanceType") as AwsModule);

function eksHardware(type: GetInstanceTypeResult): EksHardware {
  const accelerator = acceleratorIn(type);
  const cards = [...(type.networkCards ?? [])].sort((one, other) => one.index - other.index);
  return {
    arch: type.supportedArchitectures.includes("arm64") ? MiniClusterArch.Arm64 : MiniClusterArch.Amd64,
    vcpus: type.defaultVcpus,
    threadsPerCore: type.defaultThreadsPerCore,
    memoryMib: type.memorySize,
    ...(accelerator && { accelerator }),
    ...(type.totalInstanceStorage > 0 && { localDiskGb: type.totalInstanceStorage }),
    networkCards: Math.max(1, type.maximumNetworkCards),
    efaInterfaces: type.efaSupported ? type.efaMaximumInterfaces : 0,
    // Left out where it says nothing: on most types each card takes two or more.
    ...(cards.some(({ maximumInterfaces }) => maximumInterfaces === 1) && {
      interfacesPerCard: cards.map(({ maximumInterfaces }) => maximumInterfaces),
    }),
  };
}

function acceleratorIn({ gpuses, neuronDevices }: GetInstanceTypeResult): NodePoolAcceleratorArgs | undefined {
  const [neuron] = neuronDevices;
  if (neuron) return { kind: NodePoolAcceleratorKind.Neuron, model: neuron.name, count: neuron.count };
  const [gpu] = gpuses;
  const kind = gpu && gpuVendors[gpu.manufacturer.toLowerCase()];
  return kind && { kind, model: gpu.name, count: gpu.count };
}

/** Vendors whose GPUs Kubernetes counts. EC2 also lists others among the GPUs, such as the Gaudi of Habana. */
const gpuVendors: Record<string, NodePoolAcceleratorKind | undefined> = {
  nvidia: NodePoolAcceleratorKind.Nvidia,
  amd: NodePoolAcceleratorKind.Amd,
};
