import type { GetInstanceTypeResult } from "@pulumi/aws/ec2/getInstanceType";
import type { GetMachineTypesResult } from "@pulumi/gcp/compute/getMachineTypes";
import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterArch } from "../minicluster/args";
import { userError } from "../shared/errors";
import { withCloudSdk } from "../shared/missing";
import { type NodePoolAcceleratorArgs, NodePoolAcceleratorKind } from "./args";
import type { EksHardware } from "./eks/fields";
import type { GkeNodePoolHardwareArgs } from "./gke/args";

/**
 * Facts from EC2 on an instance type that this package does not know: the value of an EksNodePool's `hardware`. Rejects where
 * EC2 does not know the type either. Asks the AWS provider of `options`, or the default one.
 */
export async function lookupEksMachine(machineType: string, options?: pulumi.InvokeOptions): Promise<EksHardware> {
  return eksHardware(await aws().getInstanceType({ instanceType: machineType }, options));
}

/** Place to look a machine type up, and the two facts on it that Google's data source does not have. */
export interface GkeMachineQuery {
  /** Zone that has the type, such as "us-central1-a". Default: that of the Google Cloud provider. */
  zone?: string;
  /** Project to ask for. Default: that of the Google Cloud provider. */
  project?: string;
  /** Processor architecture. */
  arch: MiniClusterArch;
  /** Virtual CPUs that share a core, 1 or 2. */
  threadsPerCore: number;
}

/**
 * Facts from Google on a machine type that this package does not know: the value of a GkeNodePool's `hardware`, to which
 * Tier_1, compact placement and RDMA have to be added. Rejects where Google does not know the type either. Asks the Google
 * Cloud provider of `options`, or the default one.
 */
export async function lookupGkeMachine(
  machineType: string,
  { zone, project, ...cores }: GkeMachineQuery,
  options?: pulumi.InvokeOptions,
): Promise<GkeNodePoolHardwareArgs> {
  const filter = `name = ${JSON.stringify(machineType)}`;
  const { machineTypes } = await gcp().getMachineTypes({ filter, zone, project }, options);
  const found = machineTypes.find(({ name }) => name === machineType);
  if (found) return gkeHardware(found, cores);
  throw userError(
    `${zone ?? "the provider's zone"} has no machine type "${machineType}"; correct the type or the zone`,
  );
}

type AwsModule = typeof import("@pulumi/aws/ec2/getInstanceType");
// eslint-disable-next-line @typescript-eslint/no-require-imports
const aws = () => withCloudSdk("@pulumi/aws", () => require("@pulumi/aws/ec2/getInstanceType") as AwsModule);

type GcpModule = typeof import("@pulumi/gcp/compute/getMachineTypes");
// eslint-disable-next-line @typescript-eslint/no-require-imports
const gcp = () => withCloudSdk("@pulumi/gcp", () => require("@pulumi/gcp/compute/getMachineTypes") as GcpModule);

function eksHardware(type: GetInstanceTypeResult): EksHardware {
  const accelerator = acceleratorIn(type);
  const cards = [...(type.networkCards ?? [])].sort((one, other) => one.index - other.index);
  return {
    arch: type.supportedArchitectures.includes("arm64") ? MiniClusterArch.Arm64 : MiniClusterArch.Amd64,
    vcpus: type.defaultVcpus,
    threadsPerCore: type.defaultThreadsPerCore,
    memoryMib: type.memorySize,
    ...(accelerator && { accelerator }),
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

/** Vendors whose GPUs Kubernetes counts. EC2 lists others among the GPUs, too, such as the Gaudi of Habana. */
const gpuVendors: Record<string, NodePoolAcceleratorKind | undefined> = {
  nvidia: NodePoolAcceleratorKind.Nvidia,
  amd: NodePoolAcceleratorKind.Amd,
};

function gkeHardware(
  { guestCpus, memoryMb, accelerators }: GetMachineTypesResult["machineTypes"][number],
  { arch, threadsPerCore }: Pick<GkeMachineQuery, "arch" | "threadsPerCore">,
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

/** Common name of GPUs, such as "H100" for Google's "nvidia-h100-mega-80gb". */
const modelOf = (acceleratorType: string) =>
  acceleratorType
    .replace(/^nvidia-(tesla-)?/, "")
    .replace(/(-mega)?(-\d+gb)?$/, "")
    .replaceAll("-", " ")
    .toUpperCase();
