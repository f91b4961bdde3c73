import { NodePoolAcceleratorKind } from "./args";
import { type MachineType, processors } from "./machineType";
import type { NodePoolFabric, NodePoolScheduling, NodePoolTaint } from "./schedulingArgs";
import type { Sizing } from "./sizing";

/** Label of the nodes of a pool, which the node selector of a cluster's pods names. */
export const poolLabel = "minicluster/pool";

/** Labels of the nodes that this package sets. */
export const poolLabels = (pool: string) => ({ [poolLabel]: pool });

/** The fast network of a pool, as a pod uses it. */
export interface FabricUse {
  fabric: NodePoolFabric;
  interfaces: number;
  resources?: Record<string, string>;
  environment?: Record<string, string>;
  annotations?: Record<string, string>;
  hostPaths?: Record<string, string>;
  lockMemory?: boolean;
}

/** Resource names under which Kubernetes counts accelerators. */
const acceleratorResources: Record<NodePoolAcceleratorKind, string> = {
  [NodePoolAcceleratorKind.Nvidia]: "nvidia.com/gpu",
  [NodePoolAcceleratorKind.Amd]: "amd.com/gpu",
  [NodePoolAcceleratorKind.Neuron]: "aws.amazon.com/neuron",
};

/** A pool of any cloud, settled. */
export interface SettledPool {
  name: string;
  machine: MachineType;
  sizing: Sizing;
  threadsPerCore?: number;
  staticCpu: boolean;
  /** Taints of the nodes, with those that the cloud sets itself. */
  taints: NodePoolTaint[];
  fabric?: FabricUse;
}

/** Facts of a pool that the pods of a cluster need. */
export function buildScheduling(pool: SettledPool): NodePoolScheduling {
  const { name, machine, sizing, fabric } = pool;
  const { accelerator, arch, memoryMib } = machine;
  return {
    pool: name,
    nodeSelector: poolLabels(name),
    taints: pool.taints,
    node: {
      arch,
      ...processors(machine, pool.threadsPerCore),
      memoryMib,
      gpus: accelerator?.count ?? 0,
      ...(accelerator && { gpuModel: accelerator.model }),
      ...(fabric && { fabric: fabric.fabric }),
      fabricInterfaces: fabric?.interfaces ?? 0,
    },
    ...(sizing.isFixed && { nodes: sizing.initial }),
    // A pool of size 0 exists and has room for nobody; the number of its nodes says so.
    maxNodes: Math.max(1, sizing.max),
    resources: {
      ...(accelerator && { [acceleratorResources[accelerator.kind]]: String(accelerator.count) }),
      ...fabric?.resources,
    },
    environment: fabric?.environment ?? {},
    annotations: fabric?.annotations ?? {},
    hostPaths: fabric?.hostPaths ?? {},
    lockMemory: fabric?.lockMemory ?? false,
    staticCpu: pool.staticCpu,
  };
}
