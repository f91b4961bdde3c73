import * as assert from "node:assert/strict";
import fc from "fast-check";
import { roomFor, shapeOf } from "../../../../provider/forecast/parse/shape";
import {
  type ElasticCluster,
  hostSeconds,
  simulate,
  type SimulationInput,
} from "../../../../provider/forecast/parse/simulation";
import { resourcesOf } from "../../../support/jobShapes";
import { randomQueue } from "../../../support/random/queue";

const cluster: ElasticCluster = {
  name: "lab",
  first: 0,
  min: 0,
  max: 4,
  size: 0,
  idleSeconds: 60,
  cooldownSeconds: 10,
  arrivalSeconds: 30,
  pricePerHour: 3600,
};
const DAY = 86_400;

/** Simulates jobs of 100 s on the hosts of one cluster. Gives its sizes, and the starts. */
function follow(changes: Partial<ElasticCluster>, jobs: string[], now = 0) {
  const ranks = [0, 1, 2, 3].slice(0, changes.max);
  const hosts = ranks.map((rank) => ({ rank, cores: 4, gpus: 0, from: 0, closes: Infinity, leaves: Infinity }));
  const waiting = jobs.map((words, place) => {
    return { id: `${place}`, queue: "", shape: shapeOf(resourcesOf(words)), planned: 100, seconds: 100 };
  });
  const policy = { kind: "fcfs", queueDepth: 32, reservationDepth: 0 } as const;
  const elastic = [{ ...cluster, ...changes }];
  const { jobs: found, clusters } = simulate({ now, hosts, running: [], waiting, policy, elastic });
  const result = clusters.get("lab")!;
  return { ...result, sizes: result.sizes.map(({ at, size }) => [at, size]), starts: starts(found), result };
}
const starts = (jobs: Map<string, { start: number }>) => [...jobs.values()].map(({ start }) => start);

describe("a simulation of a cluster whose size follows the queue", () => {
  it("adds hosts after their arrival, and removes them after their idle time", () => {
    const found = follow({}, ["-N2", "-N1"]);
    assert.deepEqual(found.sizes, [
      [0, 0],
      [0, 3],
      [190, 0],
    ]);
    assert.deepEqual(found.starts, [30, 30]);
    assert.deepEqual([hostSeconds(found.result, 100), hostSeconds(found.result, 1000)], [300, 570]);
  });

  it("keeps the smallest size, and counts the whole size for a job that waits for others", () => {
    const found = follow({ min: 2, size: 2 }, ["-N3", "-N2"]);
    assert.deepEqual(found.sizes, [
      [0, 2],
      [0, 3],
      [190, 2],
    ]);
    assert.deepEqual(found.starts, [30, 130]);
  });

  it("changes the size by no more than a step at a time, and not before the cooldown ends", () => {
    const found = follow({ maxStep: 2, arrivalSeconds: 5 }, ["-N3"]);
    assert.deepEqual(found.sizes, [
      [0, 0],
      [0, 2],
      [10, 3],
      [175, 1],
      [185, 0],
    ]);
    assert.deepEqual(found.starts, [15]);
  });

  it("has no more hosts for a job that never fits", () => {
    assert.deepEqual(follow({}, ["-N5"]).sizes, [[0, 0]]);
    assert.deepEqual(follow({ max: 3 }, ["-N4"]).sizes, [[0, 0]]);
  });

  it("does not grow in a day or month whose budget is spent, and says when", () => {
    const budget = { limits: { perDay: 100 }, spent: { perDay: 100 } };
    const day = follow({ budget }, ["-N1", "-N1"], 1.5 * DAY);
    assert.deepEqual(day.budgetEnd, { at: 1.5 * DAY, waiting: 2 });
    assert.deepEqual(day.starts, [2 * DAY + 30, 2 * DAY + 30]);
    // The first host spends the budget: the second job runs on it afterwards.
    const one = { limits: { perMonth: 20 }, spent: { perMonth: 0 } };
    const month = follow({ budget: one, maxStep: 1, arrivalSeconds: 5, cooldownSeconds: 20 }, ["-N1", "-N1"]);
    assert.deepEqual(month.budgetEnd, { at: 20, waiting: 1 });
    assert.deepEqual(month.starts, [5, 105]);
    const two = follow({ budget: { ...one, spent: { perMonth: 20 } } }, ["-N1"]);
    assert.deepEqual(two.starts, [31 * DAY + 30]);
    assert.deepEqual(follow({ budget: { limits: { perDay: 0 }, spent: {} } }, ["-N1"]).starts, []);
  });

  const options = fc.record({
    min: fc.integer({ min: 0, max: 1 }),
    idleSeconds: fc.constantFrom(0, 3, 20),
    cooldownSeconds: fc.constantFrom(0, 5),
    arrivalSeconds: fc.constantFrom(0, 4),
    maxStep: fc.constantFrom(1, 9),
    perDay: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  });

  it("stays within its bounds and its budget, loses no job, and lets all jobs start, in 2,000 random queues", () => {
    const seed = Number(process.env.MINICLUSTER_SEED ?? 61);
    let [sizes, stopped] = [0, 0];
    const property = fc.property(randomQueue, options, (queue, { perDay, ...more }) => {
      const hosts = queue.hosts.map((host) => ({ ...host, from: 0, closes: Infinity, leaves: Infinity }));
      const budget = perDay === undefined ? {} : { budget: { limits: { perDay }, spent: {} } };
      const size = Math.max(more.min, ...queue.running.map(({ takes }) => takes[0]!.rank + 1));
      const own: ElasticCluster = { ...cluster, ...more, max: hosts.length, size, ...budget };
      const input: SimulationInput = { ...queue, hosts, elastic: [own] };
      const { jobs, lost, clusters } = simulate(input);
      const result = clusters.get("lab")!;
      for (const [place, { at, size }] of result.sizes.entries()) {
        assert.ok(size >= own.min && size <= own.max, `size ${size}`);
        const grows = size > (result.sizes[place - 1]?.size ?? Infinity);
        const spent = hostSeconds(result, at) - hostSeconds(result, Math.floor(at / DAY) * DAY);
        if (grows && perDay !== undefined) assert.ok(spent < perDay, `grows after ${spent} of ${perDay}`);
      }
      for (const { start, end, takes } of jobs.values())
        for (const { at, size } of result.sizes)
          if (start < at && at < end)
            assert.ok(
              takes.every(({ rank }) => rank < size),
              "removes a host under a job",
            );
      assert.equal(lost.size, 0);
      const left = queue.waiting.filter(({ id }) => !jobs.has(id));
      // A job that waits in vain behind another still has a demand.
      if (left.length === 0) assert.equal(result.sizes.at(-1)!.size, own.min);
      const canRun = left.filter(({ shape, ranks }) => {
        const allowed = hosts.filter(({ rank }) => ranks?.has(rank) !== false);
        return allowed.reduce((sum, host) => sum + roomFor(shape, host), 0) >= shape.units;
      });
      if (queue.policy.kind !== "fcfs") assert.deepEqual(canRun, []);
      sizes += result.sizes.length;
      stopped += result.budgetEnd ? 1 : 0;
    });
    fc.assert(property, { seed, numRuns: 2000 });
    assert.ok(sizes > 4000 && stopped > 20, `${sizes} sizes, ${stopped} budgets`);
  });
});
