import * as assert from "node:assert/strict";
import { capacityProblem, type CapacityRange, describeSpeed } from "../../../provider/storage/capacity";

const ranges: CapacityRange[] = [
  { from: 1200, to: 1200, step: 1200 },
  { from: 2400, to: 9600, step: 2400 },
];

describe("a capacity of storage", () => {
  const cases: [gib: number, nearest: string | undefined][] = [
    [1, "1200"],
    [1200, undefined],
    [1201, "1200 or 2400"],
    [2400, undefined],
    [5000, "4800 or 7200"],
    [9600, undefined],
    [9601, "9600"],
  ];
  for (const [gib, nearest] of cases)
    it(`of ${gib} GiB ${nearest === undefined ? "is sold" : `is told to be ${nearest}`}`, () =>
      assert.equal(
        capacityProblem(gib, "Lustre", ranges),
        nearest && `${gib} GiB is not a capacity of Lustre; use ${nearest}`,
      ));

  it("has its throughput for each TiB", () =>
    assert.equal(describeSpeed(2400, 250), "2400 GiB, 586 MB/s (250 for each TiB)"));
});
