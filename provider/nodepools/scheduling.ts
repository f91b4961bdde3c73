import type { NodePoolFabric, NodePoolScheduling, NodePoolTaint } from "../minicluster/args";
import { acceleratorResources, type Machine, processors } from "./machine";
import type { Sizing } from "./sizing";

/** Label by which the pods of a cluster find the nodes of a pool. */
export const poolLabel = "minicluster/pool";

/** Labels that this package gives the nodes of a pool. */
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

/** What is settled of a pool, whichever cloud it is in. */
export interface SettledPool {
  name: string;
  machine: Machine;
  sizing: Sizing;
  threadsPerCore?: number;
  staticCpu: boolean;
  /** Those included that the cloud sets by itself. */
  taints: NodePoolTaint[];
  fabric?: FabricUse;
}

/** What the pods of a cluster have to know of a pool. */
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
