import assert from "node:assert/strict";

import type { JobPod } from "../../support/kube";
import { waitFor } from "../../sandbox/waiting";
import { lab, patience, withRealCluster } from "../lab";

const uids = (pods: JobPod[]) => pods.map(({ uid }) => uid);

describe("a cluster that is changed", () => {
  it("grows and shrinks around the pods that it keeps, and the instance with it", () =>
    withRealCluster({ size: 2, maxSize: 4, interactive: true }, async (cluster) => {
      await cluster.stack.up();
      const two = await cluster.ready(2);
      await cluster.hosts(2);

      cluster.change({ size: 4, maxSize: 4, interactive: true });
      await cluster.stack.up();
      const four = await cluster.ready(4);
      await cluster.hosts(4);
      assert.deepEqual(uids(four.slice(0, 2)), uids(two));
      const output = await cluster.bash(0, `flux proxy "$fluxsocket" flux run -N 4 hostname`);
      assert.deepEqual(output.trim().split("\n").sort(), ["demo-0", "demo-1", "demo-2", "demo-3"]);

      cluster.change({ size: 1, maxSize: 4, interactive: true });
      await cluster.stack.up();
      assert.deepEqual(uids(await cluster.ready(1)), uids(two.slice(0, 1)));
      await cluster.hosts(1);
    }));

  it("rests while it is suspended, and comes back", () =>
    withRealCluster({ size: 2, interactive: true }, async (cluster) => {
      await cluster.stack.up();
      const before = await cluster.ready(2);
      cluster.change({ size: 2, interactive: true, suspend: true });
      await cluster.stack.up();
      await waitFor("the pods to go", async () => (await cluster.pods()).length === 0, patience, 250);

      cluster.change({ size: 2, interactive: true });
      await cluster.stack.up();
      await cluster.ready(2, before);
      await cluster.hosts(2);
    }));

  it("leaves nothing on the nodes when it is destroyed", () =>
    withRealCluster({ size: 2, interactive: true }, async (cluster) => {
      await cluster.stack.up();
      await cluster.ready(2);
      const running = await Promise.all(
        [0, 1].map(async (rank) => (await cluster.processes(rank)).map(({ pid }) => pid)),
      );
      await cluster.stack.destroy();
      assert.deepEqual(await cluster.pods(), []);
      const left = running.flat().filter((pid) => isThere(pid));
      assert.deepEqual(left, []);
      assert.equal(lab().realNodes.length, 4);
    }));
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
