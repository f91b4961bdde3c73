import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { stringify } from "yaml";
import { buildManifests } from "../../../provider/brokers/objects";
import { randomCertificate } from "../../../provider/brokers/register/certificate";
import { parseMiniClusterArgs } from "../../../provider/minicluster/parse";
import { miniClusterManifestFields } from "../../../provider/operator/manifest";
import { conformanceRows, notTaken } from "../../../sdk/generator/conformance";
import { isAtOrIn } from "../../../sdk/generator/pages/schema";
import { valueIn } from "../../support/cases";
import { matchGolden } from "../../support/golden";
import { problemsIn, readOne } from "../../support/manifestTexts";
import { withValueAt } from "../../support/schemaPlaces";

/** A value for a field of the operator's. */
interface Sample {
  value: unknown;
  /** Fields that the value needs beside it, by path; `.name` is a field beside this one. */
  beside?: Record<string, unknown>;
  /** Stands in the second container, which does not run Flux. */
  inSidecar?: boolean;
}

const tags = {
  "!with": ([value, beside]: [unknown, object]) => ({ value, beside }),
  "!sidecar": ([value, beside]: [unknown, object?]) => ({ value, beside, inSidecar: true }),
};

/** Samples under some places, in YAML. Those of a place that comes later take the place of others. */
const under = (places: string[], samples: string): Record<string, Sample> =>
  Object.fromEntries(
    places.flatMap((place) =>
      Object.entries(valueIn(samples, tags) as Record<string, Sample>).map(([name, sample]) => [
        `${place}.${name}`,
        typeof sample === "object" && "beside" in sample ? sample : { value: sample },
      ]),
    ),
  );

const containers = "spec.containers[]";
const services = "spec.services[]";

/** A sample of every field of the operator's, by its path. */
const samples = {
  ...under(
    ["spec"],
    `
size: 3
maxSize: 8
minSize: !with [2, {.size: 3}]
tasks: 6
deadlineSeconds: 60
backoffLimit: 3
interactive: true
jobLabels: {team: hpc}
shareProcessNamespace: true
cleanup: true
network.headlessName: brokers
network.disableAffinity: true
logging.quiet: true
logging.strict: true
logging.debug: true
logging.zeromq: true
logging.timed: true
archive.path: /state/archive.tar.gz
`,
  ),
  ...under(
    [containers, services],
    `
image: rockylinux:9
workingDir: /work
imagePullPolicy: Never
imagePullSecret: registry
pullAlways: true
ports: [8080]
environment: {LEVEL: "3"}
secrets.*.name: !with [login, {.key: token}]
secrets.*.key: !with [token, {.name: login}]
lifeCycle.postStartExec: touch up
lifeCycle.preStopExec: touch down
volumes.*.path: !with [/data, {.claimName: store}]
volumes.*.hostPath: !with [/srv, {.path: /data}]
volumes.*.configMapName: !with [settings, {.path: /data}]
volumes.*.items: !with [{key: file.txt}, {.path: /data, .configMapName: settings}]
volumes.*.claimName: !with [store, {.path: /data}]
volumes.*.secretName: !with [key, {.path: /data}]
volumes.*.readOnly: !with [true, {.path: /data, .claimName: store}]
volumes.*.emptyDir: true
volumes.*.emptyDirMedium: !with [memory, {.emptyDir: true}]
volumes.*.emptyDirSizeLimit: !with [1Gi, {.emptyDir: true}]
volumes.*.csiDriver: !with [gcs.csi, {.path: /data}]
volumes.*.csiDriverAttributes: !with [{bucket: b}, {.path: /data, .csiDriver: gcs.csi}]
command: lmp -in in.txt
logs: /shared/out
runFlux: true
launcher: true
batch: true
batchRaw: true
noWrapEntrypoint: true
name: cache
commands.prefix: strace -f
commands.script: echo in a script
commands.init: echo init
commands.pre: echo pre
commands.post: echo post
commands.workerPre: echo workers
commands.brokerPre: echo broker
commands.servicePre: echo side
`,
  ),
  ...under(
    [containers],
    `
name: !sidecar [watcher]
runFlux: !sidecar [true, {"spec.containers[0].name": first, "spec.containers[0].runFlux": false}]
launcher: !with [true, {.command: nextflow run x}]
batch: !with [true, {.command: "one\\ntwo"}]
batchRaw: !with [true, {.batch: true, .command: "one\\ntwo"}]
noWrapEntrypoint: !sidecar [true, {.command: sleep 9}]
commands.servicePre: !sidecar [echo side, {"spec.containers[1].command": sleep 9}]
`,
  ),
  ...under(
    [containers, services, "spec.flux.container"],
    `
resources: {limits: {nvidia.com/gpu: 2}, requests: {memory: 8Gi}}
securityContext:
  {runAsUser: 3, runAsGroup: 4, runAsNonRoot: true, privileged: true, allowPrivilegeEscalation: true, procMount: Default,
  readOnlyRootFilesystem: true, capabilities: {add: [SYS_PTRACE], drop: [NET_RAW]},
  seccompProfile: {type: Localhost, localhostProfile: calls.json}, seLinuxOptions: {level: s0, role: r, type: t, user: u},
  windowsOptions: {hostProcess: false}}
`,
  ),
  ...under(
    ["spec.flux"],
    `
container.disable: true
container.name: brings-flux
container.image: view:rocky
container.mountPath: /flux
container.workingDir: /work
container.pythonPath: /py
container.imagePullSecret: registry
container.pullAlways: true
arch: arm
submitCommand: flux run
wrap: strace,-f
connectTimeout: 9s
optionFlags: -o cpu-affinity=per-task
minimalService: true
disableSocket: true
topology: kary:2
noWaitSocket: !with [true, {"spec.containers[0].runFlux": true, "spec.containers[1]": {name: side, image: busybox, command: sleep 9}}]
completeWorkers: true
logLevel: 3
curveCert: !certificate
scheduler.simple: true
scheduler.queuePolicy: easy
mungeSecret: munge
bursting.leadBroker.address: !with [10.0.0.1, {.name: lead, .size: 4, "spec.flux.bursting.clusters[0].name": demo}]
bursting.leadBroker.name: !with [first, {.address: 10.0.0.1, .size: 4, "spec.flux.bursting.clusters[0].name": demo}]
bursting.leadBroker.size: !with [5, {.address: 10.0.0.1, .name: lead, "spec.flux.bursting.clusters[0].name": demo}]
bursting.leadBroker.port: !with [30850, {.address: 10.0.0.1, .name: lead, .size: 4, "spec.flux.bursting.clusters[0].name": demo}]
bursting.hostlist: demo-0,node[1-4]
bursting.clusters[].name: cloud
bursting.clusters[].size: 3
brokerConfig: "[bootstrap]\\ncurve_cert = \\"/x/curve.cert\\"\\n"
environment: {LEVEL: "3"}
`,
  ),
  ...under(
    ["spec.pod"],
    `
annotations: {note: x}
labels: {team: hpc}
restartPolicy: OnFailure
serviceAccountName: runner
runtimeClassName: nvidia
automountServiceAccountToken: true
schedulerName: fluence
nodeSelector: {pool: hpc}
nodeAffinity: {zone: [a, b]}
tolerations[].key: !with [gpu, {.operator: Exists}]
tolerations[].effect: !with [NoSchedule, {.key: gpu}]
tolerations[].operator: Exists
tolerations[].value: !with [on-call, {.key: gpu}]
dnsPolicy: Default
hostIPC: true
hostPID: true
resources: {cpu: 4}
securityContext:
  {fsGroup: 2, fsGroupChangePolicy: Always, runAsUser: 3, runAsGroup: 4, runAsNonRoot: true, supplementalGroups: [5],
  sysctls: [{name: net.core.somaxconn, value: "1024"}], seccompProfile: {type: Localhost, localhostProfile: calls.json},
  seLinuxOptions: {level: s0, role: r, type: t, user: u}, windowsOptions: {hostProcess: false}}
`,
  ),
};

/** What a field makes of a cluster: lines that it has with the field alone, lines that it has without it alone, and warnings. */
function effectOf(field: string, sample: Sample): object {
  const { beside = {}, inSidecar } = sample;
  const steps = stepsOf(field, inSidecar ? 1 : 0);
  const base = baseOf(field, inSidecar);
  const around = Object.entries(beside).reduce<unknown>((manifest, [name, value]) => {
    const place = name.startsWith(".") ? [...steps.slice(0, -1), name.slice(1)] : stepsOf(name);
    return withValueAt(manifest, place, value);
  }, base);
  const text = stringify(withValueAt(around, steps, sample.value));
  const refused = problemsIn(text);
  if (refused.length > 0) return { refused };
  // What stands beside the field may mean nothing by itself.
  const before = linesIn(stringify(problemsIn(stringify(around)).length > 0 ? base : around));
  const lines = linesIn(text);
  const effect = {
    gained: lines.filter((line) => !before.includes(line)),
    lost: before.filter((line) => !lines.includes(line)),
    warned: readOne(text).warnings.map(({ path, message }) => `${path}: ${message}`),
  };
  return Object.fromEntries(Object.entries(effect).filter(([, found]) => found.length > 0));
}

/** A manifest of a cluster in which the field may be. */
function baseOf(field: string, inSidecar = false) {
  const command = /commands\.script|bursting\.leadBroker/.test(field) ? {} : { command: "echo hello" };
  const main = { image: "ubuntu:noble", ...command, ...(inSidecar && { runFlux: true }) };
  return {
    ...{ apiVersion: "flux-framework.org/v1alpha2", kind: "MiniCluster", metadata: { name: "demo" } },
    spec: {
      containers: [main, ...(inSidecar ? [{ name: "side", image: "busybox" }] : [])],
      ...(field.startsWith(services) && { services: [{ name: "db", image: "redis" }] }),
    },
  };
}

/** The steps of a path, with the first item of every list but the containers, and the name `data` for any. */
const stepsOf = (path: string, container = 0): (string | number)[] =>
  path
    .replace("containers[]", `containers[${container}]`)
    .replaceAll("[]", "[0]")
    .replace("*", "data")
    .split(/\.|(?=\[)/)
    .map((step) => (step.startsWith("[") ? Number(step.slice(1, -1)) : step));

/** What the cluster of a manifest consists of, in lines. Of hashes there is more to say elsewhere. */
function linesIn(text: string): string[] {
  const { name, args } = readOne(text);
  const certificate = randomCertificate(name, "a2V5");
  const { job, ...others } = buildManifests(parseMiniClusterArgs(name, args), { certificate });
  return linesOf({ ...others, job }, "").filter((line) => !line.includes("-hash: "));
}

/** A tree in lines, with items of lists under their names and files by their lines. */
function linesOf(value: unknown, path: string): string[] {
  if (value === undefined) return [];
  if (pulumi.Output.isInstance(value)) return [`${path}: (output)`];
  if (Array.isArray(value)) return value.flatMap((item, index) => linesOf(item, `${path}[${itemName(item, index)}]`));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => linesOf(inner, path === "" ? key : `${path}.${key}`));
  const file = /^configMap\.data\.(.+)$/.exec(path)?.[1];
  if (file === undefined || typeof value !== "string") return [`${path}: ${JSON.stringify(value)}`];
  return value.split("\n").map((line) => `${file}: ${line.trim()}`);
}

const itemName = (item: unknown, index: number) =>
  typeof item === "object" && item !== null && "name" in item ? String(item.name) : index;

/** Every name that a value has, at any depth. */
const namesIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
    : [];

describe("the fields of the operator's cluster", () => {
  const effects = Object.entries(samples).map(([field, sample]) => [field, effectOf(field, sample)] as const);

  it("have the effects that stand in tests/golden/operator/fields.yaml", () =>
    matchGolden("operator/fields.yaml", Object.fromEntries(effects)));

  it("have one each, and samples of all that Kubernetes' own types hold", () => {
    assert.deepEqual(Object.keys(samples).sort(), conformanceRows.map(({ field }) => field).sort());
    const without = effects.filter(([, effect]) => Object.keys(effect).length === 0).map(([field]) => field);
    // The operator wraps no service; and the certificate is only rendered when the cluster is registered.
    assert.deepEqual(without, [`${services}.noWrapEntrypoint`, "spec.flux.curveCert"]);
    const missing = Object.entries(samples).flatMap(([field, { value }]) =>
      miniClusterManifestFields
        .filter((inner) => inner !== field && isAtOrIn(inner, field) && !inner.includes(notTaken))
        .filter((inner) => !namesIn(value).includes(inner.slice(inner.lastIndexOf(".") + 1))),
    );
    assert.deepEqual(missing, []);
  });
});
