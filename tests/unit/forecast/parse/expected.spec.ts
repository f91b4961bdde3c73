import assert from "node:assert/strict";
import { expectedStarts } from "../../../../provider/forecast/parse/expected";
import type { Reading } from "../../../../provider/forecast/parse/reading";
import {
  at,
  cores,
  hostsWith,
  readingOf,
  runningJob,
  slots,
  waitingJob,
  wholeHosts,
} from "../../../support/queueReading";

/** Seconds until the start of each waiting job, if it is known, and why it waits. */
const expected = (changes: Partial<Reading>) =>
  [...expectedStarts(readingOf(changes))].map(([id, { start, why }]) => [
    id,
    start === undefined ? undefined : start - at,
    why,
  ]);

/** Jobs that have all cores of the hosts 0 and 1 for 500 seconds from now, and of the host 2 for 200 seconds. */
const running = [runningJob(), runningJob({ id: "ƒsoon", limit: 300, takes: [["2", 4, 0]] })];

type Case = [name: string, changes: Partial<Reading>, expected: [string, number | undefined, string][]];

describe("the expected starts of waiting jobs", () => {
  const cases: Case[] = [
    [
      "counts the free hosts, and starts a job when enough hosts are free",
      { running, waiting: [waitingJob("ƒa", { resources: wholeHosts(2) })] },
      [["ƒa", 200, "It waits for 2 hosts: 1 is free."]],
    ],
    [
      "names the job that holds up the others, although those have room",
      {
        running,
        waiting: [
          waitingJob("ƒa", { resources: wholeHosts(4) }),
          waitingJob("ƒb", { resources: wholeHosts(1) }),
          waitingJob("ƒc", { resources: cores(3) }),
        ],
      },
      [
        ["ƒa", 500, "It waits for 4 hosts: 1 is free."],
        ["ƒb", 1100, "It waits behind ƒa, which needs 4 hosts."],
        ["ƒc", 1100, "It waits behind ƒa, which needs 4 hosts."],
      ],
    ],
    [
      "counts the jobs before a job, and only those of its queue",
      {
        queues: { debug: true, batch: true },
        running: [runningJob({ takes: [["0-3", 4, 0]] })],
        waiting: [
          waitingJob("ƒa", { queue: "batch", resources: wholeHosts(3) }),
          waitingJob("ƒb", { queue: "batch", resources: cores(16) }),
          waitingJob("ƒc", { queue: "debug", resources: wholeHosts(1) }),
          waitingJob("ƒd", { queue: "batch", resources: wholeHosts(1) }),
        ],
      },
      [
        ["ƒa", 500, "It waits for 3 hosts: none is free."],
        ["ƒb", 1100, "It waits for 16 cores: none is free, and 1 job is before it."],
        ["ƒc", 500, "It waits for 1 host: none is free."],
        ["ƒd", 1700, "It waits for 1 host: none is free, and 2 jobs are before it."],
      ],
    ],
    [
      "has no start of a job that the instance is too small for, which Flux rejects, so that it holds up no other job",
      {
        waiting: [
          waitingJob("ƒa", { resources: wholeHosts(8) }),
          waitingJob("ƒb", { resources: hostsWith(2, 1, 2) }),
          waitingJob("ƒc", { resources: cores(1) }),
        ],
      },
      [
        ["ƒa", undefined, "It waits for 8 hosts, and the instance has 4."],
        ["ƒb", undefined, "It waits for 2 hosts with 1 core and 2 GPUs each, and the instance has none."],
        ["ƒc", 0, "Its resources are free: it is about to start."],
      ],
    ],
    [
      "lets others pass such a job with backfill, and names the job with the reservation",
      {
        scheduler: { policy: "conservative", queueDepth: 32, reservationDepth: 32 },
        running,
        waiting: [
          waitingJob("ƒa", { resources: wholeHosts(8) }),
          waitingJob("ƒb", { resources: wholeHosts(3) }),
          waitingJob("ƒc", { resources: wholeHosts(4) }),
          waitingJob("ƒd", { resources: cores(1), limit: 100 }),
          waitingJob("ƒe", { resources: cores(2), limit: 2000 }),
        ],
      },
      [
        ["ƒa", undefined, "It waits for 8 hosts, and the instance has 4."],
        ["ƒb", 500, "It waits for 3 hosts: none is free, and 1 job is before it."],
        ["ƒc", 1100, "It waits for 4 hosts: none is free, and 2 jobs are before it."],
        ["ƒd", 0, "Its resources are free: it is about to start."],
        ["ƒe", 1700, "It waits behind ƒb, which needs 3 hosts."],
      ],
    ],
    [
      "says that drained hosts, hosts that are down and constraints are the cause",
      {
        drained: "3",
        down: "1-2",
        constraints: ["2"],
        waiting: [
          waitingJob("ƒa", { resources: wholeHosts(4) }),
          waitingJob("ƒb", { resources: wholeHosts(2), constraint: 0 }),
          waitingJob("ƒc", { resources: cores(1), constraint: 0 }),
        ],
      },
      [
        ["ƒa", undefined, "It waits for 4 hosts, and 1 is up and not drained."],
        ["ƒb", undefined, "It waits for 2 hosts, and its queue and its constraints allow 1."],
        ["ƒc", undefined, "It waits for 1 core, and none is up and not drained."],
      ],
    ],
    [
      "names the resources that a job needs",
      {
        running: [runningJob({ takes: [["0-3", 3, 1]] })],
        waiting: [
          waitingJob("ƒa", { resources: hostsWith(2, 4) }),
          waitingJob("ƒb", { resources: hostsWith(1, 1, 1) }),
          waitingJob("ƒc", { resources: wholeHosts(1, 1) }),
          waitingJob("ƒd", { resources: slots(3, 2) }),
          waitingJob("ƒe", { resources: slots(1, 1, 1) }),
          waitingJob("ƒf", { resources: cores(5) }),
        ],
      },
      [
        ["ƒa", 500, "It waits for 2 hosts with 4 cores each: none is free."],
        ["ƒb", 500, "It waits for 1 host with 1 core and 1 GPU: none is free, and 1 job is before it."],
        ["ƒc", 500, "It waits for 1 host with 1 GPU: none is free, and 2 jobs are before it."],
        ["ƒd", 1100, "It waits for 3 slots with 2 cores each: none is free, and 3 jobs are before it."],
        ["ƒe", 1100, "It waits for 1 slot with 1 core and 1 GPU: none is free, and 4 jobs are before it."],
        ["ƒf", 1100, "It waits for 5 cores: 4 are free, and 5 jobs are before it."],
      ],
    ],
    [
      "counts a job as long as such jobs run, and has no start behind a job of unknown duration",
      {
        running: [runningJob({ typical: 150, takes: [["0-3", 4, 0]] })],
        waiting: [
          waitingJob("ƒa", { resources: wholeHosts(4), typical: 30 }),
          waitingJob("ƒb", { resources: wholeHosts(4), limit: 0 }),
          waitingJob("ƒc"),
        ],
      },
      [
        ["ƒa", 50, "It waits for 4 hosts: none is free."],
        ["ƒb", 80, "It waits for 4 hosts: none is free, and 1 job is before it."],
        ["ƒc", undefined, "It waits for 1 core: none is free, and 2 jobs are before it."],
      ],
    ],
    [
      "starts jobs that have room at once, and counts their resources as taken",
      { waiting: [1, 2, 3].map((number) => waitingJob(`ƒ${number}`, { resources: wholeHosts(2) })) },
      [
        ["ƒ1", 0, "Its resources are free: it is about to start."],
        ["ƒ2", 0, "Its resources are free: it is about to start."],
        ["ƒ3", 600, "It waits for 2 hosts: none is free."],
      ],
    ],
    [
      "starts a short job beside the reservation of the job before it, as the scheduler does",
      {
        scheduler: { policy: "easy", queueDepth: 32, reservationDepth: 1 },
        running,
        waiting: [
          waitingJob("ƒa", { resources: wholeHosts(4) }),
          waitingJob("ƒlong", { resources: wholeHosts(1) }),
          waitingJob("ƒshort", { resources: wholeHosts(1), limit: 100 }),
        ],
      },
      [
        ["ƒa", 500, "It waits for 4 hosts: none is free."],
        ["ƒlong", 1100, "It waits for 1 host: none is free, and 1 job is before it."],
        ["ƒshort", 0, "Its resources are free: it is about to start."],
      ],
    ],
  ];
  for (const [name, changes, want] of cases) it(name, () => assert.deepEqual(expected(changes), want));

  it("may be earlier only behind jobs that count with their time limits", () => {
    const early = (changes: Partial<Reading>) =>
      [...expectedStarts(readingOf(changes)).values()].map(({ mayBeEarlier }) => mayBeEarlier);
    const whole = { resources: wholeHosts(4) };
    const waiting = [
      waitingJob("ƒa", { ...whole, typical: 30 }),
      waitingJob("ƒb", { ...whole, limit: 0 }),
      waitingJob("ƒc", whole),
      waitingJob("ƒd", whole),
    ];
    assert.deepEqual(early({ running: [runningJob({ typical: 150 })], waiting }), [false, false, false, true]);
    assert.deepEqual(early({ running: [runningJob()], waiting }), [true, true, true, true]);
    assert.deepEqual(early({ waiting: [waitingJob("ƒa"), waitingJob("ƒb", whole)] }), [false, true]);
  });
});
