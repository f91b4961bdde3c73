import * as assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as path from "node:path";

import { Kube } from "./kube";
import { type Cluster, startCluster } from "./cluster";
import { anIndexedJob, borrowedCache, processesOf } from "./fixtures";
import { waitFor } from "./waiting";

const namespace = "default";
const node = (name: string) => ({ apiVersion: "v1", kind: "Node", name });

describe("a sandbox cluster", function () {
  this.timeout(60_000);
  let cluster: Cluster;
  let kube: Kube;

  before(async () => {
    cluster = await startCluster({ nodes: 2 });
    kube = Kube.fromKubeconfig(cluster.kubeconfigPath);
  });

  after(() => cluster.stop());

  const podsWhere = (job: string, count: number, matches: (pod: { phase: string; ready: boolean }) => boolean) =>
    waitFor(`${count} such pods of ${job}`, async () => {
      const pods = await kube.podsOfJob(namespace, job);
      return pods.filter(matches).length === count && pods;
    });

  it("has the nodes that were asked for, with the labels a scheduler looks at", async () => {
    const { metadata, status } = await kube.get(node("node-1"));
    assert.equal((await kube.list({ apiVersion: "v1", kind: "Node" })).length, 2);
    assert.equal(metadata.labels?.["kubernetes.io/hostname"], "node-1");
    assert.equal(metadata.labels?.["kubernetes.io/arch"], "amd64");
    assert.deepEqual((status as { capacity: object }).capacity, {
      cpu: "96",
      memory: "384Gi",
      pods: "110",
      "ephemeral-storage": "1Ti",
    });
  });

  it("has nodes that keep some of their CPUs and memory to themselves", async () => {
    const { status } = await kube.get(node("node-1"));
    const { cpu, memory } = (status as { allocatable: Record<string, string> }).allocatable;
    assert.deepEqual([cpu, memory], ["95800m", "345Gi"]);
  });

  it("adds nodes of another shape", async () => {
    const shape = { namePrefix: "gpu", capacity: { "nvidia.com/gpu": "8" }, architecture: "arm64" };
    assert.deepEqual(await cluster.addNodes(1, shape), ["gpu-0"]);
    const { metadata, status } = await kube.get(node("gpu-0"));
    assert.equal(metadata.labels?.["kubernetes.io/arch"], "arm64");
    assert.equal((status as { allocatable: Record<string, string> }).allocatable["nvidia.com/gpu"], "8");
  });

  it("makes the pods of an Indexed Job Ready, after their init containers", async () => {
    await kube.create(anIndexedJob("ready", 4));
    const pods = await podsWhere("ready", 4, (pod) => pod.ready);
    assert.deepEqual(
      pods.map((pod) => pod.completionIndex),
      [0, 1, 2, 3],
    );
    const { initContainerStatuses } = pods[0]?.pod.status as { initContainerStatuses: { state: object }[] };
    assert.deepEqual(Object.keys(initContainerStatuses[0]?.state ?? {}), ["terminated"]);
  });

  it("completes and fails pods by their label, and leaves them unready by another", async () => {
    await kube.create(anIndexedJob("completing", 2, { "sandbox.minicluster/complete": "true" }));
    await kube.create(anIndexedJob("failing", 1, { "sandbox.minicluster/complete": "failed" }));
    await kube.create(anIndexedJob("unready", 1, { "sandbox.minicluster/ready": "never" }));
    const condition = (job: string, type: string) =>
      waitFor(`${job} to become ${type}`, async () => {
        const { status } = await kube.get({ apiVersion: "batch/v1", kind: "Job", name: job, namespace });
        return (status as { conditions?: { type: string }[] }).conditions?.some((c) => c.type === type);
      });
    await Promise.all([condition("completing", "Complete"), condition("failing", "Failed")]);
    const [pod] = await podsWhere("unready", 1, (p) => p.phase === "Running");
    assert.equal(pod?.ready, false);
  });

  it("ends a deleted pod before it goes, so that a Job with podReplacementPolicy Failed lets go of it", async () => {
    await kube.create(anIndexedJob("losing", 1, {}, { podReplacementPolicy: "Failed", backoffLimit: 3 }));
    const [pod] = await podsWhere("losing", 1, ({ ready }) => ready);
    await kube.delete({ apiVersion: "v1", kind: "Pod", name: pod?.name ?? "", namespace });
    // Its replacement comes ten seconds later, which is the Job controller's own pace.
    await waitFor("the pod to go and to count as failed", async () => {
      const { status } = await kube.get({ apiVersion: "batch/v1", kind: "Job", name: "losing", namespace });
      const pods = await kube.podsOfJob(namespace, "losing");
      return (status as { failed?: number }).failed === 1 && pods.length === 0;
    });
  });

  it("keeps objects and goes on working over a restart of the API server", async () => {
    const before = await kube.podsOfJob(namespace, "ready");
    await cluster.pauseApiServer();
    await assert.rejects(kube.podsOfJob(namespace, "ready"), /ECONNREFUSED|ECONNRESET|socket hang up/);
    await cluster.resumeApiServer();
    const after = await kube.podsOfJob(namespace, "ready");
    assert.deepEqual(
      after.map((pod) => pod.uid),
      before.map((pod) => pod.uid),
    );
    await kube.create(anIndexedJob("after-restart", 2));
    await podsWhere("after-restart", 2, (pod) => pod.ready);
  });

  it("leaves no process and no file behind when it is stopped", async () => {
    assert.ok(processesOf(cluster.kubeconfigPath).length > 0);
    await cluster.stop();
    assert.deepEqual(processesOf(cluster.kubeconfigPath), []);
    assert.equal(fs.existsSync(path.dirname(cluster.kubeconfigPath)), false);
  });
});

describe("the processes of a sandbox cluster", function () {
  this.timeout(60_000);

  it("die with the process that started them, even if that is killed", async () => {
    const script = `require("./cluster").startCluster({ nodes: 1 }).then((c) => console.log(c.kubeconfigPath))`;
    const args = ["--require", require.resolve("tsx/cjs"), "-e", script];
    const parent = spawn(process.execPath, args, { cwd: __dirname, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const kubeconfigPath = line.toString().trim();
    assert.ok(processesOf(kubeconfigPath).length > 0);
    parent.kill("SIGKILL");
    await waitFor("all of them to die", () => processesOf(kubeconfigPath).length === 0);
    await waitFor("the files to go", () => !fs.existsSync(path.dirname(kubeconfigPath)));
  });

  it("go on after the command that starts a cluster by hand, until the one that stops it", () => {
    const cache = borrowedCache();
    const env = { ...process.env, MINICLUSTER_SANDBOX_CACHE: cache };
    const cli = (...args: string[]) =>
      execFileSync(process.execPath, ["--require", "tsx/cjs", "tests/sandbox/cli.ts", ...args], {
        cwd: path.resolve(__dirname, "../.."),
        env,
        encoding: "utf8",
      });
    try {
      const kubeconfigPath = /export KUBECONFIG=(.*)/.exec(cli("start", "--nodes", "1"))?.[1] ?? "";
      assert.ok(processesOf(kubeconfigPath).length > 0);
      assert.match(cli("start"), /already running[^]*export KUBECONFIG=/);
      assert.match(cli("stop"), /is stopped/);
      assert.deepEqual(processesOf(kubeconfigPath), []);
      assert.match(cli("stop"), /No sandbox is running/);
    } finally {
      cli("stop");
      fs.rmSync(cache, { recursive: true, force: true });
    }
  });
});
