import { type Inputs, numberAt } from "../../shared/changes";
import type { NodeCounts } from "../remarks";

/** The numbers of nodes in the inputs of a managed node group. */
export const countsIn =
  (isFixed: boolean) =>
  (inputs: Inputs): NodeCounts =>
    isFixed
      ? { fixed: numberAt(inputs, "scalingConfig", "desiredSize") }
      : { max: numberAt(inputs, "scalingConfig", "maxSize") };
