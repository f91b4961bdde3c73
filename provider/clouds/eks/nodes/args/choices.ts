/** Purchase option of the nodes of a pool. */
export const EksNodePoolCapacityType = {
  /** On demand. */
  OnDemand: "onDemand",
  /**
   * Spare machines, which AWS can reclaim with a notice of two minutes. A node group evicts the pods at the notice, or earlier,
   * after a rebalance recommendation of EC2, when another node is ready; no handler is needed (EKS, "Managed node groups").
   * Karpenter evicts them only at the notice, and only with an interruption queue (`settings.interruptionQueue`). Neither sets
   * a taint.
   */
  Spot: "spot",
  /** On-demand capacity reservations: one by `reservationId`, or several by the arguments beside it. */
  Reservation: "reservation",
  /** A capacity block for machine learning, by `reservationId`. */
  CapacityBlock: "capacityBlock",
} as const;
export type EksNodePoolCapacityType = (typeof EksNodePoolCapacityType)[keyof typeof EksNodePoolCapacityType];

/** Use of capacity reservations that the pool does not name (`capacityReservationPreference` of EC2). */
export const EksNodePoolReservationPreference = {
  /** Open reservations with the instance type and zone of the pool first, and then machines on demand, as EC2 does by default. */
  Open: "open",
  /** Only reserved machines: without room in the reservations, no node starts. */
  CapacityReservationsOnly: "capacityReservationsOnly",
  /** No reserved machines, even if an open reservation has room. */
  None: "none",
} as const;
export type EksNodePoolReservationPreference =
  (typeof EksNodePoolReservationPreference)[keyof typeof EksNodePoolReservationPreference];

/** The network between the nodes of a pool. */
export const EksNodePoolFabric = {
  /** Elastic Network Adapter: Ethernet. */
  None: "none",
  /** Elastic Fabric Adapter on every network card that supports it. */
  Efa: "efa",
} as const;
export type EksNodePoolFabric = (typeof EksNodePoolFabric)[keyof typeof EksNodePoolFabric];

/** Layout of EFA interfaces on the network cards of a machine. */
export const EksNodePoolEfaLayout = {
  /** The primary interface has both EFA and Ethernet; every other card that supports EFA has one EFA-only interface. */
  Combined: "combined",
  /**
   * The primary interface has only Ethernet; every card that supports EFA, including the first, has a separate EFA-only
   * interface.
   */
  Separate: "separate",
} as const;
export type EksNodePoolEfaLayout = (typeof EksNodePoolEfaLayout)[keyof typeof EksNodePoolEfaLayout];

/** Placement of the nodes of a pool. */
export const EksNodePoolPlacement = {
  /** No constraint: AWS chooses the location. */
  None: "none",
  /** In one cluster placement group: close to each other, in one zone. */
  Cluster: "cluster",
} as const;
export type EksNodePoolPlacement = (typeof EksNodePoolPlacement)[keyof typeof EksNodePoolPlacement];

/** Operating system of the nodes. */
export const EksNodePoolOs = {
  /** Amazon Linux 2023. */
  Al2023: "al2023",
  /** Bottlerocket, which includes the EFA software of the host. */
  Bottlerocket: "bottlerocket",
} as const;
export type EksNodePoolOs = (typeof EksNodePoolOs)[keyof typeof EksNodePoolOs];
