import * as assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(__dirname, "../../../../..");
const programs = path.join(root, "provider/brokers/flux/programs");
const support = path.join(root, "tests/support");

interface Found {
  /** Histories with what went wrong in each. */
  faults: { seed: number; faults: string[] }[];
  /** Jobs that were submitted again, in all histories. */
  restarts: number;
}

/** Runs random histories by the real program, of some seeds and without one of its rules. */
async function histories(first: number, count: number, ...without: string[]): Promise<Found> {
  const args = ["-B", path.join(support, "requeueModel.py"), programs, String(first), String(count), ...without];
  const env = { ...process.env, PYTHONPATH: path.join(support, "fluxPython") };
  const { stdout } = await promisify(execFile)("python3", args, { env, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Found;
}

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
