import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import { fromOptionalPackage } from "../../../shared/optionalPackage";
import { withProviderOf } from "../../kubernetes/register";
import type { EksSharedStorageArgs } from "./args";
import { parseEksSharedStorageArgs } from "./parse";

/**
 * Storage on AWS that the pods of clusters share: FSx for Lustre or EFS, new or existing, or a bucket of S3, with a
 * PersistentVolume and a claim. To mount it in a container:
 * `volumes: { data: { path: "/data", claimName: storage.claimName } }`.
 */
export class EksSharedStorage extends pulumi.ComponentResource {
  /** Name of the PersistentVolumeClaim: the value of `claimName` of a volume. */
  readonly claimName!: pulumi.Output<string>;
  /** Name of the PersistentVolume. */
  readonly volumeName!: pulumi.Output<string>;
  /** Id of the file system, or name of the bucket. */
  readonly fileSystemId!: pulumi.Output<string>;

  constructor(name: string, args: EksSharedStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseEksSharedStorageArgs(name, args);
    super("minicluster:index:EksSharedStorage", name, {}, withProviderOf(spec.cluster, opts));
    const outputs = awsRegister().registerEksStorage(spec, childOptions(this, opts));
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

// Each cloud's SDK is loaded by the programs that use it, and by no others.
const awsRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  fromOptionalPackage("@pulumi/aws", () => require("./register") as typeof import("./register"));
