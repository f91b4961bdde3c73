import assert from "node:assert/strict";

import { waitFor } from "../../sandbox/waiting";
import { patience } from "../lab";
import { rowWithCluster } from "../rows";

describe("a pod that leaves", () => {
  const args = { size: 3, maxSize: 3, interactive: true, drainTimeoutSeconds: 120 };
  const test = rowWithCluster(args);

  test("lets its jobs end and takes no new ones, and its rank takes jobs again when it is back", async (cluster) => {
    await cluster.hosts(3);
    const id = (
      await cluster.flux(
        "flux submit --requires=host:demo-2 bash -c 'until [[ -e /tmp/go ]]; do sleep 0.2; done; hostname'",
      )
    ).trim();
    await waitFor("the job to run", async () => (await cluster.flux("flux jobs -no {state}")).includes("R"), patience);
    const leaving = await cluster.pod(2);

    cluster.change({ ...args, size: 2 });
    const { stdout } = await cluster.stack.up();
    assert.match(stdout, /host demo-2 leaves after its jobs or the drain timeout of 120 s/);
    assert.match(stdout, /1 pod is terminating/);
    await cluster.hosts(2);
    const found = (await cluster.pods()).find(({ uid }) => uid === leaving.uid);
    assert.deepEqual([found?.deleting, found?.phase], [true, "Running"]);

    await cluster.bash(leaving, "touch /tmp/go");
    assert.equal((await cluster.flux(`flux job attach ${id}`)).trim(), "demo-2");
    await waitFor("the pod to go", async () => (await cluster.pods()).length === 2, patience, 200);

    cluster.change(args);
    await cluster.stack.up();
    await cluster.hosts(3);
    await cluster.work(3);
  });

  test("goes after its time where its jobs do not end", async (cluster) => {
    const short = { ...args, drainTimeoutSeconds: 3 };
    cluster.change(short);
    await cluster.stack.up();
    await cluster.hosts(3);
    await cluster.flux("flux submit --requires=host:demo-2 sleep 1000");
    await waitFor("the job to run", async () => (await cluster.flux("flux jobs -no {state}")).includes("R"), patience);
    cluster.change({ ...short, size: 2, wait: "settled" });
    await cluster.stack.up();
    assert.deepEqual(
      (await cluster.pods()).map(({ completionIndex }) => completionIndex),
      [0, 1],
    );
    await cluster.hosts(2);
  });
});
