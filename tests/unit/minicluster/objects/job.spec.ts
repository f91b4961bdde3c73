import * as assert from "node:assert/strict";
import { itBuilds, templateHash } from "../../../support/manifests";

const note = 'jobScale.metadata.annotations["minicluster/pool-node"]';
const queue = 'job.metadata.labels["kueue.x-k8s.io/queue-name"]';
const elastic = 'job.metadata.annotations["kueue.x-k8s.io/elastic-job"]';
const lost = '{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: "True"}]}';
const left = (container: string) =>
  `{action: Ignore, onExitCodes: {containerName: ${container}, operator: In, values: [143]}}`;

describe("the Job", () => {
  itBuilds(`
# has its deadline from its patch, and from itself where no patch comes
{resize: patch, deadlineSeconds: 60}
  job.spec.activeDeadlineSeconds: !unset
  jobScale.spec.activeDeadlineSeconds: 60
{resize: manifest, deadlineSeconds: 60}
  job.spec.activeDeadlineSeconds: 60
  jobScale.spec.activeDeadlineSeconds: 60
# counts pods by rank, and none that lost its node or was told to leave, where pods are not restarted in place
{backoffLimit: 3, pod: {restartPolicy: Never}}
  job.spec.backoffLimitPerIndex: 3
  job.spec.podFailurePolicy: {rules: [${lost}, ${left("demo")}, ${left("flux-view")}]}
{backoffLimit: 3, pod: {restartPolicy: Never}, flux: {container: {imageVolume: true}}}
  job.spec.podFailurePolicy: {rules: [${lost}, ${left("demo")}]}
{backoffLimit: 3, pod: {restartPolicy: OnFailure}}
  job.spec.backoffLimitPerIndex: !unset
  job.spec.podFailurePolicy: !unset
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
  const podset = (name: string) => `template.annotations["kueue.x-k8s.io/podset-${name}-topology"]`;

  itBuilds(`
# in a queue of Kueue has its label on the Job alone, leaves the suspension to Kueue, and is resized by it
{gang: {queueName: hpc}, jobLabels: {team: a}, pod: {schedulerName: volcano}}
  ${queue}: hpc
  ${elastic}: "true"
  job.metadata.labels.team: a
  template.labels.team: !unset
  template.labels["kueue.x-k8s.io/queue-name"]: !unset
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
  pod.schedulerName: !unset
  podGroup: !unset
  pod.schedulingGroup: !unset
# asks for its part of the network by one annotation of its pods
gang: {queueName: hpc, elastic: false, topology: {required: rack}}
  ${podset("required")}: rack
  ${podset("preferred")}: !unset
  ${podset("unconstrained")}: !unset
gang: {queueName: hpc, elastic: false, topology: {preferred: rack}}
  ${podset("required")}: !unset
  ${podset("preferred")}: rack
gang: {queueName: hpc, elastic: false, topology: {unconstrained: true}}
  ${podset("unconstrained")}: "true"
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
