import type * as pulumi from "@pulumi/pulumi";
import type { SharedStorageArgs } from "../../storage/args";

/** Kind of shared storage on Azure. */
export const AksSharedStorageKind = {
  /**
   * Azure Managed Lustre: a parallel file system in one zone, for data that many processes read and write concurrently.
   * Its CSI driver runs only on Ubuntu nodes ("Use the Azure Managed Lustre CSI driver with Azure Kubernetes Service").
   */
  Lustre: "lustre",
  /** Azure Files, premium, by NFS, which needs no account key in the AKS cluster. */
  Files: "files",
  /**
   * Azure Blob, premium, by NFS 3.0: objects as files, suitable for large files that are read sequentially. It grows with its
   * contents.
   */
  Blob: "blob",
} as const;
export type AksSharedStorageKind = (typeof AksSharedStorageKind)[keyof typeof AksSharedStorageKind];

/** Storage on Azure that all pods of a cluster share: a file system, new or existing, its volume and its claim. */
export interface AksSharedStorageArgs extends SharedStorageArgs {
  /** Kind of storage. */
  kind: AksSharedStorageKind;
  /** An existing file system that the nodes can reach. Default: a new one. */
  existing?: AksSharedStorageExistingArgs;
  /** Resource group of a new file system, or of an existing share of Azure Files. Required for both. Default: none. */
  resourceGroupName?: pulumi.Input<string>;
  /** Azure region of a new file system. Default: the region of the resource group. */
  location?: pulumi.Input<string>;
  /**
   * Id of a subnet. For Managed Lustre, it is the subnet of the new file system, which uses from 32 addresses (16 TiB) to 512
   * (400 TiB). For Azure Files, it is the subnet of the nodes, the only one that can mount the share, with the service endpoint
   * Microsoft.Storage. Required for a new file system. Default: none.
   */
  subnetId?: pulumi.Input<string>;
  /**
   * Availability zone of a new file system of Managed Lustre: "1", "2" or "3". Refused for other kinds. Default: the
   * zone of `pool`, if the pool has one zone.
   */
  zone?: pulumi.Input<string>;
  /**
   * Capacity in GiB. Managed Lustre: steps of 4096 GiB at 500 MB/s per TiB, 8192 at 250, 16384 at 125 and 49152 at 40; a
   * change replaces the file system. Azure Files: from 100 to 102400, or from 32 to 262144 with `iops` or `throughputMibps`. Required
   * for a new file system. Default: none.
   */
  capacityGib?: number;
  /** Throughput of Managed Lustre in MB/s per TiB: 40, 125, 250 or 500; it cannot be changed. Default: 500. */
  throughputPerTib?: number;
  /**
   * Provisioned operations per second of a share of Azure Files, from 3000 to 102400. Makes a share of the provisioned v2 model
   * (the account SKU "PremiumV2_LRS"), like `throughputMibps`. Source: "Understand Azure Files billing". Default: with
   * `throughputMibps`, the number that Azure recommends for the capacity; otherwise the share is of the model v1, whose
   * performance follows from its capacity.
   */
  iops?: number;
  /**
   * Provisioned throughput of a share of Azure Files in MiB/s, from 100 to 10340. Makes a share of the provisioned v2 model, like
   * `iops`. Adding the first of these two, or removing the last, replaces the share. Default: as with `iops`.
   */
  throughputMibps?: number;
  /** Tags of all created Azure resources. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
}

/** An existing file system on Azure: Managed Lustre by its address, Azure Files by its account and share. */
export interface AksSharedStorageExistingArgs {
  /**
   * Address of the management service of Managed Lustre (`mgsAddress`). Required for kind "lustre", and refused otherwise.
   * Default: none.
   */
  mgsAddress?: pulumi.Input<string>;
  /**
   * Name of the storage account of Azure Files or Azure Blob. Required for kinds "files" and "blob", and refused otherwise.
   * Default: none.
   */
  accountName?: pulumi.Input<string>;
  /**
   * Name of the container of Azure Blob, in an account with NFS 3.0. Required for kind "blob", and refused otherwise. Default:
   * none.
   */
  containerName?: pulumi.Input<string>;
  /**
   * Name of the share of Azure Files, with the protocol NFS. Required for kind "files", and refused otherwise. Default: none.
   */
  shareName?: pulumi.Input<string>;
}
