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

/** A waiting job with a limit of 600 seconds. Default of its resources: one core. */
export const waitingJob = (id: string, changes: Partial<Waiting> = {}): Waiting => ({
  id,
  queue: "",
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
