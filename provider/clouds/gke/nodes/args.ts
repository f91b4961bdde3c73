import * as pulumi from "@pulumi/pulumi";
import type {
  NodePoolAutoscaleArgs,
  NodePoolDevicesBy,
  NodePoolHardwareArgs,
  NodePoolLocalDisks,
  NodePoolPairArgs,
  NodePoolPriceArgs,
  NodePoolTaint,
  MiniClusterArch,
} from "../../nodes/args";

/** Purchase option of the nodes of a pool. */
export const GkeNodePoolCapacity = {
  /** On demand. */
  OnDemand: "onDemand",
  /**
   * Spare machines, which Google may take back at a notice of 30 seconds. The kubelet ends the pods by itself (graceful node shutdown),
   * 15 seconds before the system's, as in GKE's page "Spot VMs"; neither a taint nor a handler is needed.
   */
  Spot: "spot",
  /** A specific reservation, by `reservationName`. */
  Reservation: "reservation",
  /** Flex start: nodes come when there is room for them, and stay for `maxRunSeconds`. */
  FlexStart: "flexStart",
  /** Queued provisioning: nodes come all at once for a ProvisioningRequest, as Kueue makes it (`gang.queueName`). */
  Queued: "queued",
} as const;
export type GkeNodePoolCapacity = (typeof GkeNodePoolCapacity)[keyof typeof GkeNodePoolCapacity];

/** The network between the nodes of a pool. Google's virtual network card (gVNIC) is on in every case. */
export const GkeNodePoolFabric = {
  /** Ethernet at the bandwidth that the machine comes with. */
  None: "none",
  /** Ethernet at Tier_1 bandwidth, which Google sells for the larger machines of some families. */
  Tier1: "tier1",
  /** RDMA over the further networks in `rdmaNetworks`: RoCE between GPUs, or Falcon between CPUs. */
  Rdma: "rdma",
} as const;
export type GkeNodePoolFabric = (typeof GkeNodePoolFabric)[keyof typeof GkeNodePoolFabric];

/** Placement of the nodes of a pool. */
export const GkeNodePoolPlacement = {
  /** Anywhere that Google has room. */
  None: "none",
  /** In one compact placement: close to each other, in one zone. */
  Compact: "compact",
} as const;
export type GkeNodePoolPlacement = (typeof GkeNodePoolPlacement)[keyof typeof GkeNodePoolPlacement];

/** NVIDIA driver that GKE installs on the nodes of a pool. */
export const GkeNodePoolGpuDriver = {
  /** The driver that GKE has chosen for the version of the nodes. */
  Default: "default",
  /** The newest driver that GKE has for the version of the nodes. */
  Latest: "latest",
  /** None: it is installed in another way. */
  None: "none",
} as const;
export type GkeNodePoolGpuDriver = (typeof GkeNodePoolGpuDriver)[keyof typeof GkeNodePoolGpuDriver];

/** Way in which containers use one GPU at a time. */
export const GkeNodePoolGpuSharingStrategy = {
  /** In turns, each with all of the GPU. */
  TimeSharing: "timeSharing",
  /** At once, by NVIDIA's Multi-Process Service. */
  Mps: "mps",
} as const;
export type GkeNodePoolGpuSharingStrategy =
  (typeof GkeNodePoolGpuSharingStrategy)[keyof typeof GkeNodePoolGpuSharingStrategy];

/** Time of the maintenance of the hosts of a pool, which ends what runs there. */
export const GkeNodePoolHostMaintenance = {
  /** Whenever Google has to. */
  AsNeeded: "asNeeded",
  /** In turns that Google plans, a month or more apart. */
  Periodic: "periodic",
} as const;
export type GkeNodePoolHostMaintenance = (typeof GkeNodePoolHostMaintenance)[keyof typeof GkeNodePoolHostMaintenance];

/** A node pool of Google Kubernetes Engine (Standard) for HPC, with what its machines and their network need. */
export interface GkeNodePoolArgs extends NodePoolPriceArgs {
  /** Name of the pool: a label of its nodes and a property of its hosts in Flux. A lowercase DNS label. Default: the Pulumi resource name. */
  name?: string;
  /** Name of the GKE cluster, which must exist; with `fabric` "rdma" it has multi-networking and Dataplane V2. */
  clusterName: pulumi.Input<string>;
  /** Region or zone of the cluster, such as "us-central1". */
  location: pulumi.Input<string>;
  /** Project of the cluster. Default: that of the Google Cloud provider. */
  project?: pulumi.Input<string>;
  /**
   * Zones to keep to, such as "us-central1-a". Exactly one with `placement` "compact" and with `fabric` "rdma"; one or more
   * with `size`, for GKE counts nodes by zone, and with `capacity` "reservation". Default: those of the cluster.
   */
  zones?: string[];
  /** Machine type, such as "c2d-standard-112". Data on a type that this package does not list comes from `hardware`. */
  machineType: string;
  /**
   * Description of a machine type that this package does not list; in TypeScript `await lookupGkeMachine("…", …)` queries Google for
   * most of it. Not for other types. Default: the package's data on the type.
   */
  hardware?: GkeNodePoolHardwareArgs;
  /** Processor architecture, to be checked against the machine type. Default: that of the machine type. */
  arch?: MiniClusterArch;
  /**
   * Nodes, from 0 to 100000, as many in each of the `zones`. Not with `autoscale`, `pairedWith`, or nodes on request. Default:
   * the pool is autoscaled.
   */
  size?: number;
  /**
   * Limits within which GKE sizes the pool, over all zones. `min` is 0 with `capacity` "queued". Default: from 0 to the
   * `maxSize` of `pairedWith`.
   */
  autoscale?: NodePoolAutoscaleArgs;
  /**
   * Sizes of the MiniCluster that the pool is for: it starts with about `size` nodes where `zones` are given, and may grow
   * to `maxSize`. Default: none.
   */
  pairedWith?: NodePoolPairArgs;
  /**
   * The network between the nodes. For RDMA between GPUs the cluster has to run Google's installer of gIB (a DaemonSet), from
   * which NCCL has its plugin. The GPUDirect of A3 High and A3 Mega (TCPX and TCPXO) needs a container beside Flux in every
   * pod, and is not set up. Default: "none".
   */
  fabric?: GkeNodePoolFabric;
  /**
   * The way in which pods request RDMA interfaces. With "claim" GKE makes the networks and runs the driver (DRANET), from 1.34.1 on in
   * clusters with Dataplane V2; for GPUs alone. Requires `fabric` "rdma". Default: "plugin"; "claim" on A4X and A4X Max, in every case.
   */
  fabricBy?: NodePoolDevicesBy;
  /**
   * The way in which pods request GPUs. With "claim" GKE installs neither driver nor plugin: the cluster needs Kubernetes 1.34, the
   * GPU driver, and NVIDIA's DRA driver (chart dra-driver-nvidia-gpu). Requires GPUs. Default: "plugin".
   */
  gpuBy?: NodePoolDevicesBy;
  /**
   * The networks of the RDMA interfaces, in their order: as many as the machine type has, 8 for A3 Ultra and A4, 1 for H4D.
   * Requires `fabric` "rdma", and is required there, but not where pods claim the interfaces (`fabricBy`). Default: none.
   */
  rdmaNetworks?: GkeNodePoolRdmaNetworkArgs[];
  /**
   * The network of the second gVNIC of A3 Ultra and A4, which comes before those for RDMA. Requires `fabric` "rdma" on these
   * machines, and is required there, but not where pods claim the interfaces (`fabricBy`). Default: none.
   */
  gvnicNetwork?: GkeNodePoolNetworkArgs;
  /**
   * Placement of the nodes. Default: "none"; "compact" on A4X, whose nodes come in one NVLink domain and in no other way.
   */
  placement?: GkeNodePoolPlacement;
  /**
   * Name of a resource policy that exists: for compact placement, or on A4X for its NVLink domain. Requires `placement`
   * "compact". Default: GKE makes one; on A4X the pool makes one of topology 1x72.
   */
  placementPolicyName?: pulumi.Input<string>;
  /** Purchase option of the nodes. Default: "onDemand". */
  capacity?: GkeNodePoolCapacity;
  /**
   * The reservation: its name, or "projects/PROJECT/reservations/NAME" for that of another project, with
   * "/reservationBlocks/BLOCK/reservationSubBlocks/SUBBLOCK" behind it for a part, as A4X Max needs it. Requires `capacity`
   * "reservation", and is required there. Default: none.
   */
  reservationName?: pulumi.Input<string>;
  /** Seconds after which a node goes, from 1 to 604800. Requires `capacity` "flexStart" or "queued". Default: 7 days. */
  maxRunSeconds?: number;
  /**
   * Seconds from the notice to the end of a spot node, from 30 to 120, of which the last 15 are for system pods. More than 30 requires
   * GKE 1.35.0-gke.1171000 or later. Requires `capacity` "spot". Default: 30, as GKE has it.
   */
  spotNoticeSeconds?: number;
  /** GPUs to add to a machine type that comes without, which only those of N1 take. Default: those that the type comes with. */
  gpus?: GkeNodePoolGpusArgs;
  /**
   * Partitions that each GPU is divided into (MIG), such as "1g.10gb" on H100. Kubernetes counts each of them as an `nvidia.com/gpu`.
   * Requires GPUs that can be divided: A100, H100, H200, B200, RTX PRO 6000. Not with interfaces that pods claim (A4X). Default:
   * whole GPUs.
   */
  gpuPartition?: string;
  /**
   * Containers that share each GPU, or each partition of one; a container then requests one at most. Requires GPUs, and not those
   * that come with interfaces which pods claim (A4X). Default: none, each container has its GPUs to itself.
   */
  gpuSharing?: GkeNodePoolGpuSharingArgs;
  /**
   * NVIDIA driver that GKE installs. GKE also runs NVIDIA's device plugin by itself, so a pool installs none. Requires
   * GPUs. Default: "default"; "none" with `gpuBy` "claim".
   */
  gpuDriver?: GkeNodePoolGpuDriver;
  /**
   * Kubernetes version of the nodes, such as "1.34.1-gke.1829001". GKE upgrades from it by itself, and the next `pulumi up`
   * would put it back; for it to stay, `autoUpgrade` must be false. Default: that of the cluster.
   */
  version?: pulumi.Input<string>;
  /** Replacement of broken nodes by GKE, which never repairs nodes on request. Default: true where nodes are not on request. */
  autoRepair?: boolean;
  /**
   * Upgrades of the nodes by GKE, one at a time and with no extra node in the meantime. A cluster in a release channel, as new
   * ones are, takes no pool without it, but for queued ones: only outside of one can a `version` be pinned. Default: true, but
   * false with `capacity` "queued", whose gangs an upgrade would tear.
   */
  autoUpgrade?: boolean;
  /** Size of the disk in GiB, from 10 to 65536. Default: 150. */
  diskGib?: number;
  /** Type of the disk, such as "pd-ssd" or "hyperdisk-balanced", which is the only one of newer machines. Default: GKE's own. */
  diskType?: pulumi.Input<string>;
  /** Labels of the nodes in Kubernetes, beside that of the pool. Default: none. */
  labels?: Record<string, pulumi.Input<string>>;
  /**
   * Taints of the nodes, without those that GKE sets by itself on nodes with ARM processors or GPUs and on queued ones. Pods of
   * a MiniCluster that names this pool tolerate both. Default: none.
   */
  taints?: NodePoolTaint[];
  /** Labels of the machines in Google Cloud, in lower case, as they show on the bill. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
  /** Network tags of the machines: firewall rules of the VPC network name them. Default: none. */
  networkTags?: pulumi.Input<pulumi.Input<string>[]>;
  /** Threads of each core, 1 or 2; 1 turns simultaneous multithreading off. Default: as the machine comes. */
  threadsPerCore?: number;
  /**
   * Lets the kubelet assign whole cores to pods that request whole CPUs (static CPU policy), with memory and devices of the same
   * NUMA node where the machine family can. Default: false.
   */
  staticCpu?: boolean;
  /**
   * Lets containers start while GKE still loads their image (image streaming): for images in Artifact Registry, with Google's Container
   * File System API turned on in the project; others are pulled as ever. Default: false.
   */
  imageStreaming?: boolean;
  /**
   * Use of the local SSDs that a machine type comes with: "raid0" is one file system over all of them, for images and for the volumes
   * of pods (`ephemeralStorageLocalSsdConfig`); "raw" leaves block devices for a driver of your own (`localNvmeSsdBlockConfig`). Another
   * use is another pool. Default: "raid0" where the type has local SSDs, which is what GKE does with them.
   */
  localDisks?: NodePoolLocalDisks;
  /**
   * Time of Google's maintenance of the hosts. Source: `hostMaintenancePolicy` of the GKE API. Default: as Google has it for the
   * machine type.
   */
  hostMaintenance?: GkeNodePoolHostMaintenance;
  /** E-mail address of the service account of the nodes; its roles say what they may do. Default: that of Compute Engine. */
  serviceAccount?: pulumi.Input<string>;
}

/** GPUs that are added to a machine. */
export interface GkeNodePoolGpusArgs {
  /** Name that Google has for them, such as "nvidia-tesla-t4". */
  type: string;
  /** GPUs of one machine: 1, 2, 4 or 8, as Google offers them with the type. */
  count: number;
}

/** Sharing of GPUs between containers. */
export interface GkeNodePoolGpuSharingArgs {
  /** Way in which they use a GPU. */
  strategy: GkeNodePoolGpuSharingStrategy;
  /** Containers on a GPU, from 2 to 48. */
  clients: number;
}

/** A VPC network that the nodes have an interface on. */
export interface GkeNodePoolNetworkArgs {
  /** Name of the VPC network. */
  network: pulumi.Input<string>;
  /** Name of its subnetwork in the region of the pool. */
  subnetwork: pulumi.Input<string>;
}

/** A VPC network for RDMA that the nodes have an interface on. */
export interface GkeNodePoolRdmaNetworkArgs {
  /** Name of the VPC network, which has the network profile for RDMA of the pool's zone. */
  network: pulumi.Input<string>;
  /** Name of its subnetwork. */
  subnetwork: pulumi.Input<string>;
  /** Name of the Network object (networking.gke.io/v1) in the cluster, by which pods request the interface, such as "rdma-0". */
  name: string;
}

/** A machine type that this package does not list. */
export interface GkeNodePoolHardwareArgs extends NodePoolHardwareArgs {
  /**
   * Name that Google has for the GPUs the machine comes with, such as "nvidia-l4". Needed beside `accelerator`, and only there.
   * Default: none.
   */
  acceleratorType?: string;
  /** True if it can have Tier_1 bandwidth. Default: false. */
  tier1?: boolean;
  /** True if GKE puts it in a compact placement. Default: false. */
  compactPlacement?: boolean;
  /** Interfaces for RDMA, 0 or more. Default: 0. */
  rdmaInterfaces?: number;
  /** True for a machine without a hypervisor ("-metal"): it has no gVNIC. Default: false. */
  bareMetal?: boolean;
}
