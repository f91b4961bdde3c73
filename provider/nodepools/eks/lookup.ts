import type * as pulumi from "@pulumi/pulumi";
import { withCloudSdk } from "../cloudSdk";
import type { EksNodePoolHardwareArgs } from "./args";
import { hardwareFrom } from "./instanceType";

/**
 * What EC2 says of an instance type that this package does not know: the value of an EksNodePool's `hardware`. Rejects where
 * EC2 does not know the type either. Asks the AWS provider of `options`, or the default one.
 */
export async function lookupEksMachine(
  machineType: string,
  options?: pulumi.InvokeOptions,
): Promise<EksNodePoolHardwareArgs> {
  return hardwareFrom(await aws().getInstanceType({ instanceType: machineType }, options));
}

type AwsModule = typeof import("@pulumi/aws/ec2/getInstanceType");
// eslint-disable-next-line @typescript-eslint/no-require-imports
const aws = () => withCloudSdk("@pulumi/aws", () => require("@pulumi/aws/ec2/getInstanceType") as AwsModule);
