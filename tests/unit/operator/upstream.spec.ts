import * as assert from "node:assert/strict";
import type { types } from "@pulumi/kubernetes";
import { parseAllDocuments } from "yaml";
import { parseMiniClusterArgs } from "../../support/specs";
import { manifestsFor } from "../../support/manifests";
import { hasUpstreamExamples, readOne, upstreamExample, upstreamExamples } from "../../support/manifestTexts";

type Job = types.output.batch.v1.Job;
type Container = types.output.core.v1.Container;
type Service = types.output.core.v1.Service;

// What belongs to the operator's pods, or to ours, and to no manifest.
const ownVolumes = /^(spack-software|flux-operator-home|flux-view|.*-entrypoint|minicluster-.*|flux-sample-view)$/;
const ownLabels =
  /^(app|app\.kubernetes\.io\/.*|hpa-selector|job-name|namespace|job-index|topology\..*|minicluster\/.*)$/;
const ownVariables = /^MINICLUSTER_SIZE$/;

/** What the documents of the operator promise of a Job, in a form that two makers of one have in common. */
function portrait({ metadata, spec }: Job): object {
  const { completions, parallelism, completionMode, activeDeadlineSeconds, backoffLimit, suspend, template } = spec;
  const pod = template.spec;
  const [view, ...sidecars] = (pod.initContainers ?? []).filter(({ name }) => name !== "minicluster-view");
  return {
    name: metadata.name,
    completions,
    parallelism,
    completionMode,
    activeDeadlineSeconds,
    backoffLimit,
    suspend,
    labels: withoutKeys(template.metadata.labels, ownLabels),
    jobLabel: template.metadata.labels["job-name"] ?? metadata.name,
    subdomain: pod.subdomain,
    shareProcessNamespace: pod.shareProcessNamespace,
    token: pod.automountServiceAccountToken,
    affinity: JSON.stringify(pod.affinity ?? {}, (_, value: unknown) => (Array.isArray(value) ? value.length : value)),
    view: view?.image,
    containers: [...pod.containers, ...sidecars].map(containerPortrait).sort(byName),
    volumes: (pod.volumes ?? []).filter(({ name }) => !ownVolumes.test(name)).map(volumePortrait),
  };
}

function containerPortrait({ name, image, imagePullPolicy, workingDir, resources, ...container }: Container) {
  const { ports, env, volumeMounts } = container;
  return {
    name,
    image,
    imagePullPolicy,
    workingDir,
    resources: resources ?? {},
    ports: (ports ?? []).map(({ containerPort, protocol }) => `${containerPort}/${protocol}`),
    env: (env ?? []).filter((variable) => !ownVariables.test(variable.name)),
    mounts: (volumeMounts ?? [])
      .filter((mount) => !ownVolumes.test(mount.name))
      .map((mount) => [mount.name, mount.mountPath, mount.readOnly ?? false]),
  };
}

function volumePortrait({ hostPath, persistentVolumeClaim: claim, ...volume }: types.output.core.v1.Volume) {
  return {
    ...volume,
    // The operator requires the directory; here the pod fails without it.
    ...(hostPath && { hostPath: hostPath.path }),
    ...(claim && { claim: { ...claim, readOnly: claim.readOnly || false } }),
  };
}

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);

const withoutKeys = (map: Record<string, string>, keys: RegExp) =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !keys.test(key)));

/** The Job that ours makes of an example, once it is patched. */
function builtJob(name: string): Job {
  const { job, jobScale } = built(name);
  return plain<Job>({ ...job, spec: { ...job.spec, ...jobScale.spec } });
}

/** The objects that ours makes of an example, as the API server gets them. */
function built(name: string) {
  const { name: cluster, args } = readOne(upstreamExample(name).text);
  return manifestsFor(parseMiniClusterArgs(cluster, args));
}

/** The objects that the operator made of an example. */
const made = <T>(name: string, kind: string) =>
  parseAllDocuments(upstreamExample(name).objects)
    .map((document) => document.toJS() as { kind: string })
    .find((object) => object.kind === kind) as T;

const plain = <T>(value: unknown) => JSON.parse(JSON.stringify(value)) as T;

describe("the operator's own examples", function () {
  before(function () {
    // They are not part of this repository: without a copy beside it, only the rules are tested.
    if (!hasUpstreamExamples) this.skip();
  });

  for (const name of upstreamExamples()) {
    it(`${name} is the same Job`, () => {
      const ours = portrait(builtJob(name));
      // Kubernetes refused the operator's Job of the batch example: its volume is a claim without a name.
      if (name === "batch") assert.match(JSON.stringify(ours), /"completions":2.*"emptyDir"/);
      else assert.deepEqual(ours, portrait(made(name, "Job")));
    });

    it(`${name} has the same service`, () => {
      const [ours, theirs] = [plain<Service>(built(name).service), made<Service>(name, "Service")];
      const portraitOf = ({ metadata, spec: { clusterIP, selector } }: Service) => ({
        name: metadata.name,
        isHeadless: clusterIP === "None",
        job: selector["job-name"],
        isOfLead: "job-index" in selector || "batch.kubernetes.io/job-completion-index" in selector,
      });
      assert.deepEqual(portraitOf(ours), portraitOf(theirs));
    });
  }
});
