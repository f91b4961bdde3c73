import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { BurstClusterArgs } from "../../../../provider";
import { aBurstCluster, aHome, aMiniCluster, aRoot, aSidecar } from "../../../support/fixtures";
import { manifestsFor, sentFor, building } from "../../../support/manifests";
import { changedPaths } from "../../../support/propertyPaths";

const sent = (args: Partial<BurstClusterArgs>) => sentFor(aBurstCluster(args));

describe("the Job of a cluster that joins", () => {
  const itBuilds = building(aBurstCluster);
  itBuilds(
    "is suspended at size 0, with counts of 1, without which it would be complete",
    { size: 0 },
    {
      "job.spec.completions": 1,
      "job.spec.parallelism": 1,
      "job.spec.suspend": true,
      "jobScale.spec": { completions: 1, parallelism: 1, suspend: true, activeDeadlineSeconds: 31_500_000 },
      "configScale.data.size": "0",
    },
  );
  itBuilds(
    "leaves suspension to Kueue in a queue",
    { size: 2, gang: { queueName: "hpc" } },
    { "job.spec.suspend": undefined, "jobScale.spec.suspend": undefined },
  );
  itBuilds(
    "gives the endpoint of the lead to its brokers alone",
    {
      containers: [{ image: "i", runFlux: true }, aSidecar()],
      root: aRoot({ address: pulumi.output("lead.example.com") }),
    },
    {
      "container.cloud.variables.MINICLUSTER_LEAD": { name: "MINICLUSTER_LEAD", value: "lead.example.com:30850" },
      "container.side.variables.MINICLUSTER_LEAD": undefined,
      "container.flux-view.variables.MINICLUSTER_LEAD": undefined,
    },
  );

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

  it("changes its pods when the endpoint does, and nothing else", async () => {
    const changed = changedPaths(await sent({}), await sent({ root: aRoot({ port: 1 }) }));
    const pods = changed.filter((path) => !/hash/.test(path));
    assert.deepEqual(pods, ["job.spec.template.spec.containers[0].env[1].value"]);
  });
});

describe("the Job of a cluster that others may join", () => {
  it("has a patch that says nothing of suspension", () => {
    for (const spec of [aHome({ suspend: true }), aHome({ size: 3 }), aMiniCluster({ suspend: true })])
      assert.ok(!("suspend" in manifestsFor(spec).jobScale.spec));
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
