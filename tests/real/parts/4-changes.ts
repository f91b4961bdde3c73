import assert from "node:assert/strict";

import type { JobPod } from "../../sandbox/kube";
import { waitFor } from "../../sandbox/waiting";
import { patience } from "../lab";
import { statusesOf } from "../look";
import { rowWithCluster } from "../rows";

const uids = (pods: JobPod[]) => pods.map(({ uid }) => uid);

describe("a cluster that is changed", () => {
  rowWithCluster({ size: 2, maxSize: 4, interactive: true })(
    "grows, shrinks and rests around the pods that it keeps, and the instance with it",
    async (cluster) => {
      const resize = async (size: number, suspend = false) => {
        cluster.change({ size, maxSize: 4, interactive: true, suspend });
        await cluster.stack.up();
      };
      const two = await cluster.ready(2);
      await cluster.hosts(2);

      await resize(4);
      const four = await cluster.ready(4);
      await cluster.hosts(4);
      assert.deepEqual(uids(four.slice(0, 2)), uids(two));
      await cluster.work(4);

      await resize(1);
      assert.deepEqual(uids(await cluster.ready(1)), uids(two.slice(0, 1)));
      await cluster.hosts(1);

      await resize(1, true);
      await waitFor("the pods to go", async () => (await cluster.pods()).length === 0, patience, 200);
      await resize(1);
      await cluster.ready(1, two);
      await cluster.hosts(1);
    },
  );

  rowWithCluster({ size: 2, interactive: true })(
    "leaves nothing on the nodes when it is destroyed, and is created again under its name with another certificate",
    async (cluster) => {
      const certificate = async () => {
        const { data } = await cluster.object("Secret", "demo-curve");
        return (data as Record<string, string>)["curve.cert"];
      };
      await cluster.ready(2);
      const former = await certificate();
      const running = await Promise.all(
        [0, 1].map(async (rank) => (await cluster.processes(rank)).map(({ pid }) => pid)),
      );
      await cluster.stack.destroy();
      assert.deepEqual(await cluster.pods(), []);
      assert.deepEqual(running.flat().filter(isThere), []);

      await cluster.stack.up();
      assert.notEqual(await certificate(), former);
      await cluster.ready(2);
      await cluster.hosts(2);
    },
  );

  rowWithCluster({ size: 4 })("is complete when its lead has ended, and not before", async (cluster) => {
    assert.equal((await cluster.ended()).verdict, "Complete");
    const { completionTime = "" } = await cluster.status();
    const lead = (await cluster.pods()).find(({ completionIndex }) => completionIndex === 0);
    const { finishedAt = "" } = (lead && statusesOf(lead)[0]?.state.terminated) ?? {};
    process.stdout.write(`        the lead ended at ${finishedAt}, the Job was complete at ${completionTime}\n`);
    assert.ok(Date.parse(finishedAt) <= Date.parse(completionTime));
  });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
