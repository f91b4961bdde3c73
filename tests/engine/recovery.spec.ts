import assert from "node:assert/strict";
import { changes, diffOf, failure, withCluster } from "../support/clusters";
import { waitFor } from "../sandbox/waiting";
import { patchTypes } from "../sandbox/kube";
import { createNodes } from "../sandbox/nodes/simulated";
import { sharedCluster } from "../support/sandboxHooks";

const completing = { pod: { labels: { "sandbox.minicluster/complete": "true" } } };

describe("What somebody else has changed, and what a refresh makes of it", () => {
  it("lets a cluster that has not all its pods be given another size after a refresh", async () => {
    const labels = { "minicluster-tests/few": "yes" };
    await createNodes(sharedCluster().kube, 0, 4, { namePrefix: "few", labels });
    const few = { maxSize: 8, pod: { nodeSelector: labels } };
    await withCluster({ size: 2, ...few }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 6, ...few, waitTimeoutSeconds: 4 });
      await failure(cluster.stack.up());
      await cluster.stack.refresh();

      cluster.change({ size: 3, ...few });
      // The refresh has marked the Job and its patch as unhealthy, and nothing but the size is to change.
      assert.deepEqual(changes(await cluster.stack.preview()), [
        "update ConfigMapPatch",
        "update Job",
        "update JobPatch",
      ]);
      await cluster.stack.up();
      assert.equal((await cluster.job()).spec.completions, 3);
      assert.deepEqual(changes(await cluster.stack.preview()), []);
      assert.equal((await cluster.pods()).filter(({ ready, deleting }) => ready && !deleting).length, 3);
    });
  });

  it("says what another manager has set, and puts it back, with a refresh and without", () =>
    withCluster({ size: 2 }, async (cluster) => {
      await cluster.stack.up();
      const path = `/apis/batch/v1/namespaces/${cluster.namespace}/jobs/demo?fieldManager=somebody`;
      const suspend = () => sharedCluster().kube.request("PATCH", path, { spec: { suspend: true } }, patchTypes.merge);
      await suspend();
      assert.deepEqual(diffOf(await cluster.stack.preview({ refresh: true }), "Job", "update"), [
        "spec.suspend: true => false",
      ]);
      await cluster.stack.up({ refresh: true });
      assert.equal((await cluster.job()).spec.suspend, false);
      await waitFor("two pods", async () => (await cluster.pods()).filter(({ ready }) => ready).length === 2);
    }));

  it("refuses another size for a Job that is known to have ended, and says so of one that ended unseen", () =>
    withCluster({ size: 1, maxSize: 4, ...completing }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 2, maxSize: 4, ...completing });
      for (const operation of ["preview", "up"] as const)
        assert.match(
          (await failure(cluster.stack[operation]())).message,
          /has ended, and another size changes nothing/,
        );
      // A Job that is made anew runs at the new size.
      await cluster.stack.up({ replace: ["**batch/v1:Job::demo"] });
      assert.equal((await cluster.job()).spec.completions, 2);
    }));
});
