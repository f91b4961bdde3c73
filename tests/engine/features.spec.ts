import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { changes, completing, uids, withCluster } from "../support/clusters";
import { aContainer } from "../support/fixtures";
import { waitFor } from "../sandbox/waiting";
import { sharedCluster } from "../support/sandboxHooks";

interface Pod {
  metadata: { uid: string };
  status: { conditions: { type: string; status: string; lastTransitionTime: string }[] };
}

describe("Services", function () {
  this.timeout(90_000);

  const web = (command: string) => ({
    size: 1,
    maxSize: 4,
    containers: [
      aContainer({ runFlux: true }),
      aContainer({ name: "side", command: "sleep 1", volumes: { scratch: { path: "/scratch", emptyDir: true } } }),
    ],
    services: [
      aContainer({ name: "web", command, ports: [8080], environment: { TOKEN: pulumi.secret("t0ken") } }),
      aContainer({ name: "cache", command: undefined }),
    ],
  });

  it("are Ready before the cluster, stay through a resize, and are replaced alone when their command changes", () =>
    withCluster(
      () => web("serve --all"),
      async ({ stack, change, object, pods }) => {
        await stack.up();
        const { metadata, status } = (await object("Pod", "demo-services")) as unknown as Pod;
        const [broker] = await pods();
        assert.ok(broker?.ready);
        const ready = status.conditions.find(({ type }) => type === "Ready");
        assert.equal(ready?.status, "True");
        assert.ok(ready.lastTransitionTime <= String(broker.pod.metadata.creationTimestamp));
        assert.equal((await stack.preview()).changedSteps.length, 0);

        const uid = async () => (await object("Pod", "demo-services")).metadata.uid;
        change(() => ({ ...web("serve --all"), size: 2 }));
        await stack.up();
        assert.equal(await uid(), metadata.uid);

        change(() => ({ ...web("serve $HOME"), size: 2 }));
        const preview = await stack.preview();
        const kept = changes(preview).filter((one) => !/^(create-replacement|delete-replaced) /.test(one));
        assert.deepEqual(kept, ["replace ConfigMap", "replace Pod", "update ConfigMapPatch"]);
        await stack.up();
        assert.notEqual(await uid(), metadata.uid);
        assert.equal(uids(await pods())[0], broker.uid);
      },
      // With images that run as root, pods are let through there as they are.
      { labels: { "pod-security.kubernetes.io/enforce": "baseline" } },
    ));
});

describe("A cluster that cleans up after itself", function () {
  this.timeout(90_000);

  const once = { cleanup: true, wait: "complete", ...completing } as const;

  it("is gone when its time is over, runs again after a refresh, and is destroyed at any time", () =>
    withCluster(once, async ({ stack, namespace, job }) => {
      await stack.up();
      assert.equal(((await job()).spec as unknown as { ttlSecondsAfterFinished: number }).ttlSecondsAfterFinished, 60);
      await expire(namespace);
      assert.equal((await stack.preview()).changedSteps.length, 0);

      const { changedSteps } = await stack.up({ refresh: true });
      assert.ok(changedSteps.some(({ op, type }) => op === "create" && type.endsWith(":Job")));
      assert.ok(await job());

      // withCluster destroys the stack, and looks for anything that is left.
      await expire(namespace);
    }));

  /** Lets the Job's minute pass at once. */
  async function expire(namespace: string): Promise<void> {
    const { kube } = sharedCluster();
    const ref = { apiVersion: "batch/v1", kind: "Job", name: "demo", namespace };
    await kube.patch(ref, { spec: { ttlSecondsAfterFinished: 0 } });
    await waitFor("the Job to be removed", async () => (await kube.find(ref)) === undefined || undefined, 30_000);
  }
});
