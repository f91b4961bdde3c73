import type * as pulumi from "@pulumi/pulumi";
import type { SharedStorageArgs } from "../../storage/args";

/** Kind of shared storage on Azure. */
export const AksSharedStorageKind = {
  /**
   * Azure Managed Lustre: a parallel file system in one zone, for data that many ranks read and write at once. Its CSI driver runs on
   * Ubuntu nodes alone ("Use the Azure Managed Lustre CSI driver with Azure Kubernetes Service").
   */
  Lustre: "lustre",
  /** Azure Files, premium, by NFS: no key of the account reaches the cluster. */
  Files: "files",
  /** Azure Blob, premium, by NFS 3.0: objects as files, for large ones that are read in sequence; it grows with what is in it. */
  Blob: "blob",
} as const;
export type AksSharedStorageKind = (typeof AksSharedStorageKind)[keyof typeof AksSharedStorageKind];

/** Storage on Azure that all pods of a cluster share: a file system, new or existing, its volume and its claim. */
export interface AksSharedStorageArgs extends SharedStorageArgs {
  /** Kind of storage. */
  kind: AksSharedStorageKind;
  /** A file system that exists, and that the nodes reach. Default: a new one. */
  existing?: AksSharedStorageExistingArgs;
  /** Resource group of a new file system, and of an existing share of Azure Files. Default: none, and required there. */
  resourceGroupName?: pulumi.Input<string>;
  /** Azure region of a new file system. Default: that of the resource group. */
  location?: pulumi.Input<string>;
  /**
   * Id of a subnet. A new file system of Managed Lustre comes into it, and takes from 32 addresses (16 TiB) to 512 (400 TiB); for Azure Files
   * it is that of the nodes, which alone may mount the share, with the service endpoint Microsoft.Storage. Required for a new
   * file system. Default: none.
   */
  subnetId?: pulumi.Input<string>;
  /** Availability zone of a new file system of Managed Lustre: "1", "2" or "3". Azure Files has none. Default: that of `pool`, where it keeps to one. */
  zone?: string;
  /**
   * Capacity in GiB. Managed Lustre: steps of 4096 GiB at 500 MB/s for each TiB, 8192 at 250, 16384 at 125 and 49152 at 40; another
   * one is another file system. Azure Files: from 100 to 102400. Default: none, and required for a new file system.
   */
  capacityGib?: number;
  /** Throughput of Managed Lustre in MB/s for each TiB: 40, 125, 250 or 500; it cannot be changed. Default: 500. */
  throughputPerTib?: number;
  /** Tags of everything that is made in Azure. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
}

/** A file system of Azure that exists: of Managed Lustre by its address, of Azure Files by its account and share. */
export interface AksSharedStorageExistingArgs {
  /** Address of the management service of Managed Lustre (`mgsAddress`). Required there, and only there. Default: none. */
  mgsAddress?: pulumi.Input<string>;
  /** Name of the storage account of Azure Files or Azure Blob. Required there, and only there. Default: none. */
  accountName?: pulumi.Input<string>;
  /** Name of the container of Azure Blob, in an account with NFS 3.0. Required there, and only there. Default: none. */
  containerName?: pulumi.Input<string>;
  /** Name of the share of Azure Files, of protocol NFS. Required there, and only there. Default: none. */
  shareName?: pulumi.Input<string>;
}
