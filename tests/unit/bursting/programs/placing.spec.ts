import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as path from "node:path";
import { BurstingOrder } from "../../../../provider/bursting/args";
import { waitFor } from "../../../sandbox/waiting";
import { resourcesOf } from "../../../support/jobShapes";
import { type Instance, someStats, withMetricsServer } from "../../../support/metricsServer";
import { fluxBindings, withModules } from "../../../support/pythonPrograms";

/** What the plugin makes of the queue of a job. */
const submission = `
import importlib.util, json, sys
from types import SimpleNamespace
spec = importlib.util.spec_from_file_location("plugin", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
plugin = module.Frobnicator()
plugin.configure(None, {})
given = json.loads(sys.argv[2])
system = given["attributes"]["system"]
job = SimpleNamespace(**given, setattr=lambda key, value: system.update({key.split(".")[1]: value}))
plugin.frob(job, 0, 16, 0)
print(system.get("queue", ""))
`;

describe("the program of the lead broker's pod with place", function () {
  this.timeout(60_000);

  const queues = [
    { name: "home", cluster: "home", price: 1 },
    { name: "near", cluster: "near", price: 9 },
    { name: "far", cluster: "far", price: 2 },
  ];
  const place = { queues, order: BurstingOrder.Price, afterSeconds: 60, giveUpSeconds: 600 };
  const clusters = { home: 1, near: 2, far: 2 };
  const now = () => Date.now() / 1000;

  /** A pending job of two cores, which home has no room for beside the job that runs there. */
  const job = (id: number, changes: object = {}): Instance["jobs"][number] => ({
    id: `f${id}`,
    state: "SCHED",
    queue: "home",
    t_submit: now() - 70,
    resources: resourcesOf("-N1 -n2"),
    ...changes,
  });

  const instance = (...jobs: Instance["jobs"]): Instance => ({
    hosts: ["home-0", "near-0", "near-1", "far-0", "far-1"],
    cores: 2,
    gpus: 0,
    online: [0],
    drained: [],
    allocated: { 0: 2 },
    jobs: [{ id: "f1", state: "RUN", queue: "home", ranks: "0" }, ...jobs],
    config: { queues: { home: {}, near: {}, far: {} } },
    stats: { ...someStats(), queues: [] },
  });

  it("moves jobs that have waited to the cheapest cluster, and no other job", async () => {
    const held = { priority: 0 };
    const jobs = [job(2), job(3, { t_submit: now() }), job(4, { chosen: true }), job(5, held), job(6)];
    await withMetricsServer(
      instance(...jobs, job(7, { resources: resourcesOf("-N3") })),
      async (server) => {
        const queuesOf = () => Object.fromEntries(server.instance().jobs.map(({ id, queue }) => [id, queue]));
        await waitFor("both to move", () => Promise.resolve(queuesOf()["f2"] === "far" && queuesOf()["f6"] === "far"));
        await waitFor("a second look", async () =>
          (await server.get("/metrics")).text.includes('flux_jobs_moved_total{queue="far"} 2\n'),
        );
        assert.deepEqual(queuesOf(), {
          f1: "home",
          f2: "far",
          f3: "home",
          f4: "home",
          f5: "home",
          f6: "far",
          f7: "home",
        });
        const [memo] = server.instance().jobs[1]!.events!;
        assert.equal(memo?.name, "memo");
        const { why, ...place } = (memo.context as { place: Record<string, unknown> }).place;
        assert.match(String(why), /^it waited 7\d s in home$/);
        assert.deepEqual({ ...place, at: 0 }, { queue: "far", round: 1, tried: ["far"], left: "home", at: 0 });
        assert.match(server.said(), /^minicluster: job f2 waits in far: it waited 7\d s in home$/m);
        const said = server.decisions().said.map(({ cluster, text }) => `${cluster}: ${text.slice(0, 21)}`);
        assert.ok(said.includes("far: job f2 waits in far: "), said.join("\n"));
        // The agent of the cluster gets the number of jobs that come from elsewhere.
        const demand = JSON.parse((await server.ask("/demand/far?size=0")).text) as Record<string, unknown>;
        assert.deepEqual([demand["moved"], demand["needed"]], [2, 2]);
      },
      { clusters, hasAgent: true, place },
    );
  });

  it("has Flux put jobs that home can never hold into another queue, until place is removed", async () => {
    await withMetricsServer(
      instance(),
      async (server) => {
        const plugins = () => server.instance().config.ingest?.frobnicator.plugins ?? [];
        await waitFor("the plugin", () => Promise.resolve(plugins().length === 3));
        const [plugin = "", ...others] = plugins();
        assert.deepEqual(others, ["defaults", "constraints"]);
        const put = (words: string, system: object = {}) => {
          const job = JSON.stringify({ resources: resourcesOf(words), attributes: { system } });
          // The plugin finds its modules beside itself.
          const env = { ...withModules, PYTHONPATH: fluxBindings };
          return execFileSync("python3", ["-c", submission, plugin, job], { encoding: "utf8", env }).trim();
        };
        assert.equal(put("-N1 -n2"), "");
        // In the order of the prices. What no queue can hold is left to Flux, which ends it.
        assert.equal(put("-N2 -n2"), "far");
        assert.equal(put("-n4"), "far");
        assert.equal(put("-N9"), "");
        assert.equal(put("-N2", { queue: "home" }), "home");
        assert.equal(put("-N2", { constraints: { properties: ["big"] } }), "");

        const settings = path.join(server.directory, "lead.json");
        const given = JSON.parse(fs.readFileSync(settings, "utf8")) as Record<string, unknown>;
        fs.writeFileSync(settings, JSON.stringify({ ...given, place: undefined }));
        await once(server.process, "exit");
        assert.deepEqual(plugins(), ["defaults", "constraints"]);
        assert.ok(fs.existsSync(plugin));
      },
      { clusters, place },
    );
  });
});
