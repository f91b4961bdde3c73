import type * as pulumi from "@pulumi/pulumi";
import { isSuperchip, type MachineType, processors } from "../../machines";
import {
  NodePoolAcceleratorKind,
  type NodePoolClaim,
  NodePoolDeviceAlignment,
  NodePoolDevicesBy,
  type NodePoolFabric,
  type NodePoolInterruption,
  type NodePoolLocalDisk,
  type NodePoolPriceArgs,
  type NodePoolScheduling,
  type NodePoolTaint,
} from "../args";
import type { Sizing } from "./sizing";
import { topologyLevels } from "./topology";

/** True for devices that pods claim. */
export const byClaim = (by: NodePoolDevicesBy | undefined) => by === NodePoolDevicesBy.Claim;

/** DeviceClass of NVIDIA's DRA driver. */
const gpuClass = "gpu.nvidia.com";

/** DeviceClass of the InfiniBand devices of a pool, which the pool itself creates. */
export const infinibandClass = (pool: string) => `${pool}-infiniband`;

/** Attributes of devices by location (k8s.io/dynamic-resource-allocation, `deviceattribute`). */
export const locations: Record<NodePoolDeviceAlignment, string[]> = {
  [NodePoolDeviceAlignment.None]: [],
  [NodePoolDeviceAlignment.PcieRoot]: ["resource.kubernetes.io/pcieRoot"],
  [NodePoolDeviceAlignment.NumaNode]: ["resource.kubernetes.io/numaNode"],
};

/** The devices that a pool's pods may claim. */
export interface Claimable {
  machine: Pick<MachineType, "accelerator" | "hasNearInterfaces">;
  fabric?: { claim?: NodePoolClaim };
  gpuBy?: NodePoolDevicesBy;
  deviceAlignment?: NodePoolDeviceAlignment;
}

type Claims = Required<Pick<NodePoolScheduling, "claims" | "claimSets" | "matchAttributes">>;

/**
 * Claims of all devices of a node. If both GPUs and interfaces are claimed, they are divided into as many sets as
 * possible: a claim has at most 32 devices, fewer than the 40 of p5. With an alignment, the interfaces of a set are near
 * its GPUs.
 */
function claimedDevices({ machine, fabric, gpuBy, ...rest }: Claimable): Claims {
  const { PcieRoot, None } = NodePoolDeviceAlignment;
  const { deviceAlignment = machine.hasNearInterfaces ? PcieRoot : None } = rest;
  const gpus = byClaim(gpuBy) ? (machine.accelerator?.count ?? 0) : 0;
  const gpuClaims = gpus > 0 ? [{ name: "gpu", deviceClass: gpuClass, count: gpus }] : [];
  const claims = [...gpuClaims, ...(fabric?.claim ? [fabric.claim] : [])];
  return claimSetsOf(claims, deviceAlignment);
}

/** The claims of a pod: devices of several classes in as many sets as possible, with the attributes that the devices of a set share. */
export function claimSetsOf(claims: NodePoolClaim[], deviceAlignment: NodePoolDeviceAlignment): Claims {
  if (claims.length < 2) return { claims, claimSets: 1, matchAttributes: [] };
  const sets = claims.reduce((divisor, { count = 1 }) => greatestDivisor(divisor, count), 0);
  return {
    claims: claims.map(({ count = 1, ...claim }) => ({ ...claim, count: count / sets })),
    claimSets: sets,
    matchAttributes: locations[deviceAlignment],
  };
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

/** Message for a device plugin together with a DRA driver that allocates the same devices. */
export const besideDriver = (by: string, plugin: string) =>
  `${by} "claim" uses a DRA driver, beside which no device plugin may run; remove ${plugin}`;

/** Message for an alignment of devices that no claim contains together. */
export const alignsNothing = 'requires gpuBy "claim" and fabricBy "claim"; set both, or remove deviceAlignment';

/** Labels by which NVIDIA's DRA driver selects its nodes, if the image of the nodes does not set them. */
export const draLabels = ({ machine, gpuBy }: Pick<Claimable, "machine" | "gpuBy">): Record<string, string> =>
  byClaim(gpuBy) || isSuperchip(machine.accelerator) ? { "nvidia.com/gpu.present": "true" } : {};

/** Label of the nodes of a pool, which is in the node selector of a cluster's pods. */
export const poolLabel = "minicluster/pool";

/** Labels of the nodes that this package sets. */
export const poolLabels = (pool: string) => ({ [poolLabel]: pool });

/** The fast network of a pool, for a pod. */
export interface FabricUse {
  fabric: NodePoolFabric;
  interfaces: number;
  resources?: Record<string, string>;
  /** The claim of all interfaces of a node, if they are claimed. */
  claim?: NodePoolClaim;
  environment?: Record<string, string>;
  annotations?: Record<string, string>;
  hostPaths?: Record<string, string>;
  setupScripts?: string[];
  lockMemory?: boolean;
}

/** Resource names under which Kubernetes counts accelerators. */
const acceleratorResources: Record<NodePoolAcceleratorKind, string> = {
  [NodePoolAcceleratorKind.Nvidia]: "nvidia.com/gpu",
  [NodePoolAcceleratorKind.Amd]: "amd.com/gpu",
  [NodePoolAcceleratorKind.Neuron]: "aws.amazon.com/neuron",
};

/** GPUs that several pods use at once. */
export interface GpuSharing {
  /** Parts or shares of each GPU, which Kubernetes counts as GPUs. */
  perGpu: number;
  /** Maximum number of parts or shares that one container may request. */
  perContainer?: number;
}

/** The spec of a pool of any cloud, with all defaults. */
export interface CompletePool {
  name: string;
  machine: MachineType;
  sizing: Sizing;
  zones: pulumi.Input<string>[];
  /** Labels of the cloud's network that every node has; undefined if this is unknown. */
  networkLabels?: string[];
  threadsPerCore?: number;
  staticCpu: boolean;
  /** Taints of the nodes, including the taints that the cloud sets. */
  taints: NodePoolTaint[];
  gpuUse?: GpuSharing;
  fabric?: FabricUse;
  gpuBy?: NodePoolDevicesBy;
  deviceAlignment?: NodePoolDeviceAlignment;
  localDisk?: NodePoolLocalDisk;
  /** Interruption of the nodes, if the cloud may reclaim them. */
  interruption?: NodePoolInterruption;
  /** Machine type of the nodes, in the names of the cloud. */
  machineType?: string;
  machineTypes?: string[];
  price?: Partial<NodePoolPriceArgs>;
}

const isText = (zone: pulumi.Input<string>) => typeof zone === "string";

/** The output `scheduling` of a pool. */
export function buildScheduling(pool: CompletePool): NodePoolScheduling {
  const { name, machine, sizing, fabric, gpuUse } = pool;
  const { accelerator, arch, memoryMib } = machine;
  const gpus = (accelerator?.count ?? 0) * (gpuUse?.perGpu ?? 1);
  return {
    pool: name,
    machineType: pool.machineType ?? pool.machineTypes?.join(", "),
    // Without the source, whose date changes with each lookup.
    ...(pool.price?.perHour !== undefined && { pricePerHour: pool.price.perHour }),
    ...(pool.price?.currency !== undefined && { currency: pool.price.currency }),
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
    // A zone that is known later would make the whole output unknown in a preview.
    ...(pool.zones.length > 0 && pool.zones.every(isText) && { zones: pool.zones }),
    ...(sizing.isFixed && { nodes: sizing.initial }),
    // A pool of size 0 exists without capacity; the number of its nodes is 0.
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
    setupScripts: fabric?.setupScripts ?? [],
    ...(pool.networkLabels && { topologyLevels: topologyLevels(pool.networkLabels) }),
    ...(pool.localDisk && { localDisk: pool.localDisk }),
    lockMemory: fabric?.lockMemory ?? false,
    ...(pool.interruption && { interruption: pool.interruption }),
    staticCpu: pool.staticCpu,
  };
}
