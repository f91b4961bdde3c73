import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import { fromOptionalPackage } from "../../../shared/optionalPackage";
import type { AksSharedStorageArgs } from "./args";
import { parseAksSharedStorageArgs } from "./parse";

/**
 * Storage on Azure that the pods of clusters share: Managed Lustre, Azure Files or Azure Blob, new or existing, with a
 * PersistentVolume and a claim. To mount it in a container:
 * `volumes: { data: { path: "/data", claimName: storage.claimName } }`.
 */
export class AksSharedStorage extends pulumi.ComponentResource {
  /** Name of the PersistentVolumeClaim: the value of `claimName` of a volume. */
  readonly claimName!: pulumi.Output<string>;
  /** Name of the PersistentVolume. */
  readonly volumeName!: pulumi.Output<string>;
  /**
   * Id of the file system of Managed Lustre, or the address of an existing file system; for the other kinds, the
   * account and the share or container, as "ACCOUNT/SHARE".
   */
  readonly fileSystemId!: pulumi.Output<string>;

  constructor(name: string, args: AksSharedStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseAksSharedStorageArgs(name, args);
    super("minicluster:index:AksSharedStorage", name, {}, opts);
    const outputs = azureRegister().registerAksStorage(spec, childOptions(this, opts));
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

const azureRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  fromOptionalPackage("@pulumi/azure-native", () => require("./register") as typeof import("./register"));
