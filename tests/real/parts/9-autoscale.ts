import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import { MiniClusterPodSecurity } from "../../../provider";
import { programsDirectory } from "../../../provider/core/parse/paths";
import { patchTypes } from "../../sandbox/kube";
import type { ContainerProcess } from "../../sandbox/real/containers";
import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { failure } from "../../support/clusters";
import { agentPod, statusOf } from "../agentPod";
import { type RealCluster, realContainer, together } from "../clusters";
import { lab, patience } from "../lab";
import { rowWithCluster } from "../rows";

const autoscale = { min: 1, max: 3, idleSeconds: 5, cooldownSeconds: 0 };
const args = { interactive: true, maxSize: 4, autoscale };

async function follows(cluster: RealCluster, size: number): Promise<void> {
  const { api } = lab();
  const job = `/apis/batch/v1/namespaces/${cluster.namespace}/jobs/demo`;
  const sizeOf = async () => (await api.request<{ spec: { parallelism: number } }>("GET", job)).spec.parallelism;
  const hasCome = waitFor(`a size of ${size}`, async () => (await sizeOf()) === size, patience, 200);
  await hasCome.catch(async (error: Error) => {
    const log = await agentPod(cluster.namespace).log();
    throw new Error(`${error.message}; the agent says:\n${log}`, { cause: error });
  });
}

// The demand comes from the queue of what runs in the pods: a real Flux by its own Python, or the stand-in of both.
describe("the agent's own pod", () => {
  const test = rowWithCluster(args);

  test("is Ready when `up` returns, grows the cluster for a job, and gives the hosts back", async (cluster) => {
    const [lead] = await cluster.ready(1);
    assert.match(await agentPod(cluster.namespace).log(), /^size 1: /m);
    const id = (await cluster.flux("flux submit -N3 bash -c 'hostname; sleep 5'")).trim();
    await follows(cluster, 3);
    await cluster.ready(3);
    const output = await cluster.flux(`flux job attach ${id}`);
    assert.deepEqual(output.trim().split("\n").sort(), ["demo-0", "demo-1", "demo-2"]);
    const [kept] = await cluster.ready(1);
    assert.equal(kept?.uid, lead?.uid);
    const log = await agentPod(cluster.namespace).log();
    assert.match(log, /^size 1 => 3: /m);
    assert.match(log, /^size 3 => 1: /m);
  });

  test("may get and patch the Job of its cluster, and nothing else", async ({ namespace }) => {
    const agent = agentPod(namespace);
    const kube = await agent.asAgent();
    const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    const core = `/api/v1/namespaces/${namespace}`;
    assert.equal(await statusOf(kube.request("GET", `${jobs}/demo`)), 200);
    const dryRun = `${jobs}/demo?dryRun=All`;
    assert.equal(await statusOf(kube.request("PATCH", dryRun, { spec: { parallelism: 1 } }, patchTypes.merge)), 200);
    const others = [jobs, `${jobs}/other`, `${core}/secrets/demo-curve`, `${core}/pods`, "/api/v1/nodes"];
    for (const path of others) assert.equal(await statusOf(kube.request("GET", path)), 403, path);
    assert.equal(await statusOf(kube.request("DELETE", `${jobs}/demo?dryRun=All`)), 403);

    // As the request of `kubectl auth can-i --list`.
    const review = await kube.request<{ status: { resourceRules: Rule[] } }>(
      "POST",
      "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
      { kind: "SelfSubjectRulesReview", apiVersion: "authorization.k8s.io/v1", spec: { namespace } },
    );
    const rules = review.status.resourceRules.filter(({ resources }) => !resources.every(isAboutOneself));
    assert.deepEqual(rules, [
      { verbs: ["get", "patch"], apiGroups: ["batch"], resources: ["jobs"], resourceNames: ["demo"] },
    ]);
    assert.equal(await agent.user(), 1000);
    await assert.rejects(agent.run("touch", "/etc/x"), /Read-only file system/);
    kube.close();
  });

  test("follows the queue after the program that serves the demand was killed", async (cluster) => {
    await follows(cluster, 1);
    const isProgram = ({ words }: ContainerProcess) =>
      words.includes(`${programsDirectory}/lead.pyz`) && !words.includes("flux");
    const find = async () => (await cluster.processes(0)).find(isProgram);
    const program = await waitFor("the program to run", find, patience);
    process.kill(program.pid, "SIGKILL");
    const id = (await cluster.flux("flux submit -N2 hostname")).trim();
    await follows(cluster, 2);
    await cluster.flux(`flux job attach ${id}`);
    assert.notEqual((await find())?.pid, program.pid);
  });

  test("keeps the size while the API server is out of reach for a minute, and follows after", async (cluster) => {
    const agent = agentPod(cluster.namespace);
    await follows(cluster, 1);
    const giveBack = await agent.loseApiServer();
    const id = (await cluster.flux("flux submit -N2 hostname")).trim();
    await sleep(60_000);
    assert.match(await agent.log(), /No route to host/);
    assert.equal((await cluster.pods()).length, 1);
    await giveBack();
    await follows(cluster, 2);
    await cluster.flux(`flux job attach ${id}`);
  });

  test("follows the queue of the next lead broker after the pod of the first was deleted", async (cluster) => {
    await follows(cluster, 1);
    await cluster.successor(await cluster.deletePod(0));
    await cluster.ready(1);
    await cluster.flux("flux submit -N3 hostname");
    await follows(cluster, 3);
  });

  test("makes `up` fail with the reason where its right has gone, and not once it is back", async (cluster) => {
    const name = "demo-autoscale";
    const rights = `/apis/rbac.authorization.k8s.io/v1/namespaces/${cluster.namespace}/rolebindings`;
    await lab().api.request("DELETE", `${rights}/${name}`);
    const other = { ...args, autoscale: { ...autoscale, idleSeconds: 6 } };
    cluster.change({ ...other, waitTimeoutSeconds: 60 });
    const { message } = await failure(cluster.stack.up());
    assert.match(
      message,
      /has not written its state to the Job, .* \(RBAC\); check Role and RoleBinding demo-autoscale, .*: its log .*403/,
    );
    cluster.change(other);
    await cluster.stack.up({ refresh: true });
    await agentPod(cluster.namespace).ready();
  });
});

describe("an agent with a budget", () => {
  // Each host costs 1 for a second.
  const node = { arch: "amd64", vcpus: 1, cores: 1, memoryMib: 256 } as const;
  const pool = { pool: "lab", nodeSelector: { "kubernetes.io/os": "linux" }, node, pricePerHour: 3600 };
  const test = rowWithCluster({ ...args, pool, autoscale: { ...autoscale, budget: { perDay: 60 } } });

  test("adds no hosts once it is spent, nor does the next agent, nor that of the next lead broker", async (cluster) => {
    const spent = async () => {
      const { metadata } = await cluster.object("Job", "demo");
      const count = JSON.parse(metadata.annotations?.["minicluster/spent"] ?? "{}") as Record<string, number>;
      return Object.entries(count).find(([name]) => name !== "at")?.[1] ?? 0;
    };
    const notice = /; the budget of 60 for \S+ is spent \(\d+\.\d\d\), and the size grows again from \S+ UTC$/m;
    const isSpent = async () => notice.test(await agentPod(cluster.namespace).log());
    await cluster.flux("flux submit -N2 sleep 1000");
    await follows(cluster, 2);
    await sleep(40_000);
    await cluster.flux("flux submit -N3 hostname");
    await waitFor("the agent to have spent it", isSpent, patience);
    assert.equal((await cluster.job()).spec.parallelism, 2);

    await agentPod(cluster.namespace).delete();
    await waitFor("the next agent to know", isSpent, patience);
    const before = await spent();
    assert.ok(before >= 40, `${before}`);
    await cluster.successor(await cluster.deletePod(0));
    await cluster.ready(2);
    await cluster.flux("flux submit -N3 hostname");
    await waitFor("the agent to hear of it", async () => (await spent()) > before && isSpent(), patience);
    assert.ok((await cluster.job()).spec.parallelism <= 2);
  });
});

// The stand-in of Flux compares no cores.
describe("an agent whose new hosts are drained as they join", () => {
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  const pre = "flux R encode --hosts=${hosts} --cores=0-99 > ${viewroot}/etc/flux/system/R";
  const test = rowWithCluster({ ...args, containers: [realContainer({ command: undefined, commands: { pre } })] });

  test("adds no others in their place, and `up` names the reason", async (cluster) => {
    await cluster.flux("flux submit -N2 hostname");
    await follows(cluster, 3);
    const isNamed = async () =>
      /\b2 drained as they joined, and not replaced: /.test(await agentPod(cluster.namespace).log());
    await waitFor("the agent to name them", isNamed, patience);
    const { stdout } = await cluster.stack.up();
    assert.match(
      stdout,
      /the agent of demo adds no hosts: .*drained as they joined, and not replaced: .*missing resources: core/,
    );
  });
});

interface Rule {
  resources: string[];
}

// Every account may list its own rights.
const isAboutOneself = (resource: string) => resource.startsWith("selfsubject");

describe("the agent's pod in a namespace of restricted pods", () => {
  const cluster = together({
    restricted: {
      ...args,
      labels: { "pod-security.kubernetes.io/enforce": "restricted" },
      podSecurity: MiniClusterPodSecurity.Restricted,
    },
  });

  it("is let in, and works", async () => {
    const look = cluster("restricted");
    await agentPod(look.namespace).ready();
    await look.flux("flux submit -N2 hostname");
    await look.ready(2);
  });
});
