import * as assert from "node:assert/strict";
import {
  changesText,
  type ClusterPlan,
  type InstancePlan,
  type MovesPlan,
  planBetween,
  planChanges,
  planOf,
  withJoined,
  withSettings,
  withSize,
} from "../../../../provider/forecast/parse/plan";
import { aBurstCluster, aHome, aLead, aPool, withBroker } from "../../../support/fixtures";

const pace = { min: 1, max: 8, idleSeconds: 300, cooldownSeconds: 30, maxStep: 8 };

/** A plan of one cluster. */
const planWith = (cluster: Partial<ClusterPlan>, moves?: Partial<MovesPlan>): InstancePlan => ({
  clusters: [{ name: "lab", place: "", first: 0, hosts: 8, drainSeconds: 30, ...cluster }],
  ...(moves && { moves: { ...someMoves, ...moves } }),
});
const someMoves: MovesPlan = {
  queues: ["lab", "near", "far"].map((name) => ({ name, cluster: name, price: 0 })),
  order: "listed",
  afterSeconds: 120,
  giveUpSeconds: 600,
};

describe("the plan of an instance", () => {
  it("has the pods that the user sets, and all possible hosts", () =>
    assert.deepEqual(planOf(aLead({ size: 2, maxSize: 5, drainTimeoutSeconds: 90 })), {
      clusters: [{ name: "demo", place: "", first: 0, hosts: 5, drainSeconds: 90, size: 2 }],
    }));

  it("has no pods of a suspended cluster", () =>
    assert.equal(planOf(aLead({ size: 2, suspend: true })).clusters[0]?.size, 0));

  it("has the sizes of an agent, and the price of a host of the pool", () => {
    const [cluster] = planOf(
      aLead({
        ...withBroker({ launcher: true }),
        pool: aPool({ pricePerHour: 2 }),
        autoscale: { min: 1, max: 6, budget: { perDay: 50 } },
      }),
    ).clusters;
    const { min, max, budget } = cluster?.elastic ?? {};
    assert.deepEqual([cluster?.size, cluster?.pricePerHour, min, max, budget?.perDay], [undefined, 2, 1, 6, 50]);
  });

  it("has the hosts of groups behind those of the lead broker, with the places of their arguments", () => {
    const groups = { cpu: { size: 2 }, gpu: { size: 1, maxSize: 4 } };
    assert.deepEqual(
      planOf(aLead({ ...withBroker({ command: undefined }), groups })).clusters.map(
        ({ name, place, first, hosts, size }) => {
          return [name, place, first, hosts, size];
        },
      ),
      [
        ["demo", "", 0, 1, 1],
        ["demo-cpu", "groups.cpu.", 1, 2, 2],
        ["demo-gpu", "groups.gpu.", 3, 4, 1],
      ],
    );
  });

  it("has the clusters that may join without a size, with the moves between their queues", () => {
    const cloud = { name: "cloud", maxSize: 8, cores: 4, pricePerHour: 3 };
    const plan = planOf(aHome({}, { clusters: [cloud], place: { order: "price", afterSeconds: 60 } }));
    assert.deepEqual(plan.clusters[1], {
      name: "cloud",
      place: "",
      first: 4,
      hosts: 8,
      drainSeconds: 0,
      pricePerHour: 3,
    });
    assert.deepEqual(plan.moves, {
      queues: [
        { name: "home", cluster: "home", price: 0 },
        { name: "cloud", cluster: "cloud", price: 3 },
      ],
      order: "price",
      afterSeconds: 60,
      giveUpSeconds: 600,
    });
    assert.equal(planOf(aHome()).moves, undefined);
  });

  it("has the size of a cluster of the same program that joins", () => {
    const joined = withJoined(planOf(aHome()), aBurstCluster({ size: 5 }));
    assert.deepEqual(
      joined.clusters.map(({ name, size, hosts }) => [name, size, hosts]),
      [
        ["home", 1, 4],
        ["cloud", 5, 8],
      ],
    );
  });
});

describe("the plan of an instance before an update", () => {
  const data = (files: Record<string, object>) =>
    Object.fromEntries(Object.entries(files).map(([file, settings]) => [file, JSON.stringify(settings)]));
  const after = planWith({ elastic: pace }, {});

  it("has the sizes that the agent has, of one Job or of several", () => {
    const old = { name: "lab", ...pace, max: 4 };
    for (const settings of [old, { jobs: [{ ...old, name: "other" }, old] }]) {
      const found = withSettings(after, data({ "agent.json": settings }), true);
      assert.equal(found.clusters[0]?.elastic?.max, 4);
    }
  });

  it("keeps a cluster without an agent, or whose settings are not understood", () => {
    const old = { name: "lab", ...pace, max: 4 };
    const sized = planWith({ size: 4 });
    assert.deepEqual(withSettings(sized, data({ "agent.json": old }), true), sized);
    for (const text of ["{", "7", '{"name":"lab"}', 7])
      assert.deepEqual(withSettings(after, { "agent.json": text }, true).clusters, after.clusters);
  });

  it("has the moves that the lead broker has, if any", () => {
    const old = { ...someMoves, afterSeconds: 5 };
    assert.deepEqual(withSettings(after, data({ "lead.json": { place: old, metricsPort: null } }), true).moves, old);
    assert.equal(withSettings(after, data({ "lead.json": { metricsPort: 1 } }), true).moves, undefined);
    assert.equal(withSettings(after, {}, true).moves, undefined);
  });

  it("keeps the moves if a cluster that joins is updated, which has no settings of them", () =>
    assert.deepEqual(withSettings(after, {}, false).moves, after.moves));
});

describe("the changes between two plans", () => {
  const text = (before: InstancePlan, after: InstancePlan, which?: "old" | "changed") =>
    changesText(planChanges(before, after), which);
  const budget = (perDay: number) => planWith({ elastic: { ...pace, budget: { perDay } } });

  const rows: [change: string, before: InstancePlan, after: InstancePlan, old: string, changed: string][] = [
    ["", planWith({ size: 4 }), planWith({ size: 4 }), "", ""],
    ["size 4 => 8", planWith({ size: 4 }), withSize(planWith({ size: 4 }), "lab", 8), "size 4", "size 8"],
    [
      "groups.gpu.autoscale.max 8 => 9",
      planWith({ place: "groups.gpu.", elastic: pace }),
      planWith({ place: "groups.gpu.", elastic: { ...pace, max: 9 } }),
      "groups.gpu.autoscale.max 8",
      "groups.gpu.autoscale.max 9",
    ],
    [
      "autoscale.budget.perDay none => 5",
      planWith({ elastic: pace }),
      budget(5),
      "autoscale.budget.perDay none",
      "autoscale.budget.perDay 5",
    ],
    ["bursting.place added", planWith({}), planWith({}, {}), "without bursting.place", "with bursting.place"],
    ["bursting.place removed", planWith({}, {}), planWith({}), "with bursting.place", "without bursting.place"],
    [
      "size 4 => 5, bursting.place added",
      planWith({ size: 4 }),
      planWith({ size: 5 }, {}),
      "size 4, without bursting.place",
      "size 5, with bursting.place",
    ],
    [
      "bursting.place.afterSeconds 120 => 0, bursting.place.order listed => price",
      planWith({}, {}),
      planWith({}, { afterSeconds: 0, order: "price" }),
      "bursting.place.afterSeconds 120, bursting.place.order listed",
      "bursting.place.afterSeconds 0, bursting.place.order price",
    ],
    [
      "bursting.place.clusters near and far => near",
      planWith({}, {}),
      planWith({}, { queues: someMoves.queues.slice(0, 2) }),
      "bursting.place.clusters near and far",
      "bursting.place.clusters near",
    ],
  ];
  for (const [change, before, after, old, changed] of rows)
    it(`are in text: ${change || "none"}`, () =>
      assert.deepEqual(
        [text(before, after), text(before, after, "old"), text(before, after, "changed")],
        [change, old, changed],
      ));

  const between: [what: string, InstancePlan, InstancePlan, string | undefined][] = [
    ["two sizes", planWith({ size: 4 }), planWith({ size: 9 }), "size 4 => 7"],
    [
      "two largest sizes",
      planWith({ elastic: pace }),
      planWith({ elastic: { ...pace, max: 2 } }),
      "autoscale.max 8 => 5",
    ],
    ["two sizes beside each other", planWith({ size: 4 }), planWith({ size: 5 }), undefined],
    ["two changes", planWith({ size: 4 }, {}), planWith({ size: 8 }), undefined],
    ["two times of a move", planWith({}, {}), planWith({}, { afterSeconds: 10 }), undefined],
    ["moves and none", planWith({}, {}), planWith({}), undefined],
    ["a budget and none", budget(5), planWith({ elastic: pace }), undefined],
    ["equal plans", planWith({ size: 4 }), planWith({ size: 4 }), undefined],
  ];
  for (const [what, before, after, change] of between)
    it(`have ${change ? "a plan" : "no plan"} between: ${what}`, () => {
      const middle = planBetween(before, after);
      assert.equal(middle && text(before, middle), change);
    });
});
