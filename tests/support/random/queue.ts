import fc from "fast-check";
import type {
  RunningJob,
  SimulatedHost,
  SimulationInput,
  WaitingJob,
} from "../../../provider/forecast/parse/simulation";

const small = (max: number, min = 0) => fc.integer({ min, max });
const rarely = <T>(value: fc.Arbitrary<T>, other: T) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(other) }, { weight: 1, arbitrary: value });

const host = fc.record({
  cores: small(4, 1),
  gpus: small(1),
  from: rarely(small(15), 0),
  closes: rarely(small(20), Infinity),
  leaves: rarely(small(20), Infinity),
  // A job that runs there.
  used: rarely(fc.record({ cores: small(4, 1), end: small(20), planned: rarely(fc.constant(Infinity), 6) }), undefined),
});
const shape = fc.oneof(
  fc.record({
    onHosts: fc.constant(true),
    units: small(4, 1),
    cores: small(4, 1),
    gpus: small(1),
    exclusive: fc.boolean(),
  }),
  fc.record({
    onHosts: fc.constant(false),
    units: small(6, 1),
    cores: small(3, 1),
    gpus: rarely(small(1), 0),
    exclusive: fc.constant(false),
  }),
);
const job = fc.record({
  queue: rarely(fc.constant("b"), "a"),
  shape,
  ranks: rarely(fc.constantFrom(new Set([0, 2]), new Set([1])), undefined),
  seconds: small(8, 1),
  planned: fc.oneof(small(12, 1), rarely(fc.constant(Infinity), 8)),
});

/** Small queues in whole seconds, with all policies. Jobs have limits that are too long, right, or too short. */
export const randomQueue: fc.Arbitrary<SimulationInput> = fc
  .record({
    hosts: fc.array(host, { minLength: 1, maxLength: 4 }),
    jobs: fc.array(job, { maxLength: 9 }),
    policy: fc.record({
      kind: fc.constantFrom("fcfs", "easy", "conservative", "hybrid"),
      queueDepth: fc.constantFrom(32, 2),
      reservationDepth: fc.constant(2),
    }),
  })
  .map(({ hosts, jobs, policy }) => ({
    now: 0,
    hosts: hosts.map(({ used: _, ...rest }, rank): SimulatedHost => ({ rank, ...rest })),
    running: hosts.flatMap(({ used, cores }, rank): RunningJob[] => {
      if (!used) return [];
      const takes = [{ rank, cores: Math.min(cores, used.cores), gpus: 0 }];
      return [{ id: `r${rank}`, queue: "a", plannedEnd: used.planned, end: used.end, takes }];
    }),
    waiting: jobs.map((one, place): WaitingJob => ({ id: `j${place}`, ...one })),
    policy,
  }));
