import * as assert from "node:assert/strict";
import { oddJobs } from "../../../support/jobspecs";
import { printed } from "../../../support/pythonPrograms";

describe("the programs beside Flux", function () {
  this.timeout(10 * 60_000);

  it("live on after a thousand odd jobs that Flux accepts, and list, requeue and place each of them", async () => {
    const input = JSON.stringify(oddJobs(2600, 1));
    const { accepted, requeued, ...rest } = await printed<Record<string, unknown>>("oddJobs.py", [], input);
    assert.deepEqual(rest, { failed: [], missing: [], skipped: 0, refused: [] });
    assert.ok(Number(accepted) >= 1000, `${String(accepted)} were accepted`);
    assert.ok(Number(requeued) > 100);
  });
});
