import type * as pulumi from "@pulumi/pulumi";
import type { SharedStorageArgs } from "../../storage/args";

/** Kind of shared storage on AWS. */
export const EksSharedStorageKind = {
  /** Amazon FSx for Lustre: a parallel file system on SSDs in one zone, for data that many ranks read and write at once. */
  FsxLustre: "fsxLustre",
  /** Amazon EFS: NFS in every zone, which grows with what is in it. */
  Efs: "efs",
  /**
   * A bucket of Amazon S3 that exists (Mountpoint for S3): objects as files, read and written in sequence. Neither locks nor changes
   * within a file, so no MPI-IO.
   */
  S3: "s3",
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
   * Ids of subnets, those of the pool: FSx for Lustre is in the first one in its zone, EFS in all of them, each in another
   * zone. Required for a new file system. For EFS a list, not an output of one: it has a mount target in each subnet. Default:
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
   * Installs the EKS add-on of the CSI driver (aws-fsx-csi-driver, aws-efs-csi-driver or aws-mountpoint-s3-csi-driver), of which a
   * cluster has one. Default: false: the cluster has it already.
   */
  installDriver?: boolean;
  /**
   * ARN of the IAM role of the driver's add-on (`serviceAccountRoleArn`), which Mountpoint for S3 needs to reach the bucket. Requires
   * `installDriver`. Default: none; the pods of the driver have a role in another way, such as Pod Identity.
   */
  driverRoleArn?: pulumi.Input<string>;
  /** Name of the bucket of kind "s3". Required there, and only there. Default: none. */
  bucket?: pulumi.Input<string>;
  /**
   * Elastic Fabric Adapter between a new file system of FSx for Lustre and clients that have it. Requires `deployment` "persistent2", and
   * capacities in steps of 38400 GiB at 125 MB/s for each TiB, 19200 at 250, 9600 at 500 and 4800 at 1000. Its security groups are open to
   * themselves in both directions, as the cluster's own is, and the nodes configure LNet at their start (EKS, "Optimize Amazon FSx for
   * Lustre performance on nodes (EFA)"); others use TCP. Another value is another file system. Default: false.
   */
  efa?: boolean;
  /**
   * Data in Amazon S3 that directories of a new file system of FSx for Lustre show, at most 8; files are read when they are used. Default:
   * none.
   */
  imports?: EksSharedStorageImportArgs[];
  /** Tags of everything that is made in AWS. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
}

/** A directory of a file system of FSx for Lustre, and the data in Amazon S3 that it shows (data repository association). */
export interface EksSharedStorageImportArgs {
  /** Bucket, or a prefix in it, such as "s3://genomes/hg38". */
  uri: pulumi.Input<string>;
  /** Directory in the file system, such as "/genomes": no other one is in it. */
  path: string;
  /** Writes changes of the directory to Amazon S3 also. Default: false: changes in S3 alone are followed. */
  exports?: boolean;
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
