import * as assert from "node:assert/strict";
import { hostlist } from "../../../provider/minicluster/flux/hostlist";

describe("hostlist", () => {
  const cases: [stem: string, count: number, expected: string][] = [
    ["demo", 1, "demo-0"],
    ["demo", 2, "demo-[0-1]"],
    ["demo", 8, "demo-[0-7]"],
    ["a-1", 100_000, "a-1-[0-99999]"],
  ];
  for (const [stem, count, expected] of cases)
    it(`of ${count} hosts ${stem}-… is ${expected}`, () => {
      assert.equal(hostlist(stem, count), expected);
    });
});
