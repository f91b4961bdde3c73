import * as assert from "node:assert/strict";
import fc from "fast-check";
import type { BurstClusterArgs, MiniClusterArgs } from "../../../../../provider";
import type { MiniClusterSpec } from "../../../../../provider/brokers/parse/spec";
import { parseBurstClusterArgs } from "../../../../../provider/bursting/parse";
import { parseMiniClusterArgs } from "../../../../../provider/minicluster/parse";
import { refusalsOf } from "../../../../support/dryRun";
import { aRoot } from "../../../../support/fixtures";
import { burstProblemsOf, problemsOf } from "../../../../support/problems";
import { randomArgs } from "../../../../support/random/args";
import { mended } from "../../../../support/random/mended";
import { clusterIfAny, type SharedCluster } from "../../../../support/sandboxHooks";

/** Arguments that are accepted, and what becomes of them in a namespace. */
interface Accepted {
  args: object;
  spec: (namespace: string) => MiniClusterSpec;
}

type Form = (args: MiniClusterArgs) => Accepted | undefined;

const aCluster: Form = (random) => {
  const args = mended({ name: "demo", ...random }, problemsOf);
  return args && { args, spec: (namespace) => parseMiniClusterArgs("demo", { ...args, namespace }) };
};

/** What random arguments have and a cluster that joins has not: each is refused as a whole. */
const ofRoots = { bursting: undefined, size: undefined, name: undefined };

const aBurst: Form = (random) => {
  const given = { ...random, ...ofRoots, root: aRoot() } as unknown as BurstClusterArgs;
  const args = mended(given, burstProblemsOf);
  return args && { args, spec: (namespace) => parseBurstClusterArgs("cloud", { ...args, namespace }) };
};

/** Some arguments that are accepted, from a seed. */
function accepted(form: Form, seed: number, count: number): Accepted[] {
  const found: Accepted[] = [];
  for (let part = 0; found.length < count; part++)
    found.push(...fc.sample(randomArgs, { seed: seed + part, numRuns: 50 }).flatMap((args) => form(args) ?? []));
  return found.slice(0, count);
}

describe("the API server and random arguments", function () {
  this.timeout(600_000);

  let cluster: SharedCluster;
  let namespace: string;
  before(async function () {
    const found = clusterIfAny();
    if (!found) return this.skip();
    cluster = found;
    namespace = await cluster.newNamespace();
  });

  const another = Math.floor(Math.random() * 2 ** 31);
  const tables: [what: string, form: Form, seed: number, count: number][] = [
    ["clusters", aCluster, 1, 80],
    ["clusters", aCluster, another, 20],
    ["clusters that join another", aBurst, another, 20],
  ];
  for (const [what, form, seed, count] of tables)
    it(`takes every object of ${count} ${what} that are accepted (seed ${seed})`, async () => {
      for (const { args, spec } of accepted(form, seed, count))
        assert.deepEqual(await refusalsOf(cluster.kube, spec(namespace)), [], JSON.stringify(args));
    });
});
