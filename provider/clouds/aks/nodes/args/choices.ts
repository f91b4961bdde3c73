/** Purchase option of the nodes of a pool. */
export const AksNodePoolCapacityType = {
  /** On demand. */
  OnDemand: "onDemand",
  /**
   * Spare machines, which Azure can reclaim with a notice of 30 seconds (Scheduled Events). AKS then drains the node (AKS,
   * "Node auto-drain"). AKS also sets the taint of spot nodes.
   */
  Spot: "spot",
  /** A capacity reservation group, by `capacityReservationGroupId`. */
  Reservation: "reservation",
} as const;
export type AksNodePoolCapacityType = (typeof AksNodePoolCapacityType)[keyof typeof AksNodePoolCapacityType];

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
  /** No constraint: Azure chooses the location. */
  None: "none",
  /** In one proximity placement group: close to each other, in one data center. */
  Proximity: "proximity",
} as const;
export type AksNodePoolPlacement = (typeof AksNodePoolPlacement)[keyof typeof AksNodePoolPlacement];

/** Installation of the driver of the accelerators. */
export const AksNodePoolGpuDriver = {
  /** By AKS, when it creates a node. */
  Install: "install",
  /** By an operator in the AKS cluster. */
  None: "none",
} as const;
export type AksNodePoolGpuDriver = (typeof AksNodePoolGpuDriver)[keyof typeof AksNodePoolGpuDriver];

/** Size of the partitions of a GPU (MIG), in slices of seven. */
export const AksNodePoolGpuPartition = {
  /** Seven partitions of one slice. */
  OneSlice: "1g",
  /** Three partitions of two slices. */
  TwoSlices: "2g",
  /** Two partitions of three slices. */
  ThreeSlices: "3g",
  /** One partition of four slices. */
  FourSlices: "4g",
  /** One partition of all slices. */
  SevenSlices: "7g",
} as const;
export type AksNodePoolGpuPartition = (typeof AksNodePoolGpuPartition)[keyof typeof AksNodePoolGpuPartition];

/** Operating system of the nodes. */
export const AksNodePoolOsSku = {
  /** Ubuntu, which the drivers of InfiniBand and of AMD accelerators require. */
  Ubuntu: "ubuntu",
  /** Azure Linux. */
  AzureLinux: "azureLinux",
} as const;
export type AksNodePoolOsSku = (typeof AksNodePoolOsSku)[keyof typeof AksNodePoolOsSku];

/** Type of the OS disk of a node. */
export const AksNodePoolDiskType = {
  /** In Azure Storage. */
  Managed: "managed",
  /** On the cache or the temporary disk of the machine, which must be large enough. */
  Ephemeral: "ephemeral",
} as const;
export type AksNodePoolDiskType = (typeof AksNodePoolDiskType)[keyof typeof AksNodePoolDiskType];

/** Policy of the kubelet's Topology Manager, which aligns the CPUs and the devices of a pod on NUMA nodes. */
export const AksNodePoolTopologyManagerPolicy = {
  /** No alignment. */
  None: "none",
  /** Alignment if possible. */
  BestEffort: "best-effort",
  /** Pods that could be aligned on fewer NUMA nodes are rejected. */
  Restricted: "restricted",
  /** Pods that do not fit one NUMA node are rejected. */
  SingleNumaNode: "single-numa-node",
} as const;
export type AksNodePoolTopologyManagerPolicy =
  (typeof AksNodePoolTopologyManagerPolicy)[keyof typeof AksNodePoolTopologyManagerPolicy];
