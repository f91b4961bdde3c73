import * as assert from "node:assert/strict";
import { printed } from "../../../support/pythonPrograms";

/** What went wrong in a history. */
interface History {
  seed: number;
  faults: string[];
}

/** The histories of some seeds that went wrong, by the real programs, and without one of their rules. */
const wrong = (first: number, count: number, ...without: string[]) =>
  printed<History[]>("placeModel.py", [first, count, ...without]);

describe("jobs that move from cluster to cluster, through random histories", function () {
  this.timeout(10 * 60_000);

  it("move as a whole, while they wait, once to each cluster in a round, and start in the end", async () =>
    assert.deepEqual([...(await Promise.all([wrong(0, 1000), wrong(1000, 1000)]))].flat(), []));

  const rules: [rule: string, change: string, fault: RegExp][] = [
    ["what a memo says is read again", "forgetful", /waits in vain/],
    ["the choice of a user counts", "heedless", /against its user's choice/],
    ["another round follows", "oneRound", /waits in vain/],
    ["a budget ends the growth", "unpriced", /grows beyond its budget/],
  ];
  for (const [rule, change, fault] of rules)
    it(`would go wrong without the rule that ${rule}`, async () => {
      const faults = (await wrong(0, 200, change)).flatMap((history) => history.faults);
      assert.match(faults.join("\n"), fault);
    });
});
