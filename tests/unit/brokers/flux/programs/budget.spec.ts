import * as assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import { demandOf, type Looks, withAgentBench } from "../../../../support/agentLooks";
import { demandText } from "../../../../support/lead";

const [hour, day] = [3600, 86_400];
const began = Date.parse("2026-11-30T20:00:00Z") / 1000;
const spentOn = (count: object, at = began) => ({ "minicluster/spent": JSON.stringify({ at, ...count }) });

describe("the budget of a Job", () => {
  const { lead, run } = withAgentBench();

  /** Looks with a queue that needs all hosts, at 1 an hour for each host. */
  function busy(limits: object, looks: Looks, own: object = {}) {
    lead().setDemand(demandOf({ pending: [8] }));
    return run({ began, budget: { ...limits, pricePerHour: 1 }, looks, ...own });
  }

  it("counts the hosts of each look for a day and a month, which begin by UTC", async () => {
    const looks: Looks = [0, 2 * hour, 5 * hour].map((now) => [now, {}]);
    const { spent, sizes } = await busy({ perDay: 1000, perMonth: 1000 }, looks);
    assert.deepEqual(sizes, [8, 8, 8]);
    // 8 hosts from 20:00 on; the month ends with the day.
    assert.deepEqual(spent, { at: began + 5 * hour, "2026-11-30": 32, "2026-11": 32, "2026-12-01": 8, "2026-12": 8 });
  });

  it("keeps a size from growing when it is spent, takes no host away, and has it grow the next day", async () => {
    const looks: Looks = [0, hour, 4.1 * hour].map((now) => [now, {}]);
    const { sizes, said } = await busy({ perDay: 20 }, looks, { annotations: spentOn({ "2026-11-30": 20 }) });
    assert.deepEqual(sizes, [3, 3, 8]);
    assert.match(said[0] ?? "", /; the budget of 20 for 2026-11-30 is spent \(20\.00\), .* again from 2026-12-01 UTC$/);
  });

  it("lets hosts leave where the API server rejects the record of the cost", async () => {
    lead().setDemand([demandOf({ busy: 3 }), demandOf({})].map(demandText));
    const looks = [0, 600].map((now) => [now, {}, now === 600 ? [500] : []] as [number, object, number[]]);
    const { said, sizes } = await run({ began, budget: { perDay: 1000, pricePerHour: 1 }, looks });
    assert.deepEqual(sizes, [3, 1]);
    const rejected = "the API server answers with status 500: internal error";
    assert.ok(said.includes(`the cost of the hosts is not recorded: ${rejected}`), said.join("\n"));
  });

  it("names the limit that ends last", async () => {
    const annotations = spentOn({ "2026-11-15": 9, "2026-11": 90 }, began - 15 * day);
    const { said } = await busy({ perDay: 5, perMonth: 50 }, 1, { annotations, began: began - 15 * day });
    assert.match(said[0] ?? "", /the budget of 50 for 2026-11 is spent \(90\.00\), .* from 2026-12-01 UTC$/);
  });

  it("goes on with the count of a former agent, and what its hosts have cost since", async () => {
    const annotations = spentOn({ "2026-11-30": 10 }, began - 2 * hour);
    const { spent } = await busy({ perDay: 16 }, 1, { annotations });
    assert.deepEqual(spent, { at: began, "2026-11-30": 16 });
  });

  it("has the smallest size all the same, and lets hosts leave", async () => {
    const annotations = spentOn({ "2026-11-30": 20 });
    assert.deepEqual((await busy({ perDay: 20 }, 1, { annotations, min: 5 })).sizes, [5]);
    lead().setDemand(demandOf({}));
    const budget = { perDay: 20, pricePerHour: 1 };
    const { sizes } = await run({ began, budget, annotations, looks: [0, 1, 2].map((now) => [now, {}]) });
    assert.equal(sizes.at(-1), 1);
  });

  for (const text of [
    "[]",
    "{",
    '{"at": "x"}',
    '{"at": 1e300}',
    `{"at": ${began}, "2026-11-30": -5}`,
    '{"at": 1, "b": null}',
  ])
    it(`takes no other text for a count: ${text}`, async () => {
      const { sizes, spent } = await busy({ perDay: 20 }, 1, { annotations: { "minicluster/spent": text } });
      assert.deepEqual([sizes, spent], [[8], { at: began, "2026-11-30": 0 }]);
    });

  it("is written once a minute", async () => {
    const looks: Looks = [0, 10, 20, 61].map((now) => [now, {}]);
    const { asked } = await busy({ perDay: 20 }, looks, { min: 8, job: { parallelism: 8, completions: 8 } });
    assert.deepEqual(asked.filter((method) => method === "PATCH").length, 2);
  });

  /** Random histories with a wrong sum, with the clocks of API server and nodes, or with those of nodes alone. */
  async function histories(...clock: ["local"] | []): Promise<object[]> {
    const root = path.resolve(__dirname, "../../../../..");
    const [model, programs] = ["tests/support/budgetModel.py", "provider/brokers/flux/programs"];
    const args = [
      "-B",
      path.join(root, model),
      path.join(root, programs),
      "0",
      clock.length > 0 ? "30" : "300",
      ...clock,
    ];
    const { stdout } = await promisify(execFile)("python3", args, { maxBuffer: 2 ** 26 });
    return JSON.parse(stdout) as object[];
  }

  it("counts no second twice and loses none, with clocks that are set, wrong once, or other ones", async () => {
    assert.deepEqual(await histories(), []);
    // It finds what is wrong by the clock of a node.
    assert.ok((await histories("local")).length > 10);
  });
});
