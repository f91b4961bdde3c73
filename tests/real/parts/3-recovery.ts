import assert from "node:assert/strict";

import { type RealNode, viewVariable, waitUntilReady } from "../../sandbox/real";
import { isBroker, type Look } from "../look";
import { waitFor } from "../../sandbox/waiting";
import type { JobPod } from "../../sandbox/kube";
import { realContainer, withRealCluster } from "../clusters";
import { lab, makeSpare, onSpareNodes, patience } from "../lab";
import { rowWithCluster } from "../rows";
import { destroyed, storedLead, withVolume } from "../volume";

const three = { size: 3, interactive: true };

// The Job controller pauses before each successor, twice as long after each further pod that a rank has lost: tests
// that need many losses spread them over ranks.
describe("a cluster that loses pods", () => {
  // Not one failure is forgiven.
  const test = rowWithCluster({ ...three, backoffLimit: 0 });

  test("has the pod of a follower again that was deleted, and no other changes", async (cluster) => {
    const before = await whole(cluster);
    await cluster.deletePod(1);
    await expectReplaced(cluster, before, [1]);
  });

  test("gets the deleted pod of the lead back, and the followers in their pods join it", async (cluster) => {
    const before = await whole(cluster);
    await cluster.deletePod(0);
    await expectReplaced(cluster, before, [0]);
  });

  test("kills a broker that does not stop, long before the pod's time to stop is over", async (cluster) => {
    const before = await whole(cluster);
    // A stopped process handles no signal but SIGKILL.
    const brokers = (await cluster.processes(2)).filter(isBroker);
    assert.ok(brokers.length > 0, "rank 2 has no broker");
    for (const { pid } of brokers) process.kill(pid, "SIGSTOP");
    const { uid } = await cluster.deletePod(2);
    const find = async () => (await cluster.pods()).find((pod) => pod.uid === uid);
    const deadline = Date.parse((await find())?.pod.metadata.deletionTimestamp ?? "");
    const hasEnded = async () => ["Failed", undefined].includes((await find())?.phase);
    await waitFor("the pod to end", hasEnded, patience);
    assert.ok(Date.now() < deadline, "the pod was there until the kubelet killed it");
    await expectReplaced(cluster, before, [2]);
  });

  test("has not failed by any of that", async (cluster) => {
    const { failed, conditions = [] } = await cluster.status();
    assert.deepEqual([failed ?? 0, conditions], [0, []]);
  });
});

describe("a cluster that loses pods by force", () => {
  const test = rowWithCluster(three);

  // The kubelet gives them 2 s, regardless of the grace period. A slower broker counts as failed.
  test("has pods again that were deleted by force, of the lead and of a follower", async (cluster) => {
    const before = await whole(cluster);
    await Promise.all([cluster.deletePod(0, 0), cluster.deletePod(2, 0)]);
    await expectReplaced(cluster, before, [0, 2]);
  });

  test("goes on in another pod where the container of a follower was killed", async (cluster) => {
    const before = await whole(cluster);
    const [first] = await cluster.processes(1);
    process.kill(first.pid, "SIGKILL");
    await expectReplaced(cluster, before, [1]);
  });
});

describe("a cluster that loses a node", () => {
  const test = rowWithCluster({ ...three, ...onSpareNodes, backoffLimit: 0 });

  test("survives a kubelet that is away, and moves the pods of a node that is removed", async (cluster) => {
    const before = await whole(cluster);
    const places = await Promise.all([0, 1, 2].map((rank) => cluster.nodeOf(rank)));
    const away = places[0] as RealNode;
    const lost = places.find((node) => node !== away);
    assert.ok(lost, "all pods are on one node");
    const ranks = [1, 2].filter((rank) => places[rank] === lost);
    const staying = [0, 1, 2].filter((rank) => places[rank] === away);
    await Promise.all([away.stopKubelet(), lost.stop()]);
    try {
      for (const node of [away, lost]) await countsAsLost(node);
      await cluster.hosts(staying.length);
      await cluster.work(staying.length, staying);
      away.startKubelet();
      await waitUntilReady(lab().api, away.name);
      await lab().api.request("DELETE", `/api/v1/nodes/${lost.name}`);
      await expectReplaced(cluster, before, ranks);
    } finally {
      // Ends the pods also after a failure.
      away.startKubelet();
      await giveBack(lost);
    }
    const { failed, conditions = [] } = await cluster.status();
    assert.deepEqual([failed ?? 0, conditions], [0, []]);
  });

  if (process.env[viewVariable] === undefined)
    return void it.skip(`has no queue on a volume without a real Flux: ${viewVariable} leads to none`);

  test("continues with its queue on another node, where the lead broker's state is on a volume", () =>
    withVolume(() => {
      const lead = { ...onSpareNodes.pod, ...storedLead };
      const args = {
        interactive: true,
        containers: [realContainer({ command: undefined })],
        lead,
        groups: { cpu: {} },
      };
      return withRealCluster(args, async (cluster) => {
        await cluster.stack.up();
        const held = await cluster.flux("flux submit --cc=1-3 --urgency=hold true");
        const queue = () => cluster.flux("flux jobs --no-header --filter=pending --format={id}");
        const [before, [pod]] = [await queue(), await cluster.ready(1)];
        assert.deepEqual(before.trim().split("\n").sort(), held.trim().split("\n").sort());
        const lost = await cluster.nodeOf(0);
        await lost.stop();
        try {
          await countsAsLost(lost);
          await lab().api.request("DELETE", `/api/v1/nodes/${lost.name}`);
          await cluster.ready(1, pod && [pod]);
          assert.notEqual((await cluster.nodeOf(0)).name, lost.name);
          assert.equal(await queue(), before);
        } finally {
          await giveBack(lost);
        }
        await destroyed(cluster);
      });
    }));
});

const countsAsLost = ({ name }: RealNode) =>
  waitFor(`the node ${name} to count as lost`, async () => !(await isReady(name)), patience, 200);

/** Starts a node again whose object was deleted. */
async function giveBack(lost: RealNode): Promise<void> {
  await lost.start();
  await waitUntilReady(lab().api, lost.name);
  await makeSpare(lost.name);
}

/** Expects a complete cluster, with other pods for these ranks and the same for the others. */
async function expectReplaced(look: Look, before: JobPod[], ranks: number[]): Promise<void> {
  const gone = before.filter(({ completionIndex }) => ranks.includes(completionIndex));
  const after = await look.ready(3, gone);
  for (const rank of [0, 1, 2].filter((other) => !ranks.includes(other)))
    assert.equal(uidOf(after, rank), uidOf(before, rank), `rank ${rank} has another pod`);
  await look.hosts(3);
  await look.work(3);
}

/** Waits until the cluster is complete, and returns the pods. */
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
