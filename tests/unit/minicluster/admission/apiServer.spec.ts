import * as assert from "node:assert/strict";
import fc from "fast-check";
import type { MiniClusterArgs } from "../../../../provider";
import { parseMiniClusterArgs } from "../../../../provider/minicluster/parse";
import { refusalsOf } from "../../../support/dryRun";
import { randomArgs } from "../../../support/random/args";
import { mended } from "../../../support/random/mended";
import { clusterIfAny, type SharedCluster } from "../../../support/sandboxHooks";

/** Some arguments that are accepted, from a seed. */
function accepted(seed: number, count: number): MiniClusterArgs[] {
  const found: MiniClusterArgs[] = [];
  for (let part = 0; found.length < count; part++)
    found.push(...fc.sample(randomArgs, { seed: seed + part, numRuns: 50 }).flatMap((args) => mended(args) ?? []));
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
  for (const [seed, count] of [
    [1, 270],
    [another, 30],
  ] as const)
    it(`takes every object of ${count} clusters that are accepted (seed ${seed})`, async () => {
      for (const args of accepted(seed, count)) {
        const spec = parseMiniClusterArgs("demo", { ...args, namespace });
        assert.deepEqual(await refusalsOf(cluster.kube, spec), [], JSON.stringify(args));
      }
    });
});
