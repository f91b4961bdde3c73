import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs, MiniClusterRestartPolicy, MiniClusterTopologyArgs } from "../../../../provider";
import { aGpuPool, aPool } from "../../../support/fixtures";
import { manifestsOf, templateHash } from "../../../support/manifests";
import { podOf } from "../../../support/pod";

type Args = Partial<MiniClusterArgs>;

describe("the Job", () => {
  it("has its deadline from its patch, and from itself where no patch comes", () => {
    for (const [resize, deadlines] of [
      ["patch", [undefined, 60]],
      ["manifest", [60, 60]],
    ] as const) {
      const { job, jobScale } = manifestsOf({ resize, deadlineSeconds: 60 });
      assert.deepEqual([job.spec.activeDeadlineSeconds, jobScale.spec.activeDeadlineSeconds], deadlines);
    }
  });

  it("counts pods by rank, and none that lost its node or was told to leave, where pods are not restarted in place", () => {
    const limits = (restartPolicy: MiniClusterRestartPolicy, args: Args = {}) => {
      const { spec } = manifestsOf({ backoffLimit: 3, pod: { restartPolicy }, ...args }).job;
      return [spec.backoffLimitPerIndex, spec.podFailurePolicy];
    };
    const left = (containerName: string) => ({
      action: "Ignore",
      onExitCodes: { containerName, operator: "In", values: [143] },
    });
    const lost = { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] };
    assert.deepEqual(limits("OnFailure"), [undefined, undefined]);
    assert.deepEqual(limits("Never"), [3, { rules: [lost, left("demo"), left("flux-view")] }]);
    const mounted = limits("Never", { flux: { container: { imageVolume: true } } });
    assert.deepEqual(mounted, [3, { rules: [lost, left("demo")] }]);
  });

  it("is cleaned up a minute later when asked to", () =>
    assert.equal(manifestsOf({ cleanup: true }).job.spec.ttlSecondsAfterFinished, 60));
});

describe("a gang", () => {
  const queueLabel = "kueue.x-k8s.io/queue-name";
  const hpc = { gang: { queueName: "hpc" } };
  const marksOf = (args: Args) => {
    const { labels, annotations } = manifestsOf(args).job.metadata as Record<string, unknown> as Record<
      string,
      Record<string, unknown>
    >;
    return [labels?.[queueLabel], annotations?.["kueue.x-k8s.io/elastic-job"]];
  };

  it("in a queue of Kueue has its label on the Job alone, and leaves the suspension to Kueue", () => {
    const { metadata, spec } = manifestsOf({ ...hpc, jobLabels: { team: "a" } }).job;
    assert.equal((metadata.labels as Record<string, unknown>)["team"], "a");
    assert.doesNotMatch(JSON.stringify(spec), /"team"|queue-name/);
    assert.deepEqual([spec.suspend, manifestsOf().job.spec.suspend], [undefined, false]);
  });

  it("in a queue is resized by Kueue while it runs, unless told otherwise", () => {
    const queueName = pulumi.output("hpc");
    assert.deepEqual(marksOf({}), [undefined, undefined]);
    assert.deepEqual(marksOf(hpc), ["hpc", "true"]);
    assert.deepEqual(marksOf({ gang: { queueName: "hpc", elastic: false } }), ["hpc", undefined]);
    assert.deepEqual(marksOf({ gang: { queueName } }), [queueName, "true"]);
  });

  it("is patched anew, at its size, when Kueue's marks replace the Job", () => {
    const limited = (seconds: string) => ({ ...hpc, jobLabels: { "kueue.x-k8s.io/max-exec-time-seconds": seconds } });
    const others = [{}, { gang: { queueName: "other" } }, { gang: { queueName: "hpc", elastic: false } }];
    const hashes = [...others, hpc, limited("60"), limited("90")].map(templateHash);
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it("asks for its part of the network by one annotation of its pods", () => {
    const annotations = (topology: MiniClusterTopologyArgs) => {
      const { job } = manifestsOf({ gang: { queueName: "hpc", elastic: false, topology } });
      const { annotations } = job.spec.template.metadata as { annotations: Record<string, unknown> };
      return Object.entries(annotations).filter(([key]) => key.startsWith("kueue.x-k8s.io/"));
    };
    assert.deepEqual(annotations({ required: "rack" }), [["kueue.x-k8s.io/podset-required-topology", "rack"]]);
    assert.deepEqual(annotations({ preferred: "rack" }), [["kueue.x-k8s.io/podset-preferred-topology", "rack"]]);
    assert.deepEqual(annotations({ unconstrained: true }), [["kueue.x-k8s.io/podset-unconstrained-topology", "true"]]);
  });

  it("has a scheduler of its own in its pods", () => {
    const schedulers = [{}, { gang: { schedulerName: "fluence" } }, { ...hpc, pod: { schedulerName: "volcano" } }];
    assert.deepEqual(
      schedulers.map((args) => podOf(args).schedulerName),
      [undefined, "fluence", "volcano"],
    );
  });

  it("of Kubernetes itself is a PodGroup with its pods as members, and keeps its name while it may change", () => {
    const size = { size: 4, maxSize: 8 };
    const beta = (args: Args) => manifestsOf({ gang: { native: {} }, ...args });
    const alpha = (args: Args) =>
      manifestsOf({ resize: "manifest", gang: { native: { version: "v1alpha2" } }, ...args });
    const seen = ({ podGroup, job }: ReturnType<typeof manifestsOf>) => {
      const { schedulingGroup } = job.spec.template.spec as { schedulingGroup?: object };
      const { name } = (podGroup?.metadata ?? {}) as { name?: string };
      return [name, podGroup?.spec, schedulingGroup];
    };
    const gangOf = (name: string, minCount: number) => [
      name,
      { schedulingPolicy: { gang: { minCount } } },
      { podGroupName: name },
    ];
    assert.deepEqual(seen(beta(size)), gangOf("demo", 4));
    assert.deepEqual(seen(beta({ ...size, size: 5 })), gangOf("demo", 5));
    assert.deepEqual(seen(alpha(size)), gangOf("demo-4", 4));
    assert.deepEqual(seen(alpha({ ...size, size: 5 })), gangOf("demo-5", 5));
    assert.deepEqual(seen(manifestsOf(size)), [undefined, undefined, undefined]);
  });
});

describe("the patch of the Job", () => {
  it("notes the machines of the pool, of which nobody else knows when the next one comes", () => {
    const noteIn = (args: Args) => {
      const annotations: Record<string, unknown> = manifestsOf(args).jobScale.metadata.annotations;
      return annotations["minicluster/pool-node"];
    };
    const gpus = '{"pool":"hpc","vcpus":96,"cores":48,"gpus":8,"fabricInterfaces":4,"fabric":"efa"}';
    const plain = '{"pool":"hpc","vcpus":96,"cores":48,"gpus":0,"fabricInterfaces":0}';
    assert.deepEqual([{ pool: aGpuPool() }, { pool: aPool() }, {}].map(noteIn), [gpus, plain, undefined]);
  });

  it("runs again when the template has changed, of which a script is a part by its hash, and only then", () => {
    const at = { size: 2, maxSize: 8 };
    const same = [at, { ...at, size: 5 }, { ...at, jobLabels: { a: "b" }, backoffLimit: 1 }].map(templateHash);
    const others = [
      { ...at, maxSize: 9 },
      { ...at, tasks: 2 },
      { ...at, containers: [{ image: "other" }] },
    ];
    assert.equal(new Set(same).size, 1);
    assert.equal(new Set([same[0], ...others.map(templateHash)]).size, 4);
  });
});
