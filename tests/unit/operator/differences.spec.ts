import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { docsDirectory } from "../../../sdk/generator/docs";
import { sentManifests, templateHash } from "../../support/manifests";
import { aManifest, argsOf, problemsIn, readOne } from "../../support/manifestTexts";
import {
  type Job,
  aCluster,
  plain,
  sent,
  jobOf,
  podOf,
  mainOf,
  fileOf,
  run,
  warns,
  withCommand,
  withSidecar,
  upstreamLike,
} from "../../support/operatorClusters";
import { files } from "../../support/scripts/paths";
import { aPod } from "../../support/scripts/pod";

/** One check for each row of the table in docs/migration.md, by the name of the row. */
const rows: Record<string, () => Promise<void> | void> = {
  "One pod per node": async () => {
    assert.ok((await podOf(plain)).affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution);
    const { job } = (await sentManifests()) as { job: Job };
    assert.ok(job.spec.template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution);
  },
  backoffLimit: async () => {
    assert.equal((await jobOf(plain)).backoffLimit, 100);
    const { job } = (await sentManifests()) as { job: Job };
    assert.equal(job.spec.backoffLimit, 6);
    assert.equal((await jobOf(plain)).podFailurePolicy.rules[0]?.onPodConditions[0]?.type, "DisruptionTarget");
  },
  "A command that fails": async () => {
    const actions = async (spec: string) => (await jobOf(spec)).podFailurePolicy.rules.map(({ action }) => action);
    assert.ok((await actions(plain)).includes("FailJob"));
    assert.ok(!(await actions(`backoffLimit: 2\n${plain}`)).includes("FailJob"));
    assert.equal((await run(withCommand("task"), { STUB_TASK: "3" })).status, 3);
  },
  "pod.restartPolicy": async () => {
    assert.equal((await podOf(plain)).restartPolicy, "Never");
    warns(`pod: {restartPolicy: OnFailure}\n${plain}`, /a command that fails is started again in its pod/);
  },
  "logging.strict": async () => {
    const pre = ["command: hostname", "commands: {init: 'false', pre: 'false; task on'}"];
    assert.deepEqual((await run(aCluster([], pre))).pod.told("task"), ["on"]);
    const strict = await run(aCluster(["logging: {strict: true}"], pre));
    assert.deepEqual([strict.status, strict.pod.told("task")], [1, []]);
    assert.match(strict.stderr, /pre\.sh/);
  },
  "logging.quiet": async () => {
    const commands = "commands: {pre: 'echo one; echo two', post: 'echo three'}";
    const { stdout } = await run(aCluster(["logging: {quiet: true}"], ["command: hostname", commands]));
    assert.equal(stdout, "three\n");
  },
  "When a pod is Ready": async () => {
    const { startupProbe } = await mainOf(plain);
    assert.equal(startupProbe.periodSeconds, 1);
    assert.match(JSON.stringify(startupProbe.exec.command), /ready\.sh/);
  },
  'What "done" means': async () => {
    const { job } = await sent(plain);
    assert.match(job.metadata.annotations["pulumi.com/waitFor"] ?? "", /@\.ready == \$\.spec\.parallelism/);
  },
  "A change of a running cluster": () => {
    const hash = (spec: string) => templateHash(argsOf(spec));
    assert.equal(hash(`size: 2\nmaxSize: 4\n${plain}`), hash(`size: 3\nmaxSize: 4\n${plain}`));
    assert.notEqual(hash(plain), hash(withCommand("date")));
  },
  Autoscaling: () => assert.match(problemsIn(aManifest(`autoscale: {min: 1}\n${plain}`)).join(), /unknown field/),
  Certificate: async () => {
    const { secret, configMap } = await sent(plain);
    assert.deepEqual([secret?.metadata.name, "curve.cert" in (configMap?.data ?? {})], ["demo-curve", false]);
  },
  Scripts: async () => {
    const mounts = (await mainOf(plain)).volumeMounts.map(({ mountPath }) => mountPath);
    assert.ok(mounts.includes("/etc/minicluster/config"));
    const { pod } = await run(aCluster(["flux: {container: {disable: true}}"], ["command: hostname"]));
    const left = fs.readdirSync(pod.at("/mnt/flux")).filter((file) => file.endsWith(".sh"));
    assert.deepEqual(left.sort(), ["flux-connect.sh", "flux-view.sh"]);
  },
  "Scheduler of a view built by Spack": async () => {
    const pod = aPod();
    const modules = "/opt/software/flux-sched-0.40/lib/flux/modules";
    fs.mkdirSync(pod.at(modules), { recursive: true });
    fs.writeFileSync(pod.at(`${modules}/sched-fluxion-qmanager.so`), "");
    const { env } = await pod.broker({ env: { STUB_SEEN: "FLUX_MODULE_PATH" } });
    assert.equal(env.FLUX_MODULE_PATH, modules);
  },
  "A job for more hosts than are up": async () =>
    assert.match(await fileOf(plain, files.brokerConfig), /prune-filters = "ALL:core"/),
  "Hosts of a job": async () => assert.match(await fileOf(plain, files.brokerConfig), /match-policy = "lonode"/),
  Followers: async () => {
    const again = aPod(argsOf(`size: 2\n${plain}`));
    await again.leave(files.broker, { rank: 1, env: { STUB_START: "0 1 stay" } }, 3, "flux", "start");
    const once = aPod(argsOf(`size: 2\nflux: {completeWorkers: true}\n${plain}`));
    await once.broker({ rank: 1, env: { STUB_START: "1" } });
    assert.equal(once.calls("flux", "start").length, 1);
  },
  Sidecars: async () => {
    const side = (await podOf(withSidecar("command: date"))).initContainers.find(({ name }) => name === "side");
    assert.equal(side?.restartPolicy, "Always");
    warns(withSidecar(), /has no command: in the operator's pods nothing runs in it; here its image's own command/);
  },
  "Ports of a sidecar": () =>
    assert.equal(argsOf(withSidecar("command: date", "ports: [80]")).containers[1]?.serviceName, "side"),
  "Volumes of a container": () => {
    const first = aCluster([], ["runFlux: true", "volumes: {data: {path: /d, claimName: c}}"]);
    warns(`${first}\n  - image: b\n    name: side\n    command: date`, /the operator also mounts data here/);
  },
  emptyDir: async () => {
    const spec = aCluster([], ["volumes: {d: {path: /d, emptyDir: true}}"]);
    warns(spec, /the operator mounts every emptyDir at \/dev\/shm; here at \/d/);
    assert.ok((await mainOf(spec)).volumeMounts.some(({ mountPath }) => mountPath === "/d"));
  },
  hostPath: async () => {
    const { volumes } = await podOf(aCluster([], ["volumes: {d: {path: /d, hostPath: /srv}}"]));
    assert.deepEqual(volumes.find(({ name }) => name === "d")?.hostPath, { path: "/srv" });
  },
  "command with $ or backticks": async () => {
    const spec = withCommand("task $JOB_NAME");
    warns(spec, /expanded in each task; the operator expands them when the pod starts/);
    assert.match((await fileOf(spec, files.user("demo", "command"))).trim(), /^task \$JOB_NAME$/);
  },
  "command with quotes and operators": async () => {
    const spec = withCommand("task 'a b' && task c");
    warns(spec, /bash interprets .*&& in word 4; the operator passes each word on as it is written/);
    assert.deepEqual((await run(spec)).pod.told("task"), ["a b", "c"]);
    assert.match(problemsIn(aManifest(withCommand("echo 'oops"))).join(), /bash cannot read it/);
  },
  "command with several lines": async () => {
    const spec = aCluster([], ["command: |", "  task a", "  b"]);
    warns(spec, /the operator joins its lines to one command, and so does this/);
    assert.deepEqual((await run(spec)).pod.told("task"), ["a b"]);
    const program = aPod({ containers: [{ image: "a", command: "task a\ntask b" }] });
    await program.broker({ env: { STUB_SUBMIT: "run" } });
    assert.deepEqual(program.told("task"), ["a", "b"]);
  },
  "commands.script": async () => {
    const spec = aCluster([], ["commands:", "  script: task $HOME"]);
    warns(spec, /expanded when the script runs/);
    assert.equal(await fileOf(spec, files.user("demo", "command")), "task $HOME\n");
  },
  "commands.post": async () => {
    const commands = "commands: {post: 'task status $?; exit 0'}";
    const strict = aCluster(["logging: {strict: true}"], ["command: task", commands]);
    const { status, pod } = await run(strict, { STUB_TASK: "3" });
    assert.deepEqual([status, pod.told("task")], [3, ["", "status 3"]]);
  },
  "Variables of the scripts": async () => {
    const commands = "commands: {init: 'task $hosts', pre: 'command=other; task $viewroot'}";
    const spec = aCluster(["size: 2", "maxSize: 4"], ["command: task run", commands]);
    assert.deepEqual((await run(spec)).pod.told("task"), ["demo-[0-3]", "/mnt/flux/view", "run"]);
    warns(spec, /sets command, which changes the operator's script and nothing here/);
    assert.deepEqual((await run(spec, { hosts: "own" })).pod.told("task")[0], "own");
    const server = aCluster([], ["command: task", "commands: {pre: echo $startServer}"]);
    warns(server, /uses \$startServer .*, which is not set here: the RESTful server that had it is gone/);
  },
  "Resources that pre sets": async () => {
    for (const root of ["configroot", "viewroot"]) {
      const pre = `flux R encode --hosts=$hosts --cores=0-3 > \${${root}}/etc/flux/system/R`;
      const spec = aCluster(["size: 2"], ["command: hostname", `commands: {pre: '${pre}'}`]);
      const { pod, stderr } = await run(spec, { STUB_R_WORDS: "1", STUB_NODES: "1" });
      const found = fs.readFileSync(pod.at("/mnt/flux/config/etc/flux/system/R"), "utf8");
      assert.equal(found, "encode --hosts=demo-[0-1] --cores=0-3\n");
      assert.match(stderr, /describes 1 hosts, and the instance has 2/);
    }
  },
  "Batch jobs": async () => {
    const batch = await fileOf(withCommand("task a\ntask b", "batch: true"), files.batch("demo"));
    assert.match(batch, /flux job wait --all \|\| status=\$\?[^]*exit \$status/);
  },
  FLUX_OUTPUT_DIR: async () => {
    const spec = aCluster([], ["command: task", "logs: /tmp/out", "environment: {FLUX_OUTPUT_DIR: /x}"]);
    warns(spec, /the operator sets it to logs of the container/);
    const { pod } = await run(spec, { STUB_SEEN: "FLUX_OUTPUT_DIR" });
    assert.equal(pod.calls("task")[0]?.env.FLUX_OUTPUT_DIR, "/tmp/out");
  },
  "Services pod": async () => {
    const spec = `services:\n  - image: nginx\n    name: web\n    command: date\n${plain}`;
    const { servicesPod } = (await sent(spec)) as unknown as { servicesPod: { spec: { restartPolicy: string } } };
    assert.equal(servicesPod.spec.restartPolicy, "Always");
    warns(spec, /ignores it in a service, and the image's own command runs/);
  },
  "pod.resources": async () => {
    const spec = `pod: {resources: {cpu: "1"}}\n${plain}`;
    warns(spec, /the operator calls them the pod's overhead/);
    assert.deepEqual((await podOf(spec)).resources.limits, { cpu: "1" });
  },
  "pod.securityContext": async () => {
    const spec = `pod: {securityContext: {runAsUser: 7}}\n${plain}`;
    warns(spec, /the operator passes on fsGroup alone/);
    assert.equal((await podOf(spec)).securityContext.runAsUser, 7);
  },
  Privileges: async () => {
    assert.equal((await mainOf(plain)).securityContext.allowPrivilegeEscalation, false);
    assert.equal((await podOf(plain)).securityContext.seccompProfile.type, "RuntimeDefault");
  },
  "flux.environment": async () => {
    const { pod } = await run(`flux: {environment: {FROM_FLUX: x}}\n${withCommand("task")}`, {
      STUB_SEEN: "FROM_FLUX",
    });
    assert.equal(pod.calls("task")[0]?.env.FROM_FLUX, "x");
  },
  "flux.wrap": async () => {
    const { pod } = await run(`size: 2\nflux: {wrap: strace}\n${plain}`);
    assert.ok(pod.calls("flux", "start")[0]?.words.includes("--wrap=strace"));
  },
  "Variables of other services": async () => assert.equal((await podOf(plain)).enableServiceLinks, false),
  Terminal: async () => {
    const { stdin, tty } = await mainOf(plain);
    assert.deepEqual([stdin, tty], [undefined, undefined]);
  },
  cleanup: async () => {
    const spec = `cleanup: true\n${plain}`;
    assert.equal((await jobOf(spec)).ttlSecondsAfterFinished, 60);
    warns(spec, /removes the Job and its pods; the other objects stay/);
  },
  // Nothing in the objects changes with time, so that an `up` leaves a finished Job alone.
  "Restart after the end": async () => assert.deepEqual(await sent(plain), await sent(plain)),
  "Labels of the pods": async () => {
    const { labels } = (await jobOf(plain)).template.metadata;
    assert.deepEqual(
      [labels["job-name"], labels["app.kubernetes.io/instance"], labels["app.kubernetes.io/name"], labels.app],
      ["demo", "demo", "minicluster", undefined],
    );
  },
  "Rank of a pod": async () => {
    assert.equal((await jobOf(plain)).completionMode, "Indexed");
    assert.equal((await jobOf(plain)).template.metadata.labels["job-index"], undefined);
  },
  Bursting: async () => {
    const spec = `size: 2\nflux: {bursting: {clusters: [{}, {size: 3}]}}\n${plain}`;
    assert.match(await fileOf(spec, files.brokerConfig), /burst-0.*burst-1-\[0-2\]/);
    const lead = "leadBroker: {address: h, name: r, size: 2}";
    const other = `bursting: {clusters: [{name: demo, size: 1}], ${lead}}`;
    assert.match(problemsIn(aManifest(`flux: {topology: "kary:2", ${other}}\n${plain}`)).join(), /topology/);
  },
  "flux.brokerConfig": async () => {
    const { args } = readOne(upstreamLike());
    const options = (await aPod(args).broker()).words.filter((word) => word.startsWith("-Stbon."));
    assert.deepEqual(options, ["-Stbon.connect_timeout=5s", "-Stbon.topo=kary:256"]);
  },
  "flux.mungeSecret": async () =>
    assert.ok(
      (await mainOf(`flux: {mungeSecret: m}\n${plain}`)).volumeMounts.some(
        ({ mountPath }) => mountPath === "/etc/munge/munge.key",
      ),
    ),
  "flux.arch": async () => {
    const { nodeSelector, tolerations } = await podOf(`flux: {arch: arm}\n${plain}`);
    assert.equal(nodeSelector["kubernetes.io/arch"], "arm64");
    assert.ok(tolerations.some(({ key }) => key === "kubernetes.io/arch"));
    assert.match(problemsIn(aManifest(`flux: {arch: sparc}\n${plain}`)).join(), /amd64/);
  },
  "The view": async () => {
    const names = (await podOf(plain)).initContainers.map(({ name }) => name);
    assert.deepEqual(names, ["flux-view"]);
  },
  "flux.container.disable": async () =>
    assert.equal((await podOf(`flux: {container: {disable: true}}\n${plain}`)).initContainers, undefined),
  "flux.container.imagePullSecret": async () => {
    const { imagePullSecrets } = await podOf(`flux: {container: {imagePullSecret: s}}\n${plain}`);
    assert.deepEqual(imagePullSecrets, [{ name: "s" }]);
  },
  "logging.timed": async () => {
    const { stderr } = await run(`logging: {timed: true}\n${withCommand("task")}`);
    assert.match(stderr, /FLUXTIME fluxsubmit wall time/);
  },
  "Metadata of the object": () => {
    const text = aManifest(plain).replace("  name: demo", "  name: demo\n  labels: {a: b}");
    assert.match(readOne(text).warnings[0]?.message ?? "", /belong to the MiniCluster object, and there is none here/);
  },
  "A manifest's ConfigMaps, claims and so on": () => {
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n${aManifest(plain)}`;
    assert.match(problemsIn(text).join(), /only a MiniCluster can be read here/);
  },
};

/** The names of the rows on the page, without the marks of code. */
function namesOnPage(): string[] {
  const page = fs.readFileSync(path.join(docsDirectory, "migration.md"), "utf8");
  const table = page.slice(page.indexOf("## What differs"));
  const names = [...table.matchAll(/^\| (.*?) \|/gm)].map(([, name = ""]) => name.replaceAll("`", ""));
  return names.filter((name) => name !== "What" && name !== "---");
}

describe("what differs from the operator", () => {
  it("is on the page row by row, each with a test here", () => assert.deepEqual(namesOnPage(), Object.keys(rows)));

  for (const [name, check] of Object.entries(rows)) it(name, () => check());
});
