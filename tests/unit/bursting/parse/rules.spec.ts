import assert from "node:assert/strict";
import type { BurstingArgs, MiniClusterArgs } from "../../../../provider";
import { aBalancer, aBursting, aMiniClusterArgs, aPool } from "../../../support/fixtures";
import { described, errorsAt, problemsOf, validating } from "../../../support/problems";

const { accepts, rejects, rejectsAll } = validating();

const joining = (...clusters: BurstingArgs["clusters"]) => ({ bursting: aBursting({ clusters }) });
const exposing = (expose: BurstingArgs["expose"]) => ({ bursting: aBursting({ expose }) });

describe("the clusters that may join", () => {
  const long = "c".repeat(60);
  rejects({
    "bursting.clusters: needs at least one cluster; add one, or remove bursting": joining(),
    ["bursting.clusters: the instance would have 100001 hosts, this cluster's own 40000 included, above the maximum " +
    "of 100000; lower a maxSize"]: {
      ...{ maxSize: 40_000, ...joining({ name: "a", maxSize: 60_000 }, { name: "b", maxSize: 1 }) },
    },
  });
  rejectsAll(
    joining(
      { name: "demo", maxSize: 1 },
      { name: "a", maxSize: 8, size: 9 },
      { name: "a", maxSize: 1, gpus: 4 },
      { name: long, maxSize: 1001 },
    ),
    [
      "bursting.clusters[1].size: size 9 is above maxSize 8; raise maxSize or lower size",
      "bursting.clusters[2].gpus: requires cores or pool; add one of them",
      `bursting.clusters[3].name: its last host name, ${long}-1000, is longer than 63 characters; shorten name by 2`,
      'bursting.clusters[0].name: "demo" is the name of this cluster too; rename one of them',
      'bursting.clusters[2].name: "a" is the name of clusters[1] too; rename one of them',
    ],
  );
  rejectsAll(joining({ name: "a", maxSize: 0, size: -1, cores: 0, gpus: 0.5, pool: aPool({}, { cores: 0 }) }), [
    "bursting.clusters[0].size: -1 must be an integer from 0 to 100000",
    ...errorsAt(
      ["bursting.clusters[0].maxSize", "bursting.clusters[0].cores"],
      "0 must be an integer from 1 to 100000",
    ),
    "bursting.clusters[0].gpus: 0.5 must be an integer from 0 to 100000",
    "bursting.clusters[0].pool.node.cores: 0 must be an integer from 1 to 100000",
  ]);
  accepts({
    "as many hosts as one lead broker can have": { size: 1, ...joining({ name: "cloud", maxSize: 99_999 }) },
    "names that just fit, and names with a common start": joining(
      { name: `${long}c`, maxSize: 10 },
      { name: "demo-1", maxSize: 4 },
      { name: "demo-1-0", maxSize: 4, size: 4 },
    ),
    "GPUs beside cores or a pool, and properties of every form": joining(
      { name: "a", maxSize: 8, cores: 8, gpus: 2, properties: ["gpu", "rack-7", "v1.2", "A_b", "$x", "50%"] },
      { name: "b", maxSize: 8, size: 0, pool: aPool(), gpus: 2, properties: ["b"] },
    ),
  });

  it("have no properties that Flux would refuse", () => {
    const properties = ["a b", "^gpu", "a&b", "it's", 'a"b', "a|b", "(a)", "a,b", "a:b", "a\nb"];
    const args = joining({ name: "a", maxSize: 1, properties: ["fine", ...properties] });
    assert.deepEqual(
      described(problemsOf(aMiniClusterArgs(args))),
      properties.map((property, index) => {
        const place = `bursting.clusters[0].properties[${index + 1}]`;
        return `${place}: ${JSON.stringify(property)} must be a Flux property such as "gpu" or "rack-7"`;
      }),
    );
  });

  const nodePort = { address: "a", port: 30_850 };
  rejects({
    "bursting.expose.demand.port: is 8060 of a load balancer; remove it": exposing({
      ...{ ...aBalancer({ cloud: "gcp" }).expose, demand: { port: 8060 } },
    }),
    "bursting.expose.demand.port: 30850 is the brokers' port; choose another one": exposing({
      ...{ nodePort, demand: { port: 30_850 } },
    }),
    "bursting.expose.demand.port: 8050 is the brokers' port; choose another one": exposing({
      ...{ endpoint: { address: "a" }, demand: { port: 8050 } },
    }),
    "bursting.expose.demand.port: has no default in rendered YAML; set it": {
      ...{ resize: "manifest", ...exposing({ nodePort, demand: {} }) },
    },
    "bursting.expose.demand.port: 0 must be an integer from 1 to 65535": exposing({
      ...{ endpoint: { address: "a" }, demand: { port: 0 } },
    }),
  });
  accepts({
    "the default port of the demand behind a node port": exposing({ nodePort: { address: "a" }, demand: {} }),
    "the default port of the demand behind an endpoint": exposing({ endpoint: { address: "a" }, demand: {} }),
    "a manifest with both node ports": { resize: "manifest", ...exposing({ nodePort, demand: { port: 30_860 } }) },
  });

  const atNodes = exposing({ nodePort: { address: "a" } });
  const clashes: Record<string, Partial<MiniClusterArgs>> = {
    "a property with the name of the cluster": joining({ name: "cloud", maxSize: 1, properties: ["demo"] }),
    "a property with the name of another cluster": joining(
      { name: "a", maxSize: 1 },
      { name: "b", maxSize: 1, properties: ["a"] },
    ),
    "a pool with the name of another cluster": { bursting: aBursting(), pool: aPool({ pool: "cloud" }) },
    "a cluster with the name of the architecture": { pool: aPool(), ...joining({ name: "amd64", maxSize: 1 }) },
    "a headlessName like the Service of the lead broker": { network: { headlessName: "demo-lead" }, ...atNodes },
    "a name that makes the Service of the lead broker too long": { name: "d".repeat(61), ...atNodes },
    "a name that starts with a digit": { name: "7th", network: { headlessName: "hosts" }, ...atNodes },
  };
  for (const [name, args] of Object.entries(clashes))
    it(`share no name with another thing: ${name}`, () => assert.equal(problemsOf(aMiniClusterArgs(args)).length, 1));
});
