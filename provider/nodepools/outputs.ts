import * as pulumi from "@pulumi/pulumi";
import { capacityOf } from "../minicluster/capacity";
import { attachKnownValue } from "../shared/plain";
import type { NodePoolScheduling } from "./schedulingArgs";

/**
 * Outputs that all pools have. Both are known in every preview; a resource that uses `scheduling` waits for the pool and its
 * plugins.
 */
export function poolOutputs(scheduling: NodePoolScheduling, resources: pulumi.Resource[]) {
  const { gpus = 0, fabricInterfaces = 0, ...node } = scheduling.node;
  const nodes = scheduling.nodes ?? scheduling.maxNodes ?? 0;
  // The URN of a resource is known before the resource exists.
  const ready = pulumi.all(resources.map(({ urn }) => urn));
  return {
    scheduling: attachKnownValue(
      ready.apply(() => scheduling),
      scheduling,
    ),
    capacity: pulumi.output(capacityOf(nodes, { ...node, gpus, fabricInterfaces })),
  };
}
