import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import { fromOptionalPackage } from "../../../shared/optionalPackage";
import { withProviderOf } from "../../kubernetes/register";
import type { NodePoolCapacity, NodePoolScheduling } from "../../nodes/args";
import { poolOutputs } from "../../nodes/register";
import type { AksNodePoolArgs } from "./args";
import { parseAksNodePoolArgs } from "./parse";

/**
 * An agent pool of Azure Kubernetes Service for HPC: its machines, their InfiniBand, their placement, and the device plugins
 * that advertise their devices to Kubernetes. Set the `pool` of a MiniCluster to the output `scheduling` to run it on the pool.
 */
export class AksNodePool extends pulumi.ComponentResource {
  /** Scheduling settings for the pods of a MiniCluster: the value of its `pool` argument. */
  readonly scheduling!: pulumi.Output<NodePoolScheduling>;
  /** Total capacity of the nodes, at the fixed size or at the maximum of an autoscaled pool. */
  readonly capacity!: pulumi.Output<NodePoolCapacity>;
  /** Name of the agent pool in AKS. */
  readonly agentPoolName!: pulumi.Output<string>;
  /** Id of the proximity placement group, or an empty string. */
  readonly proximityPlacementGroupId!: pulumi.Output<string>;

  constructor(name: string, args: AksNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseAksNodePoolArgs(name, args);
    super("minicluster:index:AksNodePool", name, {}, withProviderOf(spec.cluster, opts));
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

const azureRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  fromOptionalPackage("@pulumi/azure-native", () => require("./register") as typeof import("./register"));
