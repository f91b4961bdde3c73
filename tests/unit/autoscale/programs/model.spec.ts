import * as assert from "node:assert/strict";
import { printed } from "../../../support/pythonPrograms";

/** A history that ended otherwise than it should. */
interface History {
  seed: number;
  /** Jobs that were on a host as it was taken away. */
  lost: string[];
  /** Jobs that never started, though nothing was wrong any more. */
  waiting: string[];
  size: number;
}

describe("an elastic cluster through random histories", function () {
  this.timeout(20 * 60_000);

  /** The histories of some seeds that went wrong, by the real programs with some changes. */
  const wrong = (first: number, count: number, ...changes: string[]) =>
    printed<History[]>("fluxModel.py", [first, count, ...changes]);

  it("takes away no host with a job, starts each job that fits, and gives back all hosts in the end", async () =>
    assert.deepEqual([...(await Promise.all([wrong(0, 150), wrong(150, 150)]))].flat(), []));

  // Without one of the rules a job loses its host: the model finds it.
  const rules: [rule: string, change: string, seeds: number][] = [
    ["hosts are drained before the demand is read for the last time", "unasked", 60],
    ["a demand is good for 30 s", "agent.VALID=1e9", 150],
    ["a drain outlasts the agent's demand", "demand.LEASE=5", 150],
  ];
  for (const [rule, change, seeds] of rules)
    it(`would lose jobs without the rule that ${rule}`, async () => {
      const found = await wrong(0, seeds, change);
      assert.ok(found.some(({ lost }) => lost.length > 0));
    });
});
