import type { NodePoolArgs } from "@pulumi/gcp/container/nodePool";
import type { container } from "@pulumi/gcp/types/input";
import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterTaintEffect } from "../../minicluster/args";
import { withoutEmpty } from "../../shared/objects";
import { poolLabels } from "../scheduling";
import { GkeNodePoolCapacity, GkeNodePoolFabric, GkeNodePoolGpuDriver, GkeNodePoolPlacement } from "./args";
import { isOnRequest } from "./fields";
import { hasNuma } from "./machineTypes";
import type { GkePoolSpec } from "./parse";

type NodeConfig = container.NodePoolNodeConfig;

/** The node pool. */
export function buildNodePool(spec: GkePoolSpec): NodePoolArgs {
  const { capacity, placement } = spec;
  return withoutEmpty<NodePoolArgs>({
    cluster: spec.clusterName,
    location: spec.location,
    project: spec.project,
    nodeLocations: spec.zones,
    ...nodeCounts(spec),
    ...(placement === GkeNodePoolPlacement.Compact && {
      placementPolicy: withoutEmpty({ type: "COMPACT", policyName: spec.placementPolicyName }),
    }),
    ...(capacity === GkeNodePoolCapacity.Queued && { queuedProvisioning: { enabled: true } }),
    networkConfig: networkConfig(spec),
    nodeConfig: nodeConfig(spec),
    management: { autoRepair: spec.autoRepair, autoUpgrade: spec.autoUpgrade },
    // One node at a time goes before the new one comes: a spare HPC machine is rare.
    upgradeSettings: { strategy: "SURGE", maxSurge: 0, maxUnavailable: 1 },
    version: spec.version,
  });
}

/**
 * Nodes in each zone, and limits over all of them. `nodeCount` beside limits is where the pool starts, and then it is the
 * autoscaler's; `initialNodeCount` would say the same, but replaces the pool when it changes.
 */
function nodeCounts(spec: GkePoolSpec): Pick<NodePoolArgs, "nodeCount" | "autoscaling"> {
  const { zones } = spec;
  const { isFixed, initial, min, max } = spec.sizing;
  if (isFixed) return { nodeCount: initial / zones.length };
  const perZone = Math.min(Math.ceil(initial / zones.length), Math.floor(max / zones.length));
  const isStarted = zones.length > 0 && perZone > 0 && !isOnRequest(spec);
  return {
    ...(isStarted && { nodeCount: perZone }),
    // Zones are not balanced: it is better to have all of a job's nodes close to each other, and where they are reserved.
    autoscaling: { totalMinNodeCount: min, totalMaxNodeCount: max, locationPolicy: "ANY" },
  };
}

function networkConfig({ fabric, gvnicNetwork, rdmaNetworks }: GkePoolSpec): container.NodePoolNetworkConfig {
  const rdma = rdmaNetworks.map(({ network, subnetwork }) => ({ network, subnetwork }));
  return withoutEmpty<container.NodePoolNetworkConfig>({
    // The interfaces of a node come in this order.
    additionalNodeNetworkConfigs: gvnicNetwork ? [gvnicNetwork, ...rdma] : rdma,
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
    // The image with gVNIC and, as the only one, the host's part of RDMA.
    imageType: "COS_CONTAINERD",
    gvnic: { enabled: true },
    guestAccelerators: guestAccelerators(spec),
    ...(threadsPerCore !== undefined &&
      threadsPerCore !== machine.threadsPerCore && { advancedMachineFeatures: { threadsPerCore } }),
    kubeletConfig: kubeletConfig(spec),
    ...provisioning(spec),
    diskSizeGb: spec.diskGib,
    diskType: spec.diskType,
    labels: { ...spec.labels, ...poolLabels(spec.name) },
    taints: spec.taints.map(({ key, value = "", effect }) => ({ key, value, effect: taintEffects[effect] })),
    resourceLabels: spec.tags,
    tags: spec.networkTags,
    // The roles of the account limit it, so the scope of its tokens need not.
    ...(serviceAccount !== undefined && {
      serviceAccount,
      oauthScopes: ["https://www.googleapis.com/auth/cloud-platform"],
    }),
  });
}

const driverVersions: Record<GkeNodePoolGpuDriver, string> = {
  [GkeNodePoolGpuDriver.Default]: "DEFAULT",
  [GkeNodePoolGpuDriver.Latest]: "LATEST",
  [GkeNodePoolGpuDriver.None]: "INSTALLATION_DISABLED",
};

function guestAccelerators({
  machine: { accelerator, acceleratorType },
  gpuDriver,
}: GkePoolSpec): container.NodePoolNodeConfigGuestAccelerator[] {
  if (!accelerator || acceleratorType === undefined) return [];
  const gpuDriverInstallationConfig = { gpuDriverVersion: driverVersions[gpuDriver] };
  return [{ type: acceleratorType, count: accelerator.count, gpuDriverInstallationConfig }];
}

/** Whole cores for a pod and, where the machine family can, its memory and devices from the same NUMA node. */
function kubeletConfig({ staticCpu, machineType }: GkePoolSpec): container.NodePoolNodeConfigKubeletConfig {
  if (!staticCpu) return {};
  return {
    cpuManagerPolicy: "static",
    ...(hasNuma(machineType) && { topologyManager: { policy: "restricted" }, memoryManager: { policy: "Static" } }),
  };
}

const unreserved = { consumeReservationType: "NO_RESERVATION" };

const reserved = (name: pulumi.Input<string> | undefined): container.NodePoolNodeConfigReservationAffinity => ({
  consumeReservationType: "SPECIFIC_RESERVATION",
  key: "compute.googleapis.com/reservation-name",
  values: name === undefined ? [] : [name],
});

/** Source of the machines, and how long they stay. */
function provisioning({ capacity, reservationName, maxRunSeconds }: GkePoolSpec): Partial<NodeConfig> {
  const onRequest: Partial<NodeConfig> = {
    reservationAffinity: unreserved,
    flexStart: true,
    maxRunDuration: maxRunSeconds === undefined ? undefined : `${maxRunSeconds}s`,
  };
  const ways: Record<GkeNodePoolCapacity, Partial<NodeConfig>> = {
    [GkeNodePoolCapacity.OnDemand]: {},
    [GkeNodePoolCapacity.Spot]: { reservationAffinity: unreserved, spot: true },
    [GkeNodePoolCapacity.Reservation]: { reservationAffinity: reserved(reservationName) },
    [GkeNodePoolCapacity.FlexStart]: onRequest,
    [GkeNodePoolCapacity.Queued]: onRequest,
  };
  return ways[capacity];
}
