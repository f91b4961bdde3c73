import * as pulumi from "@pulumi/pulumi";
import { capacityOf } from "../minicluster/capacity";
import type { NodePoolScheduling } from "../minicluster/args";
import { attachKnownValue } from "../shared/plain";

/**
 * What a pool tells the program that made it. Both are known in every preview; whoever uses the first waits until the pool
 * and its plugins are there.
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
