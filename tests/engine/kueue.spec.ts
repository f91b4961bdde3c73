import assert from "node:assert/strict";
import { waitFor } from "../sandbox/waiting";
import {
  changes,
  type ClusterUnderTest,
  differences,
  diffOf,
  leftIn,
  readyIn,
  saidBy,
  staying,
  uids,
  withStack,
} from "../support/clusters";
import { exampleProgram } from "../support/programs";
import { valueAt } from "../support/propertyPaths";
import { apiVersion, queued, type QueueLab, rack, startQueueLab } from "../support/queues";

describe("A cluster in a queue of Kueue", function () {
  this.timeout(180_000);

  let lab: QueueLab;
  before(async function () {
    this.timeout(30 * 60_000); // Kueue may have to be built.
    lab = await startQueueLab();
  });
  after(() => lab.stop());

  const present = async ({ pods }: ClusterUnderTest) => staying(await pods());
  /** Time at which the Job has started: another one after each stop. */
  const startOf = async ({ job }: ClusterUnderTest) => (await job()).status.startTime;

  it("is admitted, and grows and shrinks while it runs without losing a pod", () =>
    lab.withQueue({ cpu: 8 }, queued(2), async (it) => {
      await it.stack.up();
      const [first, start] = [await present(it), await startOf(it)];
      assert.deepEqual([first.length, readyIn(first)], [2, 2]);
      assert.equal((await lab.workloads(it.namespace)).length, 1);
      assert.deepEqual(changes(await it.stack.preview()), []);

      it.change(queued(5));
      assert.deepEqual(changes(await it.stack.up()), ["update ConfigMapPatch", "update JobPatch"]);
      const grown = await present(it);
      assert.deepEqual(uids(grown.slice(0, 2)), uids(first));
      assert.deepEqual([grown.length, readyIn(grown)], [5, 5]);

      it.change(queued(3));
      await it.stack.up();
      assert.deepEqual(uids(await present(it)), uids(grown.slice(0, 3)));
      assert.equal(await startOf(it), start);

      await it.stack.refresh();
      assert.deepEqual(differences(await it.stack.preview()), []);
    }));

  it("is not begun where Kueue's webhook rejects its Job, with the argument in the preview", () => {
    const args = queued(1, { jobLabels: { "kueue.x-k8s.io/max-exec-time-seconds": "soon" } });
    return lab.withQueue({ cpu: 8 }, args, async ({ stack, namespace }) => {
      for (const operation of [stack.preview(), stack.up()])
        assert.match(
          await saidBy(operation),
          /jobLabels\["kueue\.x-k8s\.io\/max-exec-time-seconds"\]: Invalid value: "soon"/,
        );
      assert.deepEqual(await leftIn(namespace, lab.cluster.kube), []);
    });
  });

  it("is stopped for a resize where it is not elastic", () =>
    lab.withQueue({ cpu: 8 }, queued(2, { gang: { elastic: false } }), async (it) => {
      await it.stack.up();
      const before = await present(it);
      it.change(queued(3, { gang: { elastic: false } }));
      await it.stack.up();
      const after = uids(await present(it));
      assert.equal(after.length, 3);
      for (const uid of uids(before)) assert.ok(!after.includes(uid));
    }));

  it("is held back while the quota is full, with Kueue's reason, and runs as soon as there is room", () =>
    lab.withQueue({ cpu: 2 }, queued(3, { waitTimeoutSeconds: 8 }), async (it) => {
      assert.match(
        await saidBy(it.stack.up()),
        /0 of 3 brokers have joined; Kueue has not admitted it: .*insufficient quota for cpu/,
      );
      assert.equal((await it.job()).spec.suspend, true);
      assert.deepEqual(await present(it), []);

      it.change(queued(3));
      const running = it.stack.start("up").result;
      await lab.setQuota(it.namespace, 3);
      await running;
      assert.equal(readyIn(await present(it)), 3);
    }));

  it("keeps what runs when the quota has no room for a growth, which comes when it has", () =>
    lab.withQueue({ cpu: 3 }, queued(2), async (it) => {
      await it.stack.up();
      const [before, start] = [await present(it), await startOf(it)];
      it.change(queued(4, { waitTimeoutSeconds: 8 }));
      assert.match(
        await saidBy(it.stack.up()),
        /2 of 4 brokers have joined; Kueue has not admitted it: .*insufficient/,
      );
      assert.deepEqual(uids((await present(it)).slice(0, 2)), uids(before));

      await lab.setQuota(it.namespace, 4);
      it.change(queued(4));
      await it.stack.up({ refresh: true });
      const after = await present(it);
      assert.deepEqual(uids(after.slice(0, 2)), uids(before));
      assert.deepEqual([readyIn(after), await startOf(it)], [4, start]);
    }));

  it("has each group admitted by itself, beside a lead broker that no queue holds back", () => {
    const gang = { queueName: "users" };
    const groups = { cpu: { size: 1, gang }, gpu: { size: 2, maxSize: 4, gang } };
    const args = {
      ...queued(1),
      interactive: true,
      size: undefined,
      maxSize: undefined,
      gang: undefined,
      groups,
    };
    return lab.withQueue({ cpu: 2 }, { ...args, waitTimeoutSeconds: 8 }, async (it) => {
      const podsOf = async (group: string) => staying(await lab.cluster.kube.podsOfJob(it.namespace, `demo-${group}`));
      assert.match(await saidBy(it.stack.up()), /Kueue has not admitted it: .*insufficient unused quota for cpu/);
      assert.equal(readyIn(await present(it)), 1);
      const counts = [await podsOf("cpu"), await podsOf("gpu")].map(readyIn);
      assert.ok(counts[0] === 0 || counts[1] === 0, `one group has no room: ${counts.join()}`);

      await lab.setQuota(it.namespace, 3);
      it.change(args);
      await it.stack.up({ refresh: true });
      assert.deepEqual([await podsOf("cpu"), await podsOf("gpu")].map(readyIn), [1, 2]);
      const owners = (await lab.workloads(it.namespace)).map(({ metadata }) =>
        valueAt(metadata, "ownerReferences[0].name"),
      );
      assert.deepEqual(new Set(owners), new Set(["demo-cpu", "demo-gpu"]));
    });
  });

  it("is suspended and resumed by Kueue, and the program sees no change in it", () =>
    lab.withQueue({ cpu: 4 }, queued(2), async (it) => {
      await it.stack.up();
      const before = uids(await present(it));
      const [workload] = await lab.workloads(it.namespace);
      assert.ok(workload);
      const ref = { apiVersion, kind: "Workload", name: workload.metadata.name, namespace: it.namespace };
      await lab.cluster.kube.patch(ref, { spec: { active: false } });
      await waitFor(
        "the pods to go",
        async () => (await it.job()).spec.suspend && (await present(it)).length === 0,
        30_000,
      );
      assert.deepEqual(changes(await it.stack.preview()), []);

      await lab.cluster.kube.patch(ref, { spec: { active: true } });
      await waitFor("other pods to come", async () => readyIn(await present(it)) === 2, 30_000);
      for (const uid of uids(await present(it))) assert.ok(!before.includes(uid));
      assert.deepEqual(changes(await it.stack.preview()), []);
    }));

  it("moves to another queue by another Job, as the preview says", () =>
    lab.withQueue({ cpu: 4 }, queued(2), async (it) => {
      await lab.create("LocalQueue", "others", { clusterQueue: it.namespace }, it.namespace);
      await it.stack.up();
      it.change(queued(3));
      await it.stack.up();
      it.change(queued(3, { gang: { queueName: "others" } }));
      const preview = await it.stack.preview();
      const key = 'metadata.labels["kueue.x-k8s.io/queue-name"]';
      assert.deepEqual(diffOf(preview, "Job", "replace"), [`${key}: users => others`]);
      await it.stack.up();
      assert.equal(readyIn(await present(it)), 3);
    }));

  it("is created and deleted with its quota and its queue, as in the example", () =>
    withStack(
      async (stack, namespace) => {
        await stack.up();
        const pods = await lab.cluster.kube.podsOfJob(namespace, "queued");
        assert.deepEqual([pods.length, readyIn(pods)], [2, 2]);
        assert.deepEqual(changes(await stack.preview()), []);
        await stack.setConfig("size", "4");
        await stack.up();
        const grown = await lab.cluster.kube.podsOfJob(namespace, "queued");
        assert.deepEqual(uids(grown.slice(0, 2)), uids(pods));
        assert.equal(grown.length, 4);
      },
      { cluster: lab.cluster, program: exampleProgram("kueue") },
    ));

  describe("with a topology", () => {
    const nodesOf = async (it: ClusterUnderTest) =>
      (await present(it)).map(({ pod }) => (pod.spec as { nodeName: string }).nodeName);
    const whole = { cpu: "60" };

    it("runs in one rack where that is required, waits where no rack has room, and else runs on any nodes", () =>
      lab.withQueue(
        { cpu: 800, flavor: "racked" },
        queued(4, { ...whole, gang: { elastic: false, topology: { required: rack } } }),
        async (it) => {
          await it.stack.up();
          const nodes = await nodesOf(it);
          assert.deepEqual([nodes.length, new Set(nodes).size], [4, 4]);
          assert.equal(new Set(nodes.map((node) => node.replace(/-\d+$/, ""))).size, 1);

          it.change(
            queued(5, { ...whole, gang: { elastic: false, topology: { required: rack } }, waitTimeoutSeconds: 8 }),
          );
          assert.match(await saidBy(it.stack.up()), /Kueue has not admitted it: .*topology/);

          it.change(queued(5, { ...whole, gang: { elastic: false, topology: { unconstrained: true } } }));
          await it.stack.up();
          assert.equal(new Set(await nodesOf(it)).size, 5);
        },
      ));
  });
});
