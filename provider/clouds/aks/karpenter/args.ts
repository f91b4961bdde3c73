import * as pulumi from "@pulumi/pulumi";
import type { NodePoolDevicePluginArgs, NodePoolPriceArgs, NodePoolTaint, MiniClusterArch } from "../../nodes/args";
import type {
  AksNodePoolCapacityType,
  AksNodePoolGpuDriver,
  AksNodePoolHardwareArgs,
  AksNodePoolTopologyManagerPolicy,
} from "../nodes/args";

/** Image of the nodes that AKS provisions (`imageFamily` of the AKSNodeClass). */
export const AksKarpenterNodePoolImageFamily = {
  /** The Ubuntu of the Kubernetes version of the AKS cluster. */
  Ubuntu: "ubuntu",
  /** Ubuntu 22.04. */
  Ubuntu2204: "ubuntu2204",
  /** Ubuntu 24.04. */
  Ubuntu2404: "ubuntu2404",
  /** Azure Linux. */
  AzureLinux: "azureLinux",
} as const;
export type AksKarpenterNodePoolImageFamily =
  (typeof AksKarpenterNodePoolImageFamily)[keyof typeof AksKarpenterNodePoolImageFamily];

/**
 * Nodes that the node auto-provisioning (NAP) of an AKS cluster, a managed Karpenter, provisions for the pods of a MiniCluster: a NodePool
 * and an AKSNodeClass, created by the Kubernetes provider. The AKS cluster needs `nodeProvisioningProfile: { mode: "Auto" }`, as
 * `az aks update --node-provisioning-mode Auto` sets it, or Karpenter with its provider for Azure, 1.12 or later. The nodes have no
 * InfiniBand, no capacity reservation, no proximity placement group and no devices by claims: use an AksNodePool for these. Sources: AKS,
 * "Overview of node auto-provisioning"; Azure/karpenter-provider-azure.
 */
export interface AksKarpenterNodePoolArgs {
  /**
   * Name of the NodePool and of the AKSNodeClass, which is also a label of the nodes and a property of their hosts in Flux. A
   * lowercase DNS label. Default: the Pulumi resource name.
   */
  name?: string;
  /**
   * Sizes of the virtual machines, 1 or more, such as "Standard_D16s_v6", from which Karpenter selects the cheapest. All must have the
   * same architecture, CPUs and accelerators; the smallest of their memory sizes is used. Refused are sizes that Karpenter does not
   * launch: constrained sizes such as "Standard_HB120-96rs_v3", confidential machines, and GPUs that are not in its
   * `pkg/utils/supported-gpus.yaml`.
   */
  machineTypes: string[];
  /** Description of a VM size that this package does not list; only for a single size. Default: the data of the package. */
  hardware?: AksNodePoolHardwareArgs;
  /** Processor architecture, which must match the sizes. Default: the architecture of the sizes. */
  arch?: MiniClusterArch;
  /**
   * Number of nodes, from 0 to 100000. Without `maxSize`, Karpenter keeps this number, with and without pods (AKS, "Static node pools");
   * a Karpenter that you installed needs its feature gate `StaticCapacity`. With `maxSize`, Karpenter launches nodes for pods, and `size`
   * has no effect. Default: none; required without `maxSize`.
   */
  size?: number;
  /** Minimum number of nodes of an autoscaled pool: 0, because Karpenter launches nodes for pods. Requires `maxSize`. Default: 0. */
  minSize?: number;
  /**
   * Maximum number of nodes, from 1 to 100000 (`limits.nodes` of the NodePool). An existing pool cannot change between a pool with
   * `maxSize` and a pool without it. Default: none; `size` is a fixed number.
   */
  maxSize?: number;
  /**
   * Availability zones as Karpenter names them: region and number, such as "westus3-1". A zone that is an output is not part of
   * `scheduling`. Default: all zones of the region.
   */
  zones?: pulumi.Input<string>[];
  /** Id of the subnet of the nodes. Default: the subnet of the AKS cluster. */
  vnetSubnetId?: pulumi.Input<string>;
  /** Purchase option of the nodes: "onDemand" or "spot". Karpenter cannot use reservations. Default: "onDemand". */
  capacityType?: AksNodePoolCapacityType;
  /**
   * Image of the nodes. AMD accelerators need Ubuntu. Default: "ubuntu".
   */
  imageFamily?: AksKarpenterNodePoolImageFamily;
  /**
   * Installation of the driver of the accelerators (`gpu.mode` of the AKSNodeClass). "none" is for the NVIDIA GPU Operator, which also
   * installs its own device plugin. Requires sizes with accelerators. Default: "install", or "none" for AMD, whose driver and device plugin
   * only the AMD GPU Operator installs.
   */
  gpuDriver?: AksNodePoolGpuDriver;
  /**
   * Starts containers while their image is still loading (artifact streaming). This works for images by tag in a Premium Azure Container
   * Registry for which a streaming artifact exists (`az acr artifact-streaming create`); other images are pulled as usual. Refused on
   * arm64, which Karpenter excludes. Sources: AKS, "Artifact Streaming"; `artifactStreaming` of the AKSNodeClass. Default: false.
   */
  artifactStreaming?: pulumi.Input<boolean>;
  /** Size of the OS disk in GiB, from 30 to 2048. Ephemeral if the machine has room for it. Default: 128. */
  diskGib?: pulumi.Input<number>;
  /**
   * Price of a node, with which previews show the price of the pool. In TypeScript, `await lookupAksPrice(machineType, { location })` is
   * the list price. Default: none.
   */
  price?: NodePoolPriceArgs;
  /**
   * Additional labels of the nodes. Labels of the domains karpenter.sh, karpenter.azure.com and kubernetes.azure.com are refused. Default:
   * none.
   */
  labels?: Record<string, pulumi.Input<string>>;
  /**
   * Taints of the nodes. Without a taint, Karpenter also launches nodes of this pool for other pending pods that they suit. The pods of a
   * MiniCluster on this pool tolerate them. Default: none.
   */
  taints?: NodePoolTaint[];
  /** Tags of the Azure resources that Karpenter creates. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
  /** True if the kubelet assigns exclusive cores to pods that request whole CPUs (static CPU policy). Default: false. */
  staticCpu?: boolean;
  /** Policy of the Topology Manager of the kubelet, as in an AksNodePool. Default: "best-effort" with `staticCpu`, otherwise "none". */
  topologyManagerPolicy?: AksNodePoolTopologyManagerPolicy;
  /** Seconds after which an empty node is removed, from 0 to 86400. Default: 300. */
  emptyForSeconds?: pulumi.Input<number>;
  /** The NVIDIA device plugin. Requires NVIDIA GPUs and `gpuDriver` "install". Default: run if AKS installs the driver. */
  nvidiaPlugin?: NodePoolDevicePluginArgs;
}
