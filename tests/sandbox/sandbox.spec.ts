import * as assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as path from "node:path";

import { Kube } from "./kube";
import { type Cluster, startCluster } from "./cluster";
import { anIndexedJob, borrowedCache, processesOf } from "./fixtures";
import { waitFor } from "./waiting";

describe("a sandbox cluster", () => {
  let cluster: Cluster;
  let kube: Kube;

  before(async () => {
    cluster = await startCluster({ nodes: 2, audit: true });
    kube = Kube.fromKubeconfig(cluster.kubeconfigPath);
  });

  after(() => cluster.stop());

  it("keeps objects and goes on working over a restart of the API server", async () => {
    const ready = (job: string) =>
      waitFor(`the pods of ${job}`, async () => {
        const pods = await kube.podsOfJob("default", job);
        return pods.length === 2 && pods.every((pod) => pod.ready) && pods.map(({ uid }) => uid);
      });
    await kube.create(anIndexedJob("before-restart", 2));
    const before = await ready("before-restart");
    await cluster.pauseApiServer();
    await assert.rejects(kube.podsOfJob("default", "before-restart"), /ECONNREFUSED|ECONNRESET|socket hang up/);
    await cluster.resumeApiServer();
    assert.deepEqual(await ready("before-restart"), before);
    await kube.create(anIndexedJob("after-restart", 2));
    await ready("after-restart");
  });

  it("goes on with other rates of its controllers", async () => {
    const allWhoRun = () => processesOf(cluster.kubeconfigPath).length;
    const before = allWhoRun();
    await cluster.useRates("default");
    await kube.create(anIndexedJob("at-other-rates", 2));
    const isReady = async () => {
      const pods = await kube.podsOfJob("default", "at-other-rates");
      return pods.length === 2 && pods.every(({ ready }) => ready);
    };
    await waitFor("the pods of at-other-rates", isReady, 30_000);
    assert.equal(allWhoRun(), before);
  });

  it("records the requests made with the audited kubeconfig alone", async () => {
    const audited = Kube.fromKubeconfig(cluster.auditedKubeconfigPath);
    await audited.request("GET", "/api/v1/namespaces/default");
    await kube.request("GET", "/api/v1/namespaces/kube-system");
    audited.close();
    const lines = () => fs.readFileSync(cluster.auditLog, "utf8").trim().split("\n");
    await waitFor("the audit", () => lines().some((line) => line !== ""));
    const uris = lines().map((line) => (JSON.parse(line) as { requestURI: string }).requestURI);
    assert.deepEqual(uris, ["/api/v1/namespaces/default"]);
  });

  it("leaves no process and no file behind when it is stopped", async () => {
    assert.ok(processesOf(cluster.kubeconfigPath).length > 0);
    await cluster.stop();
    assert.deepEqual(processesOf(cluster.kubeconfigPath), []);
    assert.equal(fs.existsSync(path.dirname(cluster.kubeconfigPath)), false);
  });
});

describe("the processes of a sandbox cluster", () => {
  it("end with the process that started them, even if that is killed", async () => {
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
