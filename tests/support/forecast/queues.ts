import fc from "fast-check";

/** The policies of the scheduler under which queues are measured. */
export const policies = ["fcfs", "easy", "conservative"] as const;
export type MeasuredPolicy = (typeof policies)[number];

/**
 * What an instance has about its jobs: the run times of such jobs that have ended, or only the limits, which are 1 to 3
 * times what the jobs take.
 */
export const knowledges = ["durations", "limits"] as const;
export type Knowledge = (typeof knowledges)[number];

/** Jobs of a queue. */
export const jobsOfQueue = 40;

/**
 * Seconds by which each limit exceeds what the job takes: Fluxion counts it from the second that has begun, and a start
 * takes time.
 */
const slack = 3;

/** Seconds for which jobs sleep: more jobs are short than long. */
const durations = [1.3, 1.3, 1.3, 2.2, 2.2, 3.4, 3.4, 4.7, 6.8, 9.6];

/**
 * Factors of these times. Fluxion plans in whole seconds: a delay of a tenth of a second decides whether a short job
 * fits before a reservation, and from then on the order of the jobs is another one.
 */
const scales: Record<Knowledge, number> = { durations: 2, limits: 1 };

/** Number of ended jobs of a name that show how long such jobs take. */
const enoughEnded = 5;

/** The resources of a job, as options of flux submit. */
interface Resources {
  nodes?: number;
  tasks: number;
  cores: number;
  exclusive?: boolean;
}

/** A job of a queue. */
export interface QueuedJob extends Resources {
  name: string;
  urgency: number;
  /** Seconds for which it sleeps, and of its limit. */
  sleeps: number;
  limit: number;
}

/** A queue of random jobs, all of which are submitted at once. */
export interface RandomQueue {
  index: number;
  known: Knowledge;
  policy: MeasuredPolicy;
  jobs: QueuedJob[];
}

/** Shapes for hosts with two cores: whole hosts, cores that may share them or not, and hosts for one task. */
const resources: fc.Arbitrary<Resources> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 4 }).map((nodes) => ({ nodes, tasks: nodes, cores: 1, exclusive: true })),
  },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }).map((tasks) => ({ tasks, cores: 1 })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 }).map((tasks) => ({ tasks, cores: 2 })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }).map((nodes) => ({ nodes, tasks: nodes, cores: 1 })) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }).map((nodes) => ({ nodes, tasks: 2 * nodes, cores: 1 })) },
);

const randomJob = fc.record({
  resources,
  sleeps: fc.constantFrom(...durations),
  factor: fc.double({ min: 1, max: 3, noNaN: true }),
  urgency: fc.constantFrom(8, 16, 16, 16, 16, 24, 31),
});

/** The queues of a seed, with each policy in turn. What is known changes the names, times and limits of the jobs. */
export function randomQueues(seed: number, count: number, known: Knowledge): RandomQueue[] {
  const size = { minLength: jobsOfQueue, maxLength: jobsOfQueue };
  return fc.sample(fc.array(randomJob, size), { seed, numRuns: count }).map((jobs, index) => ({
    index,
    known,
    policy: policies[index % policies.length] as MeasuredPolicy,
    jobs: jobs.map(({ resources: request, sleeps: base, factor, urgency }, place) => {
      const sleeps = scales[known] * base;
      return {
        ...request,
        sleeps,
        urgency,
        ...(known === "durations"
          ? { name: nameOf(sleeps), limit: Math.ceil(sleeps) + slack }
          : { name: `unknown-${index}-${place}`, limit: Math.ceil(sleeps * factor) + slack }),
      };
    }),
  }));
}

/** Jobs that show how long those of the queues take, some of them on several hosts. */
export const historyJobs: QueuedJob[] = [...new Set(durations)].flatMap((base) =>
  Array.from({ length: enoughEnded }, (_, index) => {
    const sleeps = scales.durations * base;
    const nodes = 1 + (index % 2);
    return {
      name: nameOf(sleeps),
      sleeps,
      limit: 60,
      nodes,
      tasks: nodes,
      cores: 1,
      urgency: 16,
    };
  }),
);

function nameOf(sleeps: number): string {
  return `sleeps-${sleeps}`;
}
