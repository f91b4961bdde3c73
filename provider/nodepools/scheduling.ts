import { NodePoolAcceleratorKind, type NodePoolDevicesBy } from "./args";
import { byClaim, claimedDevices } from "./claims";
import { isSuperchip, type MachineType, processors } from "./machineType";
import type { NodePoolClaim, NodePoolFabric, NodePoolScheduling, NodePoolTaint } from "./schedulingArgs";
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
  /** The claim of all interfaces of a node, where they come by one. */
  claim?: NodePoolClaim;
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

/** GPUs that more than one pod uses at once. */
export interface GpuSharing {
  /** Parts or turns of each GPU, which Kubernetes counts as GPUs. */
  perGpu: number;
  /** Most of them that a container may request. */
  perContainer?: number;
}

/** A pool of any cloud, settled. */
export interface SettledPool {
  name: string;
  machine: MachineType;
  sizing: Sizing;
  zones: string[];
  threadsPerCore?: number;
  staticCpu: boolean;
  /** Taints of the nodes, with those that the cloud sets itself. */
  taints: NodePoolTaint[];
  gpuUse?: GpuSharing;
  fabric?: FabricUse;
  gpuBy?: NodePoolDevicesBy;
}

/** Facts of a pool that the pods of a cluster need. */
export function buildScheduling(pool: SettledPool): NodePoolScheduling {
  const { name, machine, sizing, fabric, gpuUse } = pool;
  const { accelerator, arch, memoryMib } = machine;
  const gpus = (accelerator?.count ?? 0) * (gpuUse?.perGpu ?? 1);
  return {
    pool: name,
    nodeSelector: poolLabels(name),
    taints: pool.taints,
    node: {
      arch,
      ...processors(machine, pool.threadsPerCore),
      memoryMib,
      gpus,
      ...(accelerator && { gpuModel: accelerator.model }),
      ...(fabric && { fabric: fabric.fabric }),
      fabricInterfaces: fabric?.interfaces ?? 0,
    },
    ...(pool.zones.length > 0 && { zones: pool.zones }),
    ...(sizing.isFixed && { nodes: sizing.initial }),
    // A pool of size 0 exists and has room for nobody; the number of its nodes says so.
    maxNodes: Math.max(1, sizing.max),
    resources: {
      ...(accelerator && !byClaim(pool.gpuBy) && { [acceleratorResources[accelerator.kind]]: String(gpus) }),
      ...fabric?.resources,
    },
    ...(gpuUse?.perContainer !== undefined && { gpusPerContainer: gpuUse.perContainer }),
    ...claimedDevices(pool),
    computeDomain: isSuperchip(accelerator),
    environment: fabric?.environment ?? {},
    annotations: fabric?.annotations ?? {},
    hostPaths: fabric?.hostPaths ?? {},
    lockMemory: fabric?.lockMemory ?? false,
    staticCpu: pool.staticCpu,
  };
}
