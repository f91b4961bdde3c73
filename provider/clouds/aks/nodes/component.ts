import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import { fromOptionalPackage } from "../../../shared/optionalPackage";
import type { NodePoolCapacity, NodePoolScheduling } from "../../nodes/args";
import { poolOutputs } from "../../nodes/register";
import type { AksNodePoolArgs } from "./args";
import { parseAksNodePoolArgs } from "./parse";

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

const azureRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  fromOptionalPackage("@pulumi/azure-native", () => require("./register") as typeof import("./register"));
