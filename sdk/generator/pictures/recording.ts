import type { HostState, Job, Snapshot } from "../../../provider/console/page/model";
import { ranksOf } from "../../../provider/forecast/parse/ranks";

/** The history of a cluster's hosts, from its console. Times are in seconds from the beginning. */
export interface ElasticRun {
  /** Day of the run, as in 2026-11-27. */
  date: string;
  seconds: number;
  jobs: RecordedJob[];
  /** By rank, each state with the time at which it began. */
  hosts: [at: number, state: HostState][][];
  /** Lines of the agent's log. */
  decisions: [at: number, text: string][];
}

export interface RecordedJob {
  name: string;
  hosts: number;
  submitted: number;
  /** Start, end and ranks; undefined for a job that never started. */
  ran?: { from: number; to: number; ranks: number[] };
}

/** A board and the time, in seconds since the epoch, at which it was read. */
export interface Reading {
  at: number;
  board: Pick<Snapshot, "hosts" | "jobs" | "decisions">;
}

/** The recording of boards that were read in sequence. */
export function recordingOf(readings: Reading[]): ElasticRun {
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last) throw new Error("nothing was read");
  const since = (at: number) => Math.round(10 * Math.max(0, at - first.at)) / 10;
  const hosts: ElasticRun["hosts"] = first.board.hosts.map(() => []);
  for (const { at, board } of readings)
    board.hosts.forEach(({ state }, place) => {
      const states = hosts[place] as [number, HostState][];
      if (states.at(-1)?.[1] !== state) states.push([since(at), state]);
    });
  return {
    date: new Date(1000 * first.at).toISOString().slice(0, 10),
    seconds: since(last.at),
    jobs: last.board.jobs.map((job) => recordedJob(job, since, last.at)).sort((a, b) => a.submitted - b.submitted),
    hosts,
    decisions: last.board.decisions.map(({ at, text }) => [since(at), text]),
  };
}

function recordedJob(
  { name, nnodes = 0, ranks, t_submit, t_run, t_cleanup }: Job,
  since: (at: number) => number,
  end: number,
): RecordedJob {
  return {
    name,
    hosts: nnodes,
    submitted: since(t_submit),
    ...(t_run !== undefined && {
      ran: { from: since(t_run), to: since(t_cleanup ?? end), ranks: ranksOf(ranks ?? "") },
    }),
  };
}
