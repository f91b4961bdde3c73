import * as assert from "node:assert/strict";
import { query } from "jsonpath-rfc9535";
import { MiniClusterResize, MiniClusterWait } from "../../../../provider";
import { waitForAnnotation } from "../../../../provider/brokers/objects/job";
import { casesOf, valueIn } from "../../../support/cases";
import { aMiniCluster } from "../../../support/fixtures";
import { itBuilds, templateHash } from "../../../support/manifests";

const note = 'jobScale.metadata.annotations["minicluster/pool-node"]';
const queue = 'job.metadata.labels["kueue.x-k8s.io/queue-name"]';
const elastic = 'job.metadata.annotations["kueue.x-k8s.io/elastic-job"]';
const lost = '{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: "True"}]}';
const left = (container: string) =>
  `{action: Ignore, onExitCodes: {containerName: ${container}, operator: In, values: [143]}}`;

const failed = (container: string) =>
  `{action: FailJob, onExitCodes: {containerName: ${container}, operator: NotIn, values: [128, 137, 143, 255]}}`;

describe("the Job", () => {
  itBuilds(`
# has its deadline from its patch, and from itself where no patch comes
{resize: patch, deadlineSeconds: 60}
  job.spec.activeDeadlineSeconds: !unset
  jobScale.spec.activeDeadlineSeconds: 60
{resize: manifest, deadlineSeconds: 60}
  {job,jobScale}.spec.activeDeadlineSeconds: 60
# counts pods by rank, and none that lost its node or was told to leave, where pods are not restarted in place
{backoffLimit: 3, pod: {restartPolicy: Never}}
  job.spec.backoffLimitPerIndex: 3
  job.spec.podFailurePolicy: {rules: [${lost}, ${left("demo")}, ${left("flux-view")}]}
{backoffLimit: 3, pod: {restartPolicy: Never}, flux: {container: {imageVolume: true}}}
  job.spec.podFailurePolicy: {rules: [${lost}, ${left("demo")}]}
# ends with the first command that fails where it is not retried, and not with a container that was killed
{retryCommand: false, flux: {container: {imageVolume: true}}}
  job.spec.podFailurePolicy: {rules: [${lost}, ${left("demo")}, ${failed("demo")}]}
{backoffLimit: 3, pod: {restartPolicy: OnFailure}}
  job.spec.{backoffLimitPerIndex,podFailurePolicy}: !unset
# is suspended where the user says so
suspend: true
  job.spec.suspend: true
# is cleaned up a minute later when asked to
cleanup: true
  job.spec.ttlSecondsAfterFinished: 60
# notes the machines of the pool in its patch, of which nobody else knows when the next one comes
pool: !gpus {}
  ${note}: '{"pool":"hpc","vcpus":96,"cores":48,"gpus":8,"fabricInterfaces":4,"fabric":"efa"}'
pool: !pool {}
  ${note}: '{"pool":"hpc","vcpus":96,"cores":48,"gpus":0,"fabricInterfaces":0}'
{}
  ${note}: !unset
`);

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
  const podset = (name: string) => `kueue.x-k8s.io/podset-${name}-topology`;

  itBuilds(`
# in a queue of Kueue has its label on the Job alone, leaves the suspension to Kueue, and is resized by it
{gang: {queueName: hpc}, jobLabels: {team: a}, pod: {schedulerName: volcano}}
  ${queue}: hpc
  ${elastic}: "true"
  job.metadata.labels.team: a
  template.labels: !has {team: !unset , kueue.x-k8s.io/queue-name: !unset }
  job.spec.suspend: !unset
  pod.schedulerName: volcano
# in a queue that is known later is resized by Kueue, too
gang: {queueName: !later hpc}
  ${queue}: hpc
  ${elastic}: "true"
# is not resized by Kueue where it is told otherwise
gang: {queueName: hpc, elastic: false}
  ${queue}: hpc
  ${elastic}: !unset
# is none where there is no queue
{}
  ${queue}: !unset
  ${elastic}: !unset
  job.spec.suspend: false
  pod: !has {schedulerName: !unset , schedulingGroup: !unset }
  podGroup: !unset
# asks for its part of the network by one annotation of its pods
gang: {queueName: hpc, elastic: false, topology: {required: rack}}
  template.annotations: !has {${podset("required")}: rack, ${podset("preferred")}: !unset , ${podset("unconstrained")}: !unset }
gang: {queueName: hpc, elastic: false, topology: {preferred: rack}}
  template.annotations: !has {${podset("required")}: !unset , ${podset("preferred")}: rack}
gang: {queueName: hpc, elastic: false, topology: {unconstrained: true}}
  template.annotations: !has {${podset("unconstrained")}: "true"}
# has a scheduler of its own in its pods
gang: {schedulerName: fluence}
  pod.schedulerName: fluence
# of Kubernetes itself is a PodGroup with its pods as members, and keeps its name while it may change
{gang: {native: {}}, size: 5, maxSize: 8}
  podGroup.metadata.name: demo
  podGroup.spec: {schedulingPolicy: {gang: {minCount: 5}}}
  pod.schedulingGroup: {podGroupName: demo}
# of Kubernetes itself has a name for each size where it may not change
{gang: {native: {version: v1alpha2}}, resize: manifest, size: 5, maxSize: 8}
  podGroup.metadata.name: demo-5
  podGroup.spec: {schedulingPolicy: {gang: {minCount: 5}}}
  pod.schedulingGroup: {podGroupName: demo-5}
`);

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

/** Jobs in every state that a wait can meet, and whether the wait is over, by what is waited for. */
const states: { name: string; job: Live; over: string[] }[] = casesOf(`
just patched: {}
partly ready: {status: {active: 4, ready: 3}}
all ready: {status: {active: 4, ready: 4}}
  ready settled
with one pod, ready: {parallelism: 1, status: {ready: 1}}
  ready settled
grown from 4 to 6: {parallelism: 6, status: {active: 6, ready: 4}}
shrunk from 4 to 3: {parallelism: 3, status: {active: 4, ready: 4}}
all ready, while others leave: {status: {ready: 4, terminating: 1}}
  ready
suspended, while pods leave: {suspend: true, status: {ready: 0, terminating: 1}}
  ready complete
failed: {status: {ready: 0, conditions: [{type: Failed, status: "True"}]}}
  ready settled complete
about to fail: {status: {ready: 0, conditions: [{type: FailureTarget, status: "True"}]}}
complete: {status: {ready: 0, completionTime: "2026-01-01T00:00:00Z", conditions: [{type: Complete, status: "True"}]}}
  ready settled complete
suspended: {suspend: true, status: {ready: 0, conditions: [{type: Suspended, status: "True"}]}}
  ready settled complete
resumed: {status: {ready: 0, conditions: [{type: Suspended, status: "False"}]}}
resumed and all ready: {status: {ready: 4, conditions: [{type: Suspended, status: "False"}]}}
  ready settled
`).map(({ given, want: [over = ""] }) => {
  const [name = "", job] = Object.entries(valueIn(given) as Record<string, Live>)[0] ?? [];
  return { name, job: job ?? {}, over: [...over.split(" "), "none"] };
});

describe("the wait for a cluster", () => {
  const isOver = (text: string, job: Live) =>
    query(liveJob(job), /^jsonpath=\{(.*)\}$/s.exec(text)?.[1] ?? "").length > 0;

  /** The states in which a wait is over, and those in which it should be. */
  const overIn = (text: string) => states.filter(({ job }) => isOver(text, job)).map(({ name }) => name);
  const wanted = (wait: MiniClusterWait) => states.filter(({ over }) => over.includes(wait)).map(({ name }) => name);

  for (const resize of Object.values(MiniClusterResize))
    for (const wait of Object.values(MiniClusterWait)) {
      const text = waitForAnnotation(aMiniCluster({ wait, resize }));
      it(`for ${wait}, with resize by ${resize}, is over in its states, for a new Job where a patch waits, or nothing`, () => {
        assert.deepEqual(overIn(text), wanted(wait));
        for (const status of [{ active: 4 }, undefined])
          assert.equal(isOver(text, { patched: false, status }), wait === "none" || resize === "patch");
      });

      it(`for ${wait}, with resize by ${resize}, holds nothing at which the provider would split it, and no size`, () => {
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
