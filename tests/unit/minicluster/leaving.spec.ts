import * as assert from "node:assert/strict";
import { leavingRemarks, stillLeavingRemarks } from "../../../provider/minicluster/leaving";
import { aBurstCluster, aMiniCluster } from "../../support/fixtures";

const counts = (completions: number, suspend = false) => ({ spec: { completions, parallelism: completions, suspend } });
const drained = "no new job starts there, and those that run there have 30 s to end";

describe("a resize", () => {
  const told = (...[before, after]: [object, object]) =>
    leavingRemarks(aMiniCluster({ maxSize: 8 }), before as never, after as never).map(({ text }) => text);

  it("names the hosts that leave, and says what becomes of their jobs", () => {
    assert.deepEqual(told(counts(8), counts(4)), [`demo-[4-7] leave: ${drained}`]);
    assert.deepEqual(told(counts(4), counts(3)), [`demo-3 leaves: ${drained}`]);
  });

  it("says that jobs are lost where they have no time to end", () =>
    assert.deepEqual(leavingRemarks(aMiniCluster({ drainTimeoutSeconds: 0 }), counts(2), counts(1)), [
      { severity: "info", text: "demo-1 leaves: the jobs that run there are lost" },
    ]));

  it("says nothing where nobody leaves", () =>
    assert.deepEqual(
      [counts(4), counts(5)].flatMap((after) => told(counts(4), after)),
      [],
    ));

  it("names all hosts of a cluster that goes to 0", () => {
    const spec = aBurstCluster({});
    const [remark] = leavingRemarks(spec, counts(3), counts(1, true));
    assert.equal(remark?.text, `${spec.name}-[0-2] leave: ${drained}`);
  });

  it("says afterwards how many are still leaving", () => {
    const seen = (terminating?: number) => ({ status: { terminating } });
    const left = (terminating?: number) =>
      stillLeavingRemarks(aMiniCluster({ maxSize: 8 }), counts(8), counts(4), seen(terminating)).map(
        ({ text }) => text,
      );
    assert.deepEqual([4, 1, 0, undefined].map(left), [
      ["4 pods are still leaving"],
      ["1 pod is still leaving"],
      [],
      [],
    ]);
    assert.deepEqual(stillLeavingRemarks(aMiniCluster(), counts(4), counts(8), seen(1)), []);
  });
});
