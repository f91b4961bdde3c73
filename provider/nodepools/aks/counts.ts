import { type Inputs, numberAt } from "../../shared/changes";
import type { NodeCounts } from "../remarks";

/** The numbers of nodes in the inputs of an agent pool. */
export const countsIn =
  (isFixed: boolean) =>
  (inputs: Inputs): NodeCounts =>
    isFixed ? { fixed: numberAt(inputs, "count") } : { max: numberAt(inputs, "maxCount") };
