import type { PoolSpec } from "../../../clouds/nodes/parse/pool";
import { amount, properties } from "../../../shared/checks";
import { isDeferred } from "../../../shared/deferred";
import type { BrokerPodsFields } from "../../parse/fields";
import { containerRequests, totalRequested } from "./requests";

/**
 * True for pods that share a node of their pool with no pod of their Job, because each requests more than half of its CPUs or of
 * its EFA interfaces, of which no node offers more than its machine has. GPUs may be offered in parts, and a pool of several
 * machines reports the least memory. The fields are those of pods bound to the pool.
 */
export function fillsNode(fields: BrokerPodsFields, pool: PoolSpec): boolean {
  const { spec } = properties(fields.podTemplate);
  const { nodeSelector } = properties(spec as { nodeSelector?: Record<string, unknown> } | undefined);
  if (isDeferred(nodeSelector)) return false;
  const labels: Record<string, unknown> = { ...fields.pod.nodeSelector, ...nodeSelector };
  if (Object.entries(pool.nodeSelector).some(([key, value]) => labels[key] !== value)) return false;
  const requests = containerRequests(fields);
  const efa = "vpc.amazonaws.com/efa";
  const offers: [resource: string, has: number | undefined][] = [
    ["cpu", pool.node.vcpus],
    [efa, amount(pool.resources[efa])],
  ];
  return offers.some(([resource, has = Infinity]) => 2 * totalRequested(requests, resource) > has);
}
