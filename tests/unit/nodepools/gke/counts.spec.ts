import * as assert from "node:assert/strict";
import { countsIn } from "../../../../provider/nodepools/gke/counts";
import { buildNodePool } from "../../../../provider/nodepools/gke/pool";
import type { Inputs } from "../../../../provider/shared/changes";
import { aGkePool } from "./fixtures";

describe("the nodes in the inputs of a GKE node pool", () => {
  const zones = ["us-central1-a", "us-central1-b"];
  const counts = (args: Parameters<typeof aGkePool>[0]) => countsIn(buildNodePool(aGkePool(args)) as unknown as Inputs);

  it("are those of all zones", () => assert.deepEqual(counts({ zones, size: 6 }), { fixed: 6 }));
  it("may be none", () => assert.deepEqual(counts({ size: 0 }), { fixed: 0 }));
  it("are the most that there may be, wherever the pool started", () =>
    assert.deepEqual(counts({ zones, pairedWith: { size: 4, maxSize: 9 } }), { max: 9 }));
  it("are not counted while a part of them is not known", () => {
    assert.deepEqual(countsIn({}), {});
    assert.deepEqual(countsIn({ nodeCount: 2 }), {});
    assert.deepEqual(countsIn({ nodeLocations: zones }), {});
  });
});
