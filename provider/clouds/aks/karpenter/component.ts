import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import type { NodePoolCapacity, NodePoolScheduling } from "../../nodes/args";
import { poolOutputs } from "../../nodes/register";
import type { AksKarpenterNodePoolArgs } from "./args";
import { parseAksKarpenterNodePoolArgs } from "./parse";
import { registerAksKarpenterPool } from "./register";

/**
 * Nodes that the node auto-provisioning of an AKS cluster, a managed Karpenter, provisions: a NodePool and an AKSNodeClass, and the
 * device plugin that advertises NVIDIA GPUs to Kubernetes. Set the `pool` of a MiniCluster to the output `scheduling` to run it on the
 * pool.
 */
export class AksKarpenterNodePool extends pulumi.ComponentResource {
  /** Scheduling settings for the pods of a MiniCluster: the value of its `pool` argument. */
  readonly scheduling!: pulumi.Output<NodePoolScheduling>;
  /** Total capacity of the nodes, at the fixed size or at the maximum of an autoscaled pool. */
  readonly capacity!: pulumi.Output<NodePoolCapacity>;
  /** Name of the NodePool and of the AKSNodeClass. */
  readonly nodePoolName!: pulumi.Output<string>;

  constructor(name: string, args: AksKarpenterNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseAksKarpenterNodePoolArgs(name, args);
    super("minicluster:index:AksKarpenterNodePool", name, {}, opts);
    const { nodePool, plugins } = registerAksKarpenterPool(name, spec, childOptions(this, opts));
    const outputs = {
      ...poolOutputs(spec.scheduling, [nodePool, ...plugins]),
      nodePoolName: nodePool.metadata.name,
    };
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}
