import type * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../nodepools/args";

/** Arguments that shared storage has in every cloud. */
export interface SharedStorageArgs {
  /** Name of the storage, with which the names of all that is made begin. A lowercase DNS label that starts with a letter. Default: the Pulumi resource name. */
  name?: string;
  /** Kubernetes namespace of the claim, which must exist: that of the clusters that mount it. Default: "default". */
  namespace?: pulumi.Input<string>;
  /**
   * The node pool whose pods mount it, as the output `scheduling` of the pool: storage in another zone is refused. Default: none,
   * and no zone is compared.
   */
  pool?: pulumi.Input<NodePoolScheduling>;
  /**
   * Leaves a file system that is made here, with its data, in the cloud when it goes from the program or is replaced, and when the
   * stack is destroyed. To mount it again name it as `existing`. Default: true.
   */
  retainOnDelete?: boolean;
}

/** Kind of shared storage on AWS. */
export const EksSharedStorageKind = {
  /** Amazon FSx for Lustre: a parallel file system on SSDs in one zone, for data that many ranks read and write at once. */
  FsxLustre: "fsxLustre",
  /** Amazon EFS: NFS in every zone, which grows with what is in it. */
  Efs: "efs",
} as const;
export type EksSharedStorageKind = (typeof EksSharedStorageKind)[keyof typeof EksSharedStorageKind];

/** Deployment type of a file system of FSx for Lustre. */
export const EksSharedStorageDeployment = {
  /** For short use: data are lost with a server. 200 MB/s for each TiB, and more in bursts. */
  Scratch2: "scratch2",
  /** Replicated in its zone: 50, 100 or 200 MB/s for each TiB. */
  Persistent1: "persistent1",
  /** Replicated in its zone: 125, 250, 500 or 1000 MB/s for each TiB. */
  Persistent2: "persistent2",
} as const;
export type EksSharedStorageDeployment = (typeof EksSharedStorageDeployment)[keyof typeof EksSharedStorageDeployment];

/** Storage on AWS that all pods of a cluster share: a file system, new or existing, its volume and its claim. */
export interface EksSharedStorageArgs extends SharedStorageArgs {
  /** Kind of storage. */
  kind: EksSharedStorageKind;
  /** A file system that exists, in the VPC of the cluster and open to its nodes. Default: a new one. */
  existing?: EksSharedStorageExistingArgs;
  /** Name of the EKS cluster. Required for a new file system without `securityGroupIds`, and with `installDriver`. Default: none. */
  clusterName?: pulumi.Input<string>;
  /**
   * Ids of subnets, those of the pool: FSx for Lustre is in the first one in its zone, EFS in all of them, each in a zone of
   * its own. Required for a new file system. For EFS a list, not an output of one: it has a mount target in each subnet. Default:
   * none.
   */
  subnetIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** Availability zone of FSx for Lustre, such as "us-east-1a". EFS has none. Default: that of `pool`, where it keeps to one. */
  zone?: string;
  /**
   * Capacity of a new file system of FSx for Lustre in GiB: 1200, 2400 or a multiple of 2400; it may be raised in place. EFS
   * grows by itself. Default: none, and required there.
   */
  capacityGib?: number;
  /** Deployment type of FSx for Lustre; another one is another file system. Default: "persistent2". */
  deployment?: EksSharedStorageDeployment;
  /**
   * Throughput of FSx for Lustre in MB/s for each TiB, as `deployment` has them; none with "scratch2". Default: the least of the
   * deployment type.
   */
  throughputPerTib?: number;
  /** Throughput that EFS keeps ready, in MiB/s, from 1 to 3414. Default: none: throughput follows use (elastic). */
  throughputMibps?: number;
  /**
   * Ids of the security groups of a new file system, which let the nodes in: TCP 988 and 1018 to 1023 for Lustre, TCP 2049 for EFS.
   * Default: the cluster's own, which every node of a node group is in.
   */
  securityGroupIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Installs the EKS add-on of the CSI driver (aws-fsx-csi-driver or aws-efs-csi-driver), of which a cluster has one. Default:
   * false: the cluster has it already.
   */
  installDriver?: boolean;
  /** Tags of everything that is made in AWS. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
}

/** A file system of AWS that exists. */
export interface EksSharedStorageExistingArgs {
  /** Id of the file system, such as "fs-0123456789abcdef0". */
  fileSystemId: pulumi.Input<string>;
  /** DNS name of a file system of FSx for Lustre. Required there, and only there. Default: none. */
  dnsName?: pulumi.Input<string>;
  /** Mount name of a file system of FSx for Lustre. Required there, and only there. Default: none. */
  mountName?: pulumi.Input<string>;
}

/** Kind of shared storage on Google Cloud. */
export const GkeSharedStorageKind = {
  /** Google Cloud Managed Lustre: a parallel file system in one zone, for data that many ranks read and write at once. */
  Lustre: "lustre",
  /** Filestore: NFS. */
  Filestore: "filestore",
} as const;
export type GkeSharedStorageKind = (typeof GkeSharedStorageKind)[keyof typeof GkeSharedStorageKind];

/** Service tier of Filestore. */
export const GkeSharedStorageTier = {
  /** Disks in one zone, from 1024 to 65433 GiB. */
  BasicHdd: "basicHdd",
  /** SSDs in one zone, from 2560 to 65433 GiB. */
  BasicSsd: "basicSsd",
  /** SSDs in one zone, from 1024 GiB in steps of 256, or from 10240 to 102400 in steps of 2560. */
  Zonal: "zonal",
  /** As "zonal", in several zones of the region. */
  Regional: "regional",
  /** In several zones of the region, from 1024 to 10240 GiB in steps of 256. */
  Enterprise: "enterprise",
} as const;
export type GkeSharedStorageTier = (typeof GkeSharedStorageTier)[keyof typeof GkeSharedStorageTier];

/** Storage on Google Cloud that all pods of a cluster share: an instance, new or existing, its volume and its claim. */
export interface GkeSharedStorageArgs extends SharedStorageArgs {
  /** Kind of storage. */
  kind: GkeSharedStorageKind;
  /** An instance that exists, in the VPC network of the cluster. Default: a new one. */
  existing?: GkeSharedStorageExistingArgs;
  /** Project of the instance. Default: that of the Google Cloud provider. */
  project?: pulumi.Input<string>;
  /**
   * VPC network of the cluster, as "projects/PROJECT/global/networks/NAME", which is the id of a `gcp.compute.Network`. For Managed
   * Lustre it has private services access. Required for a new instance. Default: none.
   */
  network?: pulumi.Input<string>;
  /**
   * Zone of a new instance, such as "us-central1-a"; a regional tier of Filestore is made in its region. Default: that of `pool`,
   * where it keeps to one.
   */
  zone?: string;
  /**
   * Capacity of a new instance in GiB. Managed Lustre: steps of 9000 GiB at 1000 MB/s for each TiB, 18000 at 500, 36000 at 250 and
   * 72000 at 125; Filestore as its tiers have it. Default: none, and required there.
   */
  capacityGib?: number;
  /** Throughput of Managed Lustre in MB/s for each TiB: 125, 250, 500 or 1000; it cannot be changed. Default: 1000. */
  throughputPerTib?: number;
  /** Service tier of Filestore; another one is another instance. Default: "zonal". */
  tier?: GkeSharedStorageTier;
  /** Labels of the instance in Google Cloud, in lower case. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
}

/** An instance of Filestore or Managed Lustre that exists. */
export interface GkeSharedStorageExistingArgs {
  /** Name of the instance. */
  instance: pulumi.Input<string>;
  /** Its zone, or the region of a regional tier of Filestore. */
  location: string;
  /** Its IP address. */
  ipAddress: pulumi.Input<string>;
  /** Name of the share of Filestore, or of the file system of Managed Lustre. */
  fileSystem: pulumi.Input<string>;
}

/** Kind of shared storage on Azure. */
export const AksSharedStorageKind = {
  /** Azure Managed Lustre: a parallel file system in one zone, for data that many ranks read and write at once. */
  Lustre: "lustre",
  /** Azure Files, premium, by NFS: no key of the account reaches the cluster. */
  Files: "files",
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
  /** Name of the storage account of Azure Files. Required there, and only there. Default: none. */
  accountName?: pulumi.Input<string>;
  /** Name of the share of Azure Files, of protocol NFS. Required there, and only there. Default: none. */
  shareName?: pulumi.Input<string>;
}
