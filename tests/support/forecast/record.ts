import * as fs from "node:fs";
import * as path from "node:path";

import { type Instance, instanceOf } from "../../../provider/forecast/parse/instance";
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
  truth: number;
  /** The longest run time of a job. */
  longest: number;
  /** The share of the starts that are at most this far from the forecast, and the largest distance. */
  within: number;
  worst: number;
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

/** Compares a queue that has run with the forecast of its reading. */
export function measuredQueue({ queue, reading, truth, killed, load }: RunQueue): MeasuredQueue {
  const { at, policy, jobs, waiting } = forecastOf(reading, queue.known === "durations" ? "typical" : "limits");
  if (policy !== queue.policy) throw new Error(`the policy of the instance is ${policy}, not ${queue.policy}`);
  // The reading has no jobs that have ended before it.
  const ids = [...truth].flatMap(([id, { end }]) => (end > at ? [id] : []));
  const missing = ids.filter((id) => !jobs.has(id));
  if (missing.length > 0) throw new Error(`the forecast has no times of the jobs ${missing.join(" ")}`);
  const times = ids.map((id) => ({ id, foretold: jobs.get(id)!, found: truth.get(id)! }));
  const longest = Math.max(...times.map(({ found }) => found.end - found.start));
  const errors = times
    .filter(({ id }) => waiting.has(id))
    .map(({ foretold, found }) => Math.abs(foretold.start - found.start));
  const sum = (key: "limit" | "sleeps") => queue.jobs.reduce((total, job) => total + job[key], 0);
  return {
    index: queue.index,
    policy: queue.policy,
    known: queue.known,
    jobs: queue.jobs.length,
    waiting: errors.length,
    limits: rounded(sum("limit") / sum("sleeps")),
    forecast: rounded(Math.max(...times.map(({ foretold }) => foretold.end)) - at),
    truth: rounded(Math.max(...times.map(({ found }) => found.end)) - at),
    longest: rounded(longest),
    within: rounded(errors.filter((error) => error <= longest).length / errors.length),
    worst: rounded(Math.max(...errors)),
    killed,
    load: rounded(load),
  };
}

/** The times of all jobs of a reading by the simulation. */
export function forecastOf(reading: unknown, durations: Parameters<typeof instanceOf>[1]) {
  const read = parseReading(reading);
  if (!read) throw new Error(`no reading: ${JSON.stringify(reading)}`);
  const instance: Instance = instanceOf(read, durations);
  const { jobs } = simulate({ now: read.at, ...instance });
  const running = read.running.map(({ id, start }, place): [string, Times] => [
    id,
    { start, end: instance.running[place]!.end },
  ]);
  const waiting = new Set(read.waiting.map(({ id }) => id));
  return { at: read.at, policy: read.scheduler.policy, jobs: new Map<string, Times>([...running, ...jobs]), waiting };
}

const rounded = (seconds: number) => Number(seconds.toFixed(2));
