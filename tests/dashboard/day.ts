import { resourcesOf } from "../support/jobShapes";
import { type Instance, type JobStats, type JournalEvent, someStats } from "../support/metricsServer";

/** A moment of a day: an instance over two clusters, and the size that the lead broker's cluster is to have. */
export interface Moment {
  /** Milliseconds since the epoch. */
  time: number;
  instance: Instance;
  expected: number;
}

const start = Date.UTC(2026, 10, 2, 8);
const minutes = 515;
const [homeSize, awaySize] = [12, 8];
const queues = ["physics", "cloud"] as const;
type Queue = (typeof queues)[number];

interface Work {
  id: string;
  queue: Queue;
  at: number;
  nodes: number;
  takes: number;
  failed?: boolean;
  user: string;
}

/** Made jobs: wide ones in the morning, an ensemble at noon, and a campaign on the clusters of the cloud. */
const works: Work[] = [
  { at: 40, nodes: 4, takes: 70 },
  { at: 95, nodes: 10, takes: 85 },
  { at: 130, nodes: 2, takes: 20, failed: true },
  ...Array.from({ length: 40 }, (_, index) => ({ at: 250 + 3 * index, nodes: 1, takes: 22, failed: index % 9 === 5 })),
  { at: 480, nodes: 6, takes: 60 },
  ...Array.from({ length: 14 }, (_, index) => ({ at: 300 + 9 * index, nodes: 2, takes: 45, queue: "cloud" as const })),
].map((work, index) => ({ queue: "physics", id: `f${index}`, user: index % 3 === 0 ? "ann" : "bob", ...work }));

/** Hosts of the cloud, as their user sets them. */
const awayAt = (minute: number) => (minute < 290 ? 0 : minute < 500 ? 8 : 0);
/** A host of the lead broker's cluster that is drained for maintenance. */
const drainedAt = (minute: number) => (minute >= 330 && minute < 400 ? [3] : []);

/** A made day, minute by minute: hosts come two minutes after they are requested, and go after ten without a job. */
export function aDay(): Moment[] {
  const busy = new Map<number, { work: Work; until: number }>();
  const ended: Work[] = [];
  const waiting: Work[] = [];
  let [expected, online, wantedAt, idleFrom] = [2, 2, 0, 0];
  const moments: Moment[] = [];
  const journal: JournalEvent[] = [];
  for (let minute = 0; minute <= minutes; minute++) {
    for (const [rank, { work, until }] of busy)
      if (until <= minute) {
        busy.delete(rank);
        if (!ended.includes(work)) journal.push(eventOf(work, "finish", minute));
        if (!ended.includes(work)) ended.push(work);
      }
    waiting.push(...works.filter(({ at }) => at === minute));
    const drained = drainedAt(minute);
    const away = Math.min(awayAt(minute), Math.max(0, minute - 290) * 2);
    const there = [...range(0, online), ...range(homeSize, homeSize + away)];
    for (const work of [...waiting]) {
      const free = there.filter(
        (rank) => !busy.has(rank) && !drained.includes(rank) && rank < homeSize === (work.queue === "physics"),
      );
      if (free.length < work.nodes) continue;
      waiting.splice(waiting.indexOf(work), 1);
      const ranks = free.slice(0, work.nodes);
      for (const rank of ranks) busy.set(rank, { work, until: minute + work.takes });
      journal.push(eventOf(work, "submit", minute), eventOf(work, "alloc", minute, ranks));
    }
    const own = [...busy.keys()].filter((rank) => rank < homeSize);
    const needed = own.length + drained.length + sum(waiting.filter(({ queue }) => queue === "physics"));
    const wanted = Math.max(2, Math.min(homeSize, Math.max(needed, Math.max(-1, ...own) + 1)));
    if (wanted >= expected) idleFrom = minute;
    if (wanted > expected) [expected, wantedAt] = [wanted, minute];
    else if (minute - idleFrom >= 10) [expected, online] = [wanted, Math.min(online, wanted)];
    if (minute - wantedAt >= 2) online = expected;
    moments.push({
      time: start + minute * 60_000,
      instance: {
        ...instanceOf({ busy, waiting, ended, there, drained }),
        now: (start + minute * 60_000) / 1000,
        journal: [...journal],
      },
      expected,
    });
  }
  return moments;
}

interface Present {
  busy: Map<number, { work: Work }>;
  waiting: Work[];
  ended: Work[];
  there: number[];
  drained: number[];
}

function instanceOf({ busy, waiting, ended, there, drained }: Present): Instance {
  const running = [...new Set([...busy.values()].map(({ work }) => work))];
  const statsOf = (name?: Queue): JobStats => {
    const count = (list: Work[]) => list.filter(({ queue }) => name === undefined || queue === name).length;
    const inactive = count(ended);
    const failed = count(ended.filter((work) => work.failed));
    const states = { sched: count(waiting), run: count(running), inactive };
    return someStats({ job_states: states, successful: inactive - failed, failed });
  };
  return {
    hosts: [
      ...range(0, homeSize).map((rank) => `physics-${rank}`),
      ...range(0, awaySize).map((rank) => `cloud-${rank}`),
    ],
    cores: 64,
    gpus: 4,
    online: there,
    drained,
    allocated: Object.fromEntries([...busy.keys()].map((rank) => [rank, 64])),
    jobs: waiting.map(({ id, queue, nodes }) => ({ id, queue, state: "SCHED", resources: resourcesOf(`-N${nodes}`) })),
    config: { queues: Object.fromEntries(queues.map((queue) => [queue, {}])) },
    stats: { ...statsOf(), queues: queues.map((name) => ({ name, ...statsOf(name) })) },
  };
}

/** What the journal of Flux has of a job. */
const eventOf = ({ id, queue, user }: Work, name: string, minute: number, ranks: number[] = []): JournalEvent => ({
  job: Number(id.slice(1)),
  name,
  timestamp: start / 1000 + minute * 60,
  context: { userid: 0 },
  ...(name === "submit" && { jobspec: { attributes: { system: { queue }, user: { owner: user } } } }),
  ...(name === "alloc" && {
    R: { execution: { R_lite: ranks.map((rank) => ({ rank, children: { core: "0-63" } })) } },
  }),
});

const sum = (list: Work[]) => list.reduce((total, { nodes }) => total + nodes, 0);

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
