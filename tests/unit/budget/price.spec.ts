import assert from "node:assert/strict";
import { aBurstClusterArgs, aPool } from "../../support/fixtures";
import { burstProblemsOf, described, problemsOf, validating } from "../../support/problems";

describe("the price of a cluster", () => {
  const own = { name: "lab", interactive: true, containers: [{ image: "i" }] };
  const { rejectsAll, accepts } = validating<object>((args) => problemsOf({ ...own, ...args }));
  const priced = (pool: string, pricePerHour?: number) => aPool({ pool, pricePerHour });
  const groups = {
    cpu: { pool: priced("cpu", 1.5), maxSize: 64, autoscale: { max: 16 } },
    gpu: { pool: priced("gpu", 12.3), size: 2, maxSize: 8 },
  };
  const below = (limit: number, sum: number, parts: string) =>
    `maxPricePerHour: ${limit} is below ${sum}, the maximum price of the nodes per hour (${parts}); …`;
  rejectsAll({ groups, maxPricePerHour: 40 }, [below(40, 48.6, "lab-cpu: nodes 16, 24; lab-gpu: nodes 2, 24.6")]);
  rejectsAll({ lead: { pool: priced("sys", 0.2) }, groups, maxPricePerHour: 48.6 }, [
    below(48.6, 48.8, "lab: nodes 1, 0.2; lab-cpu: nodes 16, 24; lab-gpu: nodes 2, 24.6"),
  ]);
  rejectsAll({ size: 4, maxSize: 8, pool: priced("hpc", 1.5), maxPricePerHour: 5 }, [below(5, 6, "lab: nodes 4, 6")]);
  rejectsAll({ groups: { cpu: { pool: priced("cpu") }, gpu: {} }, maxPricePerHour: 1 }, [
    "maxPricePerHour: requires the price of pool cpu and a pool with a price for lab-gpu; add it, or …",
  ]);
  const bursting = (place: object | undefined, ...prices: (number | undefined)[]) => ({
    clusters: prices.map((pricePerHour, index) => ({ name: `c${index}`, maxSize: 4, pricePerHour })),
    expose: { endpoint: { address: "a" } },
    place,
  });
  const home = { size: 2, maxSize: 8, pool: priced("hpc", 1.5), maxPricePerHour: 10 };
  rejectsAll({ ...home, bursting: bursting({}, 2, 0.5) }, [
    below(10, 13, "lab: nodes 2, 3; c0: nodes 4, 8; c1: nodes 4, 2"),
  ]);
  rejectsAll({ ...home, bursting: bursting({}, 2, undefined) }, [
    "maxPricePerHour: requires pricePerHour of c1 in bursting.clusters; add it, or remove maxPricePerHour",
  ]);
  const inEuros = aPool({ pool: "eu", pricePerHour: 2, currency: "EUR" });
  rejectsAll(
    {
      groups: { a: { pool: aPool({ pool: "us", pricePerHour: 2, currency: "USD" }) }, b: { pool: inEuros } },
      bursting: { ...bursting({}), clusters: [{ name: "c", maxSize: 1, pool: aPool({ pool: "x", currency: "EUR" }) }] },
    },
    ["groups.b", "bursting.clusters[0]"].map(
      (at) => `${at}.pool.currency: "EUR" is not "USD", the currency of another pool; give all prices in one currency`,
    ),
  );
  rejectsAll({ pool: aPool({ currency: "dollars" }) }, [
    'pool.currency: "dollars" must be a currency of ISO 4217 such as "USD"',
  ]);
  rejectsAll({ maxPricePerHour: 0 }, ["maxPricePerHour: must be above 0"]);
  const autoscale = (perDay?: number) => ({ max: 4, budget: { perDay } });
  rejectsAll({ groups: { a: { autoscale: autoscale(5) }, b: { pool: priced("b"), autoscale: autoscale(5) } } }, [
    "groups.a.autoscale.budget: requires a pool with a price; add it, or remove budget",
    "groups.b.autoscale.budget: requires the price of pool b; add it, or remove budget",
  ]);
  rejectsAll({ pool: priced("c", 1), autoscale: autoscale() }, [
    "autoscale.budget: requires perDay, perMonth or both; add one of them",
  ]);
  accepts({
    "what costs as much": { size: 3, maxSize: 8, pool: priced("hpc", 0.1), maxPricePerHour: 0.3 },
    "clusters that join by their own preview": { ...home, bursting: bursting(undefined, 2, undefined) },
    "a lead broker on a node that is there": { lead: {}, groups, maxPricePerHour: 48.6 },
  });

  it("limits a cluster that joins by its size, or the largest that its agent may set", () => {
    const args = { ...aBurstClusterArgs(), pool: priced("hpc", 1.5), maxPricePerHour: 5 };
    const [problem] = described(burstProblemsOf({ ...args, size: 4 }));
    assert.match(problem ?? "", /5 is below 6, .*cloud: nodes 4/);
    assert.deepEqual(burstProblemsOf({ ...args, size: 3 }), []);
  });
});
