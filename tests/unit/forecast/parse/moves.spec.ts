import * as assert from "node:assert/strict";
import fc from "fast-check";
import { roomFor, shapeOf } from "../../../../provider/forecast/parse/shape";
import {
  type ElasticCluster,
  type Placing,
  type RunningJob,
  simulate,
  type SimulatedHost,
  type SimulationInput,
  type WaitingJob,
} from "../../../../provider/forecast/parse/simulation";
import { resourcesOf } from "../../../support/jobShapes";
import { randomQueue } from "../../../support/random/queue";

/** The hosts of three clusters, each with 4 cores. */
const ranks = { home: new Set([0, 1]), cloud: new Set([2, 3]), dear: new Set([4, 5, 6, 7]) };
type Cluster = keyof typeof ranks;

const placing: Placing = {
  home: "home",
  others: [
    { queue: "cloud", ranks: ranks.cloud, price: 3 },
    { queue: "dear", ranks: ranks.dear, price: 5 },
  ],
  byPrice: false,
  afterSeconds: 120,
  giveUpSeconds: 600,
};

/** A job on whole hosts until a time. */
const until = (end: number, cluster: Cluster, hosts: Iterable<number> = ranks[cluster]): RunningJob => ({
  id: `${cluster}${end}`,
  queue: cluster,
  plannedEnd: end,
  end,
  takes: [...hosts].map((rank) => ({ rank, cores: 4, gpus: 0 })),
});

/** A job of 10 s in the queue of a cluster. In the home queue it may move, and has waited since time 0. */
const job = (id: string, words: string, cluster: Cluster = "home", since = 0): WaitingJob => ({
  id,
  queue: cluster,
  shape: shapeOf(resourcesOf(words)),
  ranks: ranks[cluster],
  planned: 10,
  seconds: 10,
  ...(cluster === "home" && { since }),
});

const stays = ({ since: _, ...rest }: WaitingJob): WaitingJob => rest;
const long = (given: WaitingJob) => ({ ...given, planned: 5000, seconds: 5000 });
const all = (cluster: Cluster, changes: Partial<SimulatedHost>) =>
  Object.fromEntries([...ranks[cluster]].map((rank) => [rank, changes]));
const [gone, drained, down] = [{ closes: 0, leaves: 0 }, { closes: 0 }, { from: Infinity }];
const busy = until(1000, "home");

interface Row {
  fault: string;
  hosts?: Record<number, Partial<SimulatedHost>>;
  running?: RunningJob[];
  jobs: WaitingJob[];
  place?: Partial<Placing>;
  elastic?: ElasticCluster[];
  /** Starts and ranks. */
  starts: Record<string, [start: number, ranks: string]>;
}

const rows: Row[] = [
  {
    fault: "a job moves before it has waited long enough, or not at that time",
    running: [busy],
    jobs: [job("a", "-N1"), long(job("b", "-N1", "home", -50))],
    starts: { b: [70, "2"], a: [120, "3"] },
  },
  {
    fault: "a job moves that has started in its queue",
    running: [until(100, "home")],
    jobs: [job("a", "-N2"), job("b", "-N2")],
    starts: { a: [100, "0,1"], b: [110, "0,1"] },
  },
  {
    fault: "a job moves whose user has chosen its queue",
    running: [busy],
    jobs: [stays(job("a", "-N2")), job("b", "-N1")],
    starts: { b: [120, "2"], a: [1000, "0,1"] },
  },
  {
    fault: "a job does not pass a cluster that is full",
    running: [busy, until(1000, "cloud")],
    jobs: [job("a", "-N1")],
    starts: { a: [120, "4"] },
  },
  {
    fault: "jobs that move at the same time get the same hosts",
    running: [busy],
    jobs: [job("a", "-N1"), job("b", "-N1"), job("c", "-N1")],
    starts: { a: [120, "2"], b: [120, "3"], c: [120, "4"] },
  },
  {
    fault: "the order is the one of the list, and not by price",
    place: { others: [...placing.others].reverse() },
    running: [busy],
    jobs: [job("a", "-N1")],
    starts: { a: [120, "4"] },
  },
  {
    fault: "the order by price ignores the price of a host",
    place: { others: [...placing.others].reverse(), byPrice: true },
    running: [busy],
    jobs: [job("a", "-N1")],
    starts: { a: [120, "2"] },
  },
  {
    fault: "the order by price ignores the number of hosts",
    place: { byPrice: true },
    hosts: all("dear", { cores: 8 }),
    running: [busy],
    jobs: [job("a", "-n8")],
    starts: { a: [120, "4"] },
  },
  {
    fault: "a job moves to a queue whose jobs wait for others to end",
    running: [busy, until(1000, "cloud", [2])],
    jobs: [job("a", "-N1"), job("b", "-N2", "cloud")],
    starts: { a: [120, "4"], b: [1000, "2,3"] },
  },
  {
    fault: "a job that can never run at home waits there",
    running: [until(500, "dear", [7])],
    jobs: [job("a", "-N4"), job("b", "-N1")],
    starts: { b: [0, "0"], a: [500, "4,5,6,7"] },
  },
  {
    fault: "a job that no cluster can ever run moves for ever",
    jobs: [job("a", "-N5"), job("b", "-N5")],
    starts: {},
  },
  {
    fault: "a job that waits for drained hosts counts as one that can never run",
    hosts: all("home", drained),
    jobs: [job("a", "-N1")],
    starts: { a: [120, "2"] },
  },
  {
    fault: "hosts that have not joined are no room",
    hosts: all("cloud", { from: 300 }),
    running: [busy],
    jobs: [job("a", "-N1")],
    starts: { a: [300, "2"] },
  },
  {
    fault: "a job waits for ever for hosts that do not join",
    hosts: all("cloud", down),
    running: [until(9000, "home")],
    jobs: [job("a", "-N1")],
    starts: { a: [720, "4"] },
  },
  {
    fault: "a job does not go back after it has tried all queues",
    hosts: { ...all("cloud", down), ...all("dear", down) },
    running: [busy],
    jobs: [job("a", "-N1")],
    starts: { a: [1320, "0"] },
  },
  {
    fault: "a job that went back moves again as early as a new one",
    hosts: { ...all("cloud", down), ...all("dear", { from: 1400 }) },
    running: [until(9000, "home")],
    jobs: [job("a", "-N1")],
    starts: { a: [2520, "4"] },
  },
  {
    fault: "a job waits for hosts that do not join while others of its cluster have jobs",
    hosts: { 3: down },
    place: { others: placing.others.slice(0, 1) },
    running: [busy, until(5000, "cloud", [2])],
    jobs: [job("a", "-N1")],
    starts: { a: [1000, "0"] },
  },
  {
    fault: "a job waits behind one that waits for hosts that do not join",
    hosts: { 2: down, 3: { from: 500, closes: 200, leaves: 200 } },
    place: { others: placing.others.slice(0, 1) },
    running: [busy],
    jobs: [job("a", "-N1", "cloud"), job("b", "-N1")],
    starts: { b: [1000, "0"] },
  },
  {
    fault: "a job moves for ever between clusters whose hosts do not join",
    hosts: { ...all("home", gone), ...all("cloud", down), ...all("dear", down) },
    jobs: [job("a", "-N1")],
    starts: {},
  },
  {
    fault: "a job leaves a queue in which it starts when others end",
    hosts: all("home", gone),
    running: [until(2000, "cloud"), until(3000, "dear")],
    jobs: [job("a", "-N2")],
    starts: { a: [2000, "2,3"] },
  },
  {
    fault: "a job that has moved is behind jobs of a lower priority",
    hosts: all("home", gone),
    place: { others: placing.others.slice(0, 1) },
    running: [until(300, "cloud")],
    jobs: [job("a", "-N2"), job("b", "-N2", "cloud")],
    starts: { a: [300, "2,3"], b: [310, "2,3"] },
  },
  {
    fault: "a cluster does not grow for a job that has moved there",
    running: [busy],
    elastic: [
      { name: "cloud", first: 2, min: 0, max: 2, size: 0, idleSeconds: 300, cooldownSeconds: 30, arrivalSeconds: 60 },
    ],
    jobs: [job("a", "-N1")],
    starts: { a: [180, "2"] },
  },
];

function inputOf({ hosts = {}, running = [], jobs, place, elastic = [] }: Row): SimulationInput {
  const every = [...ranks.home, ...ranks.cloud, ...ranks.dear].map((rank): SimulatedHost => {
    return { rank, cores: 4, gpus: 0, from: 0, closes: Infinity, leaves: Infinity, ...hosts[rank] };
  });
  const policy = { kind: "fcfs", queueDepth: 32, reservationDepth: 0 } as const;
  return { now: 0, hosts: every, running, waiting: jobs, policy, elastic, place: { ...placing, ...place } };
}

describe("a simulation of jobs that move to other clusters", () => {
  for (const row of rows)
    it(`finds that ${row.fault}`, () => {
      const { jobs } = simulate(inputOf(row));
      const starts = [...jobs].map(([id, { start, takes }]) => [id, [start, takes.map(({ rank }) => rank).join()]]);
      assert.deepEqual(Object.fromEntries(starts), row.starts);
    });
});

/** Random queues with moves from a to b and c. Hosts that are up stay in every second one. */
const randomMoves = fc
  .record({
    input: randomQueue,
    since: fc.array(fc.option(fc.integer({ min: -10, max: 5 }), { nil: undefined }), { minLength: 9, maxLength: 9 }),
    others: fc.array(fc.subarray([0, 1, 2, 3], { minLength: 1 }), { minLength: 2, maxLength: 2 }),
    prices: fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })),
    pace: fc.record({ byPrice: fc.boolean(), afterSeconds: fc.nat(8), giveUpSeconds: fc.nat(8) }),
    stay: fc.boolean(),
  })
  .map(({ input, since, others, prices, pace, stay }): SimulationInput & { place: Placing } => ({
    ...input,
    hosts: stay ? input.hosts.map((host) => ({ ...host, closes: Infinity, leaves: Infinity })) : input.hosts,
    waiting: input.waiting.map((one, place) => {
      const at = one.queue === "a" ? since[place] : undefined;
      return { ...one, ...(at !== undefined && { since: at }) };
    }),
    place: {
      home: "a",
      others: ["b", "c"].map((queue, place) => ({ queue, ranks: new Set(others[place]), price: prices[place]! })),
      ...pace,
    },
  }));

describe("a simulation of 1,000 random queues with moves", function () {
  this.timeout(60_000);
  const seed = Number(process.env.MINICLUSTER_SEED ?? 60);

  it("loses no job, and starts none on hosts that neither its queue nor its next queues have", () => {
    let [moved, complete] = [0, 0];
    const property = fc.property(randomMoves, (input) => {
      const { jobs } = simulate(input);
      const allowedFor = ({ ranks: own, since }: WaitingJob) => [
        own,
        ...(since === undefined ? [] : input.place.others.map((other) => other.ranks)),
      ];
      const isIn = (allowed: ReadonlySet<number> | undefined, rank: number) => allowed?.has(rank) !== false;
      for (const one of input.waiting) {
        const taken = jobs.get(one.id)?.takes.map(({ rank }) => rank) ?? [];
        const sets = allowedFor(one);
        assert.ok(
          sets.some((allowed) => taken.every((rank) => isIn(allowed, rank))),
          `${one.id} has ${taken.join()}`,
        );
        if (!taken.every((rank) => isIn(one.ranks, rank))) moved++;
      }
      const canRun = (one: WaitingJob) =>
        allowedFor(one).some((allowed) => {
          const hosts = input.hosts.filter(({ rank }) => isIn(allowed, rank));
          return hosts.reduce((sum, host) => sum + roomFor(one.shape, host), 0) >= one.shape.units;
        });
      const isStable = input.hosts.every(({ closes, leaves }) => closes === Infinity && leaves === Infinity);
      if (!isStable || !input.waiting.every(canRun)) return;
      assert.equal(jobs.size, input.waiting.length);
      complete++;
    });
    fc.assert(property, { seed, numRuns: 1000 });
    assert.ok(moved > 50 && complete > 100, `${moved} moved, ${complete} complete`);
  });
});
