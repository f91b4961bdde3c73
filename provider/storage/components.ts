import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../shared/children";
import { withCloudSdk } from "../shared/missing";
import { parseAksSharedStorageArgs } from "./aks/parse";
import type { AksSharedStorageArgs, EksSharedStorageArgs, GkeSharedStorageArgs } from "./args";
import { parseEksSharedStorageArgs } from "./eks/parse";
import { parseGkeSharedStorageArgs } from "./gke/parse";

/**
 * Storage on AWS that the pods of clusters share: FSx for Lustre or EFS, new or existing, with a PersistentVolume and a claim. A
 * container mounts it by one line: `volumes: { data: { path: "/data", claimName: storage.claimName } }`.
 */
export class EksSharedStorage extends pulumi.ComponentResource {
  /** Name of the PersistentVolumeClaim: the value of `claimName` of a volume. */
  readonly claimName!: pulumi.Output<string>;
  /** Name of the PersistentVolume. */
  readonly volumeName!: pulumi.Output<string>;
  /** Id of the file system. */
  readonly fileSystemId!: pulumi.Output<string>;

  constructor(name: string, args: EksSharedStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseEksSharedStorageArgs(name, args);
    super("minicluster:index:EksSharedStorage", name, {}, opts);
    const outputs = awsRegister().registerEksStorage(spec, childOptions(this, opts));
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/**
 * Storage on Google Cloud that the pods of clusters share: Managed Lustre or Filestore, new or existing, with a PersistentVolume and
 * a claim. A container mounts it by one line: `volumes: { data: { path: "/data", claimName: storage.claimName } }`.
 */
export class GkeSharedStorage extends pulumi.ComponentResource {
  /** Name of the PersistentVolumeClaim: the value of `claimName` of a volume. */
  readonly claimName!: pulumi.Output<string>;
  /** Name of the PersistentVolume. */
  readonly volumeName!: pulumi.Output<string>;
  /** Name of the instance. */
  readonly fileSystemId!: pulumi.Output<string>;

  constructor(name: string, args: GkeSharedStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseGkeSharedStorageArgs(name, args);
    super("minicluster:index:GkeSharedStorage", name, {}, opts);
    const outputs = gcpRegister().registerGkeStorage(spec, childOptions(this, opts));
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/**
 * Storage on Azure that the pods of clusters share: Managed Lustre or Azure Files, new or existing, with a PersistentVolume and a
 * claim. A container mounts it by one line: `volumes: { data: { path: "/data", claimName: storage.claimName } }`.
 */
export class AksSharedStorage extends pulumi.ComponentResource {
  /** Name of the PersistentVolumeClaim: the value of `claimName` of a volume. */
  readonly claimName!: pulumi.Output<string>;
  /** Name of the PersistentVolume. */
  readonly volumeName!: pulumi.Output<string>;
  /** Id of the file system of Managed Lustre, its address if it exists already; or the account and the share, "ACCOUNT/SHARE". */
  readonly fileSystemId!: pulumi.Output<string>;

  constructor(name: string, args: AksSharedStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseAksSharedStorageArgs(name, args);
    super("minicluster:index:AksSharedStorage", name, {}, opts);
    const outputs = azureRegister().registerAksStorage(spec, childOptions(this, opts));
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

// Each cloud's SDK is loaded by the programs that use it, and by no others.
const awsRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  withCloudSdk("@pulumi/aws", () => require("./eks/register") as typeof import("./eks/register"));

const gcpRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  withCloudSdk("@pulumi/gcp", () => require("./gke/register") as typeof import("./gke/register"));

const azureRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  withCloudSdk("@pulumi/azure-native", () => require("./aks/register") as typeof import("./aks/register"));
