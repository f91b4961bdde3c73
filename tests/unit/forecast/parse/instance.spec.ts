import assert from "node:assert/strict";
import { type Durations, instanceOf } from "../../../../provider/forecast/parse/instance";
import { at, readingOf, runningJob, waitingJob } from "../../../support/queueReading";

describe("the instance of a reading", () => {
  it("has no excluded host, and closes drained hosts and hosts that are down", () => {
    const { hosts } = instanceOf(readingOf({ down: "1", drained: "1-2", excluded: "3" }), "limits");
    assert.deepEqual(hosts, [
      { rank: 0, cores: 4, gpus: 1, from: at, closes: Infinity, leaves: Infinity },
      { rank: 1, cores: 4, gpus: 1, from: Infinity, closes: at, leaves: Infinity },
      { rank: 2, cores: 4, gpus: 1, from: at, closes: at, leaves: Infinity },
    ]);
  });

  it("has the hosts in the order of their ranks, with the resources of each", () => {
    const hosts = [
      { ranks: "0,2", cores: 8, gpus: 0 },
      { ranks: "1", cores: 2, gpus: 4 },
    ];
    assert.deepEqual(
      instanceOf(readingOf({ hosts }), "limits").hosts.map((host) => [host.rank, host.cores, host.gpus]),
      [
        [0, 8, 0],
        [1, 2, 4],
        [2, 8, 0],
      ],
    );
  });

  it("has the resources of a running job on each host, and the end by which the scheduler plans", () => {
    const running = [runningJob({ takes: [["0,2", 3, 1]] }), runningJob({ limit: 0 })];
    const [limited, unlimited] = instanceOf(readingOf({ running }), "typical").running;
    assert.deepEqual(limited?.takes, [
      { rank: 0, cores: 3, gpus: 1 },
      { rank: 2, cores: 3, gpus: 1 },
    ]);
    assert.deepEqual([limited.plannedEnd, unlimited?.plannedEnd], [at + 500, Infinity]);
  });

  it("limits a job to the ranks of its constraint, and plans a job without a limit without an end", () => {
    const waiting = [waitingJob("a", { constraint: 1 }), waitingJob("b", { limit: 0 })];
    const found = instanceOf(readingOf({ constraints: ["0", "1-2"], waiting }), "limits").waiting;
    assert.deepEqual(
      found.map(({ ranks, planned }) => [ranks && [...ranks], planned]),
      [
        [[1, 2], 600],
        [undefined, Infinity],
      ],
    );
  });

  it("leaves out a job whose resources are not supported", () => {
    const waiting = [waitingJob("a", { resources: [{ type: "rack", count: 1 }] }), waitingJob("b")];
    assert.deepEqual(
      instanceOf(readingOf({ waiting }), "limits").waiting.map(({ id }) => id),
      ["b"],
    );
  });

  const times: [
    name: string,
    job: { limit: number; typical: number | null },
    median: number | null,
    limits: number,
    typical: number,
  ][] = [
    ["a limit alone", { limit: 600, typical: null }, 50, 600, 600],
    ["a typical time below its limit", { limit: 600, typical: 200 }, 50, 600, 200],
    ["a typical time above its limit", { limit: 600, typical: 900 }, 50, 600, 600],
    ["a typical time alone", { limit: 0, typical: 200 }, 50, 50, 200],
    ["neither", { limit: 0, typical: null }, 50, 50, 50],
    ["neither, and no job has ended", { limit: 0, typical: null }, null, Infinity, Infinity],
  ];
  for (const [name, job, median, limits, typical] of times)
    it(`takes the right duration of a waiting job with ${name}`, () => {
      const reading = readingOf({ waiting: [waitingJob("a", job)], ended: { count: 9, median } });
      const secondsOf = (durations: Durations) => instanceOf(reading, durations).waiting[0]?.seconds;
      assert.deepEqual([secondsOf("limits"), secondsOf("typical")], [limits, typical]);
    });

  const ends: [name: string, job: { limit: number; typical: number | null }, limits: number, typical: number][] = [
    ["within its limit", { limit: 600, typical: null }, at + 500, at + 500],
    ["within its typical time", { limit: 600, typical: 150 }, at + 500, at + 50],
    ["longer than its typical time", { limit: 600, typical: 20 }, at + 500, at + 500],
    ["longer than its limit", { limit: 60, typical: 20 }, at, at],
    ["longer than the median, without a limit", { limit: 0, typical: null }, at + 100, at + 100],
    ["longer than the median and its typical time, without a limit", { limit: 0, typical: 20 }, at + 100, at + 100],
  ];
  for (const [name, job, limits, typical] of ends)
    it(`ends a running job that has run ${name} neither too early nor too late`, () => {
      const reading = readingOf({ running: [runningJob(job)], ended: { count: 9, median: 30 } });
      const endOf = (durations: Durations) => instanceOf(reading, durations).running[0]?.end;
      assert.deepEqual([endOf("limits"), endOf("typical")], [limits, typical]);
    });

  it("counts the jobs whose duration is assumed, and says which is assumed", () => {
    const running = [runningJob({ limit: 0 })];
    const waiting = [waitingJob("a"), waitingJob("b", { limit: 0, typical: 5 }), waitingJob("c", { limit: 0 })];
    const reading = readingOf({ running, waiting, ended: { count: 3, median: 30 } });
    const assumed = (durations: Durations, { withoutLimit, assumedSeconds } = instanceOf(reading, durations)) => [
      withoutLimit,
      assumedSeconds,
    ];
    assert.deepEqual(assumed("limits"), [3, 30]);
    assert.deepEqual(assumed("typical"), [2, 30]);
    const known = instanceOf(readingOf({ waiting: [waitingJob("a")], ended: { count: 3, median: 30 } }), "limits");
    assert.deepEqual([known.withoutLimit, "assumedSeconds" in known], [0, false]);
  });

  it("has the policy of the scheduler", () => {
    const scheduler = { policy: "hybrid" as const, queueDepth: 8, reservationDepth: 4 };
    const { policy } = instanceOf(readingOf({ scheduler }), "limits");
    assert.deepEqual(policy, { kind: "hybrid", queueDepth: 8, reservationDepth: 4 });
  });
});
