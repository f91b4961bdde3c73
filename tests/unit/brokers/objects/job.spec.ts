import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { query } from "jsonpath-rfc9535";
import { MiniClusterResize, type MiniClusterTopologyArgs, MiniClusterWait } from "../../../../provider";
import { waitForAnnotation } from "../../../../provider/brokers/objects/job";
import { aGpuPool, aMiniCluster, aPool } from "../../../support/fixtures";
import { itBuilds, templateHash } from "../../../support/manifests";

const note = 'jobScale.metadata.annotations["minicluster/pool-node"]';
const queue = 'job.metadata.labels["kueue.x-k8s.io/queue-name"]';
const elastic = 'job.metadata.annotations["kueue.x-k8s.io/elastic-job"]';
const lost = { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] };
const onExit = (action: string, containerName: string, operator: string, ...values: number[]) => ({
  ...{ action, onExitCodes: { containerName, operator, values } },
});
const left = (container: string) => onExit("Ignore", container, "In", 143);
const failed = (container: string) => onExit("FailJob", container, "NotIn", 128, 137, 143, 255);

describe("the Job", () => {
  const never = { backoffLimit: 3, pod: { restartPolicy: "Never" as const } };
  const image = { flux: { container: { imageVolume: true } } };
  const [deadline, patched] = ["job.spec.activeDeadlineSeconds", "jobScale.spec.activeDeadlineSeconds"];
  const [perRank, policy] = ["job.spec.backoffLimitPerIndex", "job.spec.podFailurePolicy"];
  const of = (resize: MiniClusterResize) => ({ resize, deadlineSeconds: 60 });
  itBuilds("has its deadline in the patch", of("patch"), { [deadline]: undefined, [patched]: 60 });
  itBuilds("has its deadline in itself too without a patch", of("manifest"), { [deadline]: 60, [patched]: 60 });
  itBuilds("counts failures by rank, except lost nodes and terminations, if pods are not restarted in place", never, {
    ...{ [perRank]: 3, [policy]: { rules: [lost, left("demo"), left("flux-view")] } },
  });
  itBuilds(
    "has no such rule for a view that is an image volume",
    { ...never, ...image },
    { [policy]: { rules: [lost, left("demo")] } },
  );
  itBuilds(
    "ends with the first command that fails if it is not retried",
    { retryCommand: false, ...image },
    { [policy]: { rules: [lost, left("demo"), failed("demo")] } },
  );
  itBuilds(
    "counts no failures by rank if pods are restarted in place",
    { ...never, pod: { restartPolicy: "OnFailure" } },
    { [perRank]: undefined, [policy]: undefined },
  );
  itBuilds("is suspended on request", { suspend: true }, { "job.spec.suspend": true });
  itBuilds("is deleted a minute after its end", { cleanup: true }, { "job.spec.ttlSecondsAfterFinished": 60 });
  itBuilds(
    "has the machine of the pool in an annotation of its patch",
    { pool: aGpuPool() },
    { [note]: '{"pool":"hpc","vcpus":96,"cores":48,"gpus":8,"fabricInterfaces":4,"fabric":"efa"}' },
  );
  itBuilds(
    "has a machine without a fabric in it",
    { pool: aPool() },
    { [note]: '{"pool":"hpc","vcpus":96,"cores":48,"gpus":0,"fabricInterfaces":0}' },
  );
  itBuilds("has no machine without a pool", {}, { [note]: undefined });

  it("is patched again when the template has changed, of which a script is a part by its hash, and only then", () => {
    const at = { size: 2, maxSize: 8 };
    const same = [at, { ...at, size: 5 }, { ...at, jobLabels: { a: "b" }, backoffLimit: 1 }].map(templateHash);
    const others = [{ maxSize: 9 }, { tasks: 2 }, { containers: [{ image: "other" }] }];
    const hashes = others.map((other) => templateHash({ ...at, ...other }));
    assert.deepEqual([new Set(same).size, new Set([same[0], ...hashes]).size], [1, 4]);
  });
});

describe("a gang", () => {
  const hpc = { gang: { queueName: "hpc" } };
  const placed = (topology?: MiniClusterTopologyArgs) => ({ gang: { queueName: "hpc", elastic: false, topology } });
  const podset = (name: string) => `template.annotations["kueue.x-k8s.io/podset-${name}-topology"]`;

  itBuilds(
    "has the queue label on the Job alone, leaves suspension to Kueue, and is elastic",
    { gang: { queueName: "hpc" }, jobLabels: { team: "a" }, pod: { schedulerName: "volcano" } },
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
  const late = { gang: { queueName: pulumi.output("hpc") } };
  itBuilds("is elastic in a queue that is known later", late, { [queue]: "hpc", [elastic]: "true" });
  itBuilds("is not elastic on request", placed(), { [queue]: "hpc", [elastic]: undefined });
  itBuilds(
    "is none without a queue",
    {},
    {
      ...{ [queue]: undefined, [elastic]: undefined, "job.spec.suspend": false, podGroup: undefined },
      ...{ "pod.schedulerName": undefined, "pod.schedulingGroup": undefined },
    },
  );
  itBuilds("requests the required part of the network in one annotation", placed({ required: "rack" }), {
    ...{ [podset("required")]: "rack", [podset("preferred")]: undefined, [podset("unconstrained")]: undefined },
  });
  itBuilds("requests the preferred part of the network in one annotation", placed({ preferred: "rack" }), {
    ...{ [podset("required")]: undefined, [podset("preferred")]: "rack" },
  });
  itBuilds("requests any part of the network in one annotation", placed({ unconstrained: true }), {
    ...{ [podset("unconstrained")]: "true" },
  });
  const other = { gang: { schedulerName: "fluence" } };
  itBuilds("has the scheduler of the arguments in its pods", other, { "pod.schedulerName": "fluence" });
  const grouped = (name: string) => ({
    ...{ "podGroup.metadata.name": name, "podGroup.spec": { schedulingPolicy: { gang: { minCount: 5 } } } },
    "pod.schedulingGroup": { podGroupName: name },
  });
  itBuilds(
    "of Kubernetes is a PodGroup that keeps its name if it may change",
    { gang: { native: {} }, size: 5, maxSize: 8 },
    grouped("demo"),
  );
  itBuilds(
    "of Kubernetes has a name for each size if it may not change",
    { gang: { native: { version: "v1alpha2" } }, resize: "manifest", size: 5, maxSize: 8 },
    grouped("demo-5"),
  );

  it("is patched anew, at its size, when Kueue's marks replace the Job", () => {
    const limited = (seconds: string) => ({ ...hpc, jobLabels: { "kueue.x-k8s.io/max-exec-time-seconds": seconds } });
    const others = [{}, { gang: { queueName: "other" } }, { gang: { queueName: "hpc", elastic: false } }];
    const hashes = [...others, hpc, limited("60"), limited("90")].map(templateHash);
    assert.equal(new Set(hashes).size, hashes.length);
  });
});

interface Live {
  patched?: boolean;
  parallelism?: number;
  suspend?: boolean;
  status?: object;
}

/** A Job as the API server shows it, with what the controller writes to it. */
function liveJob({ patched = true, parallelism = 4, suspend = false, status = {} }: Live) {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      ...{ name: "demo", namespace: "default", uid: "0b3a", generation: 1, labels: { "job-name": "demo" } },
      annotations: { "pulumi.com/waitFor": "…", ...(patched && { "minicluster/template-hash": "c383af9f54a7ddc0" }) },
    },
    spec: { parallelism, completions: parallelism, completionMode: "Indexed", suspend, template: { spec: {} } },
    status: { uncountedTerminatedPods: {}, ...status },
  };
}

const [ended, broken] = [["ready", "settled", "complete"], { type: "Failed", status: "True" }];
const suspended = { type: "Suspended", status: "True" };
const done = { type: "Complete", status: "True" };
const resumed = { ...suspended, status: "False" };

/** Jobs in every state that a wait can meet, and the waits that are over then. */
const states: { name: string; job: Live; over?: string[] }[] = [
  { name: "just patched", job: {} },
  { name: "partly ready", job: { status: { active: 4, ready: 3 } } },
  { name: "all ready", job: { status: { active: 4, ready: 4 } }, over: ["ready", "settled"] },
  { name: "ready with one pod", job: { parallelism: 1, status: { ready: 1 } }, over: ["ready", "settled"] },
  { name: "grown from 4 to 6", job: { parallelism: 6, status: { active: 6, ready: 4 } } },
  { name: "shrunk from 4 to 3", job: { parallelism: 3, status: { active: 4, ready: 4 } } },
  { name: "all ready while others terminate", job: { status: { ready: 4, terminating: 1 } }, over: ["ready"] },
  {
    name: "suspended while pods terminate",
    job: { suspend: true, status: { ready: 0, terminating: 1 } },
    over: ["ready", "complete"],
  },
  { name: "failed", job: { status: { ready: 0, conditions: [broken] } }, over: ended },
  { name: "about to fail", job: { status: { ready: 0, conditions: [{ ...broken, type: "FailureTarget" }] } } },
  {
    name: "complete",
    job: { status: { ready: 0, completionTime: "2026-01-01T00:00:00Z", conditions: [done] } },
    over: ended,
  },
  { name: "suspended", job: { suspend: true, status: { ready: 0, conditions: [suspended] } }, over: ended },
  { name: "resumed", job: { status: { ready: 0, conditions: [resumed] } } },
  { name: "resumed and all ready", job: { status: { ready: 4, conditions: [resumed] } }, over: ["ready", "settled"] },
];

describe("the wait for a cluster", () => {
  const isOver = (text: string, job: Live) =>
    query(liveJob(job), /^jsonpath=\{(.*)\}$/s.exec(text)?.[1] ?? "").length > 0;

  /** The states in which a wait is over, and those in which it should be. */
  const overIn = (text: string) => states.filter(({ job }) => isOver(text, job)).map(({ name }) => name);
  const wanted = (wait: MiniClusterWait) =>
    states.filter(({ over = [] }) => wait === "none" || over.includes(wait)).map(({ name }) => name);

  for (const resize of Object.values(MiniClusterResize))
    for (const wait of Object.values(MiniClusterWait)) {
      const text = waitForAnnotation(aMiniCluster({ wait, resize }));
      it(`for ${wait}, with resize by ${resize}, is over in its states, for a new Job where a patch waits`, () => {
        assert.deepEqual(overIn(text), wanted(wait));
        for (const status of [{ active: 4 }, undefined])
          assert.equal(isOver(text, { patched: false, status }), wait === "none" || resize === "patch");
      });

      it(`for ${wait}, with resize by ${resize}, holds no size and nothing at which the provider splits it`, () => {
        assert.doesNotMatch(text.slice("jsonpath=".length), /(?<!=)=(?!=)/);
        // None but the zero of "nobody is leaving".
        assert.doesNotMatch(text.replaceAll(" == 0", ""), /\d/);
        assert.equal(text.indexOf("}"), text.length - 1);
      });
    }

  for (const wait of Object.values(MiniClusterWait))
    it(`for ${wait} in a queue goes on while Kueue holds the Job back, and is otherwise as without`, () => {
      const text = waitForAnnotation(aMiniCluster({ wait, gang: { queueName: "hpc" } }));
      const want = wanted(wait).filter((name) => wait === "none" || !name.startsWith("suspended"));
      assert.deepEqual(overIn(text), want);
      assert.doesNotMatch(text, /suspend/);
    });

  it("is over with a follower that has ended with its broker, where followers do: none comes in its place", () => {
    const status = { active: 1, ready: 1, succeeded: 1 };
    for (const completeWorkers of [true, false])
      for (const wait of ["ready", "settled"] as const) {
        const text = waitForAnnotation(aMiniCluster({ wait, flux: { completeWorkers } }));
        assert.equal(isOver(text, { patched: true, status }), completeWorkers);
      }
    const text = waitForAnnotation(aMiniCluster({ wait: "complete", flux: { completeWorkers: true } }));
    assert.ok(!isOver(text, { patched: true, status }));
  });
});
