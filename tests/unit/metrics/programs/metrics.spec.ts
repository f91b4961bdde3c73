import assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import * as path from "node:path";
import { waitFor } from "../../../sandbox/waiting";
import { resourcesOf } from "../../../support/jobShapes";
import { type Instance, someStats, withMetricsServer } from "../../../support/metricsServer";
import { askPrometheus } from "../../../support/prometheus";

/** Four hosts of 8 cores and 2 GPUs: one busy, one half busy, one drained, one away. */
const four: Instance = {
  hosts: ["demo-0", "demo-1", "demo-2", "demo-3"],
  cores: 8,
  gpus: 2,
  online: [0, 1, 2],
  drained: [2, 3],
  allocated: { 0: 8, 1: 4 },
  jobs: [
    { id: "f1", state: "RUN" },
    { id: "f2", state: "SCHED", resources: resourcesOf("-N3") },
    { id: "f3", state: "SCHED", priority: 0, resources: resourcesOf("-N4") },
    { id: "f4", state: "SCHED", resources: resourcesOf("-n2 -c2 -g1") },
  ],
  config: {},
  stats: {
    ...someStats({ job_states: { run: 1, sched: 3, inactive: 5 }, successful: 3, failed: 2, inactive_purged: 4 }),
    queues: [],
  },
};

/** An instance over two clusters, each with a separate queue, of which one has had no job. */
const burst: Instance = {
  ...four,
  hosts: ["home-0", "far-away-0", "far-away-1"],
  online: [0, 2],
  drained: [],
  allocated: { 2: 8 },
  jobs: [{ id: "f1", state: "SCHED", queue: "far-away", resources: resourcesOf("-N2") }],
  config: { queues: { home: {}, "far-away": {} } },
  stats: {
    ...someStats(),
    queues: [{ name: "far-away", ...someStats({ job_states: { run: 1, sched: 1, inactive: 1 }, canceled: 1 }) }],
  },
};

describe("the metrics of a Flux instance", function () {
  // Prometheus is built at first.
  this.timeout(600_000);

  /** Samples of the metrics whose names begin so: the values of their labels, and their own. */
  async function samplesOf(instance: Instance, prefix: RegExp, clusters?: Record<string, number>) {
    const all: Record<string, string[]> = {};
    await withMetricsServer(
      instance,
      async ({ get }) => {
        for (const line of (await get("/metrics")).text.split("\n").filter((line) => prefix.test(line))) {
          const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (.*)$/.exec(line) ?? [];
          (all[name] ??= []).push([...labels.matchAll(/"(.*?)"/g)].map(([, label]) => label).join(" ") + ` ${value}`);
        }
      },
      { clusters },
    );
    return Object.fromEntries(Object.entries(all).map(([name, samples]) => [name, samples.join(", ").trim()]));
  }

  it("are what Prometheus reads, and its linter reports no problem", () =>
    withMetricsServer(four, async ({ get }) => {
      const { status, type, text } = await get("/metrics");
      assert.deepEqual([status, type], [200, "text/plain; version=0.0.4; charset=utf-8"]);
      const { problems, results } = await askPrometheus([{ time: 60_000, text }], ['{__name__=~"flux_.+"}']);
      assert.deepEqual(problems, []);
      const lines = text.split("\n").filter((line) => line.startsWith("flux_"));
      assert.equal(results[0]?.series.length, lines.length);
    }));

  it("count brokers, nodes, cores and GPUs once, by state", async () =>
    assert.deepEqual(await samplesOf(four, /^flux_(brokers|nodes|cores|gpus)/), {
      flux_brokers: "demo online 3, demo offline 1",
      flux_brokers_expected: "demo 3",
      flux_brokers_drained: "demo 1",
      flux_nodes: "demo free 0, demo allocated 2, demo down 2",
      flux_cores: "demo free 4, demo allocated 12, demo down 16",
      flux_gpus: "demo free 1, demo allocated 3, demo down 4",
    }));

  it("count jobs by state and result, what they wait for, and also those that Flux has forgotten", async () =>
    assert.deepEqual(await samplesOf(four, /^flux_(jobs|pending)/), {
      flux_jobs: "depend 0, priority 0, sched 3, run 1, cleanup 0",
      flux_jobs_inactive: "completed 3, failed 2, canceled 0, timeout 0",
      flux_jobs_finished_total: "9",
      // Three nodes, and two of the two GPUs of one.
      flux_pending_nodes: "4.0",
    }));

  it("distinguish clusters and queues of a burst, those without a job included", async () => {
    const some = /^flux_(brokers|nodes.*allocated|jobs.*(run|canceled)|jobs_fin|pend)/;
    assert.deepEqual(await samplesOf(burst, some, { home: 1, "far-away": 2 }), {
      flux_brokers: "home online 1, home offline 0, far-away online 1, far-away offline 1",
      flux_brokers_expected: "home 2",
      flux_brokers_drained: "home 0, far-away 0",
      flux_nodes: "home allocated 0, far-away allocated 1",
      flux_jobs: "far-away run 1, home run 0",
      flux_jobs_inactive: "far-away canceled 1, home canceled 0",
      flux_jobs_finished_total: "far-away 1, home 0",
      flux_pending_nodes: "far-away 2.0, home 0",
    });
  });

  it("have the price of each cluster, by which Prometheus finds the cost for an hour", () =>
    withMetricsServer(
      burst,
      async ({ get }) => {
        const { text } = await get("/metrics");
        const query = 'flux_brokers{state="online"} * ignoring (state) group_left flux_node_price_per_hour';
        const { results } = await askPrometheus([{ time: 60_000, text }], [query]);
        const costs = results[0]?.series.map(({ metric, values }) => [metric.minicluster, values.at(-1)?.[1]]);
        assert.deepEqual(costs, [["far-away", "2.5"]]);
      },
      { clusters: { home: 1, "far-away": 2 }, prices: { "far-away": 2.5 } },
    ));

  it("have names of queues that Prometheus reads back as they are", () => {
    const name = 'a "b" \\ c\nd';
    const odd = { ...burst, config: { queues: { [name]: {} } }, stats: { ...someStats(), queues: [] } };
    return withMetricsServer(odd, async ({ get }) => {
      const { text } = await get("/metrics");
      const { results } = await askPrometheus([{ time: 60_000, text }], ["flux_jobs_finished_total"]);
      assert.equal(results[0]?.series[0]?.metric.queue, name);
    });
  });

  it("show the size that Pulumi has set, or the one that the agent of a cluster has reported", async () => {
    const expected = async (get: (url: string) => Promise<{ text: string }>) =>
      (await get("/metrics")).text.match(/^flux_brokers_expected.*$/m)?.[0];
    await withMetricsServer(four, async ({ get, setSize }) => {
      setSize(4);
      assert.equal(await expected(get), 'flux_brokers_expected{minicluster="demo"} 4');
    });
    await withMetricsServer(
      four,
      async ({ get, ask, decisions }) => {
        assert.equal(await expected(get), undefined);
        const message = "size 1 => 2";
        const state = { size: 2, reason: "jobsPending", message, since: "2026-01-31T09:00:00Z" };
        const query = new URLSearchParams({ size: "2", state: JSON.stringify(state) });
        assert.equal((await ask(`/demand/demo?${query}`)).status, 200);
        const [said] = decisions().said;
        assert.deepEqual([said?.cluster, said?.text, said?.state], ["demo", message, state]);
        assert.equal((await ask("/demand/other?size=9")).status, 404);
        // They are read once a second.
        await waitFor(
          "the size that the agent has reported",
          async () => (await expected(get)) === 'flux_brokers_expected{minicluster="demo"} 2',
        );
      },
      { hasAgent: true },
    );
  });

  it("are served at a separate port, with nothing else", () =>
    withMetricsServer(
      four,
      async ({ get, ask }) => {
        const { pending } = JSON.parse((await ask("/demand/demo?size=1")).text) as { pending: object[] };
        assert.deepEqual(pending, [
          { id: "f2", hosts: 3, never: false },
          { id: "f4", hosts: 1, never: false },
        ]);
        for (const other of ["/demand/demo", "/", "/metrics/"]) assert.equal((await get(other)).status, 404, other);
        assert.equal((await ask("/metrics")).status, 404);
      },
      { hasAgent: true },
    ));

  const ends: [what: string, change: (directory: string) => void, status: number][] = [
    ["where Flux does not answer", (directory) => fs.rmSync(path.join(directory, "../instance.json")), 1],
    ["with another port", (directory) => fs.appendFileSync(path.join(directory, "lead.json"), " "), 0],
    ["with another version", (directory) => fs.appendFileSync(path.join(directory, "lead.pyz"), " "), 0],
    ["with no metrics any more", (directory) => fs.rmSync(path.join(directory, "lead.json")), 0],
  ];
  for (const [what, change, status] of ends)
    it(`end ${what}: the pod's script looks again`, () =>
      withMetricsServer(four, async ({ directory, process, get }) => {
        const ended = once(process, "exit");
        change(directory);
        await get("/metrics").catch(() => undefined);
        assert.deepEqual(await ended, [status, null]);
      }));
});
