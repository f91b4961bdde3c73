import type { ProximityPlacementGroupArgs } from "@pulumi/azure-native/compute/proximityPlacementGroup";
import type { AgentPoolArgs } from "@pulumi/azure-native/containerservice/agentPool";
import type { types } from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { knownLength, mapInput } from "../../../shared/deferred";
import type { NodePoolTaint } from "../../nodes/args";
import { draLabels, poolLabels } from "../../nodes/parse/scheduling";
import {
  AksNodePoolCapacityType,
  AksNodePoolDiskType,
  AksNodePoolGpuDriver,
  AksNodePoolOsSku,
  AksNodePoolPlacement,
  AksNodePoolTopologyManagerPolicy,
} from "./args";
import type { AksPoolSpec } from "./parse";
import { hasInfiniband, spotTaint } from "./parse/fields";

const isSpot = ({ capacityType }: AksPoolSpec) => capacityType === AksNodePoolCapacityType.Spot;

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

/** The agent pool, with or without a placement group. */
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
    ...(spec.gpuPartition !== undefined && { gpuInstanceProfile: `MIG${spec.gpuPartition}` }),
    ...(spec.gpuDriver !== undefined && { gpuProfile: { driver: drivers[spec.gpuDriver] } }),
    ...disk(spec),
    ...(usesTemporaryDisk(spec) && { kubeletDiskType: "Temporary" }),
    ...(spec.vnetSubnetId !== undefined && { vnetSubnetID: spec.vnetSubnetId }),
    ...(knownLength(securityGroups) !== 0 && { networkProfile: { applicationSecurityGroups: securityGroups } }),
    ...kubelet(spec),
    nodeLabels: labels(spec),
    ...(spec.taints.length > 0 && { nodeTaints: spec.taints.map(taintText) }),
    ...(spec.version !== undefined && { orchestratorVersion: spec.version }),
    ...upgrades(spec),
    tags: spec.tags,
  };
}

/** True where images and the volumes of pods are on the temporary disk. */
const usesTemporaryDisk = ({ localDisk, machine }: AksPoolSpec) =>
  localDisk !== undefined && machine.nvmeGb === undefined;

/** StorageClass of the local disks of a pool, which Azure's local CSI driver stripes over all disks of a node (its user guide). */
export const buildStorageClass = (name: string): types.input.storage.v1.StorageClass & { provisioner: string } => ({
  metadata: { name },
  provisioner: localDriver,
  reclaimPolicy: "Delete",
  // The disks belong to the pod's node.
  volumeBindingMode: "WaitForFirstConsumer",
});

/**
 * DeviceClass of the InfiniBand devices of a pool, as DRANET publishes them: RDMA devices without the Ethernet devices
 * of accelerated networking (kubernetes-sigs/dranet, site/content/docs/user/azure-aks.md).
 */
export const buildDeviceClass = (name: string): types.input.resource.v1.DeviceClass => ({
  metadata: { name },
  spec: { selectors: [{ cel: { expression: infinibandDevice } }] },
});

const infinibandDevice =
  'device.driver == "dra.net" && has(device.attributes["dra.net"].rdma) && device.attributes["dra.net"].rdma && ' +
  '(!has(device.attributes["dra.net"].ifName) || device.attributes["dra.net"].ifName.startsWith("ib"))';

/** CSI driver of the local disks of a node. */
export const localDriver = "localdisk.csi.acstor.io";

/** Numbers of nodes. An autoscaled pool also has an initial number, without which AKS creates no pool. */
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
  ...(diskType !== undefined && { osDiskType: mapInput(diskType, (type) => diskTypes[type]) }),
});

/** Settings of the kubelet, which an agent pool and an AKSNodeClass have under different keys. */
export function kubeletSettings({
  staticCpu,
  // A pod that fills its node spans several NUMA nodes: a stricter policy could only reject it.
  topologyManagerPolicy = staticCpu ? AksNodePoolTopologyManagerPolicy.BestEffort : undefined,
}: Pick<AksPoolSpec, "staticCpu" | "topologyManagerPolicy">) {
  const settings = { ...(staticCpu && { cpuManagerPolicy: "static" }), topologyManagerPolicy };
  return topologyManagerPolicy === undefined ? undefined : settings;
}

function kubelet(spec: AksPoolSpec) {
  const kubeletConfig = kubeletSettings(spec);
  return kubeletConfig ? { kubeletConfig } : {};
}

/**
 * Labels of the nodes. AKS itself adds a label and a taint to spot nodes, which an update without them would remove.
 */
const labels = (spec: AksPoolSpec): Record<string, pulumi.Input<string>> => ({
  ...spec.labels,
  ...(isSpot(spec) && { [spotTaint.key]: "spot" }),
  ...draLabels(spec),
  ...poolLabels(spec.name),
});

const taintText = ({ key, value = "", effect }: NodePoolTaint) =>
  mapInput(value, (known) => (known ? `${key}=${known}:${effect}` : `${key}:${effect}`));

/**
 * Upgrade settings. If capacity for another node is uncertain, an upgrade removes each node before it adds its
 * replacement. A spot pool never gets additional nodes.
 */
function upgrades(spec: AksPoolSpec) {
  const isBounded =
    spec.placement === AksNodePoolPlacement.Proximity ||
    spec.capacityType === AksNodePoolCapacityType.Reservation ||
    hasInfiniband(spec);
  return isBounded && !isSpot(spec) ? { upgradeSettings: { maxSurge: "0", maxUnavailable: "1" } } : {};
}

/**
 * Inputs that Azure cannot change in an existing pool. Pulumi's provider replaces a pool only if its name or VM size
 * changes; Azure rejects changes of the other inputs.
 */
export const immutableInputs: (keyof AgentPoolArgs)[] = [
  "availabilityZones",
  "capacityReservationGroupID",
  "gpuInstanceProfile",
  "gpuProfile",
  "kubeletConfig",
  "kubeletDiskType",
  "osDiskSizeGB",
  "osDiskType",
  "proximityPlacementGroupID",
  "scaleSetEvictionPolicy",
  "scaleSetPriority",
  "spotMaxPrice",
  "vnetSubnetID",
];

/** True if the pool needs a new proximity placement group. */
export const needsPlacementGroup = ({ placement, proximityPlacementGroupId }: AksPoolSpec) =>
  placement === AksNodePoolPlacement.Proximity && proximityPlacementGroupId === undefined;

/**
 * The proximity placement group. Its intent selects a data center with the VM size; a zone has an effect only together
 * with an intent.
 */
export const buildPlacementGroup = (spec: AksPoolSpec): ProximityPlacementGroupArgs => ({
  resourceGroupName: spec.resourceGroupName,
  ...(spec.location !== undefined && { location: spec.location }),
  proximityPlacementGroupType: "Standard",
  intent: { vmSizes: [spec.machineType] },
  ...(spec.zones.length > 0 && { zones: spec.zones }),
  tags: spec.tags,
});
