import * as assert from "node:assert/strict";
import { bounds, demandOf, type Look, withAgentBench } from "../../../../support/agentLooks";
import { demandText } from "../../../../support/lead";

/** A look at the queue, with a size that another client sets before it, or no answer at all. */
interface TimedLook extends Look {
  at: number;
  set?: number;
  unknown?: boolean;
  away?: boolean;
  conflicts?: number;
}

describe("what the agent decides", () => {
  const { lead, run } = withAgentBench();
  const wide = { pending: [6] };

  // The looks at the queue by their times, in seconds, and the sizes after them.
  const decisions: { name: string; settings?: object; looks: TimedLook[]; sizes: number[] }[] = [
    {
      name: "a wide job grows it at once, and it shrinks when its hosts were idle for long enough",
      looks: [{ at: 0, ...wide }, { at: 5, ...wide }, { at: 20, busy: 6 }, { at: 50 }, { at: 70 }, { at: 81 }],
      sizes: [6, 6, 6, 6, 6, 1],
    },
    { name: "hosts are added to those that have jobs", looks: [{ at: 0, busy: 2, pending: [3] }], sizes: [5] },
    {
      name: "a queue that flaps keeps its hosts",
      looks: [0, 20, 40, 60, 80, 100, 120].map((at) => ({ at, pending: at % 40 === 0 ? [4] : [] })),
      sizes: [4, 4, 4, 4, 4, 4, 4],
    },
    {
      name: "a host with a job never leaves: the highest ranks leave first",
      looks: [{ at: 0, ...wide }, { at: 20, busy: 1, needed: 6 }, { at: 100, busy: 1, needed: 6 }, { at: 200 }],
      sizes: [6, 6, 6, 1],
    },
    {
      name: "two changes are a pause apart, and of so many hosts at most",
      settings: { maxStep: 3 },
      looks: [...[0, 5, 10, 20].map((at) => ({ at, pending: [8] })), { at: 100 }, { at: 110 }],
      sizes: [4, 4, 7, 8, 5, 2],
    },
    { name: "it keeps to its least size", settings: { min: 2 }, looks: [{ at: 0, busy: 1 }], sizes: [2] },
    { name: "a size above its bounds is brought back", looks: [{ at: 0, set: 20 }], sizes: [8] },
    { name: "a size below its bounds as well", settings: { min: 3 }, looks: [{ at: 0, set: 1 }], sizes: [3] },
    {
      name: "a size that was wanted once is no reason to grow",
      looks: [
        { at: 0, ...wide },
        { at: 30, busy: 6 },
        { at: 65, set: 3 },
      ],
      sizes: [6, 6, 3],
    },
    {
      name: "idle time begins again after a time without a demand",
      looks: [
        { at: 0, pending: [4] },
        { at: 10, busy: 4 },
        { at: 60, unknown: true },
        { at: 100 },
        { at: 130 },
        { at: 165 },
      ],
      sizes: [4, 4, 4, 4, 4, 1],
    },
    {
      name: "idle time begins again after a time without an API server",
      settings: { intervalSeconds: 0 },
      looks: [
        { at: 0, pending: [4] },
        { at: 10, busy: 4 },
        { at: 60, away: true },
        { at: 100 },
        { at: 130 },
        { at: 165 },
      ],
      sizes: [4, 4, 4, 4, 4, 1],
    },
    {
      name: "a change that the API server refuses is tried again at once, and one that fails at the next look",
      looks: [
        { at: 0, pending: [4], conflicts: 2 },
        { at: 20, pending: [8], conflicts: 5 },
        { at: 21, pending: [8] },
      ],
      sizes: [4, 4, 8],
    },
  ];
  for (const { name, settings, looks, sizes } of decisions)
    it(name, async () => {
      const own = { ...bounds, idleSeconds: 60, cooldownSeconds: 10, intervalSeconds: 0, ...settings };
      const answered = looks.filter(({ away }) => !away);
      lead().setDemand(answered.map(({ unknown, ...look }) => (unknown ? "unknown" : demandText(demandOf(look)))));
      const became = await run({
        ...own,
        job: { parallelism: own.min, completions: own.min },
        looks: looks.map(({ at, set, away, conflicts = 0 }) => [
          at,
          set === undefined ? {} : { parallelism: set },
          away ? ["away"] : Array<number>(conflicts).fill(409),
        ]),
      });
      assert.deepEqual(became.sizes, sizes);
    });
});
