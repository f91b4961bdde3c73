import * as assert from "node:assert/strict";
import type { EksNodePoolArgs } from "../../../../provider";
import { countsIn, scalingIn } from "../../../../provider/nodepools/eks/counts";
import type { NodeCounts } from "../../../../provider/nodepools/remarks";
import { anEksPool } from "./fixtures";
import { groupInputs } from "./inputs";

describe("the numbers of nodes in the inputs of a node group", () => {
  const cases: [name: string, args: Partial<EksNodePoolArgs>, want: NodeCounts][] = [
    ["all of a pool of fixed size", { size: 3 }, { fixed: 3 }],
    ["none of a fixed pool of none, which EKS lets have one", { size: 0 }, { fixed: 0 }],
    ["all of a pool of one", { size: 1 }, { fixed: 1 }],
    ["the most of a pool that is scaled by need", { autoscale: { max: 8 } }, { max: 8 }],
    ["the most of one that has its least from the beginning", { autoscale: { min: 2, max: 8 } }, { max: 8 }],
    ["all of a pool whose limits leave the autoscaler no choice", { autoscale: { min: 4, max: 4 } }, { fixed: 4 }],
  ];
  for (const [name, args, want] of cases)
    it(`are ${name}`, () => assert.deepEqual(countsIn(groupInputs(anEksPool(args))), want));

  it("are the most of a pool of one node at most that the autoscaler has started", () =>
    assert.deepEqual(countsIn({ scalingConfig: { minSize: 0, maxSize: 1, desiredSize: 1 } }), { max: 1 }));

  it("are not known where the inputs are not", () => {
    assert.deepEqual(countsIn({}), { fixed: undefined });
    assert.deepEqual(countsIn({ scalingConfig: { minSize: 0, maxSize: "8" } }), { max: undefined });
    assert.deepEqual(scalingIn({}), { min: undefined, max: undefined, desired: undefined });
  });
});
