import type * as pulumi from "@pulumi/pulumi";
import type { EksCluster } from "../../kubernetes/args";
import type { SharedStorageArgs } from "../../storage/args";

/** Kind of shared storage on AWS. */
export const EksSharedStorageKind = {
  /**
   * Amazon FSx for Lustre: a parallel file system on SSDs in one zone, for data that many processes read and write
   * concurrently.
   */
  FsxLustre: "fsxLustre",
  /** Amazon EFS: NFS in every zone. It grows with its contents. */
  Efs: "efs",
  /**
   * An existing bucket of Amazon S3 (Mountpoint for S3): objects as files, read and written sequentially. It supports neither
   * file locks nor changes within a file, and so no MPI-IO.
   */
  S3: "s3",
} as const;
export type EksSharedStorageKind = (typeof EksSharedStorageKind)[keyof typeof EksSharedStorageKind];

/** Deployment type of a file system of FSx for Lustre. */
export const EksSharedStorageDeployment = {
  /** For temporary data, which is lost if a server fails. 200 MB/s per TiB, and more in bursts. */
  Scratch2: "scratch2",
  /** Replicated in its zone: 50, 100 or 200 MB/s per TiB. */
  Persistent1: "persistent1",
  /** Replicated in its zone: 125, 250, 500 or 1000 MB/s per TiB. */
  Persistent2: "persistent2",
  /**
   * Like "persistent2", in the storage class Intelligent-Tiering: it grows with its contents, moves data that are not used to
   * cheaper tiers, and has the throughput of `throughputMbps`, with an SSD read cache in proportion to it. Without `efa` and
   * `imports`. Source: Amazon FSx for Lustre, "Storage classes".
   */
  IntelligentTiering: "intelligentTiering",
} as const;
export type EksSharedStorageDeployment = (typeof EksSharedStorageDeployment)[keyof typeof EksSharedStorageDeployment];

/** Storage on AWS that all pods of a cluster share: a file system, new or existing, its volume and its claim. */
export interface EksSharedStorageArgs extends SharedStorageArgs {
  /** Kind of storage. */
  kind: EksSharedStorageKind;
  /** An existing file system in the VPC of the EKS cluster that its nodes can reach. Default: a new one. */
  existing?: EksSharedStorageExistingArgs;
  /**
   * Name of the EKS cluster. Required for a new file system without `securityGroupIds`, and with `installDriver`. A program in TypeScript
   * can set `cluster` to its resource instead. Default: none.
   */
  clusterName?: pulumi.Input<string>;
  /**
   * The EKS cluster, if the program creates it: a `Cluster` of `@pulumi/eks`, or of `@pulumi/aws/eks`. It replaces `clusterName`, and
   * `kubernetesProvider(cluster)` is the Kubernetes provider unless the options have another one. Only in TypeScript. Default: none.
   */
  cluster?: EksCluster;
  /**
   * Ids of the subnets of the pool. FSx for Lustre uses the first one in its zone. EFS has a mount target in each of them, and
   * they must be in different zones. Required for a new file system. For EFS, the list itself must not be an output. Default:
   * none.
   */
  subnetIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Availability zone of FSx for Lustre, such as "us-east-1a". Refused for EFS. Default: the zone of `pool`, if the
   * pool has one zone.
   */
  zone?: pulumi.Input<string>;
  /**
   * Capacity of a new file system of FSx for Lustre in GiB: 1200, 2400 or a multiple of 2400. It can be increased in place.
   * Required for FSx for Lustre. EFS and "intelligentTiering" grow automatically, and have none. Default: none.
   */
  capacityGib?: number;
  /** Deployment type of FSx for Lustre. A change replaces the file system. Default: "persistent2". */
  deployment?: EksSharedStorageDeployment;
  /**
   * Throughput of FSx for Lustre in MB/s per TiB, a value of the deployment type. Cannot be set with "scratch2". Default:
   * the smallest value of the deployment type.
   */
  throughputPerTib?: number;
  /**
   * Throughput of FSx for Lustre with `deployment` "intelligentTiering" in MB/s, a multiple of 4000 up to 2000000, which can only be
   * increased in place. Refused otherwise. Default: 4000.
   */
  throughputMbps?: number;
  /** Provisioned throughput of EFS in MiB/s, from 1 to 3414. Default: none, elastic throughput. */
  throughputMibps?: number;
  /**
   * Ids of the security groups of a new file system, which must allow connections from the nodes: TCP 988 and 1018 to
   * 1023 for Lustre, TCP 2049 for EFS. Default: the security group of the EKS cluster, which all nodes of node groups
   * have.
   */
  securityGroupIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Installs the EKS add-on of the CSI driver (aws-fsx-csi-driver, aws-efs-csi-driver or aws-mountpoint-s3-csi-driver),
   * which an EKS cluster can have once. The add-on of FSx needs either the add-on eks-pod-identity-agent, with an
   * association of its service account fsx-csi-controller-sa, or `driverRoleArn` (EKS, "Deploy the FSx for Lustre
   * driver"); a preview warns. Default: false; the EKS cluster already has it.
   */
  installDriver?: boolean;
  /**
   * ARN of the IAM role of the driver's add-on (`serviceAccountRoleArn`, IRSA), which Mountpoint for S3 needs to access the bucket,
   * and FSx with the policy AmazonFSxFullAccess. Requires `installDriver`. Default: none; the pods of the driver get a role in another way, such as Pod Identity.
   */
  driverRoleArn?: pulumi.Input<string>;
  /** Name of the bucket. Required for kind "s3", and refused otherwise. Default: none. */
  bucket?: pulumi.Input<string>;
  /**
   * Elastic Fabric Adapter between a new file system of FSx for Lustre and clients with EFA. Requires `deployment`
   * "persistent2", and capacities in steps of 38400 GiB at 125 MB/s per TiB, 19200 at 250, 9600 at 500 and 4800 at
   * 1000. The security groups must allow all traffic within themselves in both directions, as the group of the EKS
   * cluster does, and the nodes must configure LNet at startup: an EksNodePool with `lustreEfaClient` does; other nodes use TCP,
   * which a preview says. Source: EKS, "Optimize Amazon FSx for Lustre performance on nodes (EFA)". A change replaces the file
   * system. Default: false.
   */
  efa?: boolean;
  /**
   * Directories of a new file system of FSx for Lustre that are linked to data in Amazon S3, at most 8. Files are read from S3
   * when they are first used. Default: none.
   */
  imports?: EksSharedStorageImportArgs[];
  /** Tags of all created AWS resources. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
}

/** A directory of a file system of FSx for Lustre that is linked to data in Amazon S3 (data repository association). */
export interface EksSharedStorageImportArgs {
  /** Bucket, or a prefix in it, such as "s3://genomes/hg38". */
  uri: pulumi.Input<string>;
  /** Directory in the file system, such as "/genomes". It must not contain another linked directory. */
  path: string;
  /** Also writes changes of the directory to Amazon S3. Default: false; only changes in S3 are applied to the directory. */
  exports?: boolean;
}

/** An existing file system on AWS. */
export interface EksSharedStorageExistingArgs {
  /** Id of the file system, such as "fs-0123456789abcdef0". */
  fileSystemId: pulumi.Input<string>;
  /** DNS name of a file system of FSx for Lustre. Required for kind "fsxLustre", and refused otherwise. Default: none. */
  dnsName?: pulumi.Input<string>;
  /** Mount name of a file system of FSx for Lustre. Required for kind "fsxLustre", and refused otherwise. Default: none. */
  mountName?: pulumi.Input<string>;
}
