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
export const AksNodePoolCapacity = {
  /** On demand. */
  OnDemand: "onDemand",
  /**
   * Spare machines, which Azure may take back at a notice of 30 seconds (Scheduled Events). AKS drains the node then, as in its page
   * "Node auto-drain"; it sets the taint of spot machines itself.
   */
  Spot: "spot",
  /** A capacity reservation group, by `capacityReservationGroupId`. */
  Reservation: "reservation",
} as const;
export type AksNodePoolCapacity = (typeof AksNodePoolCapacity)[keyof typeof AksNodePoolCapacity];

/** The network between the nodes of a pool. */
export const AksNodePoolFabric = {
  /** Azure's virtual network: Ethernet. */
  None: "none",
  /** InfiniBand on every adapter of the machine. */
  Infiniband: "infiniband",
} as const;
export type AksNodePoolFabric = (typeof AksNodePoolFabric)[keyof typeof AksNodePoolFabric];

/** Placement of the nodes of a pool. */
export const AksNodePoolPlacement = {
  /** Anywhere that Azure has room. */
  None: "none",
  /** In one proximity placement group: close to each other, in one data center. */
  Proximity: "proximity",
} as const;
export type AksNodePoolPlacement = (typeof AksNodePoolPlacement)[keyof typeof AksNodePoolPlacement];

/** Installation of the driver of the accelerators. */
export const AksNodePoolGpuDriver = {
  /** By AKS, with the node. */
  Install: "install",
  /** By an operator in the cluster, and not by AKS. */
  None: "none",
} as const;
export type AksNodePoolGpuDriver = (typeof AksNodePoolGpuDriver)[keyof typeof AksNodePoolGpuDriver];

/** Parts that each GPU is divided into (MIG), by their share of its seven slices. */
export const AksNodePoolGpuPartition = {
  /** Seven parts of one slice. */
  OneSlice: "1g",
  /** Three parts of two slices. */
  TwoSlices: "2g",
  /** Two parts of three slices. */
  ThreeSlices: "3g",
  /** One part of four slices. */
  FourSlices: "4g",
  /** One part of all slices. */
  SevenSlices: "7g",
} as const;
export type AksNodePoolGpuPartition = (typeof AksNodePoolGpuPartition)[keyof typeof AksNodePoolGpuPartition];

/** Operating system of the nodes. */
export const AksNodePoolOsSku = {
  /** Ubuntu, for which the drivers of InfiniBand and of AMD's accelerators are made. */
  Ubuntu: "ubuntu",
  /** Azure Linux. */
  AzureLinux: "azureLinux",
} as const;
export type AksNodePoolOsSku = (typeof AksNodePoolOsSku)[keyof typeof AksNodePoolOsSku];

/** Place of the disk of a node. */
export const AksNodePoolDiskType = {
  /** In Azure's storage. */
  Managed: "managed",
  /** On the machine itself, whose cache or temporary disk has to hold it. */
  Ephemeral: "ephemeral",
} as const;
export type AksNodePoolDiskType = (typeof AksNodePoolDiskType)[keyof typeof AksNodePoolDiskType];

/** An agent pool of Azure Kubernetes Service for HPC, with what its machines and their network need. Its mode is always "User". */
export interface AksNodePoolArgs extends NodePoolPriceArgs {
  /**
   * Name of the agent pool: also a label of its nodes and a property of its hosts in Flux. From 1 to 12 lowercase letters and
   * digits, starting with a letter. Default: the Pulumi resource name, which must then be valid.
   */
  name?: string;
  /** Resource group of the AKS cluster, and of the proximity placement group that is made. */
  resourceGroupName: pulumi.Input<string>;
  /** Name of the AKS cluster, which must exist and have its system pool. */
  clusterName: pulumi.Input<string>;
  /**
   * Size of the virtual machines, such as "Standard_HB120rs_v3", in upper or lower case. Threads of a core are as the size
   * has them: one on sizes for HPC, and Azure has no setting for it.
   */
  machineType: string;
  /**
   * Description of a VM size that this package does not list, such as `await lookupAksMachine(machineType, { location })`. Not for
   * other sizes. Default: the package's data on the size; from other languages than TypeScript what Azure says of it in `location`, or
   * else in the region of the cluster.
   */
  hardware?: AksNodePoolHardwareArgs;
  /** Processor architecture, to be checked against the size. Default: that of the size. */
  arch?: MiniClusterArch;
  /** Nodes, from 0 to 1000. Not with `autoscale` or `pairedWith`. Default: the pool is autoscaled. */
  size?: number;
  /**
   * Limits within which the cluster's autoscaler sizes the pool, at most 1000 nodes. For a pool without nodes it does not know
   * that they would have InfiniBand or AMD accelerators: keep `min` at 1 or more there. Default: from 0 to the `maxSize` of
   * `pairedWith`.
   */
  autoscale?: NodePoolAutoscaleArgs;
  /**
   * Sizes of the MiniCluster that the pool is for: it starts with `size` nodes and may grow to `maxSize`, which is at most
   * 1000. Default: none.
   */
  pairedWith?: NodePoolPairArgs;
  /**
   * The network between the nodes. InfiniBand joins the nodes of this one pool, and needs two things beside it. First, once
   * for the subscription, its feature flag, by which all nodes come to one InfiniBand network:
   * `az feature register --namespace Microsoft.ContainerService --name AKSInfinibandSupport` and, when `az feature show`
   * calls it registered, `az provider register --namespace Microsoft.ContainerService`. Second, on the nodes, the InfiniBand
   * driver, which images of AKS do not have and this package does not install: the NVIDIA Network Operator does (a
   * NicClusterPolicy with `ofedDriver`), in a namespace with the label `pod-security.kubernetes.io/enforce: privileged`. Only the
   * image for GB200 and GB300 has it, with the GPU driver and IMEX (Azure/AgentBaker, `gb-mai-bom.json`). The
   * virtual network must keep clear of 172.16.0.0/16. More than 100 nodes need a support request to Azure, and 300 are the
   * most that it grants. Default: "none".
   */
  fabric?: AksNodePoolFabric;
  /** Placement of the nodes. InfiniBand does not need a group. Default: "none". */
  placement?: AksNodePoolPlacement;
  /** Id of a proximity placement group that exists. Requires `placement` "proximity". Default: a new one. */
  proximityPlacementGroupId?: pulumi.Input<string>;
  /**
   * Azure region: of the proximity placement group that is made, and for the look-up of a size that this package does not list.
   * Default: that of the resource group, and of the cluster.
   */
  location?: pulumi.Input<string>;
  /**
   * Availability zones, "1", "2" or "3". At most one with `fabric` "infiniband" and with `placement` "proximity". Default:
   * none, which leaves the choice to Azure.
   */
  zones?: string[];
  /** Purchase option of the nodes. Default: "onDemand". */
  capacity?: AksNodePoolCapacity;
  /**
   * Id of the capacity reservation group, which needs a cluster with an identity of the user's own. Requires `capacity`
   * "reservation", and is required there. Default: none.
   */
  capacityReservationGroupId?: pulumi.Input<string>;
  /**
   * Most that an hour of a node may cost, in US dollars: above 0, with at most 5 decimals, or -1 for the price on demand.
   * Requires `capacity` "spot". Default: -1.
   */
  spotMaxPrice?: pulumi.Input<number>;
  /**
   * Installation of the driver of the accelerators. "none" is for the NVIDIA GPU Operator, which also installs its own device
   * plugin. Requires a size with accelerators. Default: "install", or "none" for AMD, whose driver and device plugin come with
   * the AMD GPU Operator alone.
   */
  gpuDriver?: AksNodePoolGpuDriver;
  /**
   * The way in which pods request GPUs. "claim" requires Kubernetes 1.34 and NVIDIA's DRA driver (chart dra-driver-nvidia-gpu), which
   * this package does not install; no NVIDIA device plugin runs then. Requires NVIDIA GPUs. Default: "plugin".
   */
  gpuBy?: NodePoolDevicesBy;
  /**
   * Parts that each GPU is divided into (MIG), which Kubernetes counts as `nvidia.com/gpu`: the plugin of this pool and, by default,
   * the GPU operator call them so where all parts are alike. Requires A100, H100 or H200. Default: whole GPUs.
   */
  gpuPartition?: AksNodePoolGpuPartition;
  /** Operating system. InfiniBand and AMD accelerators need "ubuntu". Default: "ubuntu". */
  osSku?: AksNodePoolOsSku;
  /** Kubernetes version of the nodes, such as "1.34". Default: that of the cluster. */
  version?: pulumi.Input<string>;
  /** Size of the disk in GiB, from 30 to 2048. Default: what AKS gives the size. */
  diskGib?: number;
  /** Place of the disk. Default: "ephemeral" where the machine can hold it, as AKS decides. */
  diskType?: AksNodePoolDiskType;
  /** Id of the subnet of the nodes. Default: that which AKS makes. */
  vnetSubnetId?: pulumi.Input<string>;
  /** Ids of the application security groups of the nodes, by which rules of a network security group name them. Default: none. */
  applicationSecurityGroupIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** Labels of the nodes, beside that of the pool. Not under kubernetes.azure.com or kubernetes.io. Default: none. */
  labels?: Record<string, pulumi.Input<string>>;
  /**
   * Taints of the nodes, beside that of spot machines. Not under kubernetes.azure.com or kubernetes.io. Pods of a MiniCluster
   * that names this pool tolerate them. Default: none.
   */
  taints?: NodePoolTaint[];
  /** Tags of everything that is made in Azure. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
  /** Lets the kubelet assign whole cores to pods that request whole CPUs (static CPU policy). Default: false. */
  staticCpu?: boolean;
  /**
   * Use of the local disks of the machines. "raid0" is for sizes with NVMe disks (HBv3, HBv4, HX, HBv5, ND H100 v5, ND MI300X v5) a volume
   * striped over all of them for each pod, by a StorageClass of the pool and Azure's local CSI driver (chart `local-csi-driver`), which
   * this package does not install; for sizes with a temporary disk alone it is that disk, under images and the volumes of pods
   * (`kubeletDiskType`). On GB200 and GB300 the image of AKS does the same with the NVMe disks by itself. "raw" leaves the disks to a
   * driver of your own. Another use of a temporary disk is another pool. Default: not used, and a preview says so where they have a
   * terabyte or more.
   */
  localDisks?: NodePoolLocalDisks;
  /**
   * The NVIDIA device plugin. Requires a size with NVIDIA GPUs, and not `gpuDriver` "none". Default: run where AKS installs
   * their driver.
   */
  nvidiaPlugin?: NodePoolDevicePluginArgs;
  /**
   * The shared RDMA device plugin, by which pods get InfiniBand as `rdma/shared_ib`. With `skip` something else has to count
   * it by that name, such as the RDMA plugin of the NVIDIA Network Operator. Requires `fabric` "infiniband".
   * Default: run with it.
   */
  rdmaPlugin?: NodePoolDevicePluginArgs;
}

/** A VM size that this package does not list. */
export interface AksNodePoolHardwareArgs extends NodePoolHardwareArgs {
  /** InfiniBand devices, from 0 to 64; 0 where the size has no InfiniBand. Default: 0. */
  infinibandDevices?: number;
  /** NVMe disks among `localDiskGb`, in GB; 0 where those are one temporary disk. Default: 0. */
  nvmeGb?: number;
}
