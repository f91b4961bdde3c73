import * as assert from "node:assert/strict";
import type { types } from "@pulumi/kubernetes";
import { aLead } from "../../support/fixtures";
import { parseAllDocuments } from "yaml";
import { readMiniClusterManifest } from "../../../provider/operator/read";
import { parseMiniClusterArgs } from "../../../provider/minicluster/parse";
import { manifestsFor } from "../../support/manifests";
import { hasUpstreamExamples, readOne, upstreamExample, upstreamExamples } from "../../support/manifestTexts";
import { files } from "../../support/scripts/paths";
import { aPod, usualOptions } from "../../support/scripts/pod";

type Job = types.output.batch.v1.Job;
type Pod = types.output.core.v1.Pod;
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
    ...{ name: metadata.name, completions, parallelism, completionMode, activeDeadlineSeconds, backoffLimit, suspend },
    labels: withoutKeys(template.metadata.labels, ownLabels),
    jobLabel: template.metadata.labels["job-name"] ?? metadata.name,
    ...{ subdomain: pod.subdomain, shareProcessNamespace: pod.shareProcessNamespace },
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
    ...{ name, image, imagePullPolicy, workingDir, resources: resources ?? {} },
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
    // The operator wants the directory to be there; ours lets the pod fail on its own.
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
    // They are no part of this repository, and whoever has no copy of them beside it tests the rules alone.
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
        ...{ name: metadata.name, isHeadless: clusterIP === "None", job: selector["job-name"] },
        isOfLead: "job-index" in selector || "batch.kubernetes.io/job-completion-index" in selector,
      });
      assert.deepEqual(portraitOf(ours), portraitOf(theirs));
    });
  }

  it("are not restarted in place: Kubernetes would count no pod that lost its node", () => {
    for (const name of upstreamExamples()) assert.equal(builtJob(name).spec.template.spec.restartPolicy, "Never");
  });

  it("nginx-service has the same pod of services", () => {
    const portraitOf = ({ metadata, spec: { hostname, subdomain, containers } }: Pod) => ({
      ...{ name: metadata.name, hostname, subdomain, containers: containers.map(containerPortrait) },
    });
    const ours = portraitOf(plain(built("nginx-service").servicesPod));
    assert.deepEqual(ours, portraitOf(made("nginx-service", "Pod")));
  });

  const quiet = usualOptions(0);
  const withOption = (option: string) => [...quiet.slice(0, 7), option, ...quiet.slice(7)];
  // Without addresses of their own the followers cannot be parents, whatever their number.
  const minimal = withOption("-Stbon.topo=kary:0");
  // The fan-out of the operator, said in the way that goes with a configuration of one's own.
  const custom = withOption("-Stbon.topo=kary:256").filter((option) => option !== "-Stbon.fanout=256");
  const submit = (flags: string, command: string) => `flux submit ${flags} --quiet --watch ${command}`.split(" ");
  const lammps = "lmp -v x 2 -v y 2 -v z 2 -in in.reaxc.hns -nocite";
  const services = "flux-sample-services.flux-service.default.svc.cluster.local";

  /** The words after `flux` on the lead broker: its options, and what it is to run. */
  const commandLines: Record<string, [options: string[], program: string[]]> = {
    "hello-world": [quiet, submit("-n 1", "echo hello world")],
    lammps: [quiet, submit("-n 2", lammps)],
    "minimal-service": [minimal, submit("-N 4 -n 4", "echo hello-world")],
    "existing-volumes": [quiet, submit("-n 1", "ls /data")],
    volumes: [quiet, submit("-n 1", "ls /data")],
    emptydir: [quiet, submit("-n 1", "df -h /dev/shm")],
    "emptydir-minicluster-without": [quiet, submit("-n 1", "df -h /dev/shm")],
    post: [quiet, submit("-n 1", "echo hello world")],
    "flux-sidecar": [usualOptions(6), submit("-n 1", "sleep 200")],
    "custom-config": [custom, submit("-n 1", "echo hello world")],
    "nginx-service": [quiet, submit("-n 1", `curl -s ${services}`)],
  };
  for (const [name, [options, program]] of Object.entries(commandLines))
    it(`${name} has the broker options and the command line of the documents`, async () => {
      const pod = aPod(readOne(upstreamExample(name).text).args);
      const run = await pod.run(files.broker);
      assert.equal(run.status, 0, run.stderr);
      const [start] = pod.calls("flux", "start").map(({ words }) => words.slice(2));
      const quorum = `-Sbroker.quorum=${pod.spec.size}`;
      assert.deepEqual(start, [...options, quorum, ...program]);
    });

  for (const name of ["interactive-minicluster-persistent", "elasticity-basic", "lammps-interactive-minicluster"])
    it(`${name} stays up without its command`, () =>
      assert.equal(aLead(readOne(upstreamExample(name).text).args).mode, "interactive"));

  const warned: Record<string, RegExp> = {
    batch: /^spec\.containers\[0\]\.volumes\.data: has a path and no source/,
    "custom-config": /^spec\.flux\.brokerConfig: names hosts in flux-service\.default\.svc/,
    "nginx-service": /^spec\.containers\[0\]\.command: names hosts in flux-service\.default\.svc/,
  };
  it("are read without a word, but for what differs", () => {
    for (const name of upstreamExamples()) {
      const notes = readMiniClusterManifest(upstreamExample(name).text).flatMap(({ warnings }) => warnings);
      const told = notes.map(({ path, message }) => `${path}: ${message}`);
      assert.equal(told.length, name in warned ? 1 : 0, `${name}: ${told.join()}`);
      assert.match(told[0] ?? "", warned[name] ?? /^$/);
    }
  });
});
