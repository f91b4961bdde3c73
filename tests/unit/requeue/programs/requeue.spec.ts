import * as assert from "node:assert/strict";
import { printed } from "../../../support/pythonPrograms";

interface Found {
  /** Histories with what went wrong in each. */
  faults: { seed: number; faults: string[] }[];
  /** Jobs that were submitted again, in all histories. */
  restarts: number;
}

/** Runs random histories by the real program, of some seeds and without one of its rules. */
const histories = (first: number, count: number, ...without: string[]) =>
  printed<Found>("requeueModel.py", [first, count, ...without]);

describe("jobs that are requeued, through random histories", function () {
  this.timeout(5 * 60_000);

  it("end well once each, and never run twice at a time, even after kills and with a clock that is set", async () => {
    const { faults, restarts } = await histories(0, 100);
    assert.deepEqual(faults, []);
    assert.ok(restarts > 200);
  });

  it("would be lost after a clock was set back if their events were sorted by time", async () => {
    const { faults } = await histories(0, 100, "sorted");
    assert.ok(faults.length > 0);
  });

  it("would run twice if a program that starts again did not look for their successors", async () => {
    const { faults } = await histories(0, 20, "forgetful");
    assert.ok(faults.length > 0);
  });
});
