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

/** What a pod has to know to run on the nodes of a pool, and what it may use there. Known before anything is created. */
export interface NodePoolScheduling {
  /** Name of the pool, a lowercase DNS label: a property of its hosts in Flux. */
  pool: string;
  /** Labels that every node of the pool has, and at least one that no other node has. */
  nodeSelector: Record<string, string>;
  /** Taints of the nodes, those included that the cloud sets by itself. Default: none. */
  taints?: NodePoolTaint[];
  /** What one node has. */
  node: NodePoolNode;
  /** Nodes of a pool of fixed size, 0 or more. Default: the pool is scaled by need. */
  nodes?: number;
  /** Most nodes that the pool may have, 1 or more. Default: no limit is known. */
  maxNodes?: number;
  /**
   * What a pod that has a node to itself takes of it, as limits of the container that runs Flux: accelerators, interfaces,
   * huge pages. Default: nothing.
   */
  resources?: Record<string, string>;
  /** Variables of that container, such as those that choose the fabric. Default: none. */
  environment?: Record<string, string>;
  /** Annotations of the pods, such as those that name further networks. Default: none. */
  annotations?: Record<string, string>;
  /** Directories of the node that its drivers fill, by the path at which the container sees them. Default: none. */
  hostPaths?: Record<string, string>;
  /** Whether the fabric locks memory, which needs the capability IPC_LOCK. Default: false. */
  lockMemory?: boolean;
  /** Whether the kubelet gives whole cores to pods of Guaranteed quality of service (static CPU policy). Default: false. */
  staticCpu?: boolean;
}

/** What one node of a pool has. */
export interface NodePoolNode {
  /** Processor architecture. */
  arch: MiniClusterArch;
  /** Virtual CPUs, 1 or more. */
  vcpus: number;
  /** Cores, as Flux counts them, 1 or more. */
  cores: number;
  /** Memory in MiB. */
  memoryMib: number;
  /** Accelerators, whoever makes them. Default: 0. */
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
  /** What the taint does to pods that do not tolerate it. */
  effect: MiniClusterTaintEffect;
}
