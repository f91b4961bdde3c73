import assert from "node:assert/strict";
import type { LiveSizes } from "../../../../provider/forecast/parse/cases";
import type { InstancePlan } from "../../../../provider/forecast/parse/plan";
import type { Reading } from "../../../../provider/forecast/parse/reading";
import { atFour, cluster, jobs, lines, ofSize } from "../../../support/comparisons";
import { at, readingOf, runningJob } from "../../../support/queueReading";

describe("the forecast of a change", () => {
  const busy = runningJob({ start: at - 3600, limit: 7200, takes: [["0-3", 4, 0]] });
  const grow = { before: ofSize(4), after: ofSize(8), arrivalSeconds: 60 };

  it("says when the queue ends and begins to move, at the new size and at one between", () => {
    const priced = { pricePerHour: 2 };
    const given = { ...grow, before: ofSize(4, priced), after: ofSize(8, priced), currency: "USD" };
    assert.deepEqual(lines(atFour({ running: [busy], waiting: jobs(4, 4) }), given), [
      "size 4 => 8: the 4 waiting jobs end by 16:00 instead of 18:00 (UTC), the first starts at 13:01 " +
        "instead of 14:00; +24.00 USD",
      "size 6: 18:00, +20.00 USD. Durations are time limits; new hosts join in 1 min, as the last ones did",
    ]);
  });

  it("has no cost without a price", () => {
    assert.deepEqual(lines(atFour({ running: [busy], waiting: jobs(1, 2) }), grow), [
      "size 4 => 8: the waiting job ends by 14:01 instead of 15:00 (UTC), the first starts at 13:01 instead of 14:00",
      "size 6: 14:01. Durations are time limits; new hosts join in 1 min, as the last ones did",
    ]);
  });

  it("names running jobs that lose their hosts, and jobs that never start at a smaller size", () => {
    const running = [
      runningJob({ id: "ƒa", start: at, limit: 3720, takes: [["2", 4, 0]] }),
      runningJob({ id: "ƒb", takes: [["3", 1, 0]] }),
    ];
    const shrink = { before: ofSize(4), after: ofSize(2) };
    assert.deepEqual(
      lines(atFour({ running, waiting: jobs(2, 4) }), shrink)[0],
      "size 4 => 2: the 2 waiting jobs never start, without the change they end by 16:02 (UTC); 2 running " +
        "jobs lose their hosts " +
        "after the drain timeout of 30 s (their time limits end at 14:02)",
    );
    assert.deepEqual(
      lines(atFour({ running: running.slice(0, 1), waiting: jobs(2, 2) }), {
        ...shrink,
        after: ofSize(2, { drainSeconds: 0 }),
      })[0],
      "size 4 => 2: the 2 waiting jobs end by 15:00 (UTC), as without the change; 1 running job loses its " +
        "hosts at once (its time limit ends at 14:02)",
    );
  });

  it("says nothing if no job waits", () => assert.deepEqual(lines(atFour({ running: [busy] }), grow), []));

  it("has no end while jobs have no limit and no job has ended", () =>
    assert.deepEqual(lines(atFour({ waiting: jobs(3, 1, { limit: 0 }) }), grow), [
      "3 jobs have no time limit, and no job has ended yet",
    ]));

  it("is no latest time if jobs without a limit count as the median", () => {
    const waiting = [...jobs(1, 8), ...jobs(3, 1, { limit: 0 })].map((job, index) => ({ ...job, id: `ƒ${index}` }));
    assert.deepEqual(lines(atFour({ waiting, ended: { count: 50, median: 1800 } }), grow), [
      "size 4 => 8: the 4 waiting jobs end about 14:31 (UTC), the first starts at 13:01; without the change " +
        "they never start",
      "size 6: 4 jobs never start. Durations are time limits; 3 jobs without one count as 30 min, the median " +
        "of the last 50; new hosts join in 1 min, as the last ones did",
    ]);
  });

  it("adds the end by earlier runs of the same jobs", () =>
    assert.deepEqual(lines(atFour({ waiting: jobs(8, 4, { typical: 600 }) }), grow), [
      "size 4 => 8: the 8 waiting jobs end by 17:01 instead of 21:00 (UTC); about 13:41 by earlier runs of these jobs",
      "size 6: 21:00. Durations are time limits; new hosts join in 1 min, as the last ones did",
    ]));

  it("states which jobs of a long queue it has simulated, and which do not count", () => {
    const counts = { waiting: 100_000, held: 2, dependent: 1, stopped: 4, unread: 1 };
    assert.deepEqual(lines(atFour({ waiting: jobs(1000, 4), counts }), grow), [
      "size 4 => 8: the first 1,000 of 100,000 waiting jobs end by 2025-12-21 09:01 instead of 2026-01-11 05:00 (UTC)",
      "size 6: 2026-01-11 05:00. Durations are time limits; jobs that do not count: 2 held, 1 dependent on " +
        "others, 4 in stopped queues, 1 not understood; new hosts join in 1 min, as the last ones did",
    ]);
  });

  it("uses the clock of the user, and not the clock of the lead broker", () => {
    const reading = atFour({ running: [busy], waiting: jobs(1, 2) });
    const late = { ...reading, at: at - 86_400, running: [{ ...busy, start: busy.start - 86_400 }] };
    assert.deepEqual(lines(late, grow), lines(reading, grow));
  });

  it("adds no host for a job that needs more than the largest size", () => {
    const pace = { min: 0, idleSeconds: 300, cooldownSeconds: 30, maxStep: 8 };
    const scaled = (max: number): InstancePlan => ({
      clusters: [cluster({ elastic: { ...pace, max }, pricePerHour: 1 })],
    });
    const given = { before: scaled(4), after: scaled(8), arrivalSeconds: 60 };
    assert.deepEqual(lines(atFour({ down: "0-7", waiting: jobs(1, 8) }), given), [
      "autoscale.max 4 => 8: the waiting job ends by 14:01 (UTC), the first starts at 13:01; " +
        "without the change it never starts; +8.13",
      "autoscale.max 6: 1 job never starts. Durations are time limits; new hosts join in 1 min, as the last ones did",
    ]);
  });

  it("names the arguments of a group", () => {
    const groups = (size: number): InstancePlan => ({
      clusters: [
        cluster({ name: "lab", hosts: 1, size: 1 }),
        cluster({ name: "lab-cpu", place: "groups.cpu.", first: 1, hosts: 2, size: 2 }),
        cluster({ name: "lab-gpu", place: "groups.gpu.", first: 3, hosts: 4, size }),
      ],
    });
    const reading = readingOf({
      hosts: [{ ranks: "1-6", cores: 4, gpus: 0 }],
      excluded: "0",
      down: "4-6",
      queues: { cpu: true, gpu: true },
      constraints: ["1-2", "3-6"],
      waiting: jobs(4, 1, { queue: "gpu", constraint: 1 }),
    });
    assert.deepEqual(lines(reading, { before: groups(1), after: groups(4), arrivalSeconds: 90 }), [
      "groups.gpu.size 1 => 4: the 4 waiting jobs end by 14:02 instead of 17:00 (UTC)",
      "groups.gpu.size 3: 15:00. Durations are time limits; new hosts join in 90 s, as the last ones did",
    ]);
  });

  describe("of an agent", () => {
    const paced = (max: number, budget?: { perDay?: number }): InstancePlan => ({
      clusters: [
        cluster({
          elastic: { min: 1, max, idleSeconds: 300, cooldownSeconds: 30, maxStep: 2, ...(budget && { budget }) },
          pricePerHour: 2,
        }),
      ],
    });
    const atOne = (waiting: Reading["waiting"]) => atFour({ down: "1-7", waiting });
    const live = (size: number, spent: Record<string, number> = {}): LiveSizes => new Map([["lab", { size, spent }]]);

    it("adds the hosts that the jobs need, in steps, up to the largest size", () =>
      assert.deepEqual(
        lines(atOne(jobs(8, 1)), { before: paced(1), after: paced(5), live: live(1), arrivalSeconds: 60 }),
        [
          "autoscale.max 1 => 5: the 8 waiting jobs end by 15:01 instead of 21:00 (UTC); +12.47",
          "autoscale.max 3: 16:01, +10.23. Durations are time limits; new hosts join in 1 min, as the last ones did",
        ],
      ));

    it("is stopped by a budget that is spent, and says how many jobs wait then", () =>
      assert.deepEqual(
        lines(atOne(jobs(8, 1)), {
          before: paced(5),
          after: paced(5, { perDay: 10 }),
          live: live(1, { "2025-11-30": 10, "2025-11": 80 }),
          arrivalSeconds: 60,
        }),
        [
          "autoscale.budget.perDay none => 10: the 8 waiting jobs end by 21:00 instead of 15:01 (UTC); the " +
            "budget is spent at 13:00, and 7 jobs wait then; -12.80",
          "Durations are time limits; new hosts join in 1 min, as the last ones did",
        ],
      ));

    it("waits for hosts that the agent has requested and that have not joined", () =>
      assert.deepEqual(
        lines(atOne(jobs(2, 3)), { before: paced(3), after: paced(6), live: live(3), arrivalSeconds: 60 }),
        [
          "autoscale.max 3 => 6: the 2 waiting jobs end by 14:02 instead of 15:01 (UTC); +6.13",
          "autoscale.max 5: 15:01. Durations are time limits; new hosts join in 1 min, as the last ones did",
        ],
      ));
  });
});
