/** A job, as `GET /v1/jobs/{job}` returns it. Absent properties are left out. */
export interface Job {
  /** Its number. It may be larger than the integers of JavaScript: `f58` identifies a job. */
  id: number;
  f58: string;
  name: string;
  command?: string;
  owner?: string;
  state: "DEPEND" | "PRIORITY" | "SCHED" | "RUN" | "CLEANUP" | "INACTIVE";
  result?: string;
  waits?: string;
  queue?: string;
  urgency?: number;
  duration?: number;
  nnodes?: number;
  ntasks?: number;
  ncores?: number;
  nodelist?: string;
  ranks?: string;
  returncode?: number;
  annotations?: { user?: { cost?: number; place?: { why: string } } };
  exception?: { occurred: boolean; type?: string; note?: string };
  t_submit: number;
  t_run?: number;
  t_cleanup?: number;
  t_inactive?: number;
}

export type HostState = "free" | "allocated" | "drained" | "excluded" | "expected" | "down";

/** States of a host in the order of the legend, each with its meaning. */
export const hostStates: Record<HostState, string> = {
  free: "accepts jobs",
  allocated: "has a job",
  drained: "accepts no new jobs",
  excluded: "accepts no jobs",
  expected: "has not joined yet",
  down: "is down",
};

export interface Host {
  host: string;
  rank: number;
  cluster: string;
  state: HostState;
  /** Reason for which the host is drained. */
  drained: string | null;
}

/** A decision of an agent, at a time in seconds. */
export interface Decision {
  at: number;
  cluster: string;
  text: string;
  /** State of the agent, if the decision is an agent's. */
  state?: { reason: string };
}

/** Time in seconds, hosts that are free, allocated or drained, and jobs that are pending or running. */
export type Sample = [at: number, free: number, allocated: number, drained: number, pending: number, running: number];

/** Cost of the present hosts per hour, and costs of the jobs by queue and user. */
export interface Cost {
  hosts: number;
  jobs: { queue: string; user: string; perHour: number; today: number; month: number }[];
}

export interface User {
  name: string;
  role: "viewer" | "user" | "admin";
}

/** The first message of the server, which a saved page also contains. */
export interface Snapshot {
  name: string;
  at: number;
  last: number;
  hosts: Host[];
  queues: Record<string, string>;
  /** Time of the hosts, if they were not read for a while. */
  oldSince?: number | null;
  decisions: Decision[];
  samples: Sample[];
  /** Empty if no host has a price. */
  cost: Partial<Cost>;
  jobs: Job[];
  /** Jobs that did not fit in a saved page. */
  left?: number;
  user?: User;
}

/** The content of the page. */
export interface Board extends Omit<Snapshot, "jobs"> {
  jobs: Map<string, Job>;
}

export const boardOf = ({ jobs, ...rest }: Snapshot): Board => ({
  ...rest,
  jobs: new Map(jobs.map((job) => [job.f58, job])),
});

/** A change of the server, as it was sent. */
export interface Change {
  kind: string;
  data: string;
}

/** The changed keys of a job. A value of null removes a key. */
type JobChange = Pick<Job, "f58"> & { [Key in keyof Job]?: Job[Key] | null };

const withChange = (job: Job | undefined, change: JobChange) =>
  Object.fromEntries(Object.entries({ ...job, ...change }).filter(([, value]) => value !== null)) as unknown as Job;

/** The board after some changes. An unchanged part is the same object. */
export function changed(board: Board, changes: Change[]): Board {
  const next = { ...board };
  for (const { kind, data } of changes) {
    const value: unknown = JSON.parse(data);
    if (kind === "jobs") {
      if (next.jobs === board.jobs) next.jobs = new Map(board.jobs);
      for (const part of value as JobChange[]) next.jobs.set(part.f58, withChange(next.jobs.get(part.f58), part));
    } else if (kind === "hosts") {
      const hosts = new Map(next.hosts.map((host) => [host.rank, host]));
      for (const host of value as Host[]) hosts.set(host.rank, host);
      next.hosts = [...hosts.values()].sort((a, b) => a.rank - b.rank);
    } else if (kind === "queues") next.queues = value as Board["queues"];
    else if (kind === "old") next.oldSince = (value as { since: number | null }).since;
    else if (kind === "cost") next.cost = value as Cost;
    else if (kind === "decisions") next.decisions = value as Decision[];
    else if (kind === "sample") next.samples = [...next.samples, value as Sample].slice(-2880);
  }
  return next;
}

/** Phases of a job, by which the table of jobs can be filtered. */
export const phases = ["pending", "running", "ended"] as const;
export type Phase = (typeof phases)[number];

export function phaseOf({ state }: Job): Phase {
  if (state === "INACTIVE") return "ended";
  return state === "RUN" || state === "CLEANUP" ? "running" : "pending";
}

/** The jobs, the newest first. */
export const newest = (jobs: Map<string, Job>): Job[] => [...jobs.values()].sort((a, b) => b.id - a.id);

/** True if a job contains all words of a text. */
export function contains(job: Job, words: string[]): boolean {
  const { f58, name, command, owner, queue, state, result, nodelist } = job;
  const text = [f58, name, command, owner, queue, state, result, nodelist].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Whether a user may cancel a job. */
export const mayCancel = (user: User | undefined, job: Job) =>
  phaseOf(job) !== "ended" && (user?.role === "admin" || (user?.role === "user" && job.owner === user.name));
