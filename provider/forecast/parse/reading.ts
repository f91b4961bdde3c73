import { z } from "zod";

// Bounds of a reading. The program has the same numbers of jobs and of constraints; the others only exclude a wrong reading.
const [mostWaiting, mostRunning, mostConstraints, mostQueues, mostGroups] = [1_000, 4_000, 100, 1_000, 10_000];
const [longestText, longestRanks, mostRanks] = [300, 100_000, 1_000_000];

const amount = z.int().min(0);
const seconds = z.number().min(0);
const text = z.string().max(longestText);

/** Ranks as Flux writes them (RFC 22), such as "0-3,7". */
const ranks = z
  .string()
  .max(longestRanks)
  .regex(/^(\d+(-\d+)?(,\d+(-\d+)?)*)?$/)
  .refine((set) =>
    set.split(",").every((range) => {
      const [first, last = first] = range.split("-").map(Number) as [number, number?];
      return first <= last && last < mostRanks;
    }),
  );

const job = {
  id: text,
  queue: text,
  /** Limit in seconds; 0 without a limit. */
  limit: seconds,
  /** Median run time of ended jobs of the same user and name, if there are enough of them. */
  typical: seconds.nullable(),
};

const running = z.object({
  ...job,
  start: seconds,
  /** Ranks with the same amounts, and the cores and GPUs that the job has on each of them. */
  takes: z.array(z.tuple([ranks, amount, amount])).max(mostGroups),
});

const waiting = z.object({
  ...job,
  submitted: seconds,
  /** Index of the ranks that the job is limited to. */
  constraint: amount.nullable(),
  /** Resources of the jobspec (RFC 14), in any form that a user has given them. */
  resources: z.array(z.unknown()),
});

const reading = z
  .object({
    version: z.literal(1),
    /** Time of the reading. All times are seconds since the epoch by the clock of the lead broker. */
    at: seconds,
    scheduler: z.object({
      policy: z.enum(["fcfs", "easy", "conservative", "hybrid"]),
      queueDepth: z.int().min(1),
      reservationDepth: amount,
    }),
    /** Ranks with the same amounts of resources, without excluded ranks. */
    hosts: z.array(z.object({ ranks, cores: amount, gpus: amount })).max(mostGroups),
    down: ranks,
    drained: ranks,
    excluded: ranks,
    /** Whether each queue is started. The only queue of an instance without named queues has the name "". */
    queues: z.record(text, z.boolean()).refine((found) => Object.keys(found).length <= mostQueues),
    /** Sets of ranks that constraints limit jobs to. */
    constraints: z.array(ranks).max(mostConstraints),
    running: z.array(running).max(mostRunning),
    /** Jobs that wait only for resources, in the order of the scheduler: the first ones of each queue. */
    waiting: z.array(waiting).max(mostWaiting),
    /** Numbers of jobs: all that wait only for resources, the others by their reasons, and jobspecs that are not understood. */
    counts: z.object({ waiting: amount, held: amount, dependent: amount, stopped: amount, unread: amount }),
    /** The latest jobs that were successful, and the median of their run times. */
    ended: z.object({ count: amount, median: seconds.nullable() }),
  })
  .refine((found) => found.waiting.every((each) => (each.constraint ?? -1) < found.constraints.length));

/** The state of an instance and its queue, as the program in the pod of the lead broker prints it. */
export type Reading = z.output<typeof reading>;

/** A waiting job of a reading. */
export type ReadWaitingJob = Reading["waiting"][number];

/** A running job of a reading. */
export type ReadRunningJob = Reading["running"][number];

/** A reading, or undefined for any other value, such as the reading of another version. */
export const parseReading = (value: unknown): Reading | undefined => reading.safeParse(value).data;
