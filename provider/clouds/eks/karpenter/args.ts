import * as pulumi from "@pulumi/pulumi";
import type {
  NodePoolAutoscaleArgs,
  NodePoolDevicePluginArgs,
  NodePoolDevicesBy,
  NodePoolLocalDisks,
  NodePoolPairArgs,
  NodePoolPriceArgs,
  NodePoolTaint,
  MiniClusterArch,
} from "../../nodes/args";
import type {
  EksNodePoolCapacity,
  EksNodePoolEfaLayout,
  EksNodePoolFabric,
  EksNodePoolHardwareArgs,
  EksNodePoolOs,
} from "../nodes/args";

/**
 * Nodes that Karpenter brings to an EKS cluster for the pods of a MiniCluster: its own NodePool and EC2NodeClass, made in the
 * cluster by the Kubernetes provider. Karpenter 1.11 or later has to run there.
 */
export interface KarpenterNodePoolArgs extends NodePoolPriceArgs {
  /**
   * Name of the NodePool and of the EC2NodeClass: a label of the nodes and a property of its hosts in Flux. A lowercase DNS label.
   * Default: the Pulumi resource name.
   */
  name?: string;
  /** Name of the IAM role of the nodes, with the policies that EKS requires, which Karpenter may pass on. */
  nodeRoleName: pulumi.Input<string>;
  /**
   * Ids of the subnets that nodes may come to, from 1 to 30. With EFA they are private, with a way out: a machine with several
   * interfaces gets no public address, and would never join the cluster.
   */
  subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Ids of the security groups of the nodes, from 1 to 30: that of the EKS cluster among them, which is open to itself as EFA needs
   * it.
   */
  securityGroupIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Availability zones to keep to, such as "us-east-1a". Exactly one with `fabric` "efa" and with `placementGroupName`. Default:
   * those of the subnets.
   */
  zones?: string[];
  /**
   * EC2 instance types, 1 or more, of which Karpenter takes the cheapest; alike in architecture, CPUs, accelerators and EFA; of their
   * memory the least counts.
   */
  machineTypes: string[];
  /** Description of an instance type that this package does not list; of one only. Default: the package's data on the type. */
  hardware?: EksNodePoolHardwareArgs;
  /** Processor architecture, to be checked against the machine types. Default: that of the machine types. */
  arch?: MiniClusterArch;
  /**
   * Nodes that Karpenter keeps, with and without pods, from 0 to 100000 (`spec.replicas` of the NodePool, alpha since Karpenter 1.8):
   * Karpenter's feature gate `StaticCapacity` must be on. A pool cannot change to another way of sizing. Not with `autoscale` or
   * `pairedWith`. Source: Karpenter's page "NodePools". Default: nodes come with pods.
   */
  size?: number;
  /**
   * Limit of nodes: its `max`, which is `limits.nodes` of the NodePool. `min` is 0, for nodes come with pods. Default: from 0 to
   * the `maxSize` of `pairedWith`.
   */
  autoscale?: NodePoolAutoscaleArgs;
  /** Sizes of the MiniCluster that the pool is for, which limit it. Default: none; then `autoscale` is required. */
  pairedWith?: NodePoolPairArgs;
  /** The network between the nodes. Default: "none". */
  fabric?: EksNodePoolFabric;
  /**
   * The way in which pods request EFA. "claim" requires Kubernetes 1.35, the DRA driver of EFA (chart aws-dranet), which this package does
   * not install, and Karpenter 1.15 with `settings.enableDRA`, which is alpha; no EFA device plugin runs then. Requires `fabric` "efa". Default: "plugin".
   */
  fabricBy?: NodePoolDevicesBy;
  /**
   * The way in which pods request GPUs. "claim" requires Kubernetes 1.34, NVIDIA's DRA driver (chart dra-driver-nvidia-gpu), which this
   * package does not install, and Karpenter as with `fabricBy`; no NVIDIA device plugin runs then. If `fabricBy` is also "claim", each GPU comes with interfaces
   * near it, on machine types of which that is known. Requires NVIDIA GPUs. Default: "plugin".
   */
  gpuBy?: NodePoolDevicesBy;
  /**
   * Layout of EFA interfaces on the network cards. Requires `fabric` "efa". "combined" is Karpenter's own: every interface takes an
   * address of the subnet. Default: "separate", by `networkInterfaces` of the EC2NodeClass; with `fabricBy` "claim"
   * "combined", for Karpenter supports no other with claims.
   */
  efaLayout?: EksNodePoolEfaLayout;
  /** Name of a placement group that exists, in which all nodes are placed. Not in a capacity block. Default: none. */
  placementGroupName?: pulumi.Input<string>;
  /** Purchase option of the nodes. Default: "onDemand". */
  capacity?: EksNodePoolCapacity;
  /** Id of the capacity reservation or capacity block. Requires one of these two capacities, and is required by them. Default: none. */
  reservationId?: pulumi.Input<string>;
  /** Operating system. Default: "bottlerocket" for EFA without accelerators, else "al2023". */
  os?: EksNodePoolOs;
  /** Version of the image of EKS, such as "v20260810", or "latest". Not with `amiIds`. Default: "latest". */
  amiVersion?: string;
  /**
   * Ids of images of one's own, of the operating system that `os` names; g7 instance types require such an image, with NVIDIA's
   * driver 595. Default: the image of EKS.
   */
  amiIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * User data of the nodes in the form of the operating system, to which Karpenter adds its own. Not with `staticCpu` and
   * `fastImagePull`, which set it. Default: none.
   */
  userData?: pulumi.Input<string>;
  /** Size of the disk in GiB, from 20 to 16384. Default: 150. */
  diskGib?: number;
  /** Type of the disk, such as "gp3" or "gp2"; provisioned-IOPS volumes (io1, io2) are not supported. Default: "gp3". */
  diskType?: pulumi.Input<string>;
  /**
   * Lets nodes pull and unpack the layers of an image at the same time (SOCI; on Amazon Linux 2023 the feature gate FastImagePull of
   * nodeadm, which AWS calls experimental). For images of several GB. The disk gets 600 MiB/s, below which AWS has seen slower
   * pulls, and must be "gp3". On Amazon Linux 2023 for machines with 4 vCPUs and 8 GiB or more. Source: nodeadm's examples;
   * Bottlerocket's settings, since 1.44.0. Not with `userData`. Default: false.
   */
  fastImagePull?: boolean;
  /** Labels of the nodes, beside that of the pool. None of the domains of Kubernetes, EKS and Karpenter. Default: none. */
  labels?: Record<string, pulumi.Input<string>>;
  /** Taints of the nodes. Pods of a MiniCluster that names this pool tolerate them. Default: none. */
  taints?: NodePoolTaint[];
  /** Tags of everything that Karpenter makes in AWS. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
  /**
   * Use of the local disks of the machines: "raid0" is one file system over all of them, for images and for the volumes of pods
   * (`instanceStorePolicy` of the EC2NodeClass); "raw" and "none" leave them alone. Default: not used, and a preview says so where they have a terabyte or more.
   */
  localDisks?: NodePoolLocalDisks;
  /** Lets the kubelet assign whole cores to pods that request whole CPUs (static CPU policy). Default: false. */
  staticCpu?: boolean;
  /** Seconds that a node stays when it has become empty, from 0 to 86400. Default: 300. */
  emptyForSeconds?: number;
  /** The NVIDIA device plugin. Requires NVIDIA GPUs, and not Bottlerocket, which has its own. Default: run there. */
  nvidiaPlugin?: NodePoolDevicePluginArgs;
  /** The EFA device plugin. Requires `fabric` "efa". Default: run there. */
  efaPlugin?: NodePoolDevicePluginArgs;
}
