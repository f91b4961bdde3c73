import * as fs from "node:fs";
import * as path from "node:path";

import { type Durations, instanceOf } from "../../../provider/forecast/parse/instance";
import { parseReading } from "../../../provider/forecast/parse/reading";
import { simulate } from "../../../provider/forecast/parse/simulation";
import type { RunQueue, Times } from "./measure";
import type { Knowledge, MeasuredPolicy } from "./queues";

/** A queue, its forecast and its truth. All times are seconds, those of the queue from its reading on. */
export interface MeasuredQueue {
  index: number;
  policy: MeasuredPolicy;
  known: Knowledge;
  jobs: number;
  /** Jobs that waited at the reading, whose starts are compared. */
  waiting: number;
  /** Sum of the time limits, as a multiple of the sum of the run times. */
  limits: number;
  /** The end of the queue. */
  forecast: number;
  /** The end that the simulation gives with the run times that the jobs had. */
  exact: number;
  truth: number;
  /** The longest run time of a job. */
  longest: number;
  /** The number of starts that are at most this far from the forecast, and the largest distance. */
  within: number;
  worst: number;
  /** The largest distance with the run times that the jobs had. */
  exactWorst: number;
  /** Number of jobs that Flux has ended at their limits. */
  killed: number;
  /** Average of the runnable processes of the machine during the last minute of the queue. */
  load: number;
}

/** All queues of a run, and what they were measured on. */
export interface ForecastRecord {
  recorded: { date: string; seed: number; machine: Record<string, string> };
  measured: MeasuredQueue[];
}

/** The record of the last complete run, which the site has as well. */
export const recordFile = path.resolve(__dirname, "../../../docs/public/forecast.json");

export const readRecord = () => JSON.parse(fs.readFileSync(recordFile, "utf8")) as ForecastRecord;

/** JSON with one queue in each line. */
export function recordText({ recorded, measured }: ForecastRecord): string {
  const lines = measured.map((queue) => `    ${JSON.stringify(queue)}`).join(",\n");
  return `{\n  "recorded": ${JSON.stringify(recorded)},\n  "measured": [\n${lines}\n  ]\n}\n`;
}

/** Compares a queue that has run with the forecasts of its reading. */
export function measuredQueue({ queue, reading, truth, killed, load }: RunQueue): MeasuredQueue {
  const foretold = forecastOf(reading, queue.known === "durations" ? "typical" : "limits");
  const { at, policy } = foretold;
  if (policy !== queue.policy) throw new Error(`the policy of the instance is ${policy}, not ${queue.policy}`);
  // The reading has no jobs that have ended before it.
  const times = [...truth].filter(([, { end }]) => end > at);
  const longest = Math.max(...times.map(([, { start, end }]) => end - start));
  const { end: forecast, errors } = compared(foretold, times);
  const exact = compared(forecastOf(reading, "limits", truth), times);
  const sum = (key: "limit" | "sleeps") => queue.jobs.reduce((total, job) => total + job[key], 0);
  return {
    index: queue.index,
    policy: queue.policy,
    known: queue.known,
    jobs: queue.jobs.length,
    waiting: errors.length,
    limits: rounded(sum("limit") / sum("sleeps")),
    forecast: rounded(forecast - at),
    exact: rounded(exact.end - at),
    truth: rounded(Math.max(...times.map(([, { end }]) => end)) - at),
    longest: rounded(longest),
    within: errors.filter((error) => error <= longest).length,
    worst: rounded(Math.max(...errors)),
    exactWorst: rounded(Math.max(...exact.errors)),
    killed,
    load: rounded(load),
  };
}

/** The end of a queue by a forecast, and how far the starts of its waiting jobs are from it. */
function compared({ jobs, waiting }: ReturnType<typeof forecastOf>, truth: [string, Times][]) {
  const missing = truth.filter(([id]) => !jobs.has(id));
  if (missing.length > 0)
    throw new Error(`the forecast has no times of the jobs ${missing.map(([id]) => id).join(" ")}`);
  return {
    end: Math.max(...truth.map(([id]) => jobs.get(id)!.end)),
    errors: truth.filter(([id]) => waiting.has(id)).map(([id, { start }]) => Math.abs(jobs.get(id)!.start - start)),
  };
}

/** The times of the jobs of a reading by the simulation, with the true run times if they are given. */
export function forecastOf(reading: unknown, durations: Durations, truth?: ReadonlyMap<string, Times>) {
  const read = parseReading(reading);
  if (!read) throw new Error(`no reading: ${JSON.stringify(reading)}`);
  const found = instanceOf(read, durations);
  const running = found.running.map((job) => ({ ...job, end: truth?.get(job.id)?.end ?? job.end }));
  const waiting = found.waiting.map((job) => {
    const { start = 0, end = job.seconds } = truth?.get(job.id) ?? {};
    return { ...job, seconds: end - start };
  });
  const { jobs } = simulate({ ...found, now: read.at, running, waiting });
  const ran = read.running.map(({ id, start }, place): [string, Times] => [id, { start, end: running[place]!.end }]);
  return {
    at: read.at,
    policy: read.scheduler.policy,
    jobs: new Map<string, Times>([...ran, ...jobs]),
    waiting: new Set(waiting.map(({ id }) => id)),
  };
}

const rounded = (seconds: number) => Number(seconds.toFixed(2));
