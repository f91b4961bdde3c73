import * as pulumi from "@pulumi/pulumi";
import type {
  NodePoolAutoscaleArgs,
  NodePoolDevicePluginArgs,
  NodePoolDevicesBy,
  NodePoolHardwareArgs,
  NodePoolLocalDisks,
  NodePoolPairArgs,
  NodePoolPriceArgs,
  NodePoolTaint,
  MiniClusterArch,
} from "../../nodes/args";

/** Purchase option of the nodes of a pool. */
export const EksNodePoolCapacity = {
  /** On demand. */
  OnDemand: "onDemand",
  /**
   * Spare machines, which AWS may take back at a notice of two minutes. A node group evicts the pods then, or before, when EC2
   * recommends to rebalance and another node is ready; it needs no handler (EKS, "Managed node groups"). Karpenter evicts them if it has
   * an interruption queue (`settings.interruptionQueue`), and at the notice alone. Neither sets a taint.
   */
  Spot: "spot",
  /** An on-demand capacity reservation, by `reservationId`. */
  Reservation: "reservation",
  /** A capacity block for machine learning, by `reservationId`. */
  CapacityBlock: "capacityBlock",
} as const;
export type EksNodePoolCapacity = (typeof EksNodePoolCapacity)[keyof typeof EksNodePoolCapacity];

/** The network between the nodes of a pool. */
export const EksNodePoolFabric = {
  /** Elastic Network Adapter: Ethernet. */
  None: "none",
  /** Elastic Fabric Adapter on every network card that has it. */
  Efa: "efa",
} as const;
export type EksNodePoolFabric = (typeof EksNodePoolFabric)[keyof typeof EksNodePoolFabric];

/** Layout of EFA interfaces on the network cards of a machine. */
export const EksNodePoolEfaLayout = {
  /** The primary interface is EFA and Ethernet in one; every other card that has EFA has one interface for EFA alone. */
  Combined: "combined",
  /** The primary interface is Ethernet alone; EFA has separate interfaces on every card that supports it, the first included. */
  Separate: "separate",
} as const;
export type EksNodePoolEfaLayout = (typeof EksNodePoolEfaLayout)[keyof typeof EksNodePoolEfaLayout];

/** Placement of the nodes of a pool. */
export const EksNodePoolPlacement = {
  /** Anywhere that AWS has room. */
  None: "none",
  /** In one cluster placement group: close to each other, in one zone. */
  Cluster: "cluster",
} as const;
export type EksNodePoolPlacement = (typeof EksNodePoolPlacement)[keyof typeof EksNodePoolPlacement];

/** Operating system of the nodes. */
export const EksNodePoolOs = {
  /** Amazon Linux 2023. */
  Al2023: "al2023",
  /** Bottlerocket, which has the host's part of EFA on every machine. */
  Bottlerocket: "bottlerocket",
} as const;
export type EksNodePoolOs = (typeof EksNodePoolOs)[keyof typeof EksNodePoolOs];

/** A managed node group of Amazon EKS for HPC, with what its machines and their network need. */
export interface EksNodePoolArgs extends NodePoolPriceArgs {
  /** Name of the pool: a label of its nodes and a property of its hosts in Flux. A lowercase DNS label. Default: the Pulumi resource name. */
  name?: string;
  /** Name of the EKS cluster, which must exist. */
  clusterName: pulumi.Input<string>;
  /** ARN of the IAM role of the nodes, with the policies that EKS requires. */
  nodeRoleArn: pulumi.Input<string>;
  /**
   * Ids of the subnets that nodes may come to, 1 or more. With `zones` only those in the named zones are used. With EFA they are
   * private, with a way out: a machine with several interfaces gets no public address, and would never join the cluster.
   */
  subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Availability zones to keep to, such as "us-east-1a". Exactly one with `fabric` "efa", for EFA does not leave a zone, with
   * `placement` "cluster", and for a reservation or a capacity block, unless there is a single subnet. Default: those of the
   * subnets.
   */
  zones?: string[];
  /**
   * EC2 instance types, 1 or more; several only with `capacity` "onDemand" or "spot", and alike in architecture, CPUs,
   * accelerators and EFA; of their memory the least counts. Data on a type that this package does not list comes from EC2, or from `hardware`.
   */
  machineTypes: string[];
  /**
   * Description of a machine type that this package does not list; of one only. In TypeScript
   * `await lookupEksMachine("…")` queries EC2; from other languages the package does so itself. Default: the package's data on
   * the type.
   */
  hardware?: EksNodePoolHardwareArgs;
  /** Processor architecture, to be checked against the machine types. Default: that of the machine types. */
  arch?: MiniClusterArch;
  /**
   * Nodes, from 0 to 100000; a change sets least, most and desired together. Not with `autoscale` or `pairedWith`. Default:
   * the pool is autoscaled.
   */
  size?: number;
  /** Limits within which a cluster autoscaler sizes the pool. Default: from 0 to the `maxSize` of `pairedWith`. */
  autoscale?: NodePoolAutoscaleArgs;
  /** Sizes of the MiniCluster that the pool is for: it starts with `size` nodes and may grow to `maxSize`. Default: none. */
  pairedWith?: NodePoolPairArgs;
  /** The network between the nodes. Default: "none". */
  fabric?: EksNodePoolFabric;
  /**
   * The way in which pods request EFA. "claim" requires Kubernetes 1.35 and the DRA driver of EFA (chart aws-dranet), which this
   * package does not install; no EFA device plugin runs then. The driver runs on the instance types that its chart lists
   * (`supportedInstanceLabels`); a preview warns of others. Requires `fabric` "efa". Default: "plugin".
   */
  fabricBy?: NodePoolDevicesBy;
  /**
   * The way in which pods request GPUs. "claim" requires Kubernetes 1.34 and NVIDIA's DRA driver (chart dra-driver-nvidia-gpu), which
   * this package does not install; no NVIDIA device plugin runs then. If `fabricBy` is also "claim", each GPU comes with interfaces
   * near it, on machine types of which that is known. Requires NVIDIA GPUs. Default: "plugin".
   */
  gpuBy?: NodePoolDevicesBy;
  /** Layout of EFA interfaces on the network cards. Requires `fabric` "efa". Default: "separate", as AWS advises. */
  efaLayout?: EksNodePoolEfaLayout;
  /** Placement of the nodes. Default: "cluster" with EFA on demand, else "none". */
  placement?: EksNodePoolPlacement;
  /**
   * Name of a placement group that exists, with strategy cluster. Requires `placement` "cluster", which may be the default. Default:
   * a new one.
   */
  placementGroupName?: pulumi.Input<string>;
  /** Purchase option of the nodes. Default: "onDemand". */
  capacity?: EksNodePoolCapacity;
  /** Id of the capacity reservation or capacity block. Requires one of these two capacities, and is required by them. Default: none. */
  reservationId?: pulumi.Input<string>;
  /** Operating system. Default: "bottlerocket" for EFA without accelerators, else "al2023". */
  os?: EksNodePoolOs;
  /**
   * Id of an image of your own, made from one of EKS for the operating system that `os` names; the pool writes what joins its nodes to
   * the cluster. Not with `version`. Source: "Customize managed nodes with launch templates" of the EKS user guide. Default: the
   * image of EKS.
   */
  amiId?: pulumi.Input<string>;
  /**
   * User data of the nodes beside that of the pool: on Amazon Linux 2023 a shell script ("#!…") or a NodeConfig of nodeadm, on
   * Bottlerocket settings in TOML. Default: none.
   */
  userData?: pulumi.Input<string>;
  /**
   * Replacement of broken nodes by EKS (node auto repair). With its node monitoring agent in the cluster, EKS also acts on broken GPUs
   * and interfaces. Default: false.
   */
  nodeRepair?: boolean;
  /** Kubernetes version of the nodes, such as "1.34". Default: that of the cluster. */
  version?: pulumi.Input<string>;
  /** Size of the disk in GiB, from 20 to 16384. Default: 150. */
  diskGib?: number;
  /** Type of the disk, such as "gp3" or "gp2"; provisioned-IOPS volumes (io1, io2) are not supported. Default: "gp3". */
  diskType?: pulumi.Input<string>;
  /**
   * Lets nodes pull and unpack the layers of an image at the same time (SOCI; on Amazon Linux 2023 the feature gate FastImagePull of
   * nodeadm, which AWS calls experimental). For images of several GB. The disk gets 600 MiB/s, below which AWS has seen slower
   * pulls, and must be "gp3". On Amazon Linux 2023 for machines with 4 vCPUs and 8 GiB or more. Source: nodeadm's examples;
   * Bottlerocket's settings, since 1.44.0. Default: false.
   */
  fastImagePull?: boolean;
  /**
   * Labels of the nodes, beside that of the pool. None of the domains "kubernetes.io", "k8s.io" and "eks.amazonaws.com".
   * Default: none; with NVIDIA GPUs that are scaled by need "k8s.amazonaws.com/accelerator", which the cluster autoscaler reads.
   */
  labels?: Record<string, pulumi.Input<string>>;
  /** Taints of the nodes. Pods of a MiniCluster that names this pool tolerate them. Default: none. */
  taints?: NodePoolTaint[];
  /** Tags of everything that is made in AWS. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
  /** Threads of each core, 1 or 2; 1 turns simultaneous multithreading off. Default: as the machine comes. */
  threadsPerCore?: number;
  /**
   * Use of the local disks of the machines: "raid0" is one file system over all of them, for images and for the volumes of pods (nodeadm's
   * `localStorage`, or the bootstrap commands of Bottlerocket 1.22 or later); "raw" and "none" leave them alone. Default: not used, and a preview says so where they have a terabyte or more.
   */
  localDisks?: NodePoolLocalDisks;
  /** Lets the kubelet assign whole cores to pods that request whole CPUs (static CPU policy). Default: false. */
  staticCpu?: boolean;
  /** Ids of further security groups of the nodes, beside the cluster's own and the one for EFA. Default: none. */
  securityGroupIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** Makes a security group that is open to itself in both directions, as EFA needs it. Default: true with EFA. */
  efaSecurityGroup?: boolean;
  /**
   * The NVIDIA device plugin. Requires NVIDIA GPUs, and not Bottlerocket, which has its own. That of Neuron needs
   * separate rights in the cluster; install it as AWS documents it. Default: run there.
   */
  nvidiaPlugin?: NodePoolDevicePluginArgs;
  /** The EFA device plugin. Requires `fabric` "efa". Default: run there. */
  efaPlugin?: NodePoolDevicePluginArgs;
}

/** An EC2 instance type that this package does not list. */
export interface EksNodePoolHardwareArgs extends NodePoolHardwareArgs {
  /** Network cards, 1 or more. Default: 1. */
  networkCards?: number;
  /** EFA interfaces, at most one for each network card; 0 where the type has no EFA. Default: 0. */
  efaInterfaces?: number;
  /** Interfaces that each network card takes, from 1 to 64, in the order of the cards. Default: 2 or more on every card. */
  interfacesPerCard?: number[];
}
