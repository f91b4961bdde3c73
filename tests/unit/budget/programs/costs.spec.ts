import * as assert from "node:assert/strict";
import { waitFor } from "../../../sandbox/waiting";
import { type Instance, type JournalEvent, someStats, withMetricsServer } from "../../../support/metricsServer";

const submitted = (job: number, timestamp: number, queue = "home", owner?: string): JournalEvent => ({
  job,
  name: "submit",
  timestamp,
  context: { userid: 4_000_000 },
  jobspec: { attributes: { system: { queue }, user: { owner } } },
});

const allocated = (job: number, timestamp: number, rank: string, core: string): JournalEvent => ({
  job,
  name: "alloc",
  timestamp,
  R: { execution: { R_lite: [{ rank, children: { core } }] } },
});

const ended = (job: number, timestamp: number, name = "finish"): JournalEvent => ({
  job,
  name,
  timestamp,
  context: { status: 0 },
});

describe("the cost of jobs", () => {
  const hour = 3600;

  it("is in the metrics, and in the memo of a job that finishes now, and of no other", async () => {
    const now = Date.now() / 1000;
    const midnight = now - (now % (24 * hour));
    const past = [submitted(1, midnight), allocated(1, midnight, "0", "0-1"), ended(1, now)];
    const live = [submitted(2, now), allocated(2, now - 36, "0-1", "0-1"), ended(2, now)];
    const instance: Instance = {
      hosts: ["demo-0", "demo-1"],
      cores: 2,
      gpus: 0,
      online: [0, 1],
      drained: [],
      allocated: {},
      config: {},
      jobs: [1, 2].map((id) => ({ id: `f${id}`, state: "RUN", ranks: "0" })),
      stats: { ...someStats(), queues: [] },
      history: past,
    };
    await withMetricsServer(
      instance,
      async ({ setInstance, get, instance: current }) => {
        const month = /^flux_cost_month\{queue="home",user="4000000"\} (.*)$/m;
        const cost = async () => Number(month.exec((await get("/metrics")).text)?.[1]);
        await waitFor("the history", async () => (await cost()) >= 0);
        const before = await cost();
        setInstance({ ...current(), journal: live });
        await waitFor("the memo", () => Promise.resolve(current().jobs[1]?.events !== undefined));
        assert.deepEqual(current().jobs[1]?.events?.[0]?.context, { cost: 0.2 });
        assert.equal(current().jobs[0]?.events, undefined);
        await waitFor("the sum", async () => Math.abs((await cost()) - before - 0.2) < 0.02);
      },
      { prices: { demo: 10 } },
    );
  });
});
