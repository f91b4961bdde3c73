import type { ProximityPlacementGroupArgs } from "@pulumi/azure-native/compute/proximityPlacementGroup";
import type { AgentPoolArgs } from "@pulumi/azure-native/containerservice/agentPool";
import type * as pulumi from "@pulumi/pulumi";
import type { NodePoolTaint } from "../../minicluster/args";
import { poolLabels } from "../scheduling";
import {
  AksNodePoolCapacity,
  AksNodePoolDiskType,
  AksNodePoolFabric,
  AksNodePoolGpuDriver,
  AksNodePoolOsSku,
  AksNodePoolPlacement,
} from "./args";
import { type AksPoolSpec, spotTaint } from "./spec";

const isSpot = ({ capacity }: AksPoolSpec) => capacity === AksNodePoolCapacity.Spot;

const osSkus: Record<AksNodePoolOsSku, string> = {
  [AksNodePoolOsSku.Ubuntu]: "Ubuntu",
  [AksNodePoolOsSku.AzureLinux]: "AzureLinux",
};

const diskTypes: Record<AksNodePoolDiskType, string> = {
  [AksNodePoolDiskType.Managed]: "Managed",
  [AksNodePoolDiskType.Ephemeral]: "Ephemeral",
};

const drivers: Record<AksNodePoolGpuDriver, string> = {
  [AksNodePoolGpuDriver.Install]: "Install",
  [AksNodePoolGpuDriver.None]: "None",
};

/** The agent pool, in a placement group or in none. */
export function buildAgentPool(spec: AksPoolSpec, placementGroupId: pulumi.Input<string> | undefined): AgentPoolArgs {
  const { machineType, zones, applicationSecurityGroupIds: securityGroups } = spec;
  return {
    resourceGroupName: spec.resourceGroupName,
    resourceName: spec.clusterName,
    agentPoolName: spec.name,
    mode: "User",
    type: "VirtualMachineScaleSets",
    osType: "Linux",
    osSKU: osSkus[spec.osSku],
    vmSize: machineType,
    ...counts(spec),
    ...(zones.length > 0 && { availabilityZones: zones }),
    ...(placementGroupId !== undefined && { proximityPlacementGroupID: placementGroupId }),
    ...capacity(spec),
    ...(spec.gpuDriver !== undefined && { gpuProfile: { driver: drivers[spec.gpuDriver] } }),
    ...disk(spec),
    ...(spec.vnetSubnetId !== undefined && { vnetSubnetID: spec.vnetSubnetId }),
    ...(securityGroups.length > 0 && { networkProfile: { applicationSecurityGroups: securityGroups } }),
    ...kubelet(spec),
    nodeLabels: labels(spec),
    ...(spec.taints.length > 0 && { nodeTaints: spec.taints.map(taintText) }),
    ...(spec.version !== undefined && { orchestratorVersion: spec.version }),
    ...upgrades(spec),
    tags: spec.tags,
  };
}

/** An autoscaler gets the number that the pool starts with, too: AKS makes no pool without it. */
const counts = ({ sizing: { isFixed, initial, min, max } }: AksPoolSpec) => ({
  count: initial,
  enableAutoScaling: !isFixed,
  ...(!isFixed && { minCount: min, maxCount: max }),
});

function capacity(spec: AksPoolSpec) {
  const { capacityReservationGroupId, spotMaxPrice } = spec;
  if (isSpot(spec)) return { scaleSetPriority: "Spot", scaleSetEvictionPolicy: "Delete", spotMaxPrice };
  return capacityReservationGroupId === undefined ? {} : { capacityReservationGroupID: capacityReservationGroupId };
}

const disk = ({ diskGib, diskType }: AksPoolSpec) => ({
  ...(diskGib !== undefined && { osDiskSizeGB: diskGib }),
  ...(diskType !== undefined && { osDiskType: diskTypes[diskType] }),
});

// A pod that has a node to itself lies on several NUMA nodes: a stricter policy than "best-effort" could only refuse it.
const kubelet = ({ staticCpu }: AksPoolSpec) =>
  staticCpu ? { kubeletConfig: { cpuManagerPolicy: "static", topologyManagerPolicy: "best-effort" } } : {};

/** AKS gives spot machines their label and taint itself, and keeps them among those of the pool: left out, they would go. */
const labels = (spec: AksPoolSpec): Record<string, pulumi.Input<string>> => ({
  ...spec.labels,
  ...(isSpot(spec) && { [spotTaint.key]: "spot" }),
  ...poolLabels(spec.name),
});

const taintText = ({ key, value, effect }: NodePoolTaint) => (value ? `${key}=${value}:${effect}` : `${key}:${effect}`);

/**
 * Where there may be no room for a node more, an upgrade takes nodes away one by one instead of adding one first. It adds
 * none to spot machines by itself.
 */
function upgrades(spec: AksPoolSpec) {
  const isBounded =
    spec.placement === AksNodePoolPlacement.Proximity ||
    spec.capacity === AksNodePoolCapacity.Reservation ||
    spec.fabric === AksNodePoolFabric.Infiniband;
  return isBounded && !isSpot(spec) ? { upgradeSettings: { maxSurge: "0", maxUnavailable: "1" } } : {};
}

/**
 * What Azure settles when it makes a pool. The provider replaces a pool by itself for another name or size of machine alone,
 * and Azure refuses the rest.
 */
export const settledAtCreation: (keyof AgentPoolArgs)[] = [
  "availabilityZones",
  "capacityReservationGroupID",
  "gpuProfile",
  "kubeletConfig",
  "osDiskSizeGB",
  "osDiskType",
  "proximityPlacementGroupID",
  "scaleSetEvictionPolicy",
  "scaleSetPriority",
  "spotMaxPrice",
  "vnetSubnetID",
];

/** Whether a proximity placement group has to be made. */
export const needsPlacementGroup = ({ placement, proximityPlacementGroupId }: AksPoolSpec) =>
  placement === AksNodePoolPlacement.Proximity && proximityPlacementGroupId === undefined;

/** The proximity placement group. Its intent finds a data center that has the size; a zone counts only beside it. */
export const buildPlacementGroup = (spec: AksPoolSpec): ProximityPlacementGroupArgs => ({
  resourceGroupName: spec.resourceGroupName,
  ...(spec.location !== undefined && { location: spec.location }),
  proximityPlacementGroupType: "Standard",
  intent: { vmSizes: [spec.machineType] },
  ...(spec.zones.length > 0 && { zones: spec.zones }),
  tags: spec.tags,
});
