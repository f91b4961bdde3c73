import * as assert from "node:assert/strict";
import { shapeOf } from "../../../../provider/forecast/parse/shape";
import {
  type Policy,
  type RunningJob,
  simulate,
  type SimulatedHost,
  type WaitingJob,
} from "../../../../provider/forecast/parse/simulation";
import { jobShapes, resourcesOf, shapeHosts } from "../../../support/jobShapes";

type Job = Partial<WaitingJob> & { words: string };
type Started = Record<string, [start: number, ranks: string]>;

/** So many hosts of 4 cores and a GPU. */
const hostsOf = (count: number, changes: Record<number, Partial<SimulatedHost>> = {}): SimulatedHost[] =>
  Array.from({ length: count }, (_, rank) => ({
    rank,
    cores: 4,
    gpus: 1,
    from: 0,
    closes: Infinity,
    leaves: Infinity,
    ...changes[rank],
  }));
const running = (ranks: number[], end: number, more: Partial<RunningJob> = {}): RunningJob => ({
  id: `r${ranks.join("")}`,
  queue: "",
  plannedEnd: end,
  end,
  takes: ranks.map((rank) => ({ rank, cores: 4, gpus: 1 })),
  ...more,
});
const policyOf = (kind: Policy["kind"], more: Partial<Policy> = {}) => ({
  kind,
  queueDepth: 32,
  reservationDepth: 64,
  ...more,
});

/** Starts and ranks of jobs a, b, c and so on, by options of flux submit. They run for 10 s. */
function started(policy: Policy, hosts: SimulatedHost[], before: RunningJob[], jobs: (string | Job)[]) {
  const waiting = jobs.map((given, place): WaitingJob => {
    const { words, ...more } = typeof given === "string" ? { words: given } : given;
    const shape = shapeOf(resourcesOf(words));
    const seconds = more.seconds ?? 10;
    return { id: "abcdef"[place]!, queue: "", shape, seconds, planned: more.planned ?? seconds, ...more };
  });
  const { jobs: found, lost, isPart } = simulate({ now: 0, hosts, running: before, waiting, policy });
  assert.equal(isPart, false);
  const starts: Started = {};
  for (const [id, { start, takes }] of found) starts[id] = [start, takes.map(({ rank }) => rank).join()];
  return { starts, lost: Object.fromEntries(lost), ends: [...found.values()].map(({ end }) => end) };
}

interface Row {
  fault: string;
  policies: Policy[];
  hosts?: SimulatedHost[];
  running?: RunningJob[];
  jobs: (string | Job)[];
  starts: Started;
}

const [fcfs, easy, conservative] = [policyOf("fcfs"), policyOf("easy"), policyOf("conservative")];
const every = [fcfs, easy, conservative, policyOf("hybrid")];
const backfill = every.slice(1);
const [short, long] = [{ seconds: 5 }, { seconds: 30 }];

const rows: Row[] = [
  {
    fault: "a job passes the first one in line without backfill",
    policies: [fcfs],
    running: [running([0], 20)],
    jobs: ["-N2", { words: "-n1", ...short }],
    starts: { a: [20, "0,1"], b: [30, "0"] },
  },
  {
    fault: "a job that ends before a reservation does not start",
    policies: backfill,
    running: [running([0], 20)],
    jobs: ["-N2", { words: "-n1", seconds: 20 }],
    starts: { a: [20, "0,1"], b: [0, "1"] },
  },
  {
    fault: "a job delays a reservation",
    policies: backfill,
    running: [running([0], 20)],
    jobs: ["-N2", { words: "-n1", seconds: 21 }],
    starts: { a: [20, "0,1"], b: [30, "0"] },
  },
  {
    fault: "a job beside a reservation does not start",
    policies: backfill,
    hosts: hostsOf(3),
    running: [running([0], 20)],
    jobs: ["-N2 -n8", "-N2", { words: "-N1", ...long }, { words: "-N1", ...long }],
    starts: { a: [0, "1,2"], b: [10, "1,2"], c: [20, "0"], d: [20, "1"] },
  },
  {
    fault: "EASY keeps resources for more than one job, or conservative does not",
    policies: [conservative, policyOf("hybrid", { reservationDepth: 2 })],
    hosts: hostsOf(3),
    running: [running([0, 1], 20)],
    jobs: ["-N2", "-N3", { words: "-N1", seconds: 31 }],
    starts: { a: [20, "0,1"], b: [30, "0,1,2"], c: [40, "0"] },
  },
  {
    fault: "EASY keeps resources for more than one job",
    policies: [easy, policyOf("hybrid", { reservationDepth: 1 })],
    hosts: hostsOf(3),
    running: [running([0, 1], 20, { plannedEnd: 25 })],
    jobs: ["-N2", "-N3", { words: "-N1", seconds: 31 }],
    starts: { a: [20, "0,1"], b: [31, "0,1,2"], c: [0, "2"] },
  },
  {
    fault: "a loop considers more jobs than its depth",
    policies: [policyOf("easy", { queueDepth: 2 })],
    running: [running([0], 20)],
    jobs: ["-N2", "-N2", { words: "-n1", ...short }],
    starts: { a: [20, "0,1"], b: [30, "0,1"], c: [40, "0"] },
  },
  {
    fault: "a job that no reservation can follow blocks others, or counts in the depth",
    policies: [policyOf("easy", { queueDepth: 1 }), conservative],
    running: [running([0], Infinity)],
    jobs: ["-N2", { words: "-N1", ...long, planned: Infinity }, "-N1"],
    starts: { b: [0, "1"], c: [30, "1"] },
  },
  {
    fault: "a job without a limit has no reservation, or gives resources back by the plan",
    policies: backfill,
    running: [running([0], 20)],
    jobs: [{ words: "-N2", planned: Infinity }, { words: "-N1", ...long }, "-N1"],
    starts: { a: [20, "0,1"], b: [30, "0"], c: [0, "1"] },
  },
  {
    fault: "a job that exceeds its planned end gives its resources back, or blocks all jobs",
    policies: backfill,
    running: [running([0], 20, { plannedEnd: -5 })],
    jobs: ["-N2", "-N1"],
    starts: { a: [20, "0,1"], b: [30, "0"] },
  },
  {
    fault: "jobs share an exclusive host, or do not share another",
    policies: every,
    jobs: ["-N1 --exclusive", "-n2", "-n1 -c2", "-N1 --exclusive"],
    starts: { a: [0, "0"], b: [0, "1"], c: [0, "1"], d: [10, "0"] },
  },
  {
    fault: "GPUs are not counted",
    policies: every,
    jobs: ["-n2 -g1", "-n1 -g1"],
    starts: { a: [0, "0,1"], b: [10, "0"] },
  },
  {
    fault: "a constraint is ignored",
    policies: every,
    jobs: [
      { words: "-N1", ranks: new Set([1]) },
      { words: "-n4", ranks: new Set([1]) },
    ],
    starts: { a: [0, "1"], b: [10, "1"] },
  },
  {
    fault: "one queue blocks another",
    policies: every,
    running: [running([0], 20)],
    jobs: [
      { words: "-N1", queue: "x", ranks: new Set([0]) },
      { words: "-N1", queue: "y", ranks: new Set([1]) },
    ],
    starts: { a: [20, "0"], b: [0, "1"] },
  },
  {
    fault: "a host takes a job before it arrives, or is not used then",
    policies: every,
    hosts: hostsOf(2, { 1: { from: 7 } }),
    jobs: ["-N1", "-N1"],
    starts: { a: [0, "0"], b: [7, "1"] },
  },
  {
    fault: "a host that is down has a reservation",
    policies: backfill,
    hosts: hostsOf(2, { 1: { from: 7 } }),
    jobs: ["-N2", { words: "-N1", seconds: 9 }],
    starts: { a: [9, "0,1"], b: [0, "0"] },
  },
  {
    fault: "a closed host takes a job",
    policies: every,
    hosts: hostsOf(2, { 1: { closes: 10 } }),
    jobs: ["-N2", "-N1", "-N1"],
    starts: { a: [0, "0,1"], b: [10, "0"], c: [20, "0"] },
  },
];

describe("simulate", () => {
  for (const { fault, policies, hosts = hostsOf(2), running: before = [], jobs, starts } of rows)
    for (const policy of policies)
      it(`${policy.kind}: ${fault}`, () => {
        assert.deepEqual(started(policy, hosts, before, jobs).starts, starts);
      });

  it("loses the jobs of a host that leaves, with their resources on other hosts", () => {
    const hosts = hostsOf(3, { 1: { leaves: 5 }, 2: { leaves: 20 } });
    const found = started(fcfs, hosts, [running([0, 1], 30), running([2], 20)], ["-N1", "-N1"]);
    assert.deepEqual(found, { starts: { a: [5, "0"], b: [15, "0"] }, lost: { r01: 5 }, ends: [15, 25] });
    assert.deepEqual(started(fcfs, hostsOf(1, { 0: { leaves: 4 } }), [], ["-N1"]).lost, { a: 4 });
  });

  it("stops after a number of steps, and says so", () => {
    const shape = shapeOf(resourcesOf("-N1"));
    const waiting = Array.from({ length: 9 }, (_, job) => ({ id: `${job}`, queue: "", shape, planned: 9, seconds: 9 }));
    for (const policy of every) {
      const input = { now: 0, hosts: hostsOf(2), running: [], waiting, policy };
      const { jobs, isPart } = simulate({ ...input, maxSteps: 10 });
      assert.ok(isPart && jobs.size > 0 && jobs.size < 9, `${policy.kind} starts ${jobs.size}`);
      assert.equal(simulate({ ...input, maxSteps: 10_000 }).isPart, false);
    }
  });

  it("starts jobs at once on the size that the demand program finds, and no smaller one", () => {
    const { count, cores, gpus } = shapeHosts;
    const shapes = jobShapes.filter((one) => !one.running && !one.waits && !one.pending.join().includes("requires"));
    for (const { pending, size } of shapes) {
      const jobs = pending.filter((words) => !words.includes("hold"));
      const all = hostsOf(count).map((host) => ({ ...host, cores, gpus }));
      const startsOn = (hosts: number) => started(fcfs, all.slice(0, hosts), [], jobs).starts;
      const isAtOnce = (starts: Started) => jobs.every((_, place) => starts["abcdef"[place]!]?.[0] === 0);
      assert.ok(isAtOnce(startsOn(size)) && !isAtOnce(startsOn(size - 1)), pending.join(" and "));
    }
  });
});
