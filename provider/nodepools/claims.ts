import { NodePoolDevicesBy } from "./args";
import { isSuperchip, type MachineType } from "./machineType";
import type { NodePoolClaim, NodePoolScheduling } from "./schedulingArgs";

/** True for devices that pods claim. */
export const byClaim = (by: NodePoolDevicesBy | undefined) => by === NodePoolDevicesBy.Claim;

/** DeviceClass of NVIDIA's DRA driver. */
const gpuClass = "gpu.nvidia.com";

// deviceattribute.StandardDeviceAttributePCIeRoot of k8s.io/dynamic-resource-allocation.
const pcieRoot = "resource.kubernetes.io/pcieRoot";

/** What a pool's pods may claim. */
export interface Claimable {
  machine: Pick<MachineType, "accelerator" | "hasNearInterfaces">;
  fabric?: { claim?: NodePoolClaim };
  gpuBy?: NodePoolDevicesBy;
}

type Claims = Required<Pick<NodePoolScheduling, "claims" | "claimSets" | "matchAttributes">>;

/**
 * Claims of all devices of a node. GPUs and interfaces that both come by claims are shared out over as many sets as there can be: a
 * claim has at most 32 devices, fewer than the 40 of p5, and where both drivers say so the interfaces of a set are near its GPUs.
 */
export function claimedDevices({ machine, fabric, gpuBy }: Claimable): Claims {
  const gpus = byClaim(gpuBy) ? (machine.accelerator?.count ?? 0) : 0;
  const gpuClaims = gpus > 0 ? [{ name: "gpu", deviceClass: gpuClass, count: gpus }] : [];
  const claims = [...gpuClaims, ...(fabric?.claim ? [fabric.claim] : [])];
  if (claims.length < 2) return { claims, claimSets: 1, matchAttributes: [] };
  const sets = claims.reduce((divisor, { count = 1 }) => greatestDivisor(divisor, count), 0);
  return {
    claims: claims.map(({ count = 1, ...claim }) => ({ ...claim, count: count / sets })),
    claimSets: sets,
    matchAttributes: machine.hasNearInterfaces ? [pcieRoot] : [],
  };
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

/** Message for a plugin beside a driver that gives away the same devices. */
export const besideDriver = (by: string, plugin: string) =>
  `${by} "claim" is served by a DRA driver, and no plugin runs beside it; remove ${plugin}`;

/** Labels by which NVIDIA's DRA driver finds the nodes that it serves, where their image does not set them. */
export const draLabels = ({ machine, gpuBy }: Pick<Claimable, "machine" | "gpuBy">): Record<string, string> =>
  byClaim(gpuBy) || isSuperchip(machine.accelerator) ? { "nvidia.com/gpu.present": "true" } : {};
