import * as assert from "node:assert/strict";
import { changes, uids, withCluster } from "../support/clusters";

interface DaemonSet {
  metadata: { uid: string; generation: number; creationTimestamp: string };
  status: { desiredNumberScheduled: number; numberReady: number };
}

describe("Images that are pulled before the pods start", function () {
  this.timeout(240_000);

  it("are on the nodes before there is a Job, and neither they nor the pods are touched by a resize", () =>
    withCluster({ size: 1, maxSize: 4, prepull: true }, async ({ stack, change, object, job, pods }) => {
      await stack.up();
      const pulling = async () => (await object("DaemonSet", "demo-prepull")) as unknown as DaemonSet;
      const { metadata, status } = await pulling();
      assert.ok(status.desiredNumberScheduled > 0);
      assert.equal(status.numberReady, status.desiredNumberScheduled);
      assert.ok(metadata.creationTimestamp <= String((await job()).metadata.creationTimestamp));
      const [before] = uids(await pods());

      change({ size: 2, maxSize: 4, prepull: true });
      const preview = await stack.preview();
      assert.deepEqual(changes(preview), ["update ConfigMapPatch", "update JobPatch"]);
      await stack.up();
      assert.deepEqual([(await pulling()).metadata.uid, (await pulling()).metadata.generation], [metadata.uid, 1]);
      assert.equal(uids(await pods())[0], before);

      change({ size: 2, maxSize: 4 });
      assert.deepEqual(changes(await stack.preview()), ["delete DaemonSet"]);
    }));
});
