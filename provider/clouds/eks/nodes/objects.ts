import type { LaunchTemplateArgs } from "@pulumi/aws/ec2/launchTemplate";
import type { NodeGroupArgs } from "@pulumi/aws/eks/nodeGroup";
import type * as pulumi from "@pulumi/pulumi";
import { withoutEmpty } from "../../../shared/objects";
import { NodePoolAcceleratorKind, MiniClusterTaintEffect } from "../../nodes/args";
import { byClaim, draLabels, poolLabels } from "../../nodes/parse/scheduling";
import {
  EksNodePoolCapacityType,
  EksNodePoolPlacement,
  EksNodePoolReservationPreference,
  EksNodePoolWarmPoolState,
} from "./args";
import type { EksPoolSpec } from "./parse";
import { efaInterfaces, type NetworkInterface } from "./parse/efa";
import { hasEfa } from "./parse/fields";
import { amiTypeOf, dataDevice, fastPullMibps, renderUserData } from "./parse/os";

/** Inputs of a launch template that come from other resources. */
export interface TemplateParts {
  securityGroups: pulumi.Input<pulumi.Input<string>[]>;
  placementGroup: pulumi.Input<string> | undefined;
  /** User data in base64, if they depend on values that are only known later. */
  userData?: pulumi.Input<string>;
}

/** The launch template: all settings of a node that a managed node group lacks. */
export function buildLaunchTemplate(
  spec: EksPoolSpec,
  { securityGroups, placementGroup, userData = encoded(renderUserData(spec)) }: TemplateParts,
): LaunchTemplateArgs {
  const { tags, zones } = spec;
  return withoutEmpty<LaunchTemplateArgs>({
    description: `minicluster pool ${spec.name}`,
    updateDefaultVersion: true,
    blockDeviceMappings: [{ deviceName: dataDevice[spec.os], ebs: disk(spec) }],
    // Only processes on the node's own network may read the node's credentials, and only by IMDSv2.
    metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
    ...(hasEfa(spec)
      ? { networkInterfaces: interfaces(spec, securityGroups) }
      : { vpcSecurityGroupIds: securityGroups }),
    // By the rules, a pool with a placement group has exactly one zone.
    placement: placementGroup === undefined ? undefined : { groupName: placementGroup, availabilityZone: zones[0] },
    ...cpuOptions(spec),
    ...reservation(spec),
    imageId: spec.amiId,
    userData,
    tagSpecifications: Object.keys(tags).length > 0 ? tagged.map((resourceType) => ({ resourceType, tags })) : [],
    tags,
  });
}

/** User data in the encoding of EC2. */
export const encoded = (userData: string | undefined) => userData && Buffer.from(userData).toString("base64");

/** Resources that EC2 creates with a node, and that have its tags. */
const tagged = ["instance", "volume", "network-interface"];

const disk = ({ diskGib, diskType, fastImagePull }: EksPoolSpec) => ({
  volumeSize: diskGib,
  volumeType: diskType,
  ...(fastImagePull && { throughput: fastPullMibps }),
  deleteOnTermination: "true",
  encrypted: "true",
});

function interfaces(spec: EksPoolSpec, securityGroups: TemplateParts["securityGroups"]) {
  const all = networkInterfaces(spec);
  // If a node has several interfaces, none gets a public address, and EC2 rejects the field for an interface of type
  // "efa-only".
  const isPrivate = ({ interfaceType }: NetworkInterface) => all.length > 1 && interfaceType !== "efa-only";
  return all.map((each) => ({
    ...each,
    ...(isPrivate(each) && { associatePublicIpAddress: "false" }),
    securityGroups,
    deleteOnTermination: "true",
  }));
}

/** Interfaces of a node with EFA; none for other nodes, which have EC2's default interface. */
export const networkInterfaces = (spec: EksPoolSpec): NetworkInterface[] =>
  hasEfa(spec) ? efaInterfaces(spec.machine, spec.efaLayout) : [];

/** CPU options, if the threads differ from the machine's; EC2 also requires the number of cores. */
function cpuOptions({ machine, threadsPerCore }: EksPoolSpec) {
  if (threadsPerCore === undefined || threadsPerCore === machine.threadsPerCore) return {};
  return { cpuOptions: { coreCount: machine.vcpus / machine.threadsPerCore, threadsPerCore } };
}

const reservationPreferences: Record<EksNodePoolReservationPreference, string> = {
  [EksNodePoolReservationPreference.Open]: "open",
  [EksNodePoolReservationPreference.CapacityReservationsOnly]: "capacity-reservations-only",
  [EksNodePoolReservationPreference.None]: "none",
};

/** The reservations of the machines, if any. A capacity block has its instance type here, and the group has none. */
function reservation(spec: EksPoolSpec) {
  const { capacityType, reservationPreference: preference } = spec;
  const capacityReservationSpecification = withoutEmpty({
    capacityReservationPreference: preference && reservationPreferences[preference],
    capacityReservationTarget: withoutEmpty({
      capacityReservationId: spec.reservationId,
      capacityReservationResourceGroupArn: spec.reservationResourceGroupArn,
    }),
  });
  return {
    capacityReservationSpecification,
    ...(capacityType === EksNodePoolCapacityType.CapacityBlock && {
      instanceMarketOptions: { marketType: "capacity-block" },
      instanceType: spec.machineTypes[0],
    }),
  };
}

const capacityTypes: Record<EksNodePoolCapacityType, string> = {
  [EksNodePoolCapacityType.OnDemand]: "ON_DEMAND",
  [EksNodePoolCapacityType.Spot]: "SPOT",
  [EksNodePoolCapacityType.Reservation]: "ON_DEMAND",
  [EksNodePoolCapacityType.CapacityBlock]: "CAPACITY_BLOCK",
};

const taintEffects: Record<MiniClusterTaintEffect, string> = {
  [MiniClusterTaintEffect.NoSchedule]: "NO_SCHEDULE",
  [MiniClusterTaintEffect.PreferNoSchedule]: "PREFER_NO_SCHEDULE",
  [MiniClusterTaintEffect.NoExecute]: "NO_EXECUTE",
};

/** Inputs of a node group that come from other resources. */
export interface GroupParts {
  subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  launchTemplate: { id: pulumi.Input<string>; version: pulumi.Input<string> };
}

/**
 * A change of the launch template ends an old node before the new node starts: by default EKS starts new nodes first,
 * for which a full reservation or placement group has no room (Amazon EKS API reference, NodegroupUpdateConfig).
 */
const oneAfterAnother = { maxUnavailable: 1, updateStrategy: "MINIMAL" };

/** The managed node group. */
export function buildNodeGroup(spec: EksPoolSpec, { subnetIds, launchTemplate }: GroupParts): NodeGroupArgs {
  const { machine, sizing, capacityType } = spec;
  return withoutEmpty<NodeGroupArgs>({
    clusterName: spec.clusterName,
    nodeRoleArn: spec.nodeRoleArn,
    subnetIds,
    amiType: spec.amiId === undefined ? amiTypeOf(spec.os, machine.arch, machine.accelerator?.kind) : undefined,
    capacityType: capacityTypes[capacityType],
    instanceTypes: capacityType === EksNodePoolCapacityType.CapacityBlock ? [] : spec.machineTypes,
    // All three are set together, because the API rejects a desired size outside its limits. With an autoscaler, the
    // desired size is read from the state; a diagnostic before the update reports a size that the API would reject.
    scalingConfig: { minSize: sizing.min, maxSize: Math.max(1, sizing.max), desiredSize: sizing.initial },
    labels: nodeLabels(spec),
    warmPoolConfig: warmPoolConfig(spec),
    taints: spec.taints.map(({ key, value = "", effect }) => ({ key, value, effect: taintEffects[effect] })),
    launchTemplate,
    updateConfig: oneAfterAnother,
    nodeRepairConfig: spec.nodeRepair === undefined ? undefined : { enabled: spec.nodeRepair },
    version: spec.version,
    tags: { ...autoscalerTags(spec), ...spec.tags },
  });
}

const warmPoolStates: Record<EksNodePoolWarmPoolState, string> = {
  [EksNodePoolWarmPoolState.Stopped]: "STOPPED",
  [EksNodePoolWarmPoolState.Running]: "RUNNING",
  [EksNodePoolWarmPoolState.Hibernated]: "HIBERNATED",
};

/** The warm pool of a node group, with all defaults: an empty block would be omitted, and so would the warm pool. */
function warmPoolConfig({ warmPool }: EksPoolSpec): NodeGroupArgs["warmPoolConfig"] {
  if (!warmPool) return undefined;
  const { poolState = EksNodePoolWarmPoolState.Stopped, minSize = 0, reuseOnScaleIn = false } = warmPool;
  return withoutEmpty({ ...warmPool, poolState: warmPoolStates[poolState], minSize, reuseOnScaleIn });
}

/**
 * Tags with the devices of a future node, for the cluster autoscaler, which can derive only CPUs, memory and NVIDIA
 * GPUs from an instance type.
 */
function autoscalerTags({ sizing, scheduling }: EksPoolSpec): Record<string, string> {
  if (sizing.isFixed) return {};
  const devices = Object.entries(scheduling.resources ?? {}).filter(([name]) => name !== "nvidia.com/gpu");
  return Object.fromEntries(
    devices.map(([name, quantity]) => [`k8s.io/cluster-autoscaler/node-template/resources/${name}`, quantity]),
  );
}

// Models with this prefix in the autoscaler's own list (availableGPUTypes of its provider for AWS).
const teslas = ["A100", "K80", "P100", "T4", "V100"];

/**
 * Label by which the cluster autoscaler detects that a node has GPUs. Without it, a node whose device plugin has not
 * started counts as a node without GPUs, and the autoscaler starts another node.
 */
function gpuLabels(spec: EksPoolSpec): Record<string, string> {
  const { sizing, gpuBy, machine } = spec;
  const { accelerator } = machine;
  if (accelerator?.kind !== NodePoolAcceleratorKind.Nvidia) return {};
  // For GPUs by claims, the autoscaler would wait for a resource that no device plugin reports.
  if (byClaim(gpuBy) || sizing.isFixed) return draLabels(spec);
  const model = accelerator.model.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const words = ["nvidia", ...(teslas.includes(accelerator.model) ? ["tesla"] : []), ...model];
  // Kubernetes accepts at most 63 characters, and no trailing hyphen.
  return { ...draLabels(spec), "k8s.amazonaws.com/accelerator": words.join("-").slice(0, 63).replace(/-$/, "") };
}

/** Labels of the nodes. */
export const nodeLabels = (spec: EksPoolSpec): Record<string, pulumi.Input<string>> => ({
  ...gpuLabels(spec),
  ...spec.labels,
  ...poolLabels(spec.name),
});

/** True if the pool needs a new placement group. */
export const needsPlacementGroup = ({ placement, placementGroupName }: EksPoolSpec) =>
  placement === EksNodePoolPlacement.Cluster && placementGroupName === undefined;

/** A subnet, as EC2 describes it. */
export interface Subnet {
  id: string;
  availabilityZone: string;
  /** True if machines in the subnet get public addresses, which is only the case in a public subnet. */
  mapPublicIpOnLaunch: boolean;
}

/** The zones of subnets, in words. */
export const describePlaces = (all: Pick<Subnet, "id" | "availabilityZone">[]) =>
  all.map(({ id, availabilityZone }) => `${id} in ${availabilityZone}`).join(", ");
