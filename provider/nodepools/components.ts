import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../shared/children";
import { withCloudSdk } from "../shared/missing";
import type { AksNodePoolArgs } from "./aks/args";
import { parseAksNodePoolArgs } from "./aks/parse";
import type { NodePoolCapacity, NodePoolScheduling } from "./args";
import type { EksNodePoolArgs } from "./eks/args";
import { parseEksNodePoolArgs } from "./eks/parse";
import type { GkeNodePoolArgs } from "./gke/args";
import { parseGkeNodePoolArgs } from "./gke/parse";
import type { KarpenterNodePoolArgs } from "./karpenter/args";
import { parseKarpenterNodePoolArgs } from "./karpenter/parse";
import { registerKarpenterPool } from "./karpenter/register";
import { poolOutputs } from "./register";

/**
 * A managed node group of Amazon EKS for HPC: its machines, their EFA interfaces, their placement, and the
 * device plugins that make their devices known to Kubernetes. A MiniCluster whose `pool` is the output `scheduling` runs
 * on it.
 */
export class EksNodePool extends pulumi.ComponentResource {
  /** Facts of the pool that the pods of a MiniCluster need: the value of its `pool` argument. */
  readonly scheduling!: pulumi.Output<NodePoolScheduling>;
  /** Capacity of the nodes together: all of a pool of fixed size, the maximum of one that is autoscaled. */
  readonly capacity!: pulumi.Output<NodePoolCapacity>;
  /** Name of the node group in EKS. */
  readonly nodeGroupName!: pulumi.Output<string>;
  /** Id of the launch template of the nodes. */
  readonly launchTemplateId!: pulumi.Output<string>;
  /** Name of the placement group, or an empty text. */
  readonly placementGroupName!: pulumi.Output<string>;

  constructor(name: string, args: EksNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseEksNodePoolArgs(name, args);
    super("minicluster:index:EksNodePool", name, {}, opts);
    const { nodeGroup, template, placementGroup, plugins } = awsRegister().registerEksPool(
      name,
      spec,
      childOptions(this, opts),
    );
    const outputs = {
      ...poolOutputs(spec.scheduling, [nodeGroup, ...plugins]),
      nodeGroupName: nodeGroup.nodeGroupName,
      launchTemplateId: template.id,
      placementGroupName: pulumi.output(placementGroup ?? ""),
    };
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/**
 * Nodes that Karpenter brings to an EKS cluster: its NodePool and EC2NodeClass, with EFA interfaces, placement and reservations,
 * and the device plugins that make the devices known to Kubernetes. A MiniCluster whose `pool` is the output `scheduling` runs on it.
 */
export class KarpenterNodePool extends pulumi.ComponentResource {
  /** Facts of the pool that the pods of a MiniCluster need: the value of its `pool` argument. */
  readonly scheduling!: pulumi.Output<NodePoolScheduling>;
  /** Capacity of the nodes together, at the maximum. */
  readonly capacity!: pulumi.Output<NodePoolCapacity>;
  /** Name of the NodePool and of the EC2NodeClass. */
  readonly nodePoolName!: pulumi.Output<string>;

  constructor(name: string, args: KarpenterNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseKarpenterNodePoolArgs(name, args);
    super("minicluster:index:KarpenterNodePool", name, {}, opts);
    const { nodePool, plugins } = registerKarpenterPool(name, spec, childOptions(this, opts));
    const outputs = {
      ...poolOutputs(spec.scheduling, [nodePool, ...plugins]),
      nodePoolName: nodePool.metadata.name,
    };
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/**
 * An agent pool of Azure Kubernetes Service for HPC: its machines, their InfiniBand, their placement, and the
 * device plugins that make their devices known to Kubernetes. A MiniCluster whose `pool` is the output `scheduling` runs
 * on it.
 */
export class AksNodePool extends pulumi.ComponentResource {
  /** Facts of the pool that the pods of a MiniCluster need: the value of its `pool` argument. */
  readonly scheduling!: pulumi.Output<NodePoolScheduling>;
  /** Capacity of the nodes together: all of a pool of fixed size, the maximum of one that is autoscaled. */
  readonly capacity!: pulumi.Output<NodePoolCapacity>;
  /** Name of the agent pool in AKS. */
  readonly agentPoolName!: pulumi.Output<string>;
  /** Id of the proximity placement group, or an empty text. */
  readonly proximityPlacementGroupId!: pulumi.Output<string>;

  constructor(name: string, args: AksNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseAksNodePoolArgs(name, args);
    super("minicluster:index:AksNodePool", name, {}, opts);
    const { agentPool, placementGroupId, plugins } = azureRegister().registerAksPool(
      name,
      spec,
      childOptions(this, opts),
    );
    const outputs = {
      ...poolOutputs(spec.scheduling, [agentPool, ...plugins]),
      agentPoolName: agentPool.name,
      proximityPlacementGroupId: pulumi.output(placementGroupId ?? ""),
    };
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

/**
 * A node pool of Google Kubernetes Engine for HPC: its machines, their GPUs with the driver, their network, and their
 * placement. A MiniCluster whose `pool` is the output `scheduling` runs on it.
 */
export class GkeNodePool extends pulumi.ComponentResource {
  /** Facts of the pool that the pods of a MiniCluster need: the value of its `pool` argument. */
  readonly scheduling!: pulumi.Output<NodePoolScheduling>;
  /** Capacity of the nodes together: all of a pool of fixed size, the maximum of one that is autoscaled. */
  readonly capacity!: pulumi.Output<NodePoolCapacity>;
  /** Name of the node pool in GKE. */
  readonly nodePoolName!: pulumi.Output<string>;

  constructor(name: string, args: GkeNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseGkeNodePoolArgs(name, args);
    super("minicluster:index:GkeNodePool", name, {}, opts);
    const nodePool = gcpRegister().registerGkePool(name, spec, childOptions(this, opts));
    const outputs = { ...poolOutputs(spec.scheduling, [nodePool]), nodePoolName: nodePool.name };
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

// Each cloud's SDK is loaded by the programs that use it, and by no others.
const awsRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  withCloudSdk("@pulumi/aws", () => require("./eks/register") as typeof import("./eks/register"));

const gcpRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  withCloudSdk("@pulumi/gcp", () => require("./gke/register") as typeof import("./gke/register"));

const azureRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  withCloudSdk("@pulumi/azure-native", () => require("./aks/register") as typeof import("./aks/register"));
