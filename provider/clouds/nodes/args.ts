import * as pulumi from "@pulumi/pulumi";

/** Price of the nodes of a pool. */
export interface NodePoolPriceArgs {
  /** Price of a node per hour, above 0, in a currency of your choice. */
  perHour: number;
  /**
   * Currency of the price, an ISO 4217 code such as "EUR". All prices of a cluster must have the same currency. Default: none;
   * previews show no currency.
   */
  currency?: string;
  /** Source and date of the price, shown in the preview of a new pool. Default: none. */
  source?: string;
}

/** Price of the nodes of a pool, or a request for the list price of the cloud. */
export interface NodePoolListPriceArgs {
  /** Price of a node per hour, above 0, in a currency of your choice. Required without `list`. Default: the list price. */
  perHour?: number;
  /**
   * Currency of the price, an ISO 4217 code such as "EUR". All prices of a cluster must have the same currency. Default: none,
   * and previews show no currency; the currency of the list price.
   */
  currency?: string;
  /** Source and date of the price, shown in the preview of a new pool. Default: none, or the price list. */
  source?: string;
  /**
   * Looks up the list price in each preview if `perHour` is not set: from AWS (`pricing:GetProducts`, and
   * `ec2:DescribeSpotPriceHistory` for spot machines), from Azure's Retail Prices API, and from Google's Cloud Billing Catalog API. If
   * the lookup fails, there is a warning and no price. For programs in languages other than TypeScript, which has `lookupEksPrice`,
   * `lookupAksPrice` and `lookupGkePrice`. Default: false.
   */
  list?: boolean;
}

/** A machine type that the tables of this package do not list. */
export interface NodePoolHardwareArgs {
  /** Processor architecture. */
  arch: MiniClusterArch;
  /** Virtual CPUs in the default configuration of the type, 1 or more. */
  vcpus: number;
  /** Virtual CPUs of each core, 1 or 2. */
  threadsPerCore: number;
  /** Memory in MiB. */
  memoryMib: number;
  /** Accelerators. Default: none. */
  accelerator?: NodePoolAcceleratorArgs;
  /** Total capacity of the local disks in GB. Default: 0. */
  localDiskGb?: number;
}

/** Vendor of an accelerator, which determines its resource name in Kubernetes. */
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

/** A device plugin: a DaemonSet that advertises the devices of the nodes to Kubernetes. */
export interface NodePoolDevicePluginArgs {
  /**
   * True to omit the plugin: the Kubernetes cluster already has it, or advertises the devices in another way. Default:
   * false.
   */
  skip?: boolean;
  /** Image of the plugin, preferably with a digest. Default: the version that the documentation names. */
  image?: pulumi.Input<string>;
}

/** The way in which pods request devices. */
export const NodePoolDevicesBy = {
  /** By a number of devices, which a device plugin advertises on each node. */
  Plugin: "plugin",
  /** By claims (dynamic resource allocation) for a DRA driver: Kubernetes 1.34 or later. */
  Claim: "claim",
} as const;
export type NodePoolDevicesBy = (typeof NodePoolDevicesBy)[keyof typeof NodePoolDevicesBy];

/** Location that the devices of one claim share: a GPU and its interfaces. */
export const NodePoolDeviceAlignment = {
  /** Any devices of the node. */
  None: "none",
  /** One PCIe root: the attribute `resource.kubernetes.io/pcieRoot`. */
  PcieRoot: "pcieRoot",
  /** One NUMA node: the attribute `resource.kubernetes.io/numaNode` (Kubernetes enhancement 6072). */
  NumaNode: "numaNode",
} as const;
export type NodePoolDeviceAlignment = (typeof NodePoolDeviceAlignment)[keyof typeof NodePoolDeviceAlignment];

/** Use of the local disks (NVMe) of the nodes of a pool. Their data is lost with the node. */
export const NodePoolLocalDisks = {
  /** One file system on all disks, for images and for the volumes of pods. */
  Raid0: "raid0",
  /** Block devices, for a driver that you install. */
  Raw: "raw",
  /** Not used. */
  None: "none",
} as const;
export type NodePoolLocalDisks = (typeof NodePoolLocalDisks)[keyof typeof NodePoolLocalDisks];

/** Total capacity of a pool at its maximum size. */
export interface NodePoolCapacity {
  /** Number of nodes: the fixed size, or the maximum of an autoscaled pool. */
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
  /** Tier_1 egress bandwidth of Google Cloud: Ethernet, without devices that pods request. */
  Tier1: "tier1",
  /** RDMA over Converged Ethernet or Falcon of Google Cloud. */
  Rdma: "rdma",
  /** InfiniBand of Azure, used through UCX. */
  Infiniband: "infiniband",
} as const;
export type NodePoolFabric = (typeof NodePoolFabric)[keyof typeof NodePoolFabric];

/** Scheduling settings for the pods on a pool, and the devices that they can use. All values are known in the preview. */
export interface NodePoolScheduling {
  /** Name of the pool, a lowercase DNS label, which is also a property of its hosts in Flux. */
  pool: string;
  /** Machine types of the nodes, in the names of the cloud. Shown in previews. Default: unknown. */
  machineType?: string;
  /** Price of a node per hour, above 0. Shown in previews. Default: unknown. */
  pricePerHour?: number;
  /** Currency of the price, an ISO 4217 code. Default: unknown. */
  currency?: string;
  /** Labels of every node of the pool. At least one of them must be unique to the pool. */
  nodeSelector: Record<string, string>;
  /** Taints of the nodes, including those that the cloud sets itself. Default: none. */
  taints?: NodePoolTaint[];
  /** One node of the pool. */
  node: NodePoolNode;
  /** Zones of the nodes, in the names of the cloud. Storage must be in these zones. Default: unknown. */
  zones?: string[];
  /** Number of nodes of a pool with a fixed size, 0 or more. Default: the pool is autoscaled. */
  nodes?: number;
  /** Maximum number of nodes of the pool, 1 or more. Default: no known limit. */
  maxNodes?: number;
  /**
   * Resource limits of the container that runs Flux, for a pod that has a node to itself: accelerators, interfaces, huge pages.
   * Default: none.
   */
  resources?: Record<string, string>;
  /**
   * Maximum number of accelerators that one container may request, 1 or more. It is less than the number in `resources` if
   * accelerators are shared. Default: all accelerators of a node.
   */
  gpusPerContainer?: number;
  /**
   * Devices that this container claims by dynamic resource allocation (`resource.k8s.io/v1`, Kubernetes 1.34). Each one is a
   * request in the ResourceClaimTemplate of the cluster. Default: none.
   */
  claims?: NodePoolClaim[];
  /**
   * Number of claims of each pod, from 1 to 32. Kubernetes allocates at most 32 devices to a claim, and the devices of a claim
   * may have to be near each other. Default: 1.
   */
  claimSets?: number;
  /**
   * Attributes with the same value on all devices of a claim, such as "resource.kubernetes.io/pcieRoot" for an interface near
   * its GPU. Pods stay Pending if a driver does not publish one of them. Default: none.
   */
  matchAttributes?: string[];
  /**
   * True if the GPUs of several nodes are one NVLink domain: the cluster creates a ComputeDomain
   * (`resource.nvidia.com/v1beta1`), and its pods claim the channel through which they access each other's GPUs. Requires
   * NVIDIA's DRA driver. Default: false.
   */
  computeDomain?: boolean;
  /** Environment variables of that container, such as the variables that select the fabric. Default: none. */
  environment?: Record<string, string>;
  /** Annotations of the pods, such as the annotation that lists additional networks. Default: none. */
  annotations?: Record<string, string>;
  /** Directories of the node with files of its drivers, by their mount path in the container. Default: none. */
  hostPaths?: Record<string, string>;
  /**
   * Scripts of the drivers of the node, by their path in the container. Bash sources them before Flux starts, and jobs inherit
   * the exported variables. Variables that are already set in the container keep their values. Default: none.
   */
  setupScripts?: string[];
  /**
   * Labels of every node with its place in the network, from the largest part to the smallest: the levels of a Topology of Kueue.
   * `gang.topology` cannot request another network label of the cloud. Default: unknown.
   */
  topologyLevels?: string[];
  /** Local disks of a node for the volumes of pods (`localDisk`). Default: none. */
  localDisk?: NodePoolLocalDisk;
  /** True if the fabric needs locked memory, which requires the capability IPC_LOCK. Default: false. */
  lockMemory?: boolean;
  /** Interruption of a spot node. Default: nodes are not interrupted. */
  interruption?: NodePoolInterruption;
  /**
   * True if the kubelet assigns exclusive cores to pods of Guaranteed quality of service (static CPU policy). Default: false.
   */
  staticCpu?: boolean;
}

/** Devices of one class that a pod claims if it has a node to itself. */
export interface NodePoolClaim {
  /** Name of the request, a lowercase DNS label that is unique in the pool. */
  name: string;
  /** Name of the DeviceClass, which the driver of the devices creates. */
  deviceClass: string;
  /** Number of devices, from 1 to 1000. Default: 1. */
  count?: number;
}

/** Local disks of a node, for the volumes of pods. */
export interface NodePoolLocalDisk {
  /** Capacity in GB, 1 or more, shared with images. */
  gb: number;
  /** StorageClass of the driver that provisions a volume for each pod. Default: none; emptyDir volumes are on these disks. */
  storageClass?: string;
}

/** Interruption of a spot node. */
export interface NodePoolInterruption {
  /** Seconds from the notice to the end of the pods, from 1 to 86400. No cloud guarantees this time. */
  noticeSeconds: number;
  /** True if the pods are evicted, which a PodDisruptionBudget can block; otherwise the kubelet ends them. Default: false. */
  evicts?: boolean;
}

/** One node of a pool. */
export interface NodePoolNode {
  /** Processor architecture. Default: unknown; pods have the Flux view for amd64. */
  arch?: MiniClusterArch;
  /** Virtual CPUs, 1 or more. Default: unknown; pods request no share of them. */
  vcpus?: number;
  /** Number of cores, as Flux counts them, 1 or more. Default: unknown; the lead broker counts the cores of its node. */
  cores?: number;
  /** Memory in MiB. Default: unknown. */
  memoryMib?: number;
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
  /**
   * Value of the taint. An output whose value a preview does not know can only be passed by a program in TypeScript. Default: "".
   */
  value?: pulumi.Input<string>;
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
  /** New pods are not scheduled on the node. */
  NoSchedule: "NoSchedule",
  /** New pods are scheduled on the node only if no other node is suitable. */
  PreferNoSchedule: "PreferNoSchedule",
  /** New pods are not scheduled on the node, and running pods are evicted. */
  NoExecute: "NoExecute",
} as const;
export type MiniClusterTaintEffect = (typeof MiniClusterTaintEffect)[keyof typeof MiniClusterTaintEffect];
