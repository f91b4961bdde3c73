import assert from "node:assert/strict";
import { instanceOf } from "../../../../provider/forecast/parse/instance";
import { movable } from "../../../../provider/forecast/parse/placing";
import type { ClusterPlan, InstancePlan, MovesPlan } from "../../../../provider/forecast/parse/plan";
import type { Reading } from "../../../../provider/forecast/parse/reading";
import { cluster, jobs, lines } from "../../../support/comparisons";
import { at, readingOf, runningJob, waitingJob } from "../../../support/queueReading";

/** The cluster "lab" of two hosts, and "cloud", whose four hosts have not joined. */
const burst = (moves?: Partial<MovesPlan>, changes: Partial<ClusterPlan> = {}): InstancePlan => ({
  clusters: [
    cluster({ hosts: 2, size: 2 }),
    cluster({ name: "cloud", first: 2, hosts: 4, drainSeconds: 0, pricePerHour: 3, ...changes }),
  ],
  ...(moves && {
    moves: {
      queues: ["lab", "cloud"].map((name) => ({ name, cluster: name, price: 0 })),
      order: "listed",
      afterSeconds: 120,
      giveUpSeconds: 600,
      ...moves,
    },
  }),
});

/** Its queue: six jobs of an hour behind a job on both hosts of "lab". */
const inLab = (changes: Partial<Reading> = {}) =>
  readingOf({
    hosts: [{ ranks: "0-5", cores: 4, gpus: 0 }],
    down: "2-5",
    queues: { lab: true, cloud: true },
    constraints: ["0-1"],
    running: [runningJob({ queue: "lab", start: at - 3600, limit: 7200, takes: [["0-1", 4, 0]] })],
    waiting: jobs(6, 1, { queue: "lab", constraint: 0 }),
    ...changes,
  });

const joins = "hosts of cloud join when jobs move there; new hosts join in 5 min, as the last ones did";
const joined = (text: string) => [text, `Durations are time limits; ${joins}`];
const alone = (text: string) => [text, "Durations are time limits"];

const moveRows: [fault: string, reading: Reading, before: InstancePlan, after: InstancePlan, lines: string[]][] = [
  [
    "jobs stay in their queue after place was added",
    inLab(),
    burst(),
    burst({}),
    joined(
      "bursting.place added: the 6 waiting jobs end by 15:00 instead of 17:00 (UTC), the first starts at " +
        "13:07 instead of 14:00; +14.00 USD",
    ),
  ],
  [
    "jobs move after place was removed",
    inLab(),
    burst({}),
    burst(),
    joined(
      "bursting.place removed: the 6 waiting jobs end by 17:00 instead of 15:00 (UTC), the first starts at " +
        "14:00 instead of 13:07; -14.00 USD",
    ),
  ],
  [
    "another time of the moves does not count",
    inLab(),
    burst({ afterSeconds: 2050 }),
    burst({}),
    joined(
      "bursting.place.afterSeconds 2050 => 120: the 6 waiting jobs end by 15:00 (UTC), as without the " +
        "change, the first starts at 13:07 instead of 13:39",
    ),
  ],
  [
    "jobs move to a stopped queue",
    inLab({ queues: { lab: true, cloud: false } }),
    burst(),
    burst({}),
    alone("bursting.place added: the 6 waiting jobs end by 17:00 (UTC), as without the change"),
  ],
  [
    "hosts join in a cluster whose size the user sets",
    inLab({ down: "3-5" }),
    burst(undefined, { size: 1 }),
    burst({}, { size: 1 }),
    alone(
      "bursting.place added: the 6 waiting jobs end by 16:00 instead of 17:00 (UTC), the first starts at " +
        "13:02 instead of 14:00",
    ),
  ],
];
describe("the forecast of moves to other clusters", () => {
  for (const [fault, reading, before, after, wanted] of moveRows)
    it(`finds that ${fault}`, () =>
      assert.deepEqual(lines(reading, { before, after, arrivalSeconds: 300, currency: "USD" }), wanted));
});

describe("the jobs that may move", () => {
  it("are those that their users have left to the home queue", () => {
    const constraints = ["0-1", "0", "0-2", "0-1,9"];
    const waiting = [0, 1, 2, 3, null].map((constraint, place) => waitingJob(`${place}`, { constraint }));
    const hosts = [{ ranks: "0-5", cores: 4, gpus: 0 }];
    const found = movable(instanceOf(readingOf({ hosts, constraints, waiting }), "limits"), burst({}));
    assert.deepEqual(
      found.flatMap(({ id, since }) => (since === undefined ? [] : [id])),
      ["0", "3", "4"],
    );
  });
});
