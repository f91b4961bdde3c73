import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import { fromOptionalPackage } from "../../../shared/optionalPackage";
import { withProviderOf } from "../../kubernetes/register";
import type { NodePoolCapacity, NodePoolScheduling } from "../../nodes/args";
import { poolOutputs } from "../../nodes/register";
import type { GkeNodePoolArgs } from "./args";
import { parseGkeNodePoolArgs } from "./parse";

/**
 * A node pool of Google Kubernetes Engine for HPC: its machines, their GPUs with the driver, their network, and their
 * placement. Set the `pool` of a MiniCluster to the output `scheduling` to run it on the pool.
 */
export class GkeNodePool extends pulumi.ComponentResource {
  /** Scheduling settings for the pods of a MiniCluster: the value of its `pool` argument. */
  readonly scheduling!: pulumi.Output<NodePoolScheduling>;
  /** Total capacity of the nodes, at the fixed size or at the maximum of an autoscaled pool. */
  readonly capacity!: pulumi.Output<NodePoolCapacity>;
  /** Name of the node pool in GKE. */
  readonly nodePoolName!: pulumi.Output<string>;

  constructor(name: string, args: GkeNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseGkeNodePoolArgs(name, args);
    super("minicluster:index:GkeNodePool", name, {}, withProviderOf(spec.cluster, opts));
    const { nodePool, plugins } = gcpRegister().registerGkePool(name, spec, childOptions(this, opts));
    const outputs = { ...poolOutputs(spec.scheduling, [nodePool, ...plugins]), nodePoolName: nodePool.name };
    Object.assign(this, outputs);
    this.registerOutputs(outputs);
  }
}

const gcpRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  fromOptionalPackage("@pulumi/gcp", () => require("./register") as typeof import("./register"));
