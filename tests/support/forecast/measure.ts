import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";

import { historyJobs, type QueuedJob, type RandomQueue } from "./queues";

/** Runs a command of bash whose flux commands connect to the instance, and returns its output. */
export type Inside = (command: string) => Promise<string>;

/** The times of a job, in seconds since the epoch. */
export interface Times {
  start: number;
  end: number;
}

/** What a reading says of the jobs of an instance, and the times of each that follow from it. */
export interface Forecast {
  at: number;
  jobs: Map<string, Times>;
}

/** A queue that has run, its reading, and the times of its jobs in Flux. */
export interface RunQueue {
  queue: RandomQueue;
  reading: unknown;
  /** The longest time that a job took, and the times of all by their ids. */
  truth: Map<string, Times>;
}

const submit = fs.readFileSync(path.join(__dirname, "submit.py"), "utf8");

/** A word of a command of bash. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Runs a queue to its end. Its jobs are submitted while no job is scheduled, and the reading, which this command
 * prints, is taken as soon as they are.
 */
export async function runQueue(inside: Inside, read: string, queue: RandomQueue): Promise<RunQueue> {
  const start = "flux queue start --quiet";
  const printed = await inside(`flux queue stop --quiet && ${submission(queue.jobs)} && ${start} && ${read}`);
  const [ids, reading] = printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  await inside("flux queue drain");
  const { jobs } = JSON.parse(await inside("flux jobs -a -c 0 --json")) as { jobs: FluxJob[] };
  const truth = jobs
    .filter(({ jobid }) => (ids as string[]).includes(jobid))
    .map(({ jobid, result, t_run, t_cleanup }): [string, Times] => {
      assert.equal(result, "COMPLETED", `job ${jobid}`);
      return [jobid, { start: t_run, end: t_cleanup }];
    });
  assert.equal(truth.length, queue.jobs.length);
  return { queue, reading, truth: new Map(truth) };
}

/** Runs the jobs from which an instance knows how long those of its queues take. */
export async function runHistory(inside: Inside): Promise<void> {
  await inside(`${submission(historyJobs)} && flux queue drain`);
}

const submission = (jobs: QueuedJob[]) => `flux python -c ${quoted(submit)} ${quoted(JSON.stringify(jobs))}`;

/** A job as `flux jobs --json` prints it. */
interface FluxJob {
  jobid: string;
  result: string;
  t_run: number;
  t_cleanup: number;
}
