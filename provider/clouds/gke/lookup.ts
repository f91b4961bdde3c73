import type { GetMachineTypesResult } from "@pulumi/gcp/compute/getMachineTypes";
import type * as pulumi from "@pulumi/pulumi";
import { userError } from "../../shared/errors";
import { fromOptionalPackage } from "../../shared/optionalPackage";
import { answered } from "../lookup";
import { NodePoolAcceleratorKind, MiniClusterArch } from "../nodes/args";
import { isListed } from "./machines";
import type { GkeNodePoolHardwareArgs } from "./nodes/args";

/** Location in which a machine type is looked up, and the two properties that Google's data source lacks. */
export interface GkeMachineQuery {
  /** Zone that has the type, such as "us-central1-a". Default: the zone of the Google Cloud provider. */
  zone?: string;
  /** Project of the lookup. Default: the project of the Google Cloud provider. */
  project?: string;
  /** Processor architecture. */
  arch: MiniClusterArch;
  /** Virtual CPUs that share a core, 1 or 2. */
  threadsPerCore: number;
}

/**
 * Queries Google for a machine type that this package does not list, and returns the value of a GkeNodePool's
 * `hardware`, to which Tier_1, compact placement and RDMA must be added. Returns undefined for a listed type, without a
 * query; and, with a warning, without credentials or without a response. Rejects if the zone does not have the type.
 * Uses the Google Cloud provider of `options`, or the default provider.
 */
export async function lookupGkeMachine(
  machineType: string,
  { zone, project, ...cores }: GkeMachineQuery,
  options?: pulumi.InvokeOptions,
): Promise<GkeNodePoolHardwareArgs | undefined> {
  if (isListed(machineType)) return undefined;
  const filter = `name = ${JSON.stringify(machineType)}`;
  const question = {
    machine: `machine type ${machineType}`,
    cloud: "Compute Engine",
    login: "gcloud auth application-default login",
  };
  const answer = await answered(question, () => gcp().getMachineTypes({ filter, zone, project }, options));
  if (!answer) return undefined;
  const found = answer.machineTypes.find(({ name }) => name === machineType);
  if (found) return gkeHardware(found, cores);
  throw userError(
    `${zone ?? "the provider's zone"} has no machine type "${machineType}"; correct the type or the zone`,
  );
}

type GcpModule = typeof import("@pulumi/gcp/compute/getMachineTypes");
// eslint-disable-next-line @typescript-eslint/no-require-imports
const gcp = () => fromOptionalPackage("@pulumi/gcp", () => require("@pulumi/gcp/compute/getMachineTypes") as GcpModule);

function gkeHardware(
  { guestCpus, memoryMb, accelerators }: GetMachineTypesResult["machineTypes"][number],
  { arch, threadsPerCore }: Pick<GkeMachineQuery, "arch" | "threadsPerCore">,
): GkeNodePoolHardwareArgs {
  const [gpu] = accelerators;
  // "MB" in the API means MiB.
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
