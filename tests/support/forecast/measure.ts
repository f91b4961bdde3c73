import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

import { quoteWord } from "../../../provider/shared/quote";
import { historyJobs, type QueuedJob, type RandomQueue } from "./queues";

/** Runs a command of bash whose flux commands connect to the instance, and returns its output. */
export type Inside = (command: string) => Promise<string>;

/** The times of a job, in seconds since the epoch. */
export interface Times {
  start: number;
  end: number;
}

/** A queue that has run, and its reading. */
export interface RunQueue {
  queue: RandomQueue;
  reading: unknown;
  /** The times of its jobs by their ids. */
  truth: Map<string, Times>;
  /** Number of jobs that Flux has ended at their limits. */
  killed: number;
  /** Average of the runnable processes of the machine during its last minute. */
  load: number;
}

const submit = fs.readFileSync(path.join(__dirname, "submit.py"), "utf8");

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
  const ended = await endOf(inside, ids as string[]);
  const [load = 0] = os.loadavg();
  return {
    queue,
    reading,
    load,
    killed: ended.filter(({ result }) => result === "TIMEOUT").length,
    truth: new Map(ended.map(({ jobid, t_run, t_cleanup }) => [jobid, { start: t_run, end: t_cleanup }])),
  };
}

/** Waits for the end of jobs, all of which have to run to it or to their limits. */
async function endOf(inside: Inside, ids: string[]): Promise<FluxJob[]> {
  for (;;) {
    // A command in a pod has a limit of a minute.
    await inside("flux queue drain --timeout=45s 2>/dev/null || true");
    const { jobs } = JSON.parse(await inside("flux jobs -a -c 0 --json")) as { jobs: FluxJob[] };
    const found = jobs.filter(({ jobid }) => ids.includes(jobid));
    assert.equal(found.length, ids.length);
    if (found.some(({ state }) => state !== "INACTIVE")) continue;
    assert.deepEqual(
      found.filter(({ result }) => result !== "COMPLETED" && result !== "TIMEOUT"),
      [],
    );
    return found;
  }
}

/**
 * Runs the jobs that show how long those of the queues take, after others: the first jobs of an instance start slowly.
 */
export async function runHistory(inside: Inside): Promise<void> {
  for (const jobs of [historyJobs.map((job) => ({ ...job, name: "first" })), historyJobs])
    await endOf(inside, JSON.parse(await inside(submission(jobs))) as string[]);
}

const submission = (jobs: QueuedJob[]) => `flux python -c ${quoteWord(submit)} ${quoteWord(JSON.stringify(jobs))}`;

/** A job as `flux jobs --json` prints it. */
interface FluxJob {
  jobid: string;
  state: string;
  result: string;
  t_run: number;
  t_cleanup: number;
}
