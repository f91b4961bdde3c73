import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniClusterResize, type MiniClusterTopologyArgs } from "../../../../provider";
import { itBuilds, templateHash } from "../../../support/manifests";

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
    const hashes = [...others, hpc, limited("60"), limited("90")].map(templateHash);
    assert.equal(new Set(hashes).size, hashes.length);
  });
});
