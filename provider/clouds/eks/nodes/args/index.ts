import * as pulumi from "@pulumi/pulumi";
import type { EksCluster } from "../../../kubernetes/args";
import type {
  NodePoolDevicePluginArgs,
  NodePoolDevicesBy,
  NodePoolHardwareArgs,
  NodePoolListPriceArgs,
  NodePoolLocalDisks,
  NodePoolTaint,
  MiniClusterArch,
} from "../../../nodes/args";
import type {
  EksNodePoolCapacityType,
  EksNodePoolEfaLayout,
  EksNodePoolFabric,
  EksNodePoolOs,
  EksNodePoolPlacement,
  EksNodePoolReservationPreference,
} from "./choices";
import type { EksNodePoolWarmPoolArgs } from "./warmPool";

export * from "./choices";
export * from "./warmPool";

/** A managed node group of Amazon EKS for HPC, with the resources that its machines and their network need. */
export interface EksNodePoolArgs {
  /**
   * Name of the pool, which is also a label of its nodes and a property of its hosts in Flux. A lowercase DNS label. Default:
   * the Pulumi resource name.
   */
  name?: string;
  /**
   * Name of the EKS cluster, which must exist. A program in TypeScript can set `cluster` to its resource instead; in other languages, the
   * option `providers` has the Kubernetes provider of an EKS cluster that the program creates.
   */
  clusterName?: pulumi.Input<string>;
  /**
   * The EKS cluster, if the program creates it: a `Cluster` of `@pulumi/eks`, or of `@pulumi/aws/eks`. It replaces `clusterName`, and
   * `kubernetesProvider(cluster)` is the Kubernetes provider unless the options have another one. Only in TypeScript. Default: none.
   */
  cluster?: EksCluster;
  /** ARN of the IAM role of the nodes, with the policies that EKS requires. */
  nodeRoleArn: pulumi.Input<string>;
  /**
   * Ids of the subnets of the nodes, 1 or more. With `zones`, only the subnets in these zones are used. With EFA, they
   * must be private, with outbound access: a machine with several interfaces gets no public address and would never
   * join the EKS cluster.
   */
  subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Availability zones of the nodes, such as "us-east-1a". Exactly one is required with `fabric` "efa", because EFA
   * works only within a zone, with `placement` "cluster", and for a reservation by `reservationId` or a capacity block, unless
   * there is a single subnet. A zone that is an output is not part of `scheduling`. Default: the zones of the subnets.
   */
  zones?: pulumi.Input<string>[];
  /**
   * EC2 instance types, 1 or more. Several types cannot be set with `reservationId` and must have the same architecture,
   * CPUs, accelerators and EFA; the smallest of their memory sizes is used. The data of a type that this package does not list
   * comes from EC2 or from `hardware`.
   */
  machineTypes: string[];
  /**
   * Description of a machine type that this package does not list; only for a single type. In TypeScript,
   * `await lookupEksMachine("…")` queries EC2; in other languages, the plugin queries it. Default: the data of the package.
   */
  hardware?: EksNodePoolHardwareArgs;
  /** Processor architecture, which must match the machine types. Default: the architecture of the machine types. */
  arch?: MiniClusterArch;
  /**
   * Number of nodes, from 0 to 100000: without `maxSize` always, with `maxSize` at the creation of the pool, at least `minSize`.
   * `size` and `maxSize` of the MiniCluster on the pool are suitable values. Default: `minSize`; required without `maxSize`.
   */
  size?: number;
  /** Minimum number of nodes of an autoscaled pool, from 0 to `maxSize`. Requires `maxSize`. Default: 0. */
  minSize?: number;
  /**
   * Maximum number of nodes, from 1 to 100000, up to which the cluster autoscaler grows the pool. Default: none; `size` is a
   * fixed number.
   */
  maxSize?: number;
  /**
   * Machines that are initialized in advance and wait beside the nodes of an autoscaled pool (warm pool). A node from the warm pool
   * joins the EKS cluster without the first boot and without `userData` scripts, which have run before. Requires `maxSize`. Cannot be
   * set with `amiId`, nor with `capacityType` "spot" or "capacityBlock". Source: EKS, "Decrease latency for applications with long
   * boot times using warm pools with managed node groups". Default: none.
   */
  warmPool?: EksNodePoolWarmPoolArgs;
  /** The network between the nodes. Default: "none". */
  fabric?: EksNodePoolFabric;
  /**
   * The way in which pods request EFA. "claim" requires Kubernetes 1.34 (EKS, "Manage EFA devices"; the chart requires
   * 1.35, and a preview warns of an older version) and the DRA driver of EFA (chart aws-dranet), which this package
   * does not install; no EFA device plugin runs then. The driver runs on the instance types that its chart lists
   * (`supportedInstanceLabels`); a preview warns of others. Requires `fabric` "efa". Default: "plugin".
   */
  fabricBy?: NodePoolDevicesBy;
  /**
   * The way in which pods request GPUs. "claim" requires Kubernetes 1.34 and NVIDIA's DRA driver (chart dra-driver-nvidia-gpu),
   * which this package does not install; no NVIDIA device plugin runs then. If `fabricBy` is also "claim", each GPU is claimed
   * together with interfaces near it, on machine types for which this is known. Requires NVIDIA GPUs. Default: "plugin".
   */
  gpuBy?: NodePoolDevicesBy;
  /** Layout of EFA interfaces on the network cards. Requires `fabric` "efa". Default: "separate", as AWS recommends. */
  efaLayout?: EksNodePoolEfaLayout;
  /** Placement of the nodes. Default: "cluster" with EFA on demand without `reservationPreference` "open", otherwise "none". */
  placement?: EksNodePoolPlacement;
  /**
   * Name of an existing placement group with the strategy "cluster". Requires `placement` "cluster", which may be the default.
   * Default: a new group.
   */
  placementGroupName?: pulumi.Input<string>;
  /** Purchase option of the nodes. Default: "onDemand". */
  capacityType?: EksNodePoolCapacityType;
  /**
   * Id of the capacity reservation or capacity block. Required with `capacityType` "capacityBlock", and with "reservation" without the
   * following two arguments; refused otherwise. Default: none.
   */
  reservationId?: pulumi.Input<string>;
  /**
   * ARN of a resource group of capacity reservations, which may have several instance types and zones. Without room in the
   * group, a node starts on demand, unless `reservationPreference` is "capacityReservationsOnly". Requires `capacityType`
   * "reservation". Cannot be set with `reservationId`. Source: EC2, "Launch instances into Capacity Reservations in a group".
   * Default: none.
   */
  reservationResourceGroupArn?: pulumi.Input<string>;
  /**
   * Use of reservations that the pool does not name. "open" and "none" require `capacityType` "onDemand", and
   * "capacityReservationsOnly" requires "reservation"; with this value and without the previous two arguments, the nodes start in any
   * open reservation. Source: EC2, "Launch instances into an existing Capacity Reservation". Default: none; EC2 then uses open
   * reservations with `capacityType` "onDemand".
   */
  reservationPreference?: EksNodePoolReservationPreference;
  /** Operating system. Default: "bottlerocket" for EFA without accelerators, otherwise "al2023". */
  os?: EksNodePoolOs;
  /**
   * Id of a custom image, built from an EKS image for the operating system in `os`. The pool writes the configuration
   * with which the nodes join the EKS cluster. Cannot be set with `version`. Source: EKS, "Customize managed nodes with
   * launch templates". Default: the EKS image.
   */
  amiId?: pulumi.Input<string>;
  /**
   * Additional user data of the nodes: on Amazon Linux 2023 a shell script ("#!…") or a NodeConfig of nodeadm, on Bottlerocket
   * settings in TOML. Default: none.
   */
  userData?: pulumi.Input<string>;
  /**
   * Replacement of broken nodes by EKS (node auto repair). With its node monitoring agent in the cluster, EKS also acts on broken GPUs
   * and interfaces. Default: false.
   */
  nodeRepair?: pulumi.Input<boolean>;
  /**
   * Kubernetes version of the nodes, such as "1.34". g7 with Bottlerocket requires "1.37" or later, whose images have
   * NVIDIA's driver 595 (Bottlerocket, release 1.66.0). Default: the version of the EKS cluster.
   */
  version?: pulumi.Input<string>;
  /** Size of the disk in GiB, from 20 to 16384. Default: 150. */
  diskGib?: pulumi.Input<number>;
  /** Type of the disk, such as "gp3" or "gp2"; provisioned-IOPS volumes (io1, io2) are not supported. Default: "gp3". */
  diskType?: pulumi.Input<string>;
  /**
   * Pulls and unpacks the layers of an image in parallel (SOCI; on Amazon Linux 2023 the feature gate FastImagePull of nodeadm,
   * which AWS calls experimental). Intended for images of several GB. The disk must be "gp3" and gets 600 MiB/s; AWS measured
   * slower pulls below this rate. On Amazon Linux 2023, the machine needs 4 vCPUs and 8 GiB or more. Source: nodeadm's
   * examples; Bottlerocket's settings, since 1.44.0. Default: false.
   */
  fastImagePull?: boolean;
  /**
   * Price of a node, with which previews show the price of the pool. In TypeScript, `await lookupEksPrice(machineType)` is the
   * list price. Default: none.
   */
  price?: NodePoolListPriceArgs;
  /**
   * Additional labels of the nodes. Labels of the domains "kubernetes.io", "k8s.io" and "eks.amazonaws.com" are refused.
   * Default: none; in an autoscaled pool with NVIDIA GPUs "k8s.amazonaws.com/accelerator", which the cluster autoscaler reads.
   */
  labels?: Record<string, pulumi.Input<string>>;
  /** Taints of the nodes. The pods of a MiniCluster on this pool tolerate them. Default: none. */
  taints?: NodePoolTaint[];
  /** Tags of all created AWS resources. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
  /** Threads of each core, 1 or 2; 1 disables simultaneous multithreading. Default: the threads of the machine type. */
  threadsPerCore?: number;
  /**
   * Use of the local disks of the machines. "raid0" creates one file system on all of them, for images and for the volumes of
   * pods (nodeadm's `localStorage`, or the bootstrap commands of Bottlerocket 1.22 or later). "raw" and "none" do not change
   * them. Default: not used; a preview warns about a terabyte or more.
   */
  localDisks?: NodePoolLocalDisks;
  /** True if the kubelet assigns exclusive cores to pods that request whole CPUs (static CPU policy). Default: false. */
  staticCpu?: boolean;
  /**
   * Ids of additional security groups of the nodes, besides the group of the EKS cluster and the group for EFA.
   * Default: none.
   */
  securityGroupIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Creates a security group that allows all traffic within itself in both directions, as EFA requires. Default: true with EFA.
   */
  efaSecurityGroup?: boolean;
  /**
   * Configures LNet on the nodes for EFA to a file system of FSx for Lustre with `efa`: user data installs the package lustre-client from
   * the repository of Amazon Linux, and a service configures LNet at every start before the node joins. A node where this fails uses TCP.
   * Requires `fabric` "efa", `os` "al2023", and an instance type of Nitro v4 or later other than trn2. Sources: FSx for Lustre,
   * "Configuring EFA clients"; EKS, "Optimize Amazon FSx for Lustre performance on nodes (EFA)". Default: false.
   */
  lustreEfaClient?: boolean;
  /**
   * The NVIDIA device plugin. Requires NVIDIA GPUs and Amazon Linux 2023; Bottlerocket includes its own. The plugin of
   * Neuron needs additional permissions in the EKS cluster; install it as AWS documents. Default: run with NVIDIA GPUs.
   */
  nvidiaPlugin?: NodePoolDevicePluginArgs;
  /** The EFA device plugin. Requires `fabric` "efa". Default: run with EFA. */
  efaPlugin?: NodePoolDevicePluginArgs;
}

/** An EC2 instance type that this package does not list. */
export interface EksNodePoolHardwareArgs extends NodePoolHardwareArgs {
  /** Network cards, 1 or more. Default: 1. */
  networkCards?: number;
  /** EFA interfaces, at most one for each network card; 0 for a type without EFA. Default: 0. */
  efaInterfaces?: number;
  /**
   * Maximum number of interfaces of each network card, from 1 to 64, in the order of the cards. Default: 2 or more on every
   * card.
   */
  interfacesPerCard?: number[];
}
