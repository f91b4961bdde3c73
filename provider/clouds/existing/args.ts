import type { NodePoolNode, NodePoolPriceArgs, NodePoolScheduling, NodePoolTaint } from "../nodes/args";

/** Existing nodes of a Kubernetes cluster, and the values that replace what the nodes say of themselves. */
export interface LookupNodesArgs {
  /**
   * Labels of the nodes, such as `node.kubernetes.io/instance-type`, which are also the node selector of the pods. An error if no
   * node has them, unless `node` is set. Default: `kubernetes.io/os` is "linux".
   */
  selector?: Record<string, string>;
  /**
   * Name of these nodes in previews, and a property of their hosts in Flux: a lowercase DNS label. Default: "nodes".
   */
  name?: string;
  /**
   * The network between the nodes: the name of an extended resource such as "rdma/ib" or "vpc.amazonaws.com/efa", or "none". Only nodes
   * that advertise it count, and every pod requests it. Cannot be set with a DeviceClass of network devices. Default: the network that
   * all nodes advertise. An error if only some of the nodes advertise it, or if the nodes advertise several.
   */
  fabric?: string;
  /**
   * DeviceClasses whose devices the pods claim (dynamic resource allocation): all devices of a node, as the ResourceSlices of its drivers
   * say. Requires Kubernetes 1.34. An error if the Kubernetes cluster has no such class, or if its CEL selector is not a conjunction of
   * comparisons of the driver and of attributes. Source: Kubernetes, "Dynamic Resource Allocation". Default: none.
   */
  deviceClasses?: string[];
  /**
   * Hardware of a node. A value here replaces the value that is read, and counts alone while no node has the labels: GPUs are then
   * `nvidia.com/gpu`. `arch` selects the nodes of one architecture, which is required if
   * the nodes have two; `gpus` selects the nodes with at least this number of GPUs, or 0 to use no GPUs, which is required if only some
   * of the nodes have GPUs. `cores` is read from the label `feature.node.kubernetes.io/cpu-hardware_multithreading` of Node Feature
   * Discovery, or known of the machine type. Default: the values that the nodes report.
   */
  node?: NodePoolNode;
  /**
   * Taints that the pods tolerate. Nodes with another taint do not count. Default: the taints that all nodes have, except for the taints
   * by which Kubernetes and autoscalers mark nodes that are not ready or will be removed.
   */
  taints?: NodePoolTaint[];
  /** Price of a node. Default: none; previews show no price. */
  price?: NodePoolPriceArgs;
  /** Maximum number of these nodes, from 1 to 100000, which limits `maxSize` of a cluster. Default: no limit. */
  maxNodes?: number;
  /**
   * Contents or path of a kubeconfig. In TypeScript, the option `provider` with a Kubernetes provider replaces it. Default: the kubeconfig
   * of kubectl.
   */
  kubeconfig?: string;
  /** Context of the kubeconfig. Default: the current context. */
  context?: string;
}

/** What existing nodes give to a cluster. */
export interface LookupNodesResult {
  /** The value of `pool` of a cluster, or of one of its groups. */
  scheduling: NodePoolScheduling;
  /** Number of nodes that match, whether they have room or not. Unknown if the nodes cannot be read. */
  nodeCount?: number;
}
