import assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../provider";
import { type Cluster, startCluster } from "../sandbox/cluster";
import { isBuilt } from "../sandbox/build/binaries";
import { nextKubernetesModule } from "../sandbox/build/modules";
import { waitFor } from "../sandbox/waiting";
import {
  changes,
  type ClusterUnderTest,
  isRefused,
  readyIn,
  saidBy,
  staying,
  uids,
  withCluster,
} from "../support/clusters";
import { ownCluster, type SharedCluster } from "../support/sandboxHooks";

const alphaGang = { apiVersion: "scheduling.k8s.io/v1alpha2", kind: "PodGroup" };
const betaGang = { ...alphaGang, apiVersion: "scheduling.k8s.io/v1beta1" };

/** Runs a test with a cluster whose Job is a gang of the API server. */
const withGangIn = (
  cluster: SharedCluster,
  args: Partial<MiniClusterArgs>,
  body: (it: ClusterUnderTest) => Promise<void>,
) => withCluster({ size: 2, maxSize: 4, ...args }, body, { cluster, reads: true });

const kind = "sandbox.minicluster/gang";

/** Arguments by which pods run on the nodes of a test alone. */
const onNodes = (name: string) => ({ pod: { nodeSelector: { [kind]: name } } });

/** Adds such nodes. */
const addNodes = (to: Cluster, name: string, count: number) =>
  to.addNodes(count, { namePrefix: name, labels: { [kind]: name } });

/** Pods of a cluster that have a node. */
const placed = async ({ pods }: ClusterUnderTest) => (await pods()).filter(({ node }) => node !== undefined);

/** Deletes the pod of rank 1, and waits for another one in its place. */
async function losesOne({ pods, namespace }: ClusterUnderTest, { kube }: SharedCluster): Promise<void> {
  const rankOne = async () => (await pods()).find(({ completionIndex, ready }) => completionIndex === 1 && ready);
  const lost = await rankOne();
  await kube.delete({ apiVersion: "v1", kind: "Pod", name: lost?.name ?? "", namespace });
  const successor = async () => ((await rankOne())?.uid ?? lost?.uid) !== lost?.uid;
  await waitFor("another pod in its place", successor, 60_000);
}

describe("A server that makes gangs of Jobs by itself", function () {
  this.timeout(120_000);

  let own: Cluster;
  let cluster: SharedCluster;
  before(async () => {
    own = await startCluster({ nodes: 4, gangs: "v1alpha2" });
    cluster = ownCluster(own);
  });
  after(() => own.stop());

  const refused =
    /Kubernetes runs the Job test-\w+\/demo as a gang .* and rejects another size; let each resize replace/;
  const withGang = (args: Partial<MiniClusterArgs>, body: (it: ClusterUnderTest) => Promise<void>) =>
    withGangIn(cluster, args, body);
  const gangOf = (namespace: string) =>
    waitFor("the gang of the Job", async () => (await cluster.kube.list({ ...alphaGang, namespace }))[0]);

  it("rejects a resize: the preview fails with the remedy, and neither it nor an update changes anything", () =>
    withGang({}, async ({ stack, change, job, object, pods, namespace }) => {
      await stack.up();
      await gangOf(namespace);
      const before = uids(await pods());
      change({ size: 3, maxSize: 4 });
      assert.match(await saidBy(stack.preview()), refused);
      assert.match(await saidBy(stack.up()), refused);
      const { data } = (await object("ConfigMap", "demo-entrypoint")) as unknown as { data: Record<string, string> };
      assert.deepEqual([(await job()).spec.parallelism, data.size], [2, "2"]);
      assert.deepEqual(uids(await pods()), before);
    }));

  it("is explained where it rejects an unforeseeable case: a gang that the user has created", () =>
    withGang({}, async ({ stack, change, namespace }) => {
      const spec = { schedulingPolicy: { gang: { minCount: 2 } } };
      await cluster.kube.create({ ...alphaGang, metadata: { name: "mine", namespace }, spec });
      const template = { spec: { schedulingGroup: { podGroupName: "mine" } } };
      change({ size: 2, maxSize: 4, podTemplate: template });
      await stack.up();
      change({ size: 3, maxSize: 4, podTemplate: template });
      const said = await saidBy(stack.up());
      assert.match(said, refused);
      assert.doesNotMatch(said, /have not all become Ready/);
    }));

  it("lets a new size replace the Job", () =>
    withGang({ resize: "manifest" }, async ({ stack, change, pods, namespace }) => {
      await stack.up();
      await gangOf(namespace);
      change({ size: 3, maxSize: 4, resize: "manifest" });
      const up = await stack.up();
      assert.ok(changes(up).includes("replace Job"));
      assert.equal(readyIn(await pods()), 3);
    }));

  it("resizes a Job in place whose pods are in a PodGroup without a gang", () =>
    withGang({}, async ({ stack, change, pods, namespace }) => {
      const spec = { schedulingPolicy: { basic: {} } };
      await cluster.kube.create({ ...alphaGang, metadata: { name: "loose", namespace }, spec });
      const loose = { maxSize: 4, podTemplate: { spec: { schedulingGroup: { podGroupName: "loose" } } } };
      change({ ...loose, size: 2 });
      await stack.up();
      const before = uids(await pods());
      change({ ...loose, size: 3 });
      await stack.up();
      const after = await pods();
      assert.deepEqual([uids(after.slice(0, 2)), after.length, readyIn(after)], [before, 3, 3]);
    }));

  describe("that a cluster requests", () => {
    const native = (size: number, args: Partial<MiniClusterArgs> = {}): Partial<MiniClusterArgs> => ({
      size,
      maxSize: 4,
      resize: "manifest",
      gang: { native: { version: "v1alpha2" } },
      ...args,
    });
    const conditions = async ({ pods }: ClusterUnderTest) =>
      (await pods()).map(
        ({ pod }) => (pod["status"] as { conditions?: { type: string; status: string }[] }).conditions,
      );

    it("has none of its pods on a node before all have room, and then all of them", () => {
      const args = native(3, onNodes("few"));
      return withGang({ ...args, waitTimeoutSeconds: 8 }, async (it) => {
        await addNodes(own, "few", 2);
        const preview = await it.stack.preview();
        assert.match(
          preview.stdout,
          /the pods are a gang: Kubernetes schedules them only once 3 of them fit at the same/,
        );
        assert.match(await saidBy(it.stack.up()), /have not all become Ready in time/);
        const tried = (await conditions(it)).map((all) => all?.find(({ type }) => type === "PodScheduled")?.status);
        assert.deepEqual([tried, await placed(it)], [["False", "False", "False"], []]);

        await addNodes(own, "few", 1);
        it.change(args);
        await it.stack.up();
        assert.equal(readyIn(await it.pods()), 3);
        assert.deepEqual(changes(await it.stack.preview()), []);
      });
    });

    it("replaces a lost pod, is replaced by another Job for another size, and is deleted with its pods", () =>
      withGang(native(3), async (it) => {
        await it.stack.up();
        await losesOne(it, cluster);

        it.change(native(2));
        const replaced = changes(await it.stack.up()).filter((step) => step.startsWith("replace"));
        assert.deepEqual(replaced, ["replace ConfigMap", "replace Job", "replace PodGroup"]);
        assert.equal(readyIn(await it.pods()), 2);
        const names = async () =>
          (await cluster.kube.list({ ...alphaGang, namespace: it.namespace })).map(({ metadata }) => metadata.name);
        assert.deepEqual(await names(), ["demo-2"]);
        await it.stack.destroy();
        assert.deepEqual(await names(), []);
      }));

    it("is refused with what to do where the server has another version of it", () =>
      withGang({ gang: { native: {} } }, ({ stack }) =>
        isRefused(stack, /cluster has no scheduling\.k8s\.io\/v1beta1: gang\.native .* choose the other version/),
      ));
  });
});

// Its build takes as long as all tests together.
const hasNext = process.env["MINICLUSTER_NEXT_KUBERNETES"] !== undefined || isBuilt(nextKubernetesModule);
(hasNext ? describe : describe.skip)("A gang that the next Kubernetes places", function () {
  this.timeout(120_000);

  let own: Cluster;
  let cluster: SharedCluster;
  before(async function () {
    this.timeout(2 * 60 * 60_000);
    own = await startCluster({ nodes: 0, gangs: "v1beta1" });
    cluster = ownCluster(own);
  });
  after(() => own.stop());

  it("grows and shrinks in place, all new pods or none, and is deleted with its pods", async () => {
    const args = { ...onNodes("whole"), maxSize: 4, gang: { native: {} } };
    await addNodes(own, "whole", 3);
    await withGangIn(cluster, args, async (it) => {
      await it.stack.up();
      const before = uids(await it.pods());

      it.change({ ...args, size: 4, waitTimeoutSeconds: 8 });
      assert.match(await saidBy(it.stack.up()), /2 of 4 brokers have joined/);
      assert.deepEqual([(await it.pods()).length, uids(await placed(it))], [4, before]);

      await addNodes(own, "whole", 1);
      it.change({ ...args, size: 4 });
      await it.stack.up({ refresh: true });
      const grown = await it.pods();
      assert.deepEqual([grown.filter(({ ready }) => ready).length, uids(grown.slice(0, 2))], [4, before]);

      it.change({ ...args, size: 2 });
      assert.deepEqual(changes(await it.stack.up()), ["update ConfigMapPatch", "update JobPatch", "update PodGroup"]);
      assert.deepEqual(uids(staying(await it.pods())), before);
      assert.deepEqual(changes(await it.stack.preview()), []);

      await it.stack.destroy();
      assert.deepEqual(await cluster.kube.list({ ...betaGang, namespace: it.namespace }), []);
    });
  });
});
