import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import { fromOptionalPackage } from "../../../shared/optionalPackage";
import type { GkeSharedStorageArgs } from "./args";
import { parseGkeSharedStorageArgs } from "./parse";

/**
 * Storage on Google Cloud that the pods of clusters share: Managed Lustre or Filestore, new or existing, or a bucket, with a
 * PersistentVolume and a claim. To mount it in a container:
 * `volumes: { data: { path: "/data", claimName: storage.claimName } }`.
 */
export class GkeSharedStorage extends pulumi.ComponentResource {
  /** Name of the PersistentVolumeClaim: the value of `claimName` of a volume. */
  readonly claimName!: pulumi.Output<string>;
  /** Name of the PersistentVolume. */
  readonly volumeName!: pulumi.Output<string>;
  /** Name of the instance, or of the bucket. */
  readonly fileSystemId!: pulumi.Output<string>;

  constructor(name: string, args: GkeSharedStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseGkeSharedStorageArgs(name, args);
    super("minicluster:index:GkeSharedStorage", name, {}, opts);
    const outputs = gcpRegister().registerGkeStorage(spec, childOptions(this, opts));
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

const gcpRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  fromOptionalPackage("@pulumi/gcp", () => require("./register") as typeof import("./register"));
