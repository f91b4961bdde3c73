import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import type { NodePoolCapacity, NodePoolScheduling } from "../../nodes/args";
import { poolOutputs } from "../../nodes/register";
import type { KarpenterNodePoolArgs } from "./args";
import { parseKarpenterNodePoolArgs } from "./parse";
import { registerKarpenterPool } from "./register";

/**
 * Nodes that Karpenter provisions in an EKS cluster: a NodePool and an EC2NodeClass, with EFA interfaces, placement and
 * reservations, and the device plugins that advertise their devices to Kubernetes. Set the `pool` of a MiniCluster to the
 * output `scheduling` to run it on the pool.
 */
export class KarpenterNodePool extends pulumi.ComponentResource {
  /** Scheduling settings for the pods of a MiniCluster: the value of its `pool` argument. */
  readonly scheduling!: pulumi.Output<NodePoolScheduling>;
  /** Total capacity of the nodes at the maximum size. */
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
