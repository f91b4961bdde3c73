import assert from "node:assert/strict";

import { waitUntilReady } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import type { JobPod } from "../../support/kube";
import { lab, patience, type RealCluster, withRealCluster } from "../lab";

/** Runs a test with an instance that stays up, of three hosts. */
const withInstance = (body: (cluster: RealCluster, pods: JobPod[]) => Promise<void>) =>
  withRealCluster({ size: 3, maxSize: 4, interactive: true }, async (cluster) => {
    await cluster.stack.up();
    const pods = await cluster.ready(3);
    await cluster.hosts(3);
    await body(cluster, pods);
  });

const uidOf = (pods: JobPod[], rank: number) => pods.find(({ completionIndex }) => completionIndex === rank)?.uid;

/** Expects the instance to be whole again, with other pods for these ranks and the same for the others. */
async function expectReplaced(cluster: RealCluster, before: JobPod[], ranks: number[]): Promise<void> {
  const after = await cluster.ready(
    3,
    before.filter(({ completionIndex }) => ranks.includes(completionIndex)),
  );
  for (const rank of [0, 1, 2].filter((other) => !ranks.includes(other)))
    assert.equal(uidOf(after, rank), uidOf(before, rank), `rank ${rank} has another pod`);
  await cluster.hosts(3);
  await expectWork(cluster);
}

/** Expects that a job runs on all hosts. */
async function expectWork(cluster: RealCluster): Promise<void> {
  const output = await cluster.bash(0, `flux proxy "$fluxsocket" flux run -N 3 hostname`);
  assert.deepEqual(output.trim().split("\n").sort(), ["demo-0", "demo-1", "demo-2"]);
}

describe("a cluster that loses something", () => {
  it("has the pod of a follower again that was deleted, and no other changes", () =>
    withInstance(async (cluster, before) => {
      await cluster.deletePod(1);
      await expectReplaced(cluster, before, [1]);
    }));

  it("has the pod of the lead again that was deleted, and the followers join it from the pods that they have", () =>
    withInstance(async (cluster, before) => {
      await cluster.deletePod(0);
      await expectReplaced(cluster, before, [0]);
    }));

  it("has a pod again that was deleted by force", () =>
    withInstance(async (cluster, before) => {
      await cluster.deletePod(2, 0);
      await expectReplaced(cluster, before, [2]);
    }));

  it("has the pod of the lead again that was deleted by force", () =>
    withInstance(async (cluster, before) => {
      await cluster.deletePod(0, 0);
      await expectReplaced(cluster, before, [0]);
    }));

  it("goes on with a follower whose container was killed, in place or in another pod", () =>
    withInstance(async (cluster, before) => {
      const [first] = await cluster.processes(1);
      process.kill(first.pid, "SIGKILL");
      await waitFor("the container to end", async () => (await firstPid(cluster, 1)) !== first.pid, patience);
      const after = await cluster.ready(3);
      assert.deepEqual([uidOf(after, 0), uidOf(after, 2)], [uidOf(before, 0), uidOf(before, 2)]);
      await cluster.hosts(3);
      await expectWork(cluster);
    }));

  it("does not mind a kubelet that is away for a while", () =>
    withInstance(async (cluster, before) => {
      const node = await cluster.nodeOf(1);
      await node.stopKubelet();
      await waitFor("the node to count as lost", async () => !(await isReady(node.name)), patience, 500);
      await expectWork(cluster);
      node.startKubelet();
      await waitUntilReady(lab().api, node.name);
      const after = await cluster.ready(3);
      assert.deepEqual(
        after.map(({ uid }) => uid),
        before.map(({ uid }) => uid),
      );
      await cluster.hosts(3);
    }));

  it("moves the pod of a node that is lost and removed to another node", () =>
    withInstance(async (cluster, before) => {
      const node = await cluster.nodeOf(2);
      await node.stop();
      try {
        await waitFor("the node to count as lost", async () => !(await isReady(node.name)), patience, 500);
        await lab().api.request("DELETE", `/api/v1/nodes/${node.name}`);
        await expectReplaced(cluster, before, [2]);
      } finally {
        await node.start();
        await waitUntilReady(lab().api, node.name);
      }
    }));
});

const firstPid = (cluster: RealCluster, rank: number) =>
  cluster.processes(rank).then(
    ([first]) => first.pid,
    () => undefined,
  );

async function isReady(name: string): Promise<boolean> {
  const { status } = await lab().api.request("GET", `/api/v1/nodes/${name}`);
  const { conditions } = status as { conditions: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}
