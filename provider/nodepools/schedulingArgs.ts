import type { MiniClusterArch } from "../minicluster/args/flux";
import type { MiniClusterTaintEffect } from "../minicluster/args/pod";

/** The fast network between the nodes of a pool. */
export const NodePoolFabric = {
  /** Elastic Fabric Adapter of AWS, used through libfabric. */
  Efa: "efa",
  /** Tier_1 egress bandwidth of Google Cloud: Ethernet, and nothing for a pod to ask for. */
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
  /** Labels that every node of the pool has, and at least one that no other node has. */
  nodeSelector: Record<string, string>;
  /** Taints of the nodes, with those that the cloud sets itself. Default: none. */
  taints?: NodePoolTaint[];
  /** One node of the pool. */
  node: NodePoolNode;
  /** Nodes of a pool of fixed size, 0 or more. Default: the pool is autoscaled. */
  nodes?: number;
  /** Most nodes that the pool may have, 1 or more. Default: no limit is known. */
  maxNodes?: number;
  /**
   * Limits of the container that runs Flux, for a pod that has a node to itself: accelerators, interfaces,
   * huge pages. Default: nothing.
   */
  resources?: Record<string, string>;
  /** Variables of that container, such as those that choose the fabric. Default: none. */
  environment?: Record<string, string>;
  /** Annotations of the pods, such as those that name further networks. Default: none. */
  annotations?: Record<string, string>;
  /** Directories of the node that its drivers fill, by the path at which the container sees them. Default: none. */
  hostPaths?: Record<string, string>;
  /** True if the fabric locks memory, which requires the capability IPC_LOCK. Default: false. */
  lockMemory?: boolean;
  /** True if the kubelet gives whole cores to pods of Guaranteed quality of service (static CPU policy). Default: false. */
  staticCpu?: boolean;
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
