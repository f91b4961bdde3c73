// Compared in November 2026, by `npm run machines`, with the lists of August 2026. Sizes are from the machine type list
// of google-cloud-pricing-cost-calculator (Cyclenerd); sizes of the newest GPU types are from the Compute Engine
// document "Accelerator-optimized machine family"; TIER_1 from google-cloud-compute-machine-types (Cyclenerd); C4N and
// local SSDs from the machine families of the GKE cluster autoscaler; threads per core, GPU names and compact placement
// from the machine families of the GKE cluster autoscaler and from "Define compact placement for GKE nodes"; RDMA and
// GPUDirect from the GKE blueprints of the Cluster Toolkit.
import { NodePoolAcceleratorKind, type NodePoolTaint, MiniClusterTaintEffect } from "../../nodes/args";
import { byClaim } from "../../nodes/parse/scheduling";
import { gkeNetworkLabels } from "../../nodes/parse/topology";
import { GkeNodePoolCapacityType, GkeNodePoolFabric, GkeNodePoolPlacement } from "../nodes/args";
import type { GkeHardware, GkePoolFields } from "../nodes/parse/fields";
import { gpuSeries } from "./accelerated";
import { cpuSeries } from "./cpu";
import type { GkeMachineType, GkeRdma, GpuSeries, Series } from "./rows";

export type { GkeMachineType, GkeRdma } from "./rows";

/** True for a machine type of the tables, which list no custom, bare-metal or shared-core type. */
export const isListed = (name: string) => gkeMachineTypes.has(name);

/** A machine type, from the tables or from the user's description. */
export function gkeMachineType(name: string, hardware?: GkeHardware): GkeMachineType | undefined {
  return gkeMachineTypes.get(name) ?? (hardware && described(name, hardware));
}

/** The machine type of a pool. */
export const machineTypeOf = ({ machineType, hardware }: Pick<GkePoolFields, "machineType" | "hardware">) =>
  gkeMachineType(machineType, hardware);

function described(name: string, { rdmaInterfaces: nics, ...type }: GkeHardware): GkeMachineType {
  const [family = name] = name.split("-", 1);
  // Google offers RoCE with GPUs, and Falcon without.
  const rdma = { nics, profile: type.accelerator ? "vpc-roce" : "vpc-falcon" } as const;
  return { ...type, family, ...(nics > 0 && { rdma }) };
}

/** A machine type with added GPUs, if the type supports them. */
export function withGpus(machineType: GkeMachineType, gpus: GkePoolFields["gpus"]): GkeMachineType {
  const { attachable = {} } = machineType;
  const found = gpus && Object.hasOwn(attachable, gpus.type) ? attachable[gpus.type] : undefined;
  if (!gpus || !found) return machineType;
  const accelerator = { kind: NodePoolAcceleratorKind.Nvidia, model: found.model, count: gpus.count };
  return { ...machineType, acceleratorType: gpus.type, accelerator };
}

/** Taints that GKE sets itself. */
export const ownTaints = (
  { arch, accelerator }: Pick<GkeMachineType, "arch" | "accelerator">,
  { capacityType }: Pick<GkePoolFields, "capacityType">,
) => [
  ...(arch === "arm64" ? [noSchedule("kubernetes.io/arch", arch)] : []),
  ...(accelerator ? [noSchedule("nvidia.com/gpu", "present")] : []),
  ...(capacityType === GkeNodePoolCapacityType.Queued ? [noSchedule("cloud.google.com/gke-queued", "true")] : []),
];

const noSchedule = (key: string, value: string): NodePoolTaint => ({
  key,
  value,
  effect: MiniClusterTaintEffect.NoSchedule,
});

const expandSeries = ([family, series]: [string, Series]): [string, GkeMachineType][] => {
  const { compact = false, tier1From = Infinity, types, localSsds, localSsdGib, ...shared } = series;
  return Object.entries(types).flatMap(([pattern, sizes]) =>
    Object.entries(sizes).map(([count, memoryGiB]): [string, GkeMachineType] => {
      const vcpus = Number(count);
      const tier1 = vcpus >= tier1From;
      const type = {
        ...shared,
        family,
        vcpus,
        memoryMib: toMiB(memoryGiB),
        tier1,
        compactPlacement: compact,
        ...localDisksOf(localSsds?.[pattern]?.[vcpus], localSsdGib),
      };
      return [`${family}-${pattern.replace("*", count)}`, type];
    }),
  );
};

const expandGpuSeries = ({
  compact = false,
  model,
  types,
  localSsdGib,
  ...shared
}: GpuSeries): [string, GkeMachineType][] =>
  Object.entries(types).map(([name, [vcpus, memoryGiB, count, localSsds]]) => {
    const accelerator = { kind: NodePoolAcceleratorKind.Nvidia, model, count };
    const family = name.split("-", 1)[0] ?? name;
    const type = { ...shared, family, vcpus, memoryMib: toMiB(memoryGiB), tier1: false, compactPlacement: compact };
    return [name, { ...type, accelerator, ...localDisksOf(localSsds, localSsdGib) }];
  });

const bytesPerGib = 1024 ** 3;

/** Local SSDs of a machine type, with their sum in GiB and in GB. */
function localDisksOf(localSsds: number | undefined, gib = 375) {
  if (localSsds === undefined) return {};
  const localSsdsGib = localSsds * gib;
  return { localSsds, localSsdsGib, localDiskGb: Math.floor((localSsdsGib * bytesPerGib) / 1e9) };
}

const toMiB = (gib: number): number => Math.floor(gib * 1024);

/** Machine types by the name that Google documents. */
export const gkeMachineTypes: ReadonlyMap<string, GkeMachineType> = new Map([
  ...Object.entries(cpuSeries).flatMap(expandSeries),
  ...gpuSeries.flatMap(expandGpuSeries),
]);

// From the machine families of the GKE cluster autoscaler, and the conditions of the node pool module of the Cluster Toolkit.

/** Machine families, or parts of a family: prefixes of the names of their types. */
type Families = readonly string[];

/** Families that are not available as spot. */
const withoutSpot: Families = ["h3", "m2"];

/** Families that boot only from a Hyperdisk, not from a Persistent Disk. */
const withHyperdiskAlone: Families = [
  "a3-ultragpu",
  "a4",
  "a4x",
  "c4",
  "c4a",
  "c4d",
  "c4n",
  "g4",
  "h4d",
  "m4",
  "n4",
  "n4a",
  "n4d",
  "z4d",
];

/** Families on which the kubelet cannot keep a pod's CPUs, memory and devices together on one NUMA node. */
const withoutNuma: Families = ["e2", "n1", "n2", "n2d", "t2d"];

/** Families that flex start supports in a placement. */
const withPlacedFlexStart: Families = ["a3-ultragpu", "a4", "h4d"];

/**
 * Families that support workload policies, of which A4X also requires one ("About workload policies for MIGs"). A3 High does so only
 * with 8 GPUs.
 */
const withWorkloadPolicy: Families = ["a3-highgpu-8g", "a3-megagpu", "a3-ultragpu", "a4", "a4x", "h4d"];

const isOneOf = (families: Families) => (type: string) =>
  families.some((family) => `${type}-`.startsWith(`${family}-`));

/** NVLink domains that span nodes, by family: the topology of the resource policy in which Google connects them. */
const nvlinkTopologies: Record<string, string> = { a4x: "1x72" };

/** Topology of the NVLink domain of a machine type's GPUs, if it spans nodes. */
export const nvlinkTopologyOf = (type: string) => nvlinkTopologies[type.split("-", 1)[0] ?? type];

/** Placement, by default none. A machine of an NVLink domain has no placement besides that domain. */
export const placementOf = ({ placement, machineType }: Pick<GkePoolFields, "placement" | "machineType">) =>
  placement ?? (nvlinkTopologyOf(machineType) === undefined ? GkeNodePoolPlacement.None : GkeNodePoolPlacement.Compact);

/**
 * Labels of Google's network on the nodes: on machines that are in a placement, and on all machines of the families with workload
 * policies ("View Compute Engine instance topology"). Unknown for other machines that this package does not list.
 */
export function networkLabelsOf(args: Pick<GkePoolFields, "placement" | "machineType">): string[] | undefined {
  if (placementOf(args) !== GkeNodePoolPlacement.None || hasWorkloadPolicy(args.machineType)) return gkeNetworkLabels;
  return isListed(args.machineType) ? [] : undefined;
}

/** True for RDMA interfaces that pods claim, on networks that GKE creates (DRANET). */
export const isClaimed = (rdma: GkeRdma, { fabricBy }: Pick<GkePoolFields, "fabricBy">) =>
  rdma.claimed === true || byClaim(fabricBy);

/** RDMA of a pool, if it is requested and the machine type has it. */
export const rdmaOf = (args: Pick<GkePoolFields, "fabric" | "machineType" | "hardware">) =>
  args.fabric === GkeNodePoolFabric.Rdma ? machineTypeOf(args)?.rdma : undefined;

/** True for a pool whose RDMA networks GKE creates, and whose interfaces GKE publishes for claims (DRANET). */
export function hasDranet(args: Pick<GkePoolFields, "fabric" | "fabricBy" | "machineType" | "hardware">): boolean {
  const rdma = rdmaOf(args);
  return rdma !== undefined && isClaimed(rdma, args);
}

export const hasSpot = (type: string) => !isOneOf(withoutSpot)(type);
export const hasHyperdiskAlone = isOneOf(withHyperdiskAlone);
export const hasNuma = (type: string) => !isOneOf(withoutNuma)(type);
export const hasPlacedFlexStart = isOneOf(withPlacedFlexStart);
export const hasWorkloadPolicy = isOneOf(withWorkloadPolicy);

/** True for machine types with a second gVNIC before the RDMA interfaces: eth1, which pods do not use. */
export const hasSecondGvnic = ({ profile }: GkeRdma) => profile === "vpc-roce";
