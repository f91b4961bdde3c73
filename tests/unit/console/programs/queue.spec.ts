import * as assert from "node:assert/strict";
import { ranksOf } from "../../../../provider/forecast/parse/ranks";
import { parseReading } from "../../../../provider/forecast/parse/reading";
import { waitFor } from "../../../sandbox/waiting";
import { withConsole } from "../../../support/consoleServer";
import { someStats } from "../../../support/metricsServer";
import { cores } from "../../../support/queueReading";

/** An instance with two waiting jobs. */
const waiting = {
  jobs: [1, 2].map((number) => ({ id: `f${number}`, state: "SCHED", resources: cores(number) })),
  stats: { ...someStats({ job_states: { sched: 2 } }), queues: [] },
};

describe("the queue in the REST API of an instance", function () {
  this.timeout(180_000);

  it("is in the form that the page reads, also for a user who only reads", () =>
    withConsole(async ({ ask }) => {
      const { status, json } = await ask("guest", "GET /v1/queue");
      assert.equal(status, 200, JSON.stringify(json));
      const reading = parseReading(json);
      assert.deepEqual(
        reading?.waiting.map(({ id, resources }) => [id, resources]),
        [
          ["f1", cores(1)],
          ["f2", cores(2)],
        ],
      );
      assert.deepEqual(
        reading.hosts.map(({ ranks, ...amounts }) => [ranksOf(ranks), amounts]),
        [[[0, 1, 2, 3], { cores: 4, gpus: 0 }]],
      );
      assert.equal((await ask(undefined, "GET /v1/queue")).status, 401);
    }, waiting));

  it("holds up no other response while Flux is slow, and is read once for all who wait for it", () =>
    withConsole(
      async ({ ask }) => {
        const ended: string[] = [];
        const queues = Array.from({ length: 5 }, async () => {
          const { json } = await ask("guest", "GET /v1/queue");
          ended.push("queue");
          return json["at"];
        });
        for (let round = 0; round < 5; round++) {
          assert.equal((await ask("guest", "GET /v1/jobs")).status, 200);
          ended.push("jobs");
        }
        const times = await Promise.all(queues);
        assert.deepEqual(ended.slice(0, 5), Array<string>(5).fill("jobs"));
        assert.equal(new Set(times).size, 1);
      },
      { ...waiting, faults: { "job-manager.alloc-query": { seconds: 5 } } },
    ));

  it("is a temporary failure of the server while Flux cannot report it, and then available again", () =>
    withConsole(
      async ({ ask, setInstance, log }) => {
        const { status, headers, json } = await ask("guest", "GET /v1/queue");
        assert.deepEqual(
          [status, headers.get("retry-after"), json["Message"]],
          [503, "1", "The queue cannot be read now."],
        );
        await waitFor("the reason in the log", () => log().includes("minicluster: the queue is not read: "));
        setInstance({ faults: {} });
        await waitFor("the queue", async () => (await ask("guest", "GET /v1/queue")).status === 200, 30_000);
      },
      { ...waiting, faults: { "job-manager.alloc-query": { errno: 110 } } },
    ));

  it("does not exist where the forecast is switched off", () =>
    withConsole(
      async ({ ask }) => {
        const { status, json } = await ask("guest", "GET /v1/queue");
        assert.deepEqual([status, json["Message"]], [404, "The forecast is switched off."]);
      },
      waiting,
      "python3",
      false,
    ));
});
