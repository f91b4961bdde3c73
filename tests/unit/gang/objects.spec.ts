import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniClusterResize, type MiniClusterTopologyArgs } from "../../../provider";
import { jobsOf, type MiniClusterSpec } from "../../../provider/core/parse/spec";
import { parseMiniClusterArgs } from "../../support/specs";
import { readMiniClusterManifest } from "../../../provider/operator/read";
import { aMiniCluster } from "../../support/fixtures";
import { itBuilds, manifestsFor, sentFor, templateHash } from "../../support/manifests";
import { valueAt } from "../../support/propertyPaths";

const queue = 'job.metadata.labels["kueue.x-k8s.io/queue-name"]';
const elastic = 'job.metadata.annotations["kueue.x-k8s.io/elastic-job"]';

describe("a gang", () => {
  const hpc = { gang: { queueName: "hpc" } };
  const placed = (topology?: MiniClusterTopologyArgs) => ({ gang: { queueName: "hpc", elastic: false, topology } });
  const podset = (name: string) => `template.annotations["kueue.x-k8s.io/podset-${name}-topology"]`;

  itBuilds(
    "has the queue label on the Job alone, leaves suspension to Kueue, and is elastic",
    { ...hpc, jobLabels: { team: "a" }, pod: { schedulerName: "volcano" } },
    {
      [queue]: "hpc",
      [elastic]: "true",
      "job.metadata.labels.team": "a",
      "template.labels.team": undefined,
      'template.labels["kueue.x-k8s.io/queue-name"]': undefined,
      "job.spec.suspend": undefined,
      "pod.schedulerName": "volcano",
    },
  );
  itBuilds(
    "is elastic in a queue that is known later",
    { gang: { queueName: pulumi.output("hpc") } },
    { [queue]: "hpc", [elastic]: "true" },
  );
  const label = "kueue.x-k8s.io/queue-name";
  const plainOf = (spec: MiniClusterSpec) =>
    sentFor(spec).then(({ job, jobScale }) => JSON.stringify({ job, jobScale }));
  it("is the same with its queue as a label of the Job, in arguments and in a manifest", async () => {
    const want = await plainOf(aMiniCluster(hpc));
    assert.equal(await plainOf(aMiniCluster({ jobLabels: { [label]: "hpc" } })), want);
    const manifest = { kind: "MiniCluster", apiVersion: "flux-framework.org/v1alpha2", metadata: { name: "demo" } };
    const { jobLabels, ...spec } = { jobLabels: { [label]: "hpc" }, containers: [{ image: "i", command: "c" }] };
    const [read] = readMiniClusterManifest(JSON.stringify({ ...manifest, spec: { ...spec, jobLabels } }));
    const job = await sentFor(parseMiniClusterArgs("demo", read?.args ?? assert.fail()));
    assert.deepEqual(
      [valueAt(job, queue), valueAt(job, elastic), valueAt(job, "job.spec.suspend")],
      ["hpc", "true", undefined],
    );
  });
  it("of workers by a label holds back each group, and not the lead broker", () => {
    const labels = { [label]: "hpc", "kueue.x-k8s.io/priority-class": "high", team: "a" };
    const spec = aMiniCluster({ interactive: true, jobLabels: labels, groups: { cpu: {}, gpu: { size: 2 } } });
    const [lead, ...workers] = jobsOf(spec).map((job) => manifestsFor(job).job);
    assert.equal(lead?.spec.suspend, false);
    assert.deepEqual(
      Object.keys(lead?.metadata.labels ?? {}).filter((key) => /kueue|team/.test(key)),
      ["team"],
    );
    for (const { metadata, spec: own } of workers) {
      assert.equal(own.suspend, undefined);
      for (const [key, value] of Object.entries(labels)) assert.equal(valueAt(metadata.labels, `["${key}"]`), value);
    }
  });
  it("by a label is resized with a stop if a topology is requested", async () => {
    const annotations = { "kueue.x-k8s.io/podset-required-topology": "rack" };
    const job = await sentFor(aMiniCluster({ jobLabels: { [label]: "hpc" }, pod: { annotations } }));
    assert.deepEqual([valueAt(job, queue), valueAt(job, elastic)], ["hpc", undefined]);
  });
  itBuilds("is not elastic on request", placed(), { [queue]: "hpc", [elastic]: undefined });
  for (const [name, value] of Object.entries({ required: "rack", preferred: "rack", unconstrained: true }))
    itBuilds(`requests a part of the network in one annotation: ${name}`, placed({ [name]: value }), {
      [podset("required")]: undefined,
      [podset("preferred")]: undefined,
      [podset("unconstrained")]: undefined,
      [podset(name)]: String(value),
    });
  const other = { gang: { schedulerName: "fluence" } };
  itBuilds("has the scheduler of the arguments in its pods", other, { "pod.schedulerName": "fluence" });
  const grouped = (name: string) => ({
    "podGroup.metadata.name": name,
    "podGroup.spec": { schedulingPolicy: { gang: { minCount: 5 } } },
    "pod.schedulingGroup": { podGroupName: name },
  });
  const five = { gang: { native: {} }, size: 5, maxSize: 8 };
  itBuilds("of Kubernetes is a PodGroup that keeps its name if it may change", five, grouped("demo"));
  const alpha = { ...five, gang: { native: { version: "v1alpha2" as const } }, resize: MiniClusterResize.Manifest };
  itBuilds("of Kubernetes has a name for each size if it may not change", alpha, grouped("demo-5"));

  it("is patched again, at its size, when Kueue's marks replace the Job", () => {
    const limited = (seconds: string) => ({ ...hpc, jobLabels: { "kueue.x-k8s.io/max-exec-time-seconds": seconds } });
    const others = [{}, { gang: { queueName: "other" } }, { gang: { queueName: "hpc", elastic: false } }];
    const prebuilt = { ...hpc, jobLabels: { "kueue.x-k8s.io/prebuilt-workload-name": "own" } };
    const hashes = [...others, hpc, limited("60"), limited("90"), prebuilt].map(templateHash);
    assert.equal(new Set(hashes).size, hashes.length);
  });
});
