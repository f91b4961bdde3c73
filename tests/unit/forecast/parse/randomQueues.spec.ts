import * as assert from "node:assert/strict";
import fc from "fast-check";
import { roomFor } from "../../../../provider/forecast/parse/shape";
import { simulate, type SimulationInput, type Simulated } from "../../../../provider/forecast/parse/simulation";
import { randomQueue } from "../../../support/random/queue";
import { simulateSlowly } from "../../../support/slowQueue";

const sorted = <T>(map: Map<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** What jobs take at a time, by rank. */
function assertNoneTwice({ hosts, running }: SimulationInput, { jobs, lost }: Simulated) {
  const before = running.map(({ id, end, takes }) => ({ start: -1, end: lost.get(id) ?? end, takes }));
  const all = [...before, ...jobs.values()];
  for (const { start, takes } of jobs.values())
    for (const { rank } of takes) {
      const host = hosts.find((one) => one.rank === rank)!;
      assert.ok(host.from <= start && start < host.closes && start < host.leaves, `host ${rank} takes no job`);
      for (const kind of ["cores", "gpus"] as const) {
        const parts = all.filter((job) => job.start <= start && start < job.end).flatMap((job) => job.takes);
        const used = parts.filter((part) => part.rank === rank).reduce((sum, part) => sum + part[kind], 0);
        assert.ok(used <= host[kind], `host ${rank} is used twice`);
      }
    }
}

/** Jobs that still wait at the end have no room on the idle hosts, or wait behind such a job. */
function assertNoneStarved({ hosts, waiting, policy }: SimulationInput, { jobs }: Simulated) {
  const open = hosts.filter(({ closes, leaves }) => closes === Infinity && leaves === Infinity);
  const left = waiting.filter(({ id }) => !jobs.has(id));
  const first = left.filter((job, place) => left.findIndex(({ queue }) => queue === job.queue) === place);
  for (const { id, shape, ranks } of policy.kind === "fcfs" ? first : left) {
    const allowed = open.filter(({ rank }) => ranks?.has(rank) !== false);
    const room = allowed.reduce((sum, host) => sum + roomFor(shape, host), 0);
    assert.ok(room < shape.units, `${id} never starts, but fits`);
  }
}

describe("a simulation of 10,000 random queues", function () {
  this.timeout(120_000);
  // The seed is fixed, so that a failure comes again. MINICLUSTER_SEED tries other queues.
  const seed = Number(process.env.MINICLUSTER_SEED ?? 60);

  it("uses nothing twice, starves no job, and agrees with a slow second algorithm", () => {
    let [started, later, losses] = [0, 0, 0];
    const property = fc.property(randomQueue, (input) => {
      const found = simulate(input);
      assertNoneTwice(input, found);
      assertNoneStarved(input, found);
      const slow = simulateSlowly(input);
      assert.deepEqual(sorted(found.jobs), sorted(slow.jobs));
      assert.deepEqual(sorted(found.lost), sorted(slow.lost));
      started += found.jobs.size;
      later += [...found.jobs.values()].filter(({ start }) => start > 0).length;
      losses += found.lost.size;
    });
    fc.assert(property, { seed, numRuns: 10_000 });
    assert.ok(started > 5000 && later > 2500 && losses > 400, `${started} started, ${later} later, ${losses} lost`);
  });
});
