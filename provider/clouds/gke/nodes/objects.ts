import type { ResourcePolicyArgs } from "@pulumi/gcp/compute/resourcePolicy";
import type { NodePoolArgs } from "@pulumi/gcp/container/nodePool";
import type { container } from "@pulumi/gcp/types/input";
import type * as pulumi from "@pulumi/pulumi";
import { mapInput } from "../../../shared/deferred";
import { withoutEmpty } from "../../../shared/objects";
import { MiniClusterTaintEffect, NodePoolLocalDisks } from "../../nodes/args";
import { isSuperchip } from "../../machines";
import { byClaim, draLabels, poolLabels } from "../../nodes/parse/scheduling";
import { hasDranet, hasNuma, nvlinkTopologyOf } from "../machines";
import {
  GkeNodePoolCapacityType,
  GkeNodePoolFabric,
  GkeNodePoolGpuDriver,
  GkeNodePoolGpuSharingStrategy,
  GkeNodePoolHostMaintenance,
  GkeNodePoolPlacement,
} from "./args";
import { criticalSeconds, type GkePoolSpec } from "./parse";
import { isOnRequest } from "./parse/fields";

type NodeConfig = container.NodePoolNodeConfig;

/**
 * Workload policy that a pool needs for its NVLink domain, for a placement by such a policy, or for compact placement with flex start,
 * unless `placementPolicyName` is set. GKE creates the policy of other compact placements, which flex start does not support
 * (Cluster Toolkit, examples/gke-consumption-options/dws-flex-start-compact-placement).
 */
export function buildPlacementPolicy(spec: GkePoolSpec): ResourcePolicyArgs | undefined {
  const workload = workloadOf(spec);
  if (workload === undefined || spec.placementPolicyName !== undefined) return undefined;
  const [zone = ""] = spec.zones;
  return withoutEmpty<ResourcePolicyArgs>({
    project: spec.project,
    region: mapInput(zone, regionOfZone),
    workloadPolicy: { type: "HIGH_THROUGHPUT", ...workload },
  });
}

/** The name of a zone is the name of its region with a letter appended. */
const regionOfZone = (zone: string) => zone.replace(/-[a-z\d]+$/, "");

/** Constraint of a workload policy on the location of the nodes, if any. The API allows one of the two constraints. */
function workloadOf({ machineType, placement, capacityType, maxTopologyDistance }: GkePoolSpec) {
  const acceleratorTopology = nvlinkTopologyOf(machineType);
  if (acceleratorTopology !== undefined) return { acceleratorTopology };
  if (placement === GkeNodePoolPlacement.HighThroughput)
    return maxTopologyDistance === undefined ? {} : { maxTopologyDistance: maxTopologyDistance.toUpperCase() };
  const isOnRequest = capacityType === GkeNodePoolCapacityType.FlexStart && placement === GkeNodePoolPlacement.Compact;
  return isOnRequest ? { maxTopologyDistance: "CLUSTER" } : undefined;
}

/** The node pool, in the placement of a resource policy or in GKE's default. */
export function buildNodePool(spec: GkePoolSpec, policyName = spec.placementPolicyName): NodePoolArgs {
  const { capacityType, placement } = spec;
  return withoutEmpty<NodePoolArgs>({
    cluster: spec.clusterName,
    location: spec.location,
    project: spec.project,
    nodeLocations: spec.zones,
    ...nodeCounts(spec),
    // The API also has this type for a workload policy.
    ...(placement !== GkeNodePoolPlacement.None && {
      placementPolicy: withoutEmpty({ type: "COMPACT", policyName }),
    }),
    ...(capacityType === GkeNodePoolCapacityType.Queued && { queuedProvisioning: { enabled: true } }),
    networkConfig: networkConfig(spec),
    nodeConfig: nodeConfig(spec),
    management: { autoRepair: spec.autoRepair, autoUpgrade: spec.autoUpgrade },
    // Each node is removed before its replacement is added, because a spare HPC machine is rarely available.
    upgradeSettings: { strategy: "SURGE", maxSurge: 0, maxUnavailable: 1 },
    version: spec.version,
  });
}

/**
 * Nodes in each zone, and limits over all of them. With limits, `nodeCount` is the initial number, which the autoscaler
 * changes later; `initialNodeCount` has the same meaning, but its change replaces the pool.
 */
function nodeCounts(spec: GkePoolSpec): Pick<NodePoolArgs, "nodeCount" | "autoscaling"> {
  const { zones } = spec;
  const { isFixed, initial, min, max } = spec.sizing;
  if (isFixed) return { nodeCount: initial / zones.length };
  const perZone = Math.min(Math.ceil(initial / zones.length), Math.floor(max / zones.length));
  const isStarted = zones.length > 0 && perZone > 0 && !isOnRequest(spec);
  return {
    ...(isStarted && { nodeCount: perZone }),
    // Zones are not balanced: nodes of a job should be close to each other, and in the zone of the reservation.
    autoscaling: { totalMinNodeCount: min, totalMaxNodeCount: max, locationPolicy: "ANY" },
  };
}

function networkConfig(spec: GkePoolSpec): container.NodePoolNetworkConfig {
  const { fabric, gvnicNetwork, rdmaNetworks } = spec;
  const rdma = rdmaNetworks.map(({ network, subnetwork }) => ({ network, subnetwork }));
  return withoutEmpty<container.NodePoolNetworkConfig>({
    // The interfaces of a node have this order.
    additionalNodeNetworkConfigs: gvnicNetwork ? [gvnicNetwork, ...rdma] : rdma,
    ...(hasDranet(spec) && { acceleratorNetworkProfile: "auto" }),
    ...(fabric === GkeNodePoolFabric.Tier1 && { networkPerformanceConfig: { totalEgressBandwidthTier: "TIER_1" } }),
  });
}

const taintEffects: Record<MiniClusterTaintEffect, string> = {
  [MiniClusterTaintEffect.NoSchedule]: "NO_SCHEDULE",
  [MiniClusterTaintEffect.PreferNoSchedule]: "PREFER_NO_SCHEDULE",
  [MiniClusterTaintEffect.NoExecute]: "NO_EXECUTE",
};

function nodeConfig(spec: GkePoolSpec): NodeConfig {
  const { machine, threadsPerCore, serviceAccount } = spec;
  return withoutEmpty<NodeConfig>({
    machineType: spec.machineType,
    // This image has gVNIC, and is the only image with the RDMA software of the host.
    imageType: "COS_CONTAINERD",
    ...(!machine.bareMetal && { gvnic: { enabled: true } }),
    ...(machine.bareMetal && isSuperchip(machine.accelerator) && { linuxNodeConfig: bareMetalPages }),
    ...(spec.imageStreaming !== undefined && { gcfsConfig: { enabled: spec.imageStreaming } }),
    secondaryBootDisks: spec.secondaryBootDisks.map(({ diskImage, containerImageCache }) => ({
      diskImage,
      ...(containerImageCache && { mode: "CONTAINER_IMAGE_CACHE" }),
    })),
    ...localDisks(spec),
    ...(spec.hostMaintenance && {
      hostMaintenancePolicy: {
        maintenanceInterval: mapInput(spec.hostMaintenance, (when) => maintenanceIntervals[when]),
      },
    }),
    guestAccelerators: guestAccelerators(spec),
    ...(threadsPerCore !== undefined &&
      threadsPerCore !== machine.threadsPerCore && { advancedMachineFeatures: { threadsPerCore } }),
    kubeletConfig: kubeletConfig(spec),
    ...provisioning(spec),
    diskSizeGb: spec.diskGib,
    diskType: spec.diskType,
    labels: { ...spec.labels, ...driverLabels(spec), ...poolLabels(spec.name) },
    taints: spec.taints.map(({ key, value = "", effect }) => ({ key, value, effect: taintEffects[effect] })),
    resourceLabels: spec.tags,
    tags: spec.networkTags,
    // The roles of the account limit access, so the scope of its tokens does not have to.
    ...(serviceAccount !== undefined && {
      serviceAccount,
      oauthScopes: ["https://www.googleapis.com/auth/cloud-platform"],
    }),
  });
}

/** Local SSDs, if `localDisks` is set. Their number is fixed by the machine type; 0 selects GKE's default. */
function localDisks({ localDisks, machine: { localSsds = 0 } }: GkePoolSpec): Partial<NodeConfig> {
  const count = { localSsdCount: localSsds };
  if (localDisks === NodePoolLocalDisks.Raid0) return { ephemeralStorageLocalSsdConfig: count };
  return localDisks === NodePoolLocalDisks.Raw ? { localNvmeSsdBlockConfig: count } : {};
}

const maintenanceIntervals: Record<GkeNodePoolHostMaintenance, string> = {
  [GkeNodePoolHostMaintenance.AsNeeded]: "AS_NEEDED",
  [GkeNodePoolHostMaintenance.Periodic]: "PERIODIC",
};

// Google's setting for A4X Max.
const bareMetalPages = { hugepagesConfig: { hugepageSize2m: 4096 } };

/**
 * Labels by which DRA drivers select the nodes whose devices pods claim, and by which GKE's device plugin skips these
 * nodes.
 */
const driverLabels = (spec: GkePoolSpec) => ({
  ...(hasDranet(spec) && { "cloud.google.com/gke-networking-dra-driver": "true" }),
  ...(hasDranet(spec) && spec.machine.bareMetal && { "cloud.google.com/gke-dpv2-unified-cni": "cni-migration" }),
  ...(byClaim(spec.gpuBy) && {
    "gke-no-default-nvidia-gpu-device-plugin": "true",
    "cloud.google.com/gke-nvidia-gpu-dra-driver": "true",
  }),
  ...draLabels(spec),
});

const driverVersions: Record<GkeNodePoolGpuDriver, string> = {
  [GkeNodePoolGpuDriver.Default]: "DEFAULT",
  [GkeNodePoolGpuDriver.Latest]: "LATEST",
  [GkeNodePoolGpuDriver.None]: "INSTALLATION_DISABLED",
};

const sharingStrategies: Record<GkeNodePoolGpuSharingStrategy, string> = {
  [GkeNodePoolGpuSharingStrategy.TimeSharing]: "TIME_SHARING",
  [GkeNodePoolGpuSharingStrategy.Mps]: "MPS",
};

function guestAccelerators({
  machine: { accelerator, acceleratorType },
  gpuDriver,
  gpuPartition,
  gpuSharing,
}: GkePoolSpec): container.NodePoolNodeConfigGuestAccelerator[] {
  if (!accelerator || acceleratorType === undefined) return [];
  const gpuDriverInstallationConfig = { gpuDriverVersion: driverVersions[gpuDriver] };
  return [
    withoutEmpty<container.NodePoolNodeConfigGuestAccelerator>({
      type: acceleratorType,
      count: accelerator.count,
      gpuDriverInstallationConfig,
      gpuPartitionSize: gpuPartition,
      gpuSharingConfig: gpuSharing && {
        gpuSharingStrategy: sharingStrategies[gpuSharing.strategy],
        maxSharedClientsPerGpu: gpuSharing.clients,
      },
    }),
  ];
}

/** Whole cores for a pod and, if the machine family supports it, memory and devices from the same NUMA node. */
const kubeletConfig = (spec: GkePoolSpec): container.NodePoolNodeConfigKubeletConfig => ({
  ...(spec.staticCpu && {
    cpuManagerPolicy: "static",
    ...(hasNuma(spec.machineType) && {
      topologyManager: { policy: "restricted" },
      memoryManager: { policy: "Static" },
    }),
  }),
  ...(spec.spotNoticeSeconds !== undefined && {
    shutdownGracePeriodSeconds: spec.spotNoticeSeconds,
    shutdownGracePeriodCriticalPodsSeconds: criticalSeconds,
  }),
});

const unreserved = { consumeReservationType: "NO_RESERVATION" };

const reserved = (name: pulumi.Input<string> | undefined): container.NodePoolNodeConfigReservationAffinity => ({
  consumeReservationType: "SPECIFIC_RESERVATION",
  key: "compute.googleapis.com/reservation-name",
  values: name === undefined ? [] : [name],
});

/** Source of the machines, and their maximum life. */
function provisioning({ capacityType, reservationName, maxRunSeconds }: GkePoolSpec): Partial<NodeConfig> {
  const onRequest: Partial<NodeConfig> = {
    reservationAffinity: unreserved,
    flexStart: true,
    maxRunDuration: maxRunSeconds === undefined ? undefined : mapInput(maxRunSeconds, (seconds) => `${seconds}s`),
  };
  const ways: Record<GkeNodePoolCapacityType, Partial<NodeConfig>> = {
    [GkeNodePoolCapacityType.OnDemand]: {},
    [GkeNodePoolCapacityType.Spot]: { reservationAffinity: unreserved, spot: true },
    [GkeNodePoolCapacityType.AnyReservation]: {
      reservationAffinity: { consumeReservationType: "ANY_RESERVATION" },
    },
    [GkeNodePoolCapacityType.AnyReservationThenFail]: {
      reservationAffinity: { consumeReservationType: "ANY_RESERVATION_THEN_FAIL" },
    },
    [GkeNodePoolCapacityType.Reservation]: { reservationAffinity: reserved(reservationName) },
    [GkeNodePoolCapacityType.FlexStart]: onRequest,
    [GkeNodePoolCapacityType.Queued]: onRequest,
  };
  return ways[capacityType];
}
