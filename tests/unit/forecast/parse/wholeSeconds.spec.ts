import assert from "node:assert/strict";

import type { Shape } from "../../../../provider/forecast/parse/shape";
import { simulate } from "../../../../provider/forecast/parse/simulation";

const cores = (units: number): Shape => ({ onHosts: false, units, cores: 1, gpus: 0, exclusive: false });

/** The start of a job of one core beside the reservation of a job of two cores at 103, from 100.6 on. */
function startBeside(planned: number, starts = false): number | undefined {
  const takes = [{ rank: 0, cores: 1, gpus: 0 }];
  const { jobs } = simulate({
    now: 100.6,
    hosts: [{ rank: 0, cores: 2, gpus: 0, from: 0, closes: Infinity, leaves: Infinity }],
    // The end of a reading's plan is rounded to milliseconds.
    running: starts ? [] : [{ id: "runs", queue: "", plannedEnd: 103.0004, end: 103, takes }],
    waiting: [
      ...(starts ? [{ id: "starts", queue: "", shape: cores(1), planned: 2.4, seconds: 2.4 }] : []),
      { id: "first", queue: "", shape: cores(2), planned: 5, seconds: 5 },
      { id: "small", queue: "", shape: cores(1), planned, seconds: 1 },
    ],
    policy: { kind: "easy", queueDepth: 32, reservationDepth: 1 },
  });
  return jobs.get("small")?.start;
}

describe("a simulation plans in whole seconds, as Fluxion does", () => {
  it("from the second that has begun, so that a job whose limit ends in the second of a reservation starts", () =>
    assert.equal(startBeside(3), 100.6));

  it("with limits that are rounded up", () => assert.equal(startBeside(2.9), 100.6));

  it("also of a job that has started in the simulation", () =>
    assert.deepEqual([startBeside(3, true), startBeside(3.1, true)], [100.6, 108]));

  it("and starts no job whose limit ends after it", () => assert.equal(startBeside(3.1), 108));
});
