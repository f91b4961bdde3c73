import { type Instance, type JournalEvent, someStats } from "./metricsServer";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Reading } from "../../provider/forecast/parse/reading";

type Running = Reading["running"][number];
type Waiting = Reading["waiting"][number];

/** The time of the readings here. */
export const at = 1_764_480_000;

/** A reading of an instance of four hosts with 4 cores and 1 GPU each, without a job. */
export const readingOf = (changes: Partial<Reading> = {}): Reading => ({
  version: 1,
  at,
  scheduler: { policy: "fcfs", queueDepth: 32, reservationDepth: 0 },
  hosts: [{ ranks: "0-3", cores: 4, gpus: 1 }],
  down: "",
  drained: "",
  excluded: "",
  queues: { "": true },
  constraints: [],
  running: [],
  waiting: [],
  counts: { waiting: changes.waiting?.length ?? 0, held: 0, dependent: 0, stopped: 0, unread: 0 },
  ended: { count: 0, median: null },
  ...changes,
});

/** A job that has all cores of two hosts since 100 seconds, with a limit of 600 seconds. */
export const runningJob = (changes: Partial<Running> = {}): Running => ({
  id: "ƒrun",
  queue: "",
  start: at - 100,
  limit: 600,
  typical: null,
  takes: [["0-1", 4, 0]],
  ...changes,
});

/** A waiting job with a limit of 600 seconds, submitted 50 seconds ago. Default of its resources: one core. */
export const waitingJob = (id: string, changes: Partial<Waiting> = {}): Waiting => ({
  id,
  queue: "",
  submitted: at - 50,
  limit: 600,
  typical: null,
  constraint: null,
  resources: cores(1),
  ...changes,
});

/** Resources of a job on whole hosts, as `flux submit -N` requests them. */
export const wholeHosts = (count: number, gpus = 0) => [
  { type: "node", count, exclusive: true, with: [slot(1, 1, gpus)] },
];

/** Resources of a job with the same cores and GPUs on some hosts. */
export const hostsWith = (count: number, each: number, gpus = 0) => [
  { type: "node", count, with: [slot(1, each, gpus)] },
];

/** Resources of a job with some slots, which may share hosts. */
export const slots = (count: number, each: number, gpus = 0) => [slot(count, each, gpus)];

export const cores = (count: number) => slots(count, 1);

const slot = (count: number, each: number, gpus: number) => ({
  type: "slot",
  count,
  with: [{ type: "core", count: each }, ...(gpus > 0 ? [{ type: "gpu", count: gpus }] : [])],
});

/**
 * Jobs of an instance with four hosts of 4 cores: f1 has three hosts for 3,500 more seconds, f2 waits for two hosts, f3
 * behind it for a core, and f4 is held. Also the time at which f2 is expected to start, as a browser shows it.
 */
export function busyInstance(): { instance: Partial<Instance>; start: string } {
  const now = Date.now() / 1000;
  const limit = 3600;
  const R = {
    execution: {
      R_lite: [{ rank: "0-2", children: { core: "0-3" } }],
      nodelist: ["home-[0-2]"],
      expiration: now - 100 + limit,
    },
  };
  const jobspecs = [wholeHosts(3), wholeHosts(2), cores(1), cores(1)].map((resources) => ({
    resources,
    tasks: [{ command: ["md"], count: { per_slot: 1 } }],
    attributes: { system: { duration: limit } },
  }));
  const queued = { state: "SCHED", t_submit: now - 50 };
  const [first, ...others] = jobspecs.map((jobspec, index) => ({ id: `f${index + 1}`, jobspec })) as [Job, ...Job[]];
  const instance = {
    allocated: { 0: 4, 1: 4, 2: 4 },
    jobs: [
      { ...first, state: "RUN", t_submit: now - 100, t_run: now - 100, duration: limit, ranks: "0-2", R },
      ...others.map((job) => ({ ...job, ...queued, priority: job.id === "f4" ? 0 : 16 })),
    ],
    stats: { ...someStats({ job_states: { sched: 3, run: 1 } }), queues: [] },
    history: jobspecs.flatMap((jobspec, index): JournalEvent[] => {
      const [job, priority] = [index + 1, index === 3 ? 0 : 16];
      return [
        { job, name: "submit", timestamp: now - 100, context: { userid: 0, urgency: priority }, jobspec },
        { job, name: "depend", timestamp: now - 100 },
        { job, name: "priority", timestamp: now - 100, context: { priority } },
        ...(index === 0 ? [{ job, name: "alloc", timestamp: now - 100, R }] : []),
      ];
    }),
  };
  const start = new Date((now - 100 + limit) * 1000).toLocaleTimeString("en-US", { timeStyle: "short" });
  return { instance, start: start.replace(/\s+/g, " ") };
}

type Job = Pick<Instance["jobs"][number], "id" | "jobspec">;

const folder = path.join(__dirname, "../data/readings");

/** Readings that the program has printed beside real versions of Flux, by the names of their files. */
export const recordedReadings = (): [name: string, reading: Reading][] =>
  fs
    .readdirSync(folder)
    .sort()
    .map((file) => [file, JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")) as Reading]);
