import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { changes, diffOf, uids, withCluster } from "../support/clusters";
import { aContainer } from "../support/fixtures";
import { waitFor } from "../sandbox/waiting";
import { sharedCluster } from "../support/sandboxHooks";

interface Pod {
  metadata: { uid: string; creationTimestamp: string; labels: Record<string, string> };
  spec: { hostname: string; subdomain: string; restartPolicy: string };
  status: { conditions: { type: string; status: string; lastTransitionTime: string }[] };
}

describe("Services", function () {
  this.timeout(90_000);

  const web = (command: string) => ({
    size: 1,
    maxSize: 4,
    services: [
      aContainer({ name: "web", command, ports: [8080], environment: { TOKEN: pulumi.secret("t0ken") } }),
      aContainer({ name: "cache", command: undefined }),
    ],
  });

  it("are Ready in a pod of their own before the cluster comes, and reached under a name of their own", () =>
    withCluster(
      () => web("serve --all"),
      async ({ stack, object, pods }) => {
        await stack.up();
        const service = (await object("Pod", "demo-services")) as unknown as Pod;
        const [broker] = await pods();
        assert.ok(broker?.ready);
        const ready = service.status.conditions.find(({ type }) => type === "Ready");
        assert.equal(ready?.status, "True");
        assert.ok(ready.lastTransitionTime <= String(broker.pod.metadata.creationTimestamp));
        assert.deepEqual(
          [service.spec.hostname, service.spec.subdomain, service.spec.restartPolicy],
          ["demo-services", "demo", "Always"],
        );
        const front = (await object("Service", "demo-services")) as unknown as { spec: Record<string, unknown> };
        assert.deepEqual(front.spec.selector, { "minicluster/services": "demo" });
        assert.equal((await stack.preview()).changedSteps.length, 0);
      },
    ));

  it("stay through a resize, and are replaced alone when their command changes", () =>
    withCluster(
      () => web("serve --all"),
      async ({ stack, change, object, pods }) => {
        await stack.up();
        const service = async () => (await object("Pod", "demo-services")).metadata.uid;
        const before = { service: await service(), broker: uids(await pods())[0] };

        change(() => ({ ...web("serve --all"), size: 2 }));
        await stack.up();
        assert.equal(await service(), before.service);

        change(() => ({ ...web("serve $HOME"), size: 2 }));
        const preview = await stack.preview();
        const kept = changes(preview).filter((one) => !/^(create-replacement|delete-replaced) /.test(one));
        assert.deepEqual(kept, ["replace ConfigMap", "replace Pod", "update ConfigMapPatch"]);
        await stack.up();
        assert.notEqual(await service(), before.service);
        assert.equal(uids(await pods())[0], before.broker);
      },
    ));
});

describe("What the pods may be given", function () {
  this.timeout(90_000);

  it("by a pod template changes what it names, and the preview shows just that", () =>
    withCluster({}, async ({ stack, change, job }) => {
      await stack.up();
      change({ podTemplate: { spec: { terminationGracePeriodSeconds: 120, priorityClassName: undefined } } });
      const preview = await stack.preview();
      assert.deepEqual(diffOf(preview, "Job", "replace"), [
        "spec.template.spec.terminationGracePeriodSeconds: 60 => 120",
      ]);
      await stack.up();
      const { spec } = (await job()).spec.template as { spec: { terminationGracePeriodSeconds: number } };
      assert.equal(spec.terminationGracePeriodSeconds, 120);
    }));

  it("by a pod template is refused where it would break a broker, before anything is created", () =>
    withCluster({ podTemplate: { spec: { hostname: "mine" } } }, async ({ stack }) => {
      await assert.rejects(stack.up(), /podTemplate\.spec\.hostname.*finds its rank by the host name/);
    }));

  it("is taken by the API server: an image volume, a munge key, hooks, a queue, a scheduler of another name", () =>
    withCluster(
      {
        flux: { container: { imageVolume: true }, mungeSecret: "munge" },
        gang: { queueName: "users" },
        containers: [aContainer({ lifeCycle: { postStartExec: "echo up", preStopExec: "echo $HOME" } })],
      },
      async ({ stack, job }) => {
        await stack.up();
        const { metadata, spec } = await job();
        assert.equal(metadata.labels?.["kueue.x-k8s.io/queue-name"], "users");
        assert.equal(spec.suspend, false);
        const { spec: pod } = spec.template as { spec: { volumes: { name: string; image?: object }[] } };
        assert.ok(pod.volumes.some(({ image }) => image !== undefined));
      },
    ));

  it("leaves a Job to Kueue, which suspends and resumes it", () =>
    withCluster({ gang: { queueName: "users" } }, async ({ stack, namespace, job }) => {
      await stack.up();
      const ref = { apiVersion: "batch/v1", kind: "Job", name: "demo", namespace };
      await sharedCluster().kube.patch(ref, { spec: { suspend: true } }, { fieldManager: "kueue" });
      assert.equal((await stack.preview()).changedSteps.length, 0);
      await sharedCluster().kube.patch(ref, { spec: { suspend: false } }, { fieldManager: "kueue" });
      assert.equal((await job()).spec.suspend, false);
    }));
});

describe("The network of a cluster", function () {
  this.timeout(90_000);

  it("may give the lead broker alone an address", () =>
    withCluster({ size: 2, flux: { minimalService: true } }, async ({ stack, object }) => {
      await stack.up();
      const { spec } = (await object("Service", "demo")) as unknown as { spec: Record<string, unknown> };
      assert.deepEqual(spec.selector, { "batch.kubernetes.io/job-completion-index": "0", "job-name": "demo" });
      assert.notEqual(spec.clusterIP, "None");
      const outputs = await stack.outputs();
      assert.match(String(outputs.leadHost?.value), /^demo\.test-[0-9a-f]+\.svc\.cluster\.local$/);
    }));

  it("is closed to others by a NetworkPolicy, which comes and goes in place", () =>
    withCluster({}, async ({ stack, change, object }) => {
      await stack.up();
      change({ network: { policy: "brokerPort" } });
      assert.deepEqual(changes(await stack.up()), ["create NetworkPolicy"]);
      const { spec } = (await object("NetworkPolicy", "demo")) as unknown as { spec: { policyTypes: string[] } };
      assert.deepEqual(spec.policyTypes, ["Ingress"]);
      change({});
      assert.deepEqual(changes(await stack.up()), ["delete NetworkPolicy"]);
    }));
});

describe("A cluster that cleans up after itself", function () {
  this.timeout(90_000);

  const once = {
    cleanup: true,
    wait: "complete",
    pod: { labels: { "sandbox.minicluster/complete": "true" } },
  } as const;

  it("is gone when its time is over, says nothing until a refresh, runs anew after one, and is destroyed at any time", () =>
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
