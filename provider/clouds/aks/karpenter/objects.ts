import { buildKarpenterNodePool, type KarpenterObject } from "../../karpenter/objects";
import { withoutEmpty } from "../../../shared/objects";
import { canonicalSize } from "../machines";
import { AksNodePoolCapacityType, AksNodePoolGpuDriver } from "../nodes/args";
import { kubeletSettings } from "../nodes/objects";
import { AksKarpenterNodePoolImageFamily } from "./args";
import type { AksKarpenterPoolSpec } from "./parse";

const families: Record<AksKarpenterNodePoolImageFamily, string> = {
  [AksKarpenterNodePoolImageFamily.Ubuntu]: "Ubuntu",
  [AksKarpenterNodePoolImageFamily.Ubuntu2204]: "Ubuntu2204",
  [AksKarpenterNodePoolImageFamily.Ubuntu2404]: "Ubuntu2404",
  [AksKarpenterNodePoolImageFamily.AzureLinux]: "AzureLinux",
};

const gpuModes: Record<AksNodePoolGpuDriver, string> = {
  [AksNodePoolGpuDriver.Install]: "Driver",
  [AksNodePoolGpuDriver.None]: "None",
};

const nodeClass = { group: "karpenter.azure.com", kind: "AKSNodeClass" };

/** API of the AKSNodeClass. */
export const nodeClassApi = `${nodeClass.group}/v1beta1`;

/** The AKSNodeClass: the description of a node for Azure. */
export function buildAksNodeClass(spec: AksKarpenterPoolSpec): KarpenterObject {
  const kubelet = kubeletSettings(spec);
  return {
    apiVersion: nodeClassApi,
    kind: nodeClass.kind,
    metadata: { name: spec.name },
    spec: withoutEmpty<Record<string, unknown>>({
      imageFamily: families[spec.imageFamily],
      osDiskSizeGB: spec.diskGib,
      vnetSubnetID: spec.vnetSubnetId,
      ...(spec.artifactStreaming !== false && { artifactStreaming: { enabled: spec.artifactStreaming } }),
      ...(spec.gpuDriver !== undefined && { gpu: { mode: gpuModes[spec.gpuDriver] } }),
      ...(kubelet && { kubelet }),
      tags: spec.tags,
    }),
  };
}

/** Label of a node with its VM size. */
export const sizeLabel = "karpenter.azure.com/sku-name";

const isSpot = ({ capacityType }: AksKarpenterPoolSpec) => capacityType === AksNodePoolCapacityType.Spot;

/** The NodePool, with the AKSNodeClass of the same name. */
export const buildAksKarpenterPool = (spec: AksKarpenterPoolSpec): KarpenterObject =>
  buildKarpenterNodePool({
    ...spec,
    nodeClass,
    requirements: {
      [sizeLabel]: spec.machineTypes.map(canonicalSize),
      "kubernetes.io/arch": [spec.machine.arch],
      "karpenter.sh/capacity-type": [isSpot(spec) ? "spot" : "on-demand"],
      "topology.kubernetes.io/zone": spec.zones,
    },
  });
