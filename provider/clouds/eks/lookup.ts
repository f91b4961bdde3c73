import type { GetInstanceTypeResult } from "@pulumi/aws/ec2/getInstanceType";
import type * as pulumi from "@pulumi/pulumi";
import { thrownText, userError } from "../../shared/errors";
import { fromOptionalPackage } from "../../shared/optionalPackage";
import { answered } from "../lookup";
import { type NodePoolAcceleratorArgs, NodePoolAcceleratorKind, MiniClusterArch } from "../nodes/args";
import { isListed } from "./machines";
import type { EksHardware } from "./nodes/parse/fields";

/**
 * Queries EC2 for an instance type that this package does not list, and returns the value of an EksNodePool's
 * `hardware`. Returns undefined for a listed type, without a query; and, with a warning, without credentials or without
 * a response. Rejects if the region does not have the type. Uses the AWS provider of `options`, or the default
 * provider.
 */
export async function lookupEksMachine(
  machineType: string,
  options?: pulumi.InvokeOptions,
): Promise<EksHardware | undefined> {
  if (isListed(machineType)) return undefined;
  const question = { machine: `instance type ${machineType}`, cloud: "EC2", login: "aws configure" };
  const found = await answered(question, () =>
    aws().getInstanceType({ instanceType: machineType }, options).catch(missingOrError),
  );
  if (found === "missing")
    throw userError(
      `EC2 has no instance type "${machineType}" in this region; correct the type or the region (aws ec2 ` +
        `describe-instance-type-offerings --filters Name=instance-type,Values=${machineType} --region REGION)`,
    );
  return found && eksHardware(found);
}

/**
 * Distinguishes a type that the region does not have: EC2's error InvalidInstanceType, or the provider's error for an
 * empty response.
 */
function missingOrError(error: unknown): "missing" {
  if (/InvalidInstanceType|no matching EC2 Instance Type/i.test(thrownText(error))) return "missing";
  throw error;
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
    // Omitted if EC2 reports no number: on most types, each card supports two or more interfaces.
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

/** Vendors whose GPUs Kubernetes counts. EC2 also lists other accelerators as GPUs, such as Habana Gaudi. */
const gpuVendors: Record<string, NodePoolAcceleratorKind | undefined> = {
  nvidia: NodePoolAcceleratorKind.Nvidia,
  amd: NodePoolAcceleratorKind.Amd,
};
