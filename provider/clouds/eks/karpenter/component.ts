import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import type { NodePoolCapacity, NodePoolScheduling } from "../../nodes/args";
import { poolOutputs } from "../../nodes/register";
import type { KarpenterNodePoolArgs } from "./args";
import { parseKarpenterNodePoolArgs } from "./parse";
import { registerKarpenterPool } from "./register";

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
