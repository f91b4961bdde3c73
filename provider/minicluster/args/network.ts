/** Strictness with which the pods of a MiniCluster keep to one pod per node. */
export const MiniClusterAffinity = {
  /** Two pods never share a node; a pod without a free node stays Pending. */
  Required: "required",
  /** Two pods share a node only where no other node has room. */
  Preferred: "preferred",
  /** The scheduler places the pods as it likes. */
  None: "none",
} as const;
export type MiniClusterAffinity = (typeof MiniClusterAffinity)[keyof typeof MiniClusterAffinity];

/** Connections that the pods of a MiniCluster accept. */
export const MiniClusterNetworkPolicy = {
  /** All that the namespace lets through: no NetworkPolicy is made. */
  None: "none",
  /** The brokers' port takes connections from the cluster's own pods alone; every other port is open. */
  BrokerPort: "brokerPort",
  /** Every port takes connections from the cluster's own pods alone. */
  Pods: "pods",
} as const;
export type MiniClusterNetworkPolicy = (typeof MiniClusterNetworkPolicy)[keyof typeof MiniClusterNetworkPolicy];

/** The service that gives the brokers their names, and their placement on nodes. */
export interface MiniClusterNetworkArgs {
  /**
   * Name of the headless service, part of every broker's host name. A lowercase DNS label that starts with a letter.
   * Default: the cluster's name, so that several clusters can live in one namespace.
   */
  headlessName?: string;
  /** One pod per node: required, preferred or none. Default: "required". */
  affinity?: MiniClusterAffinity;
  /**
   * Connections that the pods accept, as a Kubernetes NetworkPolicy. Needs a network that enforces it. Not on a cluster
   * that others join by `bursting` or `flux.bursting`, for it would shut them out. Default: "none".
   */
  policy?: MiniClusterNetworkPolicy;
}
