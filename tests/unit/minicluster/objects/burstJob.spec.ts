import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { BurstClusterArgs } from "../../../../provider";
import { changedPaths, valueAt } from "../../../support/propertyPaths";
import { aBurstCluster, aHome, aRoot } from "../../../support/fixtures";
import { manifestsFor, manifestsOf } from "../../../support/manifests";
import { valueOf } from "../../../support/mocks";

/** The manifests of a cluster that joins, as the API server gets them. */
async function sent(args: Partial<BurstClusterArgs> = {}): Promise<Record<string, unknown>> {
  const known: unknown = await valueOf(pulumi.output(manifestsFor(aBurstCluster(args))));
  return JSON.parse(JSON.stringify(known)) as Record<string, unknown>;
}

const main = "job.spec.template.spec.containers[0]";

describe("the Job of a cluster that joins", () => {
  it("rests at size 0, suspended, with counts of 1, without which it would be complete for good", async () => {
    const { job, jobScale, configScale } = await sent({ size: 0 });
    const counts = { completions: 1, parallelism: 1, suspend: true };
    const { completions, parallelism, suspend } = (job as { spec: typeof counts }).spec;
    assert.deepEqual({ completions, parallelism, suspend }, counts);
    assert.deepEqual((jobScale as { spec: object }).spec, { ...counts, activeDeadlineSeconds: 31_500_000 });
    assert.equal(valueAt(configScale, "data.size"), "0");
  });

  it("changes in its counts alone, from 4 to 6, from 0 to 4 and back", async () => {
    const [none, four, six] = [await sent({ size: 0 }), await sent({ size: 4 }), await sent({ size: 6 })];
    const places = ["configMap.data.size", "configScale.data.size"];
    const counts = (object: string) => ["completions", "parallelism"].map((field) => `${object}.spec.${field}`);
    const resized = [...places, ...counts("job"), ...counts("jobScale")];
    assert.deepEqual(changedPaths(four, six).sort(), resized.sort());
    const woken = [...resized, "job.spec.suspend", "jobScale.spec.suspend"].sort();
    assert.deepEqual(changedPaths(none, four).sort(), woken);
    assert.deepEqual(changedPaths(four, none).sort(), woken);
  });

  it("is in Kueue's hands where it is in a queue of it", async () => {
    const { job, jobScale } = await sent({ size: 2, gang: { queueName: "hpc" } });
    for (const { spec } of [job, jobScale] as { spec: object }[]) assert.ok(!("suspend" in spec));
  });

  it("tells its brokers the endpoint of the lead, and nobody else", async () => {
    const containers = [
      { image: "i", runFlux: true },
      { image: "side", name: "side", command: "x" },
    ];
    const manifests = await sent({ containers, root: aRoot({ address: pulumi.output("lead.example.com") }) });
    const lead = (path: string) =>
      (valueAt(manifests, path) as { name: string }[] | undefined)?.find(({ name }) => name === "MINICLUSTER_LEAD");
    assert.deepEqual(lead(`${main}.env`), { name: "MINICLUSTER_LEAD", value: "lead.example.com:30850" });
    const others = valueAt(manifests, "job.spec.template.spec.initContainers") as object[];
    for (const index of others.keys())
      assert.equal(lead(`job.spec.template.spec.initContainers[${index}].env`), undefined);
    assert.doesNotMatch(JSON.stringify(manifests["configMap"]), /lead\.example/);
  });

  it("changes its pods when the endpoint does, and nothing else", async () => {
    const changed = changedPaths(await sent(), await sent({ root: aRoot({ port: 1 }) }));
    assert.deepEqual(
      changed.filter((path) => !/hash/.test(path)),
      [`${main}.env[1].value`],
    );
  });
});

describe("the Job of a cluster that others may join", () => {
  it("has a patch that says nothing of suspension", () => {
    for (const spec of [aHome(), aHome({ suspend: true }), aHome({ size: 3 })])
      assert.deepEqual(Object.keys(manifestsFor(spec).jobScale.spec), [
        "completions",
        "parallelism",
        "activeDeadlineSeconds",
      ]);
    assert.deepEqual(Object.keys(manifestsOf({ suspend: true }).jobScale.spec), [
      "completions",
      "parallelism",
      "activeDeadlineSeconds",
    ]);
  });

  it("has the same pods whatever sizes it plans for the others, and other ones for other hosts", () => {
    const templateOf = (cluster: object) =>
      manifestsFor(aHome({}, { clusters: [{ name: "cloud", maxSize: 8, ...cluster }] })).jobScale.metadata.annotations[
        "minicluster/template-hash"
      ];
    const before = templateOf({ size: 0 });
    assert.equal(templateOf({ size: 8 }), before);
    for (const change of [{ maxSize: 9 }, { name: "other" }, { properties: ["gpu"] }])
      assert.notEqual(templateOf(change), before, JSON.stringify(change));
  });
});
