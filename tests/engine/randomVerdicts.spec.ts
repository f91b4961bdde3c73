import assert from "node:assert/strict";
import fc from "fast-check";
import type { BurstClusterArgs, MiniClusterArgs } from "../../provider";
import type { JudgedJob } from "../../provider/core/diagnostics/admission/dryRun";
import { buildBurstFeatures, parseBurstCluster } from "../../provider/bursting/cluster";
import { buildFeatures, clusterParser } from "../../provider/minicluster/cluster";
import { aRoot } from "../support/fixtures";
import { judgedLines } from "../support/judged";
import { burstProblemsOf, problemsOf } from "../support/problems";
import { randomArgs } from "../support/random/args";
import { mended } from "../support/random/mended";
import { sharedCluster } from "../support/sandboxHooks";

/** Arguments that are accepted, and what becomes of them in a namespace. */
interface Accepted {
  args: object;
  jobs: (namespace: string) => JudgedJob[];
}

type Form = (args: MiniClusterArgs) => Accepted | undefined;

const aCluster: Form = (random) => {
  const args = mended({ name: "demo", ...random }, problemsOf);
  if (!args) return undefined;
  const jobs = (namespace: string) =>
    clusterParser.parse("demo", { ...args, namespace }).jobs.map((job) => ({ ...job, build: buildFeatures }));
  return { args, jobs };
};

/** What random arguments have and a cluster that joins has not: each is refused as a whole. */
const ofRoots = { bursting: undefined, size: undefined, name: undefined };

const aBurst: Form = (random) => {
  const given = { ...random, ...ofRoots, root: aRoot() } as unknown as BurstClusterArgs;
  const args = mended(given, burstProblemsOf);
  if (!args) return undefined;
  const jobs = (namespace: string) => [
    { ...parseBurstCluster("cloud", { ...args, namespace }), build: buildBurstFeatures },
  ];
  return { args, jobs };
};

/** Some arguments that are accepted, from a seed. */
function accepted(form: Form, seed: number, count: number): Accepted[] {
  const found: Accepted[] = [];
  for (let part = 0; found.length < count; part++)
    found.push(...fc.sample(randomArgs, { seed: seed + part, numRuns: 50 }).flatMap((args) => form(args) ?? []));
  return found.slice(0, count);
}

/** Starts of lines with an object in place of an argument. */
const withoutArgument = /^(the pods of )?[A-Z]\w+ \S+:/;

describe("The API server and random arguments", function () {
  this.timeout(600_000);

  // The seeds are fixed, so that a failure comes again. MINICLUSTER_SEED tries other arguments.
  const another = Number(process.env.MINICLUSTER_SEED ?? 2);
  const tables: [what: string, form: Form, seed: number, count: number][] = [
    ["clusters", aCluster, 1, 80],
    ["clusters", aCluster, another, 20],
    // An image of prepull that the API server rejects.
    ["clusters that join another", aBurst, 562530340, 20],
    ["clusters that join another", aBurst, another, 20],
  ];
  for (const [what, form, seed, count] of tables)
    it(`have an argument for each reason against ${count} ${what} (seed ${seed})`, async () => {
      const namespace = await sharedCluster().newNamespace();
      for (const { args, jobs } of accepted(form, seed, count)) {
        const lines = await judgedLines(sharedCluster().kubeconfigPath, jobs(namespace));
        const unexplained = lines.filter((line) => withoutArgument.test(line));
        assert.deepEqual(unexplained, [], JSON.stringify(args));
      }
    });
});
