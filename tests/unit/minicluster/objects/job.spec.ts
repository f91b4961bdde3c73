import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterRestartPolicy } from "../../../../provider";
import { aGpuPool, aPool } from "../../../support/fixtures";
import { manifestsOf, templateHash } from "../../../support/manifests";
import { podOf } from "../../../support/pod";

describe("the Job", () => {
  it("is Indexed, with one pod for each broker", () => {
    const { spec } = manifestsOf({ size: 3, maxSize: 8 }).job;
    assert.deepEqual([spec.completionMode, spec.completions, spec.parallelism], ["Indexed", 3, 3]);
  });

  it("ends as the lead broker ends, and never has two pods of one rank", () => {
    const { spec } = manifestsOf().job;
    assert.deepEqual(spec.successPolicy, { rules: [{ succeededIndexes: "0" }] });
    assert.equal(spec.podReplacementPolicy, "Failed");
  });

  it("passes on limits and suspension", () => {
    const { spec } = manifestsOf({ suspend: true, backoffLimit: 0 }).job;
    assert.deepEqual([spec.suspend, spec.backoffLimit], [true, 0]);
  });

  it("has its deadline from its patch, and from itself where no patch comes", () => {
    for (const [resize, deadlines] of [
      ["patch", [undefined, 60]],
      ["manifest", [60, 60]],
    ] as const) {
      const { job, jobScale } = manifestsOf({ resize, deadlineSeconds: 60 });
      assert.deepEqual([job.spec.activeDeadlineSeconds, jobScale.spec.activeDeadlineSeconds], deadlines);
    }
  });

  it("has a limit for each rank where pods are replaced, so that the pauses before them grow rank by rank", () => {
    const limit = (restartPolicy: MiniClusterRestartPolicy) =>
      manifestsOf({ backoffLimit: 3, pod: { restartPolicy } }).job.spec.backoffLimitPerIndex;
    assert.deepEqual([limit("Never"), limit("OnFailure")], [3, undefined]);
  });

  it("does not count pods that lost their node or were told to leave, where pods are not restarted in place", () => {
    const policy = (restartPolicy: MiniClusterRestartPolicy) =>
      manifestsOf({ pod: { restartPolicy } }).job.spec.podFailurePolicy;
    const left = (containerName: string) => ({
      action: "Ignore",
      onExitCodes: { containerName, operator: "In", values: [143] },
    });
    const lost = { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] };
    assert.equal(policy("OnFailure"), undefined);
    assert.deepEqual(policy("Never"), { rules: [lost, left("demo"), left("flux-view")] });
    const mounted = manifestsOf({ flux: { container: { imageVolume: true } } }).job.spec.podFailurePolicy;
    assert.deepEqual(mounted, { rules: [lost, left("demo")] });
  });

  it("has the user's labels beside its own, and its pods have not", () => {
    const { metadata, spec } = manifestsOf({ jobLabels: { team: "hpc" } }).job;
    assert.deepEqual(metadata.labels, {
      "app.kubernetes.io/name": "minicluster",
      "app.kubernetes.io/instance": "demo",
      "job-name": "demo",
      team: "hpc",
    });
    assert.ok(!("team" in (spec.template.metadata as { labels: object }).labels));
  });

  it("is waited for by its annotation, not by the provider's own rules", () => {
    const { annotations } = manifestsOf().job.metadata;
    assert.deepEqual(Object.keys(annotations), ["pulumi.com/waitFor", "pulumi.com/patchForce"]);
  });
});

describe("the end of the Job", () => {
  it("is kept by default", () => assert.equal(manifestsOf().job.spec.ttlSecondsAfterFinished, undefined));

  it("is cleaned up a minute later when asked to", () =>
    assert.equal(manifestsOf({ cleanup: true }).job.spec.ttlSecondsAfterFinished, 60));
});

describe("a gang", () => {
  it("in a queue of Kueue has its label on the Job alone, and leaves the suspension to Kueue", () => {
    const { job } = manifestsOf({ gang: { queueName: "hpc" }, jobLabels: { team: "a" } });
    const labels = job.metadata.labels as Record<string, unknown>;
    assert.deepEqual([labels["kueue.x-k8s.io/queue-name"], labels.team], ["hpc", "a"]);
    assert.equal(job.spec.suspend, undefined);
    const template = job.spec.template.metadata as { labels: object };
    assert.ok(!("kueue.x-k8s.io/queue-name" in template.labels));
  });

  it("may be in a queue that is only known later", () => {
    const queueName = pulumi.output("hpc");
    const labels = manifestsOf({ gang: { queueName } }).job.metadata.labels as Record<string, unknown>;
    assert.equal(labels["kueue.x-k8s.io/queue-name"], queueName);
  });

  it("with a scheduler of its own has it in its pods", () => {
    assert.equal(podOf({ gang: { schedulerName: "fluence" } }).schedulerName, "fluence");
    assert.equal(podOf({ gang: { queueName: "hpc" }, pod: { schedulerName: "volcano" } }).schedulerName, "volcano");
  });

  it("is none where nothing is said: the field is there, and the label is not", () => {
    const { job } = manifestsOf();
    assert.equal(job.spec.suspend, false);
    assert.ok(!("kueue.x-k8s.io/queue-name" in job.metadata.labels));
    assert.equal(podOf().schedulerName, undefined);
  });
});

describe("the patch of the Job", () => {
  it("sets the two counts together, and the deadline, by which even the first one changes the Job", () => {
    const { spec } = manifestsOf({ size: 3, deadlineSeconds: 60 }).jobScale;
    assert.deepEqual(spec, { completions: 3, parallelism: 3, activeDeadlineSeconds: 60 });
  });

  it("meets the Job by plain names and takes the counts from whoever set them", () => {
    const { name, namespace, annotations } = manifestsOf({ namespace: "hpc" }).jobScale.metadata;
    assert.deepEqual([name, namespace, annotations["pulumi.com/patchForce"]], ["demo", "hpc", "true"]);
  });

  it("notes the machines of the pool, of which nobody else knows when the next one comes", () => {
    const noteIn = (args: Parameters<typeof manifestsOf>[0]) => {
      const annotations: Record<string, unknown> = manifestsOf(args).jobScale.metadata.annotations;
      return annotations["minicluster/pool-node"];
    };
    assert.equal(
      noteIn({ pool: aGpuPool() }),
      '{"pool":"hpc","vcpus":96,"cores":48,"gpus":8,"fabricInterfaces":4,"fabric":"efa"}',
    );
    assert.equal(noteIn({ pool: aPool() }), '{"pool":"hpc","vcpus":96,"cores":48,"gpus":0,"fabricInterfaces":0}');
    assert.equal(noteIn({}), undefined);
  });

  it("runs again when the template has changed, and only then", () => {
    const before = templateHash({ size: 2, maxSize: 8 });
    assert.equal(templateHash({ size: 5, maxSize: 8 }), before);
    assert.equal(templateHash({ size: 2, maxSize: 8, jobLabels: { a: "b" }, backoffLimit: 1 }), before);
    assert.notEqual(templateHash({ size: 2, maxSize: 9 }), before);
    assert.notEqual(
      templateHash({ size: 2, maxSize: 8, containers: [{ image: "other", command: "echo hello world" }] }),
      before,
    );
    assert.notEqual(
      templateHash({ size: 2, maxSize: 8, tasks: 2 }),
      before,
      "a script is part of the template by its hash",
    );
  });
});
