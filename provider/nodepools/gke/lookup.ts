import type * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArch } from "../../minicluster/args";
import { userError } from "../../shared/errors";
import { withCloudSdk } from "../cloudSdk";
import type { GkeNodePoolHardwareArgs } from "./args";
import { hardwareFrom } from "./machineType";

/** Where to look a machine type up, and the two facts on it that Google's data source does not have. */
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
 * What Google says of a machine type that this package does not know: the value of a GkeNodePool's `hardware`, to which
 * Tier_1, compact placement and RDMA have to be added. Rejects where Google does not know the type either. Asks the Google
 * Cloud provider of `options`, or the default one.
 */
export async function lookupGkeMachine(
  machineType: string,
  { zone, project, ...cores }: GkeMachineQuery,
  options?: pulumi.InvokeOptions,
): Promise<GkeNodePoolHardwareArgs> {
  const filter = `name = ${JSON.stringify(machineType)}`;
  const { getMachineTypes } = gcpMachineTypes();
  const { machineTypes } = await getMachineTypes({ filter, zone, project }, options);
  const found = machineTypes.find(({ name }) => name === machineType);
  if (found) return hardwareFrom(found, cores);
  throw userError(
    `"${machineType}" is no machine type of ${zone ?? "the zone of the provider"}; correct it or its zone`,
  );
}

type GcpModule = typeof import("@pulumi/gcp/compute/getMachineTypes");
const gcpMachineTypes = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  withCloudSdk("@pulumi/gcp", () => require("@pulumi/gcp/compute/getMachineTypes") as GcpModule);
