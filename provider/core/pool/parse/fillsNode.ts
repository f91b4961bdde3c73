import type { PoolSpec } from "../../../clouds/nodes/parse/pool";
import { amount, properties } from "../../../shared/checks";
import { isDeferred } from "../../../shared/deferred";
import type { BrokerPodsFields } from "../../parse/fields";
import { containerRequests, totalRequested } from "./givenRequests";

/**
 * True if two pods of the Job cannot share a node of the pool, because each requests more than half of the node's CPUs or EFA
 * interfaces. A node never offers more of these than its machine has. GPUs do not count, because a node may offer parts of them;
 * nor does memory, because a pool of several machine types reports the least memory. `fields` are the fields of pods bound to the
 * pool.
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
