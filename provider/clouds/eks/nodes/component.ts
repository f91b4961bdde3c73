import * as pulumi from "@pulumi/pulumi";
import { childOptions } from "../../../shared/children";
import { fromOptionalPackage } from "../../../shared/optionalPackage";
import { withProviderOf } from "../../kubernetes/register";
import type { NodePoolCapacity, NodePoolScheduling } from "../../nodes/args";
import { poolOutputs } from "../../nodes/register";
import type { EksNodePoolArgs } from "./args";
import { parseEksNodePoolArgs } from "./parse";

/**
 * A managed node group of Amazon EKS for HPC: its machines, their EFA interfaces, their placement, and the device plugins that
 * advertise their devices to Kubernetes. Set the `pool` of a MiniCluster to the output `scheduling` to run it on the pool.
 */
export class EksNodePool extends pulumi.ComponentResource {
  /** Scheduling settings for the pods of a MiniCluster: the value of its `pool` argument. */
  readonly scheduling!: pulumi.Output<NodePoolScheduling>;
  /** Total capacity of the nodes, at the fixed size or at the maximum of an autoscaled pool. */
  readonly capacity!: pulumi.Output<NodePoolCapacity>;
  /** Name of the node group in EKS. */
  readonly nodeGroupName!: pulumi.Output<string>;
  /** Id of the launch template of the nodes. */
  readonly launchTemplateId!: pulumi.Output<string>;
  /** Name of the placement group, or an empty string. */
  readonly placementGroupName!: pulumi.Output<string>;

  constructor(name: string, args: EksNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const spec = parseEksNodePoolArgs(name, args);
    super("minicluster:index:EksNodePool", name, {}, withProviderOf(spec.cluster, opts));
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

// Only programs that use a cloud load its SDK.
const awsRegister = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  fromOptionalPackage("@pulumi/aws", () => require("./register") as typeof import("./register"));
