import * as pulumi from "@pulumi/pulumi";
import type {
  NodePoolDevicePluginArgs,
  NodePoolDevicesBy,
  NodePoolListPriceArgs,
  NodePoolLocalDisks,
  NodePoolTaint,
  MiniClusterArch,
} from "../../nodes/args";
import type {
  EksNodePoolCapacityType,
  EksNodePoolEfaLayout,
  EksNodePoolFabric,
  EksNodePoolHardwareArgs,
  EksNodePoolOs,
} from "../nodes/args";

/** Instances that a capacity reservation accepts. */
export const KarpenterNodePoolReservationMatchCriteria = {
  /** All instances of its type in its zone. */
  Open: "open",
  /** Only instances that name the reservation. */
  Targeted: "targeted",
} as const;
export type KarpenterNodePoolReservationMatchCriteria =
  (typeof KarpenterNodePoolReservationMatchCriteria)[keyof typeof KarpenterNodePoolReservationMatchCriteria];

/**
 * Nodes that Karpenter provisions in an EKS cluster for the pods of a MiniCluster: a NodePool and an EC2NodeClass,
 * created by the Kubernetes provider. The EKS cluster must run Karpenter 1.11 or later, or EKS Auto Mode with `autoMode`.
 */
export interface KarpenterNodePoolArgs {
  /**
   * Name of the NodePool and of the node class, which is also a label of the nodes and a property of their hosts in Flux. A
   * lowercase DNS label. Default: the Pulumi resource name.
   */
  name?: string;
  /**
   * True for nodes of EKS Auto Mode, which must be enabled in the EKS cluster: the pool creates a NodeClass (`eks.amazonaws.com/v1`)
   * in place of the EC2NodeClass, and no device plugins, because the image of EKS includes those of NVIDIA, Neuron and EFA. EKS ends
   * each node after 20 days. Nodes with EFA in the layout "separate" have 16 IPv4 addresses for pods. `nodeRoleName` needs an access
   * entry of the type EC2 with the policy AmazonEKSAutoNodePolicy. Claims (`fabricBy`, `gpuBy`) require Kubernetes 1.36, and
   * EKS includes their drivers. Cannot be set with `os`, `amiVersion`, `amiIds`, `userData`, `diskType`, `fastImagePull`, `localDisks`, `staticCpu`,
   * `nvidiaPlugin` or `efaPlugin`; local disks larger than `diskGib` have the images and volumes. An existing pool cannot change it.
   * Sources: EKS, "Create a Node Class for Amazon EKS", "Manage EFA devices", "Learn about Amazon EKS Auto Mode managed instances";
   * aws/eks-charts #1359. Default: false.
   */
  autoMode?: boolean;
  /** Name of the IAM role of the nodes, with the policies that EKS requires. Karpenter needs permission to pass this role. */
  nodeRoleName: pulumi.Input<string>;
  /**
   * Ids of the subnets of the nodes, from 1 to 30. With EFA, they must be private, with outbound access: a machine with
   * several interfaces gets no public address and would never join the EKS cluster.
   */
  subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Ids of the security groups of the nodes, from 1 to 30. They must include the group of the EKS cluster, which allows all
   * traffic within itself, as EFA requires.
   */
  securityGroupIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Availability zones of the nodes, such as "us-east-1a". Exactly one is required with `fabric` "efa" and with
   * `placementGroupName`. A zone that is an output is not part of `scheduling`. Default: the zones of the subnets.
   */
  zones?: pulumi.Input<string>[];
  /**
   * EC2 instance types, 1 or more, from which Karpenter selects the cheapest. All must have the same architecture, CPUs,
   * accelerators and EFA; the smallest of their memory sizes is used.
   */
  machineTypes: string[];
  /**
   * Description of an instance type that this package does not list; only for a single type. Default: the data of the package.
   */
  hardware?: EksNodePoolHardwareArgs;
  /** Processor architecture, which must match the machine types. Default: the architecture of the machine types. */
  arch?: MiniClusterArch;
  /**
   * Number of nodes, from 0 to 100000. Without `maxSize`, Karpenter keeps this number, with and without pods (`spec.replicas` of the
   * NodePool, alpha since Karpenter 1.8), which requires its feature gate `StaticCapacity`; with `fabric` "efa", the first network card
   * of the machines must then support two interfaces. With `maxSize`, Karpenter launches nodes for pods, and `size` has no effect. `size` and
   * `maxSize` of the MiniCluster on the pool are suitable values. Source: Karpenter's page "NodePools". Default: none; required
   * without `maxSize`.
   */
  size?: number;
  /** Minimum number of nodes of an autoscaled pool: 0, because Karpenter launches nodes for pods. Requires `maxSize`. Default: 0. */
  minSize?: number;
  /**
   * Maximum number of nodes, from 1 to 100000 (`limits.nodes` of the NodePool). An existing pool cannot change between a pool with
   * `maxSize` and a pool without it. Default: none; `size` is a fixed number.
   */
  maxSize?: number;
  /** The network between the nodes. Default: "none". */
  fabric?: EksNodePoolFabric;
  /**
   * The way in which pods request EFA. "claim" requires Kubernetes 1.34, the DRA driver of EFA (chart aws-dranet), which this package does
   * not install, and Karpenter 1.15, with `maxSize` with `settings.enableDRA`, which is alpha; no EFA device plugin runs then.
   * Requires `fabric` "efa". Source: EKS, "Manage hardware devices". Default: "plugin".
   */
  fabricBy?: NodePoolDevicesBy;
  /**
   * The way in which pods request GPUs. "claim" requires Kubernetes 1.34, NVIDIA's DRA driver (chart dra-driver-nvidia-gpu),
   * which this package does not install, and Karpenter as with `fabricBy`; no NVIDIA device plugin runs then. If `fabricBy` is
   * also "claim", each GPU is claimed together with interfaces near it, on machine types for which this is known. Requires
   * NVIDIA GPUs. Default: "plugin".
   */
  gpuBy?: NodePoolDevicesBy;
  /**
   * Layout of EFA interfaces on the network cards. Requires `fabric` "efa". "combined" is the layout of Karpenter
   * itself, in which every interface uses an address of the subnet; Karpenter adds these interfaces for pods that
   * request EFA, and therefore not in a pool of fixed size (karpenter-provider-aws, `pkg/providers/amifamily/resolver.go`).
   * Default: "separate", in `networkInterfaces` of the EC2NodeClass; with `fabricBy` "claim" and `maxSize`,
   * "combined", the only layout that Karpenter supports for claims.
   */
  efaLayout?: EksNodePoolEfaLayout;
  /** Name of an existing placement group for all nodes. Cannot be set with the capacity type "capacityBlock". Default: none. */
  placementGroupName?: pulumi.Input<string>;
  /** Purchase option of the nodes. Default: "onDemand". */
  capacityType?: EksNodePoolCapacityType;
  /**
   * Purchase options of the nodes, 1 or more, in place of `capacityType`. Karpenter prefers reserved machines, then spot machines, and
   * then machines on demand, and the order of the list has no effect; `price.list` is the price on demand. "capacityBlock" cannot be
   * combined with others. Source: Karpenter, "NodePools". Default: `capacityType`.
   */
  capacityTypes?: EksNodePoolCapacityType[];
  /**
   * Id of the capacity reservation or capacity block. With "reservation" or "capacityBlock", this argument or one of the following
   * two is required, and otherwise they are refused. Default: none.
   */
  reservationId?: pulumi.Input<string>;
  /**
   * Tags of the capacity reservations or capacity blocks, at least 1: Karpenter uses each one with all these tags. Cannot be set with
   * `reservationId`. Default: none.
   */
  reservationTags?: Record<string, pulumi.Input<string>>;
  /**
   * Selects all reservations of the account by the instances that they accept (`instanceMatchCriteria`), or restricts
   * `reservationTags` to them. Karpenter does not use open reservations otherwise. Cannot be set with `reservationId`, or with `autoMode`.
   * Source: Karpenter's page "NodeClasses". Default: none.
   */
  reservationMatchCriteria?: KarpenterNodePoolReservationMatchCriteria;
  /** Operating system. Default: "bottlerocket" for EFA without accelerators, otherwise "al2023". */
  os?: EksNodePoolOs;
  /**
   * Version of the EKS image, such as "v20260810", or "latest". Cannot be set with `amiIds`. g7 requires v20260917 of
   * Amazon Linux 2023, or 1.66.0 of Bottlerocket in an EKS cluster of Kubernetes 1.37 (amazon-eks-ami #2768;
   * bottlerocket, release 1.66.0). Default: "latest".
   */
  amiVersion?: pulumi.Input<string>;
  /**
   * Ids of custom images for the operating system in `os`. Default: the EKS image.
   */
  amiIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * User data of the nodes in the format of the operating system, to which Karpenter adds its settings. Cannot be set
   * with `staticCpu` or `fastImagePull`, which set it. Default: none.
   */
  userData?: pulumi.Input<string>;
  /** Size of the disk in GiB, from 20 to 16384. Default: 150. */
  diskGib?: pulumi.Input<number>;
  /** Type of the disk, such as "gp3" or "gp2"; provisioned-IOPS volumes (io1, io2) are not supported. Default: "gp3". */
  diskType?: pulumi.Input<string>;
  /**
   * Pulls and unpacks the layers of an image in parallel (SOCI; on Amazon Linux 2023 the feature gate FastImagePull of nodeadm,
   * which AWS calls experimental). Intended for images of several GB. The disk must be "gp3" and gets 600 MiB/s; AWS measured
   * slower pulls below this rate. On Amazon Linux 2023, the machine needs 4 vCPUs and 8 GiB or more. Source: nodeadm's
   * examples; Bottlerocket's settings, since 1.44.0. Cannot be set with `userData`. Default: false.
   */
  fastImagePull?: boolean;
  /**
   * Price of a node, with which previews show the price of the pool. In TypeScript, `await lookupEksPrice(machineType)` is the
   * list price. Default: none.
   */
  price?: NodePoolListPriceArgs;
  /** Additional labels of the nodes. Labels of the domains of Kubernetes, EKS and Karpenter are refused. Default: none. */
  labels?: Record<string, pulumi.Input<string>>;
  /** Taints of the nodes. The pods of a MiniCluster on this pool tolerate them. Default: none. */
  taints?: NodePoolTaint[];
  /** Tags of all AWS resources that Karpenter creates. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
  /**
   * Use of the local disks of the machines. "raid0" creates one file system on all of them, for images and for the volumes of
   * pods (`instanceStorePolicy` of the EC2NodeClass). "raw" and "none" do not change them. Default: not used; a preview warns
   * about a terabyte or more.
   */
  localDisks?: NodePoolLocalDisks;
  /** True if the kubelet assigns exclusive cores to pods that request whole CPUs (static CPU policy). Default: false. */
  staticCpu?: boolean;
  /** Seconds after which an empty node is removed, from 0 to 86400. Default: 300. */
  emptyForSeconds?: pulumi.Input<number>;
  /**
   * The NVIDIA device plugin. Requires NVIDIA GPUs and Amazon Linux 2023; Bottlerocket includes its own. Default: run with
   * NVIDIA GPUs.
   */
  nvidiaPlugin?: NodePoolDevicePluginArgs;
  /** The EFA device plugin. Requires `fabric` "efa". Default: run with EFA. */
  efaPlugin?: NodePoolDevicePluginArgs;
}
