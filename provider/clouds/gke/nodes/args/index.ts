import * as pulumi from "@pulumi/pulumi";
import type { GkeCluster } from "../../../kubernetes/args";
import type {
  NodePoolDeviceAlignment,
  NodePoolDevicePluginArgs,
  NodePoolDevicesBy,
  NodePoolHardwareArgs,
  NodePoolLocalDisks,
  NodePoolListPriceArgs,
  NodePoolTaint,
  MiniClusterArch,
} from "../../../nodes/args";
import type {
  GkeNodePoolCapacityType,
  GkeNodePoolFabric,
  GkeNodePoolGpuDriver,
  GkeNodePoolGpuSharingStrategy,
  GkeNodePoolHostMaintenance,
  GkeNodePoolPlacement,
  GkeNodePoolTopologyDistance,
} from "./choices";

export * from "./choices";

/** A node pool of Google Kubernetes Engine (Standard) for HPC, with the resources that its machines and their network need. */
export interface GkeNodePoolArgs {
  /**
   * Name of the pool, which is also a label of its nodes and a property of its hosts in Flux. A lowercase DNS label. Default: the
   * Pulumi resource name.
   */
  name?: string;
  /**
   * Name of the GKE cluster, which must exist. With `fabric` "rdma", it needs multi-networking and Dataplane V2. A program in TypeScript can
   * set `cluster` to its resource instead; in other languages, the option `providers` has the Kubernetes provider of a GKE cluster that
   * the program creates.
   */
  clusterName?: pulumi.Input<string>;
  /**
   * The GKE cluster, if the program creates it: a `Cluster` of `@pulumi/gcp/container`. It replaces `clusterName`, `location` and
   * `project`, and `kubernetesProvider(cluster)` is the Kubernetes provider unless the options have another one. Only in TypeScript.
   * Default: none.
   */
  cluster?: GkeCluster;
  /** Region or zone of the GKE cluster, such as "us-central1". */
  location?: pulumi.Input<string>;
  /** Project of the GKE cluster. Default: the project of the Google Cloud provider. */
  project?: pulumi.Input<string>;
  /**
   * Zones of the nodes, such as "us-central1-a". Exactly one is required with a `placement` and with `fabric` "rdma"; one or more with a
   * fixed `size`, because GKE counts nodes per zone, and with `capacityType` "reservation". A zone that is an output is not part of
   * `scheduling`. Default: the zones of the GKE cluster.
   */
  zones?: pulumi.Input<string>[];
  /** Machine type, such as "c2d-standard-112". The data of a type that this package does not list comes from `hardware`. */
  machineType: string;
  /**
   * Description of a machine type that this package does not list; refused for other types. In TypeScript,
   * `await lookupGkeMachine("…", …)` queries Google for most of the fields. Default: the data of the package.
   */
  hardware?: GkeNodePoolHardwareArgs;
  /** Processor architecture, which must match the machine type. Default: the architecture of the machine type. */
  arch?: MiniClusterArch;
  /**
   * Number of nodes, from 0 to 100000. Without `maxSize` always, equally distributed over the `zones`. With `maxSize` about this
   * number at the creation of the pool, if `zones` is set. `size` and `maxSize` of the MiniCluster on the pool are suitable values.
   * Requires `maxSize` with `capacityType` "flexStart" and "queued", whose pools start without nodes. Default: `minSize`; required
   * without `maxSize`.
   */
  size?: number;
  /**
   * Minimum number of nodes of an autoscaled pool over all zones, from 0 to `maxSize`; 0 with `capacityType` "queued". Requires
   * `maxSize`. Default: 0.
   */
  minSize?: number;
  /**
   * Maximum number of nodes over all zones, from 1 to 100000, up to which the autoscaler of GKE grows the pool. Default: none;
   * `size` is a fixed number.
   */
  maxSize?: number;
  /**
   * The network between the nodes. For RDMA between GPUs, the pool installs Google's plugin for NCCL, gIB, on its nodes
   * (`gibInstaller`). The GPUDirect of A3 High and A3 Mega (TCPX and TCPXO) needs a sidecar in every pod and is not configured.
   * Default: "none".
   */
  fabric?: GkeNodePoolFabric;
  /**
   * The way in which pods request RDMA interfaces. With "claim", GKE creates the networks and runs the driver (DRANET), from version
   * 1.34.1 in clusters with Dataplane V2, and only for machines with GPUs. Requires `fabric` "rdma". Default: "plugin"; always "claim"
   * on A4X and A4X Max.
   */
  fabricBy?: NodePoolDevicesBy;
  /**
   * The way in which pods request GPUs. With "claim", the GKE cluster needs Kubernetes 1.34, the GPU driver, and NVIDIA's DRA driver
   * (chart dra-driver-nvidia-gpu); GKE installs neither driver. Requires GPUs. Default: "plugin".
   */
  gpuBy?: NodePoolDevicesBy;
  /**
   * Location that each GPU and the interface of its claim share. On A4, two GPUs and two interfaces are on each PCIe root
   * (kubernetes-sigs/dranet, "GKE with NVIDIA DRA and DRANET"). Pods stay Pending if a driver does not publish the attribute:
   * `kubectl get resourceslices -o yaml` shows it; NVIDIA's DRA driver publishes "numaNode" from 0.5.0 on. "pcieRoot" is refused on A4X
   * Max. Requires `gpuBy` "claim" and claims of interfaces (`fabricBy`). Default: "none".
   */
  deviceAlignment?: NodePoolDeviceAlignment;
  /**
   * The networks of the RDMA interfaces, in the order of the interfaces: one for each interface of the machine type, 8 for A3 Ultra and
   * A4, 1 for H4D. Required with `fabric` "rdma", unless pods claim the interfaces (`fabricBy`), and refused otherwise. Default: none.
   */
  rdmaNetworks?: GkeNodePoolRdmaNetworkArgs[];
  /**
   * The network of the second gVNIC of A3 Ultra and A4, which precedes the RDMA networks. Required with `fabric` "rdma" on these
   * machines, unless pods claim the interfaces (`fabricBy`), and refused otherwise. Default: none.
   */
  gvnicNetwork?: GkeNodePoolNetworkArgs;
  /**
   * Placement of the nodes. "highThroughput" requires A3 High with 8 GPUs, A3 Mega, A3 Ultra, A4 or H4D ("About workload policies for
   * MIGs"). With `capacityType` "queued", GKE determines the placement, and none can be set. Default: "none"; always "compact" on A4X,
   * whose nodes are one NVLink domain.
   */
  placement?: GkeNodePoolPlacement;
  /**
   * Maximum distance between the nodes of the pool's workload policy (`maxTopologyDistance` of `workloadPolicy`). Nodes that are not
   * available within it are not created. Requires `placement` "highThroughput"; cannot be set with `placementPolicyName`. Default: none;
   * the nodes are as close as the available machines allow.
   */
  maxTopologyDistance?: GkeNodePoolTopologyDistance;
  /**
   * Name of an existing resource policy; with `placement` "highThroughput" and with `capacityType` "flexStart", a workload policy of type
   * HIGH_THROUGHPUT. Requires a `placement`. Default: created by GKE; with "highThroughput", with "flexStart" (maximum distance CLUSTER)
   * and on A4X (topology 1x72), by the pool.
   */
  placementPolicyName?: pulumi.Input<string>;
  /** Purchase option of the nodes. Source: "Consuming reserved zonal resources". Default: "onDemand". */
  capacityType?: GkeNodePoolCapacityType;
  /**
   * Name of the reservation, or "projects/PROJECT/reservations/NAME" for a reservation of another project. The suffix
   * "/reservationBlocks/BLOCK" selects a block of the reservation, and "/reservationBlocks/BLOCK/reservationSubBlocks/SUBBLOCK" a
   * sub-block, as A4X Max requires. Required with `capacityType` "reservation", and refused otherwise. Default: none.
   */
  reservationName?: pulumi.Input<string>;
  /** Seconds after which a node is removed, from 1 to 604800. Requires `capacityType` "flexStart" or "queued". Default: 7 days. */
  maxRunSeconds?: pulumi.Input<number>;
  /**
   * Seconds from the notice to the shutdown of a spot node, from 30 to 120. The last 15 seconds are for system pods. More than 30
   * requires GKE 1.35.0-gke.1171000. Requires `capacityType` "spot". Default: 30.
   */
  spotNoticeSeconds?: number;
  /** GPUs to attach to a machine type of N1; other types have a fixed number. Default: the GPUs of the type. */
  gpus?: GkeNodePoolGpusArgs;
  /**
   * Size of the partitions of each GPU (MIG), such as "1g.10gb" on H100. Kubernetes counts a partition as `nvidia.com/gpu`. Requires
   * GPUs with MIG: A100, H100, H200, B200, RTX PRO 6000. Refused if pods claim the interfaces (A4X). Default: whole GPUs.
   */
  gpuPartition?: string;
  /**
   * Sharing of each GPU, or of each of its partitions, between containers. A container then requests at most one. Requires GPUs. Cannot
   * be set if pods claim the interfaces (A4X). Default: none; GPUs are not shared.
   */
  gpuSharing?: GkeNodePoolGpuSharingArgs;
  /**
   * NVIDIA driver that GKE installs. GKE also runs NVIDIA's device plugin, so the pool installs none. Requires GPUs. Default:
   * "default"; "none" with `gpuBy` "claim".
   */
  gpuDriver?: GkeNodePoolGpuDriver;
  /**
   * The DaemonSet that copies gIB, Google's plugin for NCCL, to the nodes (container-engine-accelerators, `gpudirect-rdma`). With
   * `skip`, another installer must copy gIB. Requires GPUs with `fabric` "rdma"; refused on A4X Max. Default: run with RDMA, except on
   * A4X Max.
   */
  gibInstaller?: NodePoolDevicePluginArgs;
  /**
   * Kubernetes version of the nodes, such as "1.34.1-gke.1829001". With `autoUpgrade`, GKE upgrades the nodes and the next `pulumi up`
   * would downgrade them; set `autoUpgrade` to false to pin the version. Default: the version of the GKE cluster.
   */
  version?: pulumi.Input<string>;
  /** Replacement of broken nodes by GKE. GKE does not repair nodes of `capacityType` "flexStart" or "queued". Default: true for other nodes. */
  autoRepair?: pulumi.Input<boolean>;
  /**
   * Upgrades of the nodes by GKE, one at a time and without a surge node. A cluster in a release channel, the default of new clusters,
   * requires upgrades of all pools except queued pools, so a `version` can only be pinned outside of a release channel. Default: true;
   * false with `capacityType` "queued", because an upgrade would interrupt a gang.
   */
  autoUpgrade?: pulumi.Input<boolean>;
  /** Size of the disk in GiB, from 10 to 65536. Default: 150. */
  diskGib?: pulumi.Input<number>;
  /** Type of the disk, such as "pd-ssd" or "hyperdisk-balanced", which is the only type of newer machines. Default: the default of GKE. */
  diskType?: pulumi.Input<string>;
  /**
   * Price of a node, with which previews show the price of the pool. In TypeScript, `await lookupGkePrice("…", …)` queries the list
   * price of Google. Default: none.
   */
  price?: NodePoolListPriceArgs;
  /** Additional labels of the nodes in Kubernetes. Default: none. */
  labels?: Record<string, pulumi.Input<string>>;
  /**
   * Taints of the nodes, in addition to the taints that GKE sets on ARM, GPU and queued nodes. The pods of a MiniCluster on this pool
   * tolerate all of them. Default: none.
   */
  taints?: NodePoolTaint[];
  /** Labels of the machines in Google Cloud, in lower case. They appear in billing reports. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
  /** Network tags of the machines, for firewall rules of the VPC network. Default: none. */
  networkTags?: pulumi.Input<pulumi.Input<string>[]>;
  /** Threads of each core, 1 or 2; 1 disables simultaneous multithreading. Default: the threads of the machine type. */
  threadsPerCore?: number;
  /**
   * True if the kubelet assigns exclusive cores to pods that request whole CPUs (static CPU policy), with memory and devices of the
   * same NUMA node if the machine family supports it. Default: false.
   */
  staticCpu?: boolean;
  /**
   * Starts containers while GKE still loads their image (image streaming). This works for images in Artifact Registry if Google's
   * Container File System API is enabled in the project; other images are pulled as usual. Default: false.
   */
  imageStreaming?: pulumi.Input<boolean>;
  /**
   * Disks that GKE creates for each node from existing disk images, with container images or data. They have the type of the node's
   * disk. Requires `imageStreaming`. Source: "Use secondary boot disks to preload data or container images". Default: none.
   */
  secondaryBootDisks?: GkeNodePoolSecondaryBootDiskArgs[];
  /**
   * Use of the local SSDs of a machine type. "raid0" creates one file system on all of them, for images and for the volumes of pods
   * (`ephemeralStorageLocalSsdConfig`). "raw" provides block devices for a driver that you install (`localNvmeSsdBlockConfig`). A
   * change replaces the pool. Default: "raid0" if the type has local SSDs, the default of GKE.
   */
  localDisks?: NodePoolLocalDisks;
  /**
   * Schedule of Google's maintenance of the hosts. Source: `hostMaintenancePolicy` of the GKE API. Default: the schedule of the machine
   * type.
   */
  hostMaintenance?: pulumi.Input<GkeNodePoolHostMaintenance>;
  /**
   * E-mail address of the service account of the nodes, which defines their permissions. Default: the default account of Compute
   * Engine.
   */
  serviceAccount?: pulumi.Input<string>;
}

/** A disk of each node with the contents of a disk image. */
export interface GkeNodePoolSecondaryBootDiskArgs {
  /** The disk image: "projects/PROJECT/global/images/NAME". */
  diskImage: pulumi.Input<string>;
  /**
   * True if the disk has container images, which the nodes start without a pull (the mode CONTAINER_IMAGE_CACHE). Default: false; the
   * disk has data, which pods mount from the directory `/mnt/disks/gke-secondary-disks/gke-NAME-disk` of the node.
   */
  containerImageCache?: boolean;
}

/** GPUs to attach to a machine. */
export interface GkeNodePoolGpusArgs {
  /** Google's name of the GPUs, such as "nvidia-tesla-t4". */
  type: string;
  /** Number of GPUs of one machine: 1, 2, 4 or 8, if Google offers this number for the machine type. */
  count: number;
}

/** Sharing of GPUs between containers. */
export interface GkeNodePoolGpuSharingArgs {
  /** Method of sharing. */
  strategy: GkeNodePoolGpuSharingStrategy;
  /** Maximum number of containers on a GPU, from 2 to 48. */
  clients: number;
}

/** A VPC network on which the nodes have an interface. */
export interface GkeNodePoolNetworkArgs {
  /** Name of the VPC network. */
  network: pulumi.Input<string>;
  /** Name of its subnetwork in the region of the pool. */
  subnetwork: pulumi.Input<string>;
}

/** A VPC network for RDMA on which the nodes have an interface. */
export interface GkeNodePoolRdmaNetworkArgs {
  /** Name of the VPC network, which must have the RDMA network profile of the zone. */
  network: pulumi.Input<string>;
  /** Name of its subnetwork. */
  subnetwork: pulumi.Input<string>;
  /** Name of the Network object (networking.gke.io/v1) in the cluster, with which pods request the interface, such as "rdma-0". */
  name: string;
}

/** A machine type that this package does not list. */
export interface GkeNodePoolHardwareArgs extends NodePoolHardwareArgs {
  /** Google's name of the machine's GPUs, such as "nvidia-l4". Required with `accelerator`, and refused otherwise. Default: none. */
  acceleratorType?: string;
  /** True if the type supports Tier_1 bandwidth. Default: false. */
  tier1?: boolean;
  /** True if the type supports compact placement. Default: false. */
  compactPlacement?: boolean;
  /** Number of RDMA interfaces, 0 or more. Default: 0. */
  rdmaInterfaces?: number;
  /** True for a machine without a hypervisor ("-metal"): it has no gVNIC. Default: false. */
  bareMetal?: boolean;
}
