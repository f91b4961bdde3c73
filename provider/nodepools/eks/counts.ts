import { type Inputs, numberAt } from "../../shared/changes";
import type { NodeCounts } from "../remarks";

/** The limits in the inputs of a managed node group, and the number of nodes between them, as far as they are known. */
export const scalingIn = (inputs: Inputs) => ({
  min: numberAt(inputs, "scalingConfig", "minSize"),
  max: numberAt(inputs, "scalingConfig", "maxSize"),
  desired: numberAt(inputs, "scalingConfig", "desiredSize"),
});

/** The numbers of nodes in the inputs of a managed node group. */
export function countsIn(inputs: Inputs): NodeCounts {
  const { min, max, desired } = scalingIn(inputs);
  // EKS lets a pool of no nodes have one at most.
  const isEmpty = min === 0 && max === 1 && desired === 0;
  return min === max || isEmpty ? { fixed: min } : { max };
}
