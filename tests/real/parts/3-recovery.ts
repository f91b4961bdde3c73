import assert from "node:assert/strict";

import { waitUntilReady } from "../../sandbox/real";
import type { ContainerProcess } from "../../sandbox/real/containers";
import { waitFor } from "../../sandbox/waiting";
import type { JobPod } from "../../support/kube";
import { together } from "../clusters";
import { lab, patience } from "../lab";
import type { Look } from "../look";

// Two clusters, which are whole again after each test. The Job controller pauses before each successor, twice as long after
// each further pod that a rank has lost: whatever needs many losses spreads them.
describe("a cluster that loses something", () => {
  const args = { size: 3, interactive: true, backoffLimit: 2 };
  const cluster = together({ one: args, other: args });

  /** Expects a cluster to be whole again, with other pods for these ranks and the same for the others. */
  async function expectReplaced(look: Look, before: JobPod[], ranks: number[]): Promise<void> {
    const gone = before.filter(({ completionIndex }) => ranks.includes(completionIndex));
    const after = await look.ready(3, gone);
    for (const rank of [0, 1, 2].filter((other) => !ranks.includes(other)))
      assert.equal(uidOf(after, rank), uidOf(before, rank), `rank ${rank} has another pod`);
    await look.hosts(3);
    await look.work(3);
  }

  it("has the pod of a follower again that was deleted, and no other changes", async () => {
    const before = await whole(cluster("one"));
    await cluster("one").deletePod(1);
    await expectReplaced(cluster("one"), before, [1]);
  });

  it("has the pod of the lead again that was deleted, and the followers join it from the pods that they have", async () => {
    const before = await whole(cluster("one"));
    await cluster("one").deletePod(0);
    await expectReplaced(cluster("one"), before, [0]);
  });

  it("has pods again that were deleted by force, of the lead and of a follower", async () => {
    const other = cluster("other");
    const before = await whole(other);
    await Promise.all([other.deletePod(0, 0), other.deletePod(2, 0)]);
    await expectReplaced(other, before, [0, 2]);
  });

  it("kills a broker that does not stop, long before the pod's time to stop is over", async () => {
    const other = cluster("other");
    const before = await whole(other);
    // A process that is stopped takes no signal but the last one.
    const isBroker = ({ words: [program = ""] }: ContainerProcess) => /(^|\/)flux(-broker)?$/.test(program);
    const brokers = (await other.processes(1)).filter(isBroker);
    assert.ok(brokers.length > 0, "rank 1 has no broker");
    for (const { pid } of brokers) process.kill(pid, "SIGSTOP");
    const { uid } = await other.deletePod(1);
    const find = async () => (await other.pods()).find((pod) => pod.uid === uid);
    const deadline = Date.parse((await find())?.pod.metadata.deletionTimestamp ?? "");
    const hasEnded = async () => ["Failed", undefined].includes((await find())?.phase);
    await waitFor("the pod to end", hasEnded, patience);
    assert.ok(Date.now() < deadline, "the pod was there until the kubelet killed it");
    await expectReplaced(other, before, [1]);
  });

  it("has not failed by any of that, though more pods are gone than it forgives", async () => {
    const { failed, conditions = [] } = await cluster("other").status();
    assert.deepEqual([failed ?? 0, conditions], [0, []]);
  });

  it("does not mind a kubelet that is away, and moves the pod of a node that is lost and removed", async () => {
    const before = await whole(cluster("one"));
    const [away, lost] = [await cluster("one").nodeOf(1), await cluster("one").nodeOf(2)];
    await Promise.all([away.stopKubelet(), lost.stop()]);
    try {
      for (const { name } of [away, lost])
        await waitFor(`the node ${name} to count as lost`, async () => !(await isReady(name)), patience, 200);
      await cluster("one").hosts(2);
      await cluster("one").work(2);
      away.startKubelet();
      await waitUntilReady(lab().api, away.name);
      await lab().api.request("DELETE", `/api/v1/nodes/${lost.name}`);
      await expectReplaced(cluster("one"), before, [2]);
    } finally {
      await lost.start();
      await waitUntilReady(lab().api, lost.name);
    }
  });

  it("goes on in another pod where the container of a follower was killed", async () => {
    const before = await whole(cluster("one"));
    const [first] = await cluster("one").processes(1);
    process.kill(first.pid, "SIGKILL");
    await expectReplaced(cluster("one"), before, [1]);
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
