import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as path from "node:path";
import { waitFor } from "../../../../sandbox/waiting";
import { type Instance, type JournalEvent, someStats, withMetricsServer } from "../../../../support/metricsServer";

const root = path.resolve(__dirname, "../../../../..");
const programs = path.join(root, "provider/brokers/flux/programs");

/** Feeds the real module with events, and prints the costs of jobs that finish, and the sums at a time. */
const feed = `
import json, sys
import costs
from journal import event_of
events, now = json.load(sys.stdin)
capacity = {0: (4, 0), 1: (4, 0), 3: (8, 0), 4: (8, 0)}
hosts = costs.priced_hosts([("home", 2), ("free", 1), ("far", 2)], {"home": 1.5, "far": 4}, capacity)
found = costs.Costs(hosts)
ends = [found.take(event_of({"id": event["job"], **event}, event)) for event in events]
print(json.dumps([[cost for cost in ends if cost is not None], found.rows(now)]))
`;

interface Row {
  queue: string;
  user: string;
  perHour: number;
  today: number;
  month: number;
}

function costsOf(events: JournalEvent[], now: number): [ends: number[], rows: Row[]] {
  const env = { ...process.env, PYTHONPATH: `${path.join(root, "tests/support/fluxPython")}:${programs}` };
  const input = JSON.stringify([events, now]);
  return JSON.parse(execFileSync("python3", ["-B", "-c", feed], { env, input, encoding: "utf8" })) as [number[], Row[]];
}

const at = (text: string) => Date.parse(text) / 1000;

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
  const noon = at("2026-11-26T12:00:00Z");
  const hour = 3600;

  it("is the price of whole hosts for the time that the job has them, and a part of one that it shares", () => {
    const events = [
      submitted(1, noon - hour),
      allocated(1, noon, "0-1", "0-3"),
      ended(1, noon + 2 * hour),
      submitted(2, noon, "home", "ann"),
      allocated(2, noon, "0", "0"),
      ended(2, noon + hour),
      // A host without a price.
      submitted(3, noon),
      allocated(3, noon, "2", "0-3"),
      ended(3, noon + hour),
    ];
    const [ends, rows] = costsOf(events, noon + 3 * hour);
    assert.deepEqual(ends, [6, 0.375]);
    assert.deepEqual(rows, [
      { queue: "home", user: "4000000", perHour: 0, today: 6, month: 6 },
      { queue: "home", user: "ann", perHour: 0, today: 0.38, month: 0.38 },
    ]);
  });

  it("counts towards the days and the month in which the job runs, in UTC, and to now while it runs", () => {
    const evening = at("2026-11-30T22:00:00Z");
    const events = [
      submitted(1, evening, "far"),
      allocated(1, evening, "3", "0-7"),
      ended(1, evening + 4 * hour),
      submitted(2, evening, "far", "bob"),
      allocated(2, evening + hour, "4", "0-7"),
    ];
    const [ends, rows] = costsOf(events, evening + 5 * hour);
    assert.deepEqual(ends, [16]);
    assert.deepEqual(rows, [
      { queue: "far", user: "bob", perHour: 4, today: 12, month: 12 },
      { queue: "far", user: "4000000", perHour: 0, today: 8, month: 8 },
    ]);
    const [, later] = costsOf(events.slice(0, 3), at("2026-12-02T00:00:00Z"));
    assert.deepEqual(later, [{ queue: "far", user: "4000000", perHour: 0, today: 0, month: 8 }]);
  });

  it("ends with a job without an event of its end, and follows one to another queue", () => {
    const moved = { ...ended(1, noon, "jobspec-update"), context: { "attributes.system.queue": "far" } };
    const events = [submitted(1, noon), moved, allocated(1, noon, "3-4", "0-7"), ended(1, noon + hour, "clean")];
    const [ends, rows] = costsOf([...events, ended(1, noon + 2 * hour, "clean")], noon + 3 * hour);
    assert.deepEqual(ends, [8]);
    assert.deepEqual(rows, [{ queue: "far", user: "4000000", perHour: 0, today: 8, month: 8 }]);
  });

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
