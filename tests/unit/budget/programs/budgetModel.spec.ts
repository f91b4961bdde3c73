import * as assert from "node:assert/strict";
import { printed } from "../../../support/pythonPrograms";

describe("the budget of a Job through random histories", function () {
  this.timeout(60_000);

  /** Random histories with a wrong sum, with the clocks of API server and nodes, or with those of nodes alone. */
  const histories = (count: number, ...clock: ["local"] | []) =>
    printed<object[]>("budgetModel.py", [0, count, ...clock]);

  it("counts each second once with clocks that are set, wrong once, or different", async () => {
    assert.deepEqual(await histories(300), []);
    // It finds what is wrong by the clock of a node.
    assert.ok((await histories(30, "local")).length > 10);
  });
});
