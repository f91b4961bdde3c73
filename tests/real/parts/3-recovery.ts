import assert from "node:assert/strict";

import { waitUntilReady } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import type { JobPod } from "../../support/kube";
import { together } from "../clusters";
import { lab, patience } from "../lab";
import type { Look } from "../look";

// One cluster for all, which is whole again after each.
describe("a cluster that loses something", () => {
  const cluster = together({ instance: { size: 3, maxSize: 4, interactive: true } });
  const instance = () => cluster("instance");

  /** Expects the cluster to be whole again, with other pods for these ranks and the same for the others. */
  async function expectReplaced(before: JobPod[], ranks: number[]): Promise<void> {
    const gone = before.filter(({ completionIndex }) => ranks.includes(completionIndex));
    const after = await instance().ready(3, gone);
    for (const rank of [0, 1, 2].filter((other) => !ranks.includes(other)))
      assert.equal(uidOf(after, rank), uidOf(before, rank), `rank ${rank} has another pod`);
    await instance().hosts(3);
    await instance().work(3);
  }

  it("has the pod of a follower again that was deleted, and no other changes", async () => {
    const before = await whole(instance());
    await instance().deletePod(1);
    await expectReplaced(before, [1]);
  });

  it("has the pod of the lead again that was deleted, and the followers join it from the pods that they have", async () => {
    const before = await whole(instance());
    await instance().deletePod(0);
    await expectReplaced(before, [0]);
  });

  it("has pods again that were deleted by force, of a follower and of the lead", async () => {
    for (const rank of [2, 0]) {
      const before = await whole(instance());
      await instance().deletePod(rank, 0);
      await expectReplaced(before, [rank]);
    }
  });

  it("kills a broker that does not stop, long before the pod's time to stop is over", async () => {
    const before = await whole(instance());
    // A process that is stopped takes no other signal than the last one.
    const brokers = (await instance().processes(1)).filter(({ words: [program = ""] }) =>
      /\/?flux(-broker)?$/.test(program),
    );
    assert.ok(brokers.length > 0, "rank 1 has no broker");
    for (const { pid } of brokers) process.kill(pid, "SIGSTOP");
    const { uid } = await instance().deletePod(1);
    const find = async () => (await instance().pods()).find((pod) => pod.uid === uid);
    const { deletionTimestamp } = (await find())?.pod.metadata as { deletionTimestamp?: string };
    await waitFor("the pod to go", async () => (await find()) === undefined, patience);
    assert.ok(Date.now() < Date.parse(deletionTimestamp ?? ""), "the pod was there until the kubelet killed it");
    await expectReplaced(before, [1]);
  });

  it("counts no failure however often pods are deleted, and each has its successor before the next wait grows", async () => {
    await whole(instance());
    // If these were failures, each would double the pause before the next pod, to ten minutes in all.
    for (const rank of [1, 2, 1, 2, 1, 2, 0, 1]) await instance().successor(await instance().deletePod(rank));
    const { failed, conditions = [] } = await instance().status();
    assert.deepEqual([failed ?? 0, conditions], [0, []]);
    await whole(instance());
    await instance().work(3);
  });

  it("does not mind a kubelet that is away, and moves the pod of a node that is lost and removed", async () => {
    const before = await whole(instance());
    const [away, lost] = [await instance().nodeOf(1), await instance().nodeOf(2)];
    await Promise.all([away.stopKubelet(), lost.stop()]);
    try {
      for (const { name } of [away, lost])
        await waitFor(`the node ${name} to count as lost`, async () => !(await isReady(name)), patience, 200);
      await instance().hosts(2);
      await instance().work(2);
      away.startKubelet();
      await waitUntilReady(lab().api, away.name);
      await lab().api.request("DELETE", `/api/v1/nodes/${lost.name}`);
      await expectReplaced(before, [2]);
    } finally {
      await lost.start();
      await waitUntilReady(lab().api, lost.name);
    }
  });

  it("goes on in another pod where the container of a follower was killed", async () => {
    const before = await whole(instance());
    const [first] = await instance().processes(1);
    process.kill(first.pid, "SIGKILL");
    await expectReplaced(before, [1]);
  });
});

/** Waits until all is there, and returns the pods. */
async function whole(instance: Look): Promise<JobPod[]> {
  const pods = await instance.ready(3);
  await instance.hosts(3);
  return pods;
}

const uidOf = (pods: JobPod[], rank: number) => pods.find(({ completionIndex }) => completionIndex === rank)?.uid;

async function isReady(name: string): Promise<boolean> {
  const { status } = await lab().api.request("GET", `/api/v1/nodes/${name}`);
  const { conditions } = status as { conditions: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}
