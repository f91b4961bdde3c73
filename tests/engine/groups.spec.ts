import assert from "node:assert/strict";
import { type MiniClusterArgs, MiniClusterWait } from "../../provider";
import { createNodes } from "../sandbox/nodes/simulated";
import { waitFor } from "../sandbox/waiting";
import { agentKey, startAgent } from "../support/agent";
import { changes, type ClusterUnderTest, messages, namedChanges, saidBy, uids, withCluster } from "../support/clusters";
import type { OperationResult } from "../support/engine";
import { matchGolden } from "../support/golden";
import { aPool } from "../support/fixtures";
import { valueAt } from "../support/propertyPaths";
import { startLead } from "../support/lead";
import { sharedCluster } from "../support/sandboxHooks";

type Groups = NonNullable<MiniClusterArgs["groups"]>;

const args = (groups: Groups): Partial<MiniClusterArgs> => ({
  interactive: true,
  containers: [{ image: "ubuntu:noble" }],
  groups,
});

/** What a preview shows: one step for each resource, each change of a value that is not a hash, and the warnings. */
const shownBy = (preview: OperationResult) => ({
  steps: namedChanges(preview).filter((step) => !/^(create-replacement|delete-replaced) /.test(step)),
  values: preview.changedSteps
    .filter(({ op }) => op === "update")
    .flatMap(({ name, changes: all }) =>
      all
        .filter(({ path }) => !path.endsWith("-hash"))
        .map((one) => `${name}: ${one.path}: ${String(one.old)} => ${String(one.new)}`),
    ),
  said: messages(preview),
});

const podsOf = ({ namespace }: ClusterUnderTest, group: string) =>
  sharedCluster().kube.podsOfJob(namespace, `demo-${group}`);

const deleteClaim = (namespace: string) =>
  sharedCluster().kube.delete({ apiVersion: "v1", kind: "PersistentVolumeClaim", name: "demo-state", namespace });

describe("A cluster with groups", () => {
  it("keeps all pods but the workers off the nodes of a pool that autoscales, and the preview says so", async () => {
    const labels = { "minicluster/pool": "rest" };
    const { kube } = sharedCluster();
    await createNodes(kube, 0, 2, { namePrefix: "rest", labels });
    const pool = aPool({ pool: "rest", nodeSelector: labels }, { cores: 1, vcpus: 2 });
    const given: Partial<MiniClusterArgs> = {
      ...args({ workers: { pool, autoscale: { min: 2, max: 2 } } }),
      services: [{ image: "ubuntu:noble", name: "web" }],
    };
    await withCluster(given, async (cluster) => {
      const { stdout } = await cluster.stack.preview();
      assert.match(stdout, /demo-workers on pool rest: .*; the pods of the lead broker and the agent run on other/);
      await cluster.stack.up();
      const nodes = async () => {
        const pods = await kube.list({ apiVersion: "v1", kind: "Pod", namespace: cluster.namespace });
        return pods.map(
          ({ metadata, spec }) => [metadata.name, (spec as { nodeName?: string }).nodeName ?? ""] as const,
        );
      };
      const onPool = async () => (await nodes()).filter(([, node]) => node.startsWith("rest-")).map(([pod]) => pod);
      await waitFor("pods on the pool", async () => (await onPool()).length > 0, 20_000);
      assert.ok(
        (await onPool()).every((pod) => pod?.startsWith("demo-workers-")),
        (await onPool()).join(),
      );
      assert.ok((await nodes()).filter(([pod]) => !pod?.startsWith("demo-workers-")).length >= 3);
    });
  });

  it("resizes one group by two updates, and keeps the pods of the others", () =>
    withCluster(args({ cpu: { size: 2, maxSize: 4 }, gpu: { size: 1 } }), async (cluster) => {
      await cluster.stack.up();
      assert.deepEqual(changes(await cluster.stack.preview()), []);
      const all = async () => uids([...(await cluster.pods()), ...(await podsOf(cluster, "gpu"))]);
      const [others, workers] = [await all(), uids(await podsOf(cluster, "cpu"))];
      assert.deepEqual([others.length, workers.length], [2, 2]);

      cluster.change(args({ cpu: { size: 3, maxSize: 4 }, gpu: { size: 1 } }));
      const larger = shownBy(await cluster.stack.preview());
      await cluster.stack.up();
      assert.deepEqual(await all(), others);
      assert.deepEqual(uids(await podsOf(cluster, "cpu")).slice(0, 2), workers);

      cluster.change(args({ cpu: { size: 0, maxSize: 4 }, gpu: { size: 1 } }));
      const empty = shownBy(await cluster.stack.preview());
      matchGolden("previews/groups-resized.yaml", { "cpu: 2 => 3": larger, "cpu: 3 => 0": empty });
      await cluster.stack.up();
      assert.deepEqual(await all(), others);
    }));

  it("replaces the Jobs for another group, and for the change to a separate lead broker, and names the reason", () =>
    withCluster({ ...args({}), groups: undefined }, async (cluster) => {
      const changesTo = async (groups: Groups) => {
        cluster.change(args(groups));
        const preview = shownBy(await cluster.stack.preview());
        await cluster.stack.up();
        return preview;
      };
      await cluster.stack.up();
      matchGolden("previews/groups-replaced.yaml", {
        "lead and one group": await changesTo({ cpu: {} }),
        "another group": await changesTo({ cpu: {}, gpu: {} }),
        "one group less, and more hosts of the other": await changesTo({ gpu: { maxSize: 2 } }),
      });
    }));

  it("has each group follow its queue by one agent", () => {
    const autoscale = { max: 3, idleSeconds: 3, cooldownSeconds: 0 };
    // No pod of this group starts: the Kubernetes cluster has no node of the pool.
    const budgeted = { autoscale: { ...autoscale, budget: { perDay: 20 } }, pool: aPool({ pricePerHour: 1.5 }) };
    return withCluster(args({ cpu: budgeted, gpu: { autoscale } }), async (cluster) => {
      await cluster.stack.up();
      assert.deepEqual(await podsOf(cluster, "gpu"), []);
      const lead = await startLead("/demand/demo-gpu", await agentKey(cluster));
      const agent = await startAgent(cluster, new URL("/demand", lead.url).href);
      try {
        lead.setDemand({ allocated: 0, pending: [{ id: "f1", hosts: 2 }] });
        await waitFor("two pods", async () => (await podsOf(cluster, "gpu")).length === 2, 30_000);
        assert.match(agent.log(), /^demo-gpu: size 0 => 2: 0 running on 0 hosts, 1 pending for 2$/m);
        // Pulumi leaves the agent's count alone.
        const { metadata } = await cluster.object("Job", "demo-cpu");
        assert.match(String(valueAt(metadata, "annotations.minicluster/spent")), /"at": [\d.]+, "\d+-\d+-\d+": 0/);
        assert.deepEqual(changes(await cluster.stack.preview()), []);
        lead.setDemand({ allocated: 0, pending: [] });
        const gone = async () => (await podsOf(cluster, "gpu")).every(({ deleting }) => deleting);
        await waitFor("no pod", gone, 30_000);
        await waitFor("no pod that waits", async () => (await podsOf(cluster, "cpu")).length === 0, 30_000);
      } finally {
        agent.stop();
        lead.stop();
      }
    });
  });

  it("keeps the claim of its state when it is replaced or destroyed, and continues with it", () => {
    // No volume is there for the claim, and no pod starts.
    const stored = (groups: Groups): Partial<MiniClusterArgs> => ({
      ...args(groups),
      wait: MiniClusterWait.None,
      lead: { storage: { size: "1Gi" } },
    });
    return withCluster(stored({ cpu: {} }), async (cluster) => {
      const claim = async () => (await cluster.object("PersistentVolumeClaim", "demo-state")).metadata.uid;
      await cluster.stack.up();
      const uid = await claim();
      cluster.change(stored({ gpu: {} }));
      await cluster.stack.up();
      assert.equal(await claim(), uid);
      await cluster.stack.destroy();
      assert.equal(await claim(), uid);
      await cluster.stack.up();
      assert.equal(await claim(), uid);
      await cluster.stack.destroy();
      await deleteClaim(cluster.namespace);
    });
  });

  it("names the storage class that is not there while `up` waits", () => {
    const storage = { size: "1Gi", storageClassName: "not-there" };
    const waiting = { ...args({ cpu: {} }), waitTimeoutSeconds: 10, lead: { storage } };
    const test = async ({ stack, namespace }: ClusterUnderTest) => {
      assert.match(await saidBy(stack.up()), /claim demo-state: .*storageclass.* "not-there" not found/);
      await stack.destroy();
      await deleteClaim(namespace);
    };
    return withCluster(waiting, test, { reads: true });
  });
});
