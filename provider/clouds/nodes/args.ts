import * as pulumi from "@pulumi/pulumi";

/** Limits of a pool that is autoscaled. */
export interface NodePoolAutoscaleArgs {
  /** Minimum of nodes, from 0 to `max`. Default: 0. */
  min?: number;
  /** Maximum of nodes, from 1 to 100000. */
  max: number;
}

/** Price of a pool's nodes. */
export interface NodePoolPriceArgs {
  /**
   * Price of a node for an hour, above 0, in a currency of your choice: previews show the price of a number of nodes. In TypeScript
   * `...(await lookupEksPrice(machineType))` and `lookupAksPrice` give the list price with its currency and source. Default: none, or that
   * of `listPrice`.
   */
  pricePerHour?: number;
  /** Currency of `pricePerHour`, as ISO 4217 names it: "EUR". All prices of a cluster have one currency. Default: none is shown. */
  currency?: string;
  /** Where `pricePerHour` comes from, and of which date: shown in the preview of a new pool. Default: none is shown. */
  priceSource?: string;
  /**
   * Looks up the list price in each preview where `pricePerHour` is not given: at AWS (`pricing:GetProducts`, and
   * `ec2:DescribeSpotPriceHistory` for spot machines) and in Azure's Retail Prices API. Without an answer there is no price, and a
   * warning. Not at Google, whose prices are those of cores and memory. For programs in other languages than TypeScript. Default: false.
   */
  listPrice?: boolean;
}

/** Sizes of the MiniCluster or BurstCluster that a pool is for: the same numbers as there. */
export interface NodePoolPairArgs {
  /** Pods that the cluster runs, and so the nodes that the pool starts with. Between 0 and `maxSize`. Default: 1. */
  size?: number;
  /** Largest size of the cluster, and so of the pool. From 1 to 100000. Default: `size`. */
  maxSize?: number;
}

/** A machine type that the tables of this package do not have. */
export interface NodePoolHardwareArgs {
  /** Processor architecture. */
  arch: MiniClusterArch;
  /** Virtual CPUs as the machine comes, 1 or more. */
  vcpus: number;
  /** Virtual CPUs that share a core, 1 or 2. */
  threadsPerCore: number;
  /** Memory in MiB. */
  memoryMib: number;
  /** Accelerators. Default: none. */
  accelerator?: NodePoolAcceleratorArgs;
  /** Local disks together, in GB. Default: 0. */
  localDiskGb?: number;
}

/** Vendor of an accelerator, which decides on its resource name in Kubernetes. */
export const NodePoolAcceleratorKind = {
  /** NVIDIA: `nvidia.com/gpu`. */
  Nvidia: "nvidia",
  /** AMD: `amd.com/gpu`. */
  Amd: "amd",
  /** AWS Trainium and Inferentia: `aws.amazon.com/neuron`. */
  Neuron: "neuron",
} as const;
export type NodePoolAcceleratorKind = (typeof NodePoolAcceleratorKind)[keyof typeof NodePoolAcceleratorKind];

/** The accelerators of one machine. */
export interface NodePoolAcceleratorArgs {
  /** Vendor of the accelerators. */
  kind: NodePoolAcceleratorKind;
  /** Common name of the model, such as "H100". */
  model: string;
  /** Accelerators of one machine, 1 or more. */
  count: number;
}

/** A device plugin: a DaemonSet that makes the devices of a pool's nodes known to Kubernetes. */
export interface NodePoolDevicePluginArgs {
  /** Does not run the plugin: the cluster has it already, or makes the devices known in another way. Default: false. */
  skip?: boolean;
  /** Image of the plugin, best with a digest. Default: the pinned version that the documents name. */
  image?: pulumi.Input<string>;
}

/** The way in which pods request devices. */
export const NodePoolDevicesBy = {
  /** By a number of them, which a device plugin counts on each node. */
  Plugin: "plugin",
  /** By claims (dynamic resource allocation), which a DRA driver serves: Kubernetes 1.34 or later. */
  Claim: "claim",
} as const;
export type NodePoolDevicesBy = (typeof NodePoolDevicesBy)[keyof typeof NodePoolDevicesBy];

/** Use of the local disks (NVMe) of the nodes of a pool. Their data go with the node. */
export const NodePoolLocalDisks = {
  /** One file system over all of them, for images and for the volumes of pods. */
  Raid0: "raid0",
  /** Block devices, for a driver of your own. */
  Raw: "raw",
  /** Not used. */
  None: "none",
} as const;
export type NodePoolLocalDisks = (typeof NodePoolLocalDisks)[keyof typeof NodePoolLocalDisks];

/** Capacity of the nodes of a pool together, at its maximum. */
export interface NodePoolCapacity {
  /** Nodes: all of a pool of fixed size, the maximum of one that is autoscaled. */
  nodes: number;
  /** Virtual CPUs of these nodes. */
  vcpus: number;
  /** Cores of these nodes. */
  cores: number;
  /** Accelerators of these nodes. */
  gpus: number;
  /** Interfaces of the fast network of these nodes. */
  fabricInterfaces: number;
}

/** The fast network between the nodes of a pool. */
export const NodePoolFabric = {
  /** Elastic Fabric Adapter of AWS, used through libfabric. */
  Efa: "efa",
  /** Tier_1 egress bandwidth of Google Cloud: Ethernet, which pods do not request. */
  Tier1: "tier1",
  /** RDMA over Converged Ethernet or Falcon of Google Cloud. */
  Rdma: "rdma",
  /** InfiniBand of Azure, used through UCX. */
  Infiniband: "infiniband",
} as const;
export type NodePoolFabric = (typeof NodePoolFabric)[keyof typeof NodePoolFabric];

/** Facts that a pod needs to run on the nodes of a pool, and the devices that it may use there. Known before anything is created. */
export interface NodePoolScheduling {
  /** Name of the pool, a lowercase DNS label: a property of its hosts in Flux. */
  pool: string;
  /** Machine type of the nodes, or several, as the cloud names them. Shown in previews. Default: unknown. */
  machineType?: string;
  /** Price of a node for an hour, above 0, in the currency that the pool has it in. Shown in previews. Default: unknown. */
  pricePerHour?: number;
  /** Currency of the price, as ISO 4217 names it. Default: unknown. */
  currency?: string;
  /** Labels that every node of the pool has, and at least one that no other node has. */
  nodeSelector: Record<string, string>;
  /** Taints of the nodes, with those that the cloud sets itself. Default: none. */
  taints?: NodePoolTaint[];
  /** One node of the pool. */
  node: NodePoolNode;
  /** Zones of the nodes, as their cloud names them: storage must be there. Default: unknown. */
  zones?: string[];
  /** Nodes of a pool of fixed size, 0 or more. Default: the pool is autoscaled. */
  nodes?: number;
  /** Most nodes that the pool may have, 1 or more. Default: no limit is known. */
  maxNodes?: number;
  /**
   * Limits of the container that runs Flux, for a pod that has a node to itself: accelerators, interfaces,
   * huge pages. Default: nothing.
   */
  resources?: Record<string, string>;
  /**
   * Most accelerators that one container may request, 1 or more; fewer than `resources` has of them where pods share each of them in
   * turns. Default: all of a node.
   */
  gpusPerContainer?: number;
  /**
   * Devices that this container claims by dynamic resource allocation (`resource.k8s.io/v1`, Kubernetes 1.34), each a request of
   * one ResourceClaimTemplate that the cluster makes. Default: none.
   */
  claims?: NodePoolClaim[];
  /**
   * Times that a pod makes these claims, from 1 to 32: Kubernetes gives one claim at most 32 devices, and the devices of one claim
   * may have to be near each other. Default: 1.
   */
  claimSets?: number;
  /**
   * Attributes in which all devices of one set are alike, as their drivers publish them, such as "resource.kubernetes.io/pcieRoot"
   * for an interface near its GPU. Pods stay Pending where a driver does not publish one. Default: none.
   */
  matchAttributes?: string[];
  /**
   * True if the GPUs of several nodes are one NVLink domain: the cluster makes a ComputeDomain (`resource.nvidia.com/v1beta1`), and
   * its pods claim the channel by which they reach each other's GPUs. Requires NVIDIA's DRA driver. Default: false.
   */
  computeDomain?: boolean;
  /** Variables of that container, such as those that choose the fabric. Default: none. */
  environment?: Record<string, string>;
  /** Annotations of the pods, such as those that name further networks. Default: none. */
  annotations?: Record<string, string>;
  /** Directories of the node that its drivers fill, by the path at which the container sees them. Default: none. */
  hostPaths?: Record<string, string>;
  /**
   * Scripts of the node's drivers, by the path at which the container sees them: bash sources them before Flux starts, and jobs have
   * what they export. Variables that the container has already keep their values. Default: none.
   */
  setupScripts?: string[];
  /** Local disks of a node that a volume of a pod may be on (`localDisk`). Default: none. */
  localDisk?: NodePoolLocalDisk;
  /** True if the fabric locks memory, which requires the capability IPC_LOCK. Default: false. */
  lockMemory?: boolean;
  /** The end of a node that the cloud takes back (spot). Default: the cloud takes none back. */
  interruption?: NodePoolInterruption;
  /** True if the kubelet gives whole cores to pods of Guaranteed quality of service (static CPU policy). Default: false. */
  staticCpu?: boolean;
}

/** Devices of one class that a pod claims, for a pod that has a node to itself. */
export interface NodePoolClaim {
  /** Name of the request, a lowercase DNS label that no other claim of the pool has. */
  name: string;
  /** Name of the DeviceClass, as the driver of the devices makes it. */
  deviceClass: string;
  /** Devices, from 1 to 1000. Default: 1. */
  count?: number;
}

/** Local disks of a node, as a volume of a pod gets them. */
export interface NodePoolLocalDisk {
  /** Capacity in GB, 1 or more, of which images take their part. */
  gb: number;
  /** StorageClass of the driver that makes a volume for each pod. Default: none, empty directories are on these disks. */
  storageClass?: string;
}

/** The end of a spot node. */
export interface NodePoolInterruption {
  /** Seconds that its pods have to end, from 1 to 86400, if all goes well: no cloud guarantees them. */
  noticeSeconds: number;
  /** True if the pods are evicted, which a PodDisruptionBudget may refuse; else the kubelet ends them. Default: false. */
  evicts?: boolean;
}

/** One node of a pool. */
export interface NodePoolNode {
  /** Processor architecture. */
  arch: MiniClusterArch;
  /** Virtual CPUs, 1 or more. */
  vcpus: number;
  /** Cores, as Flux counts them, 1 or more. */
  cores: number;
  /** Memory in MiB. */
  memoryMib: number;
  /** Accelerators of any vendor. Default: 0. */
  gpus?: number;
  /** Name of the accelerators, such as "H100": a property of the hosts in Flux, in lower case. Default: none. */
  gpuModel?: string;
  /** The fast network. Default: none. */
  fabric?: NodePoolFabric;
  /** Interfaces of the fast network. Default: 0. */
  fabricInterfaces?: number;
}

/** A taint of the nodes of a pool. */
export interface NodePoolTaint {
  /** Key of the taint. */
  key: string;
  /** Value of the taint. Default: "". */
  value?: string;
  /** Effect of the taint on pods that do not tolerate it. */
  effect: MiniClusterTaintEffect;
}

/** Processor architecture of the nodes. */
export const MiniClusterArch = {
  /** 64-bit x86. */
  Amd64: "amd64",
  /** 64-bit ARM. */
  Arm64: "arm64",
} as const;
export type MiniClusterArch = (typeof MiniClusterArch)[keyof typeof MiniClusterArch];

/** Effect of a taint on pods that do not tolerate it. */
export const MiniClusterTaintEffect = {
  /** New pods do not come to the node. */
  NoSchedule: "NoSchedule",
  /** New pods come to the node only when there is no other. */
  PreferNoSchedule: "PreferNoSchedule",
  /** Running pods are evicted as well. */
  NoExecute: "NoExecute",
} as const;
export type MiniClusterTaintEffect = (typeof MiniClusterTaintEffect)[keyof typeof MiniClusterTaintEffect];
