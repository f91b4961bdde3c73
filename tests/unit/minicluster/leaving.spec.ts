import * as assert from "node:assert/strict";
import { leavingRemarks, stillLeavingRemarks } from "../../../provider/minicluster/leaving";
import { aBurstCluster, aMiniCluster } from "../../support/fixtures";

const counts = (completions: number, suspend = false) => ({ spec: { completions, parallelism: completions, suspend } });
const spec = aMiniCluster({ maxSize: 8 });
const drained = "no new job starts there, and those that run there have 30 s to end";

describe("a resize", () => {
  const cases: [name: string, remarks: ReturnType<typeof leavingRemarks>, want: string[]][] = [
    ["names the hosts that leave", leavingRemarks(spec, counts(8), counts(4)), [`demo-[4-7] leave: ${drained}`]],
    ["names the one that leaves", leavingRemarks(spec, counts(4), counts(3)), [`demo-3 leaves: ${drained}`]],
    [
      "says that jobs are lost where they have no time to end",
      leavingRemarks(aMiniCluster({ drainTimeoutSeconds: 0 }), counts(2), counts(1)),
      ["demo-1 leaves: the jobs that run there are lost"],
    ],
    ["says nothing where the size stays", leavingRemarks(spec, counts(4), counts(4)), []],
    ["says nothing where nobody leaves", leavingRemarks(spec, counts(4), counts(5)), []],
    [
      "names all hosts of a cluster that goes to 0",
      leavingRemarks(aBurstCluster({}), counts(3), counts(1, true)),
      [`cloud-[0-2] leave: ${drained}`],
    ],
  ];
  for (const [name, remarks, want] of cases)
    it(name, () => assert.deepEqual(remarks, want.map((text) => ({ severity: "info", text })))); // prettier-ignore

  it("says afterwards how many are still leaving", () => {
    const left = (terminating?: number, after = counts(4)) =>
      stillLeavingRemarks(spec, counts(8), after, { status: { terminating } }).map(({ text }) => text);
    assert.deepEqual([4, 1, 0, undefined].flatMap((each) => left(each)), ["4 pods are still leaving", "1 pod is still leaving"]); // prettier-ignore
    assert.deepEqual(left(1, counts(9)), []);
  });
});
