/** Purchase option of the nodes of a pool. */
export const GkeNodePoolCapacityType = {
  /** On demand. */
  OnDemand: "onDemand",
  /**
   * Spare machines, which Google can reclaim with a notice of 30 seconds. The kubelet terminates the pods (graceful node shutdown), 15
   * seconds before the system pods (GKE, "Spot VMs"); neither a taint nor a handler is needed.
   */
  Spot: "spot",
  /** A specific reservation, by `reservationName`. */
  Reservation: "reservation",
  /** Any matching reservation that its owner has not restricted to named use; on demand if no such reservation has room. */
  AnyReservation: "anyReservation",
  /** The same reservations, but never on demand: nodes are not created if no reservation has room. */
  AnyReservationThenFail: "anyReservationThenFail",
  /** Flex start: nodes are provisioned when capacity is available, and run for `maxRunSeconds`. */
  FlexStart: "flexStart",
  /** Queued provisioning: all nodes are provisioned together for a ProvisioningRequest, which Kueue creates (`gang.queueName`). */
  Queued: "queued",
} as const;
export type GkeNodePoolCapacityType = (typeof GkeNodePoolCapacityType)[keyof typeof GkeNodePoolCapacityType];

/** The network between the nodes of a pool. Google's virtual network card (gVNIC) is always enabled. */
export const GkeNodePoolFabric = {
  /** Ethernet at the default bandwidth of the machine. */
  None: "none",
  /** Ethernet at Tier_1 bandwidth, which Google offers for the larger machines of some families. */
  Tier1: "tier1",
  /** RDMA over the additional networks in `rdmaNetworks`: RoCE between GPUs, or Falcon between CPUs. */
  Rdma: "rdma",
} as const;
export type GkeNodePoolFabric = (typeof GkeNodePoolFabric)[keyof typeof GkeNodePoolFabric];

/** Placement of the nodes of a pool. */
export const GkeNodePoolPlacement = {
  /** No constraint: Google chooses the location. */
  None: "none",
  /** In one compact placement: close to each other, in one zone. */
  Compact: "compact",
  /** By a workload policy of type HIGH_THROUGHPUT: close to each other, in one zone, up to `maxTopologyDistance`. */
  HighThroughput: "highThroughput",
} as const;
export type GkeNodePoolPlacement = (typeof GkeNodePoolPlacement)[keyof typeof GkeNodePoolPlacement];

/** Part of Google's network from which all nodes of a workload policy are. */
export const GkeNodePoolTopologyDistance = {
  /** One sub-block: a group of hosts with the lowest latency. */
  Subblock: "subblock",
  /** One block: several sub-blocks. */
  Block: "block",
  /** One cluster of Compute Engine: several blocks. */
  Cluster: "cluster",
} as const;
export type GkeNodePoolTopologyDistance =
  (typeof GkeNodePoolTopologyDistance)[keyof typeof GkeNodePoolTopologyDistance];

/** NVIDIA driver that GKE installs on the nodes of a pool. */
export const GkeNodePoolGpuDriver = {
  /** The default driver of GKE for the version of the nodes. */
  Default: "default",
  /** The latest driver of GKE for the version of the nodes. */
  Latest: "latest",
  /** No driver: it is installed in another way. */
  None: "none",
} as const;
export type GkeNodePoolGpuDriver = (typeof GkeNodePoolGpuDriver)[keyof typeof GkeNodePoolGpuDriver];

/** Method of sharing a GPU between containers. */
export const GkeNodePoolGpuSharingStrategy = {
  /** One container at a time, with the whole GPU. */
  TimeSharing: "timeSharing",
  /** Concurrently, with NVIDIA's Multi-Process Service. */
  Mps: "mps",
} as const;
export type GkeNodePoolGpuSharingStrategy =
  (typeof GkeNodePoolGpuSharingStrategy)[keyof typeof GkeNodePoolGpuSharingStrategy];

/** Schedule of the maintenance of the hosts of a pool, which interrupts the workloads. */
export const GkeNodePoolHostMaintenance = {
  /** At any time that Google requires. */
  AsNeeded: "asNeeded",
  /** At times that Google schedules, a month or more apart. */
  Periodic: "periodic",
} as const;
export type GkeNodePoolHostMaintenance = (typeof GkeNodePoolHostMaintenance)[keyof typeof GkeNodePoolHostMaintenance];
