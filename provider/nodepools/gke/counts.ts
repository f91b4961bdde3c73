import { type Inputs, numberAt } from "../../shared/changes";
import type { NodeCounts } from "../remarks";

/** The numbers of nodes in the inputs of a node pool, over all of its zones. */
export function countsIn(inputs: Inputs): NodeCounts {
  const max = numberAt(inputs, "autoscaling", "totalMaxNodeCount");
  // Beside limits the number by zone is only where the pool started.
  if (max !== undefined) return { max };
  const perZone = numberAt(inputs, "nodeCount");
  const { nodeLocations } = inputs;
  if (perZone === undefined || !Array.isArray(nodeLocations)) return {};
  return { fixed: perZone * nodeLocations.length };
}
