import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { waitFor } from "../sandbox/waiting";
import { agentKey, startAgent } from "../support/agent";
import { type BurstUnderTest, withBurst } from "../support/bursts";
import { type Cloud, startCloud } from "../support/clouds";
import { changes } from "../support/clusters";
import { type StandInLead, startLead } from "../support/lead";

const bursting = {
  clusters: [{ name: "cloud", maxSize: 8 }],
  expose: { nodePort: { address: "203.0.113.7" }, demand: {} },
};
const cloud = { autoscale: { max: 4, idleSeconds: 2, cooldownSeconds: 0 } };

/** The agent of a cluster that joins, and the pod of the lead broker in the other cluster, which tells what a test wants. */
async function withAgent(
  { cloud: { kube, namespace } }: BurstUnderTest,
  body: (agent: { tell: StandInLead["tell"]; log: () => string }) => Promise<void>,
) {
  const followed = { kube, namespace, name: "cloud" };
  const lead = await startLead("/demand/cloud", await agentKey(followed));
  const agent = await startAgent(followed, lead.url);
  try {
    await body({ tell: lead.tell, log: agent.log });
  } finally {
    agent.stop();
    lead.stop();
  }
}

describe("A cluster that joins, and follows the queue", () => {
  let far: Cloud;
  before(async () => {
    far = await startCloud();
    await far.cluster.addNodes(4);
  });
  after(() => far.cluster.stop());

  const jobOf = async ({ cloud: { kube, namespace } }: BurstUnderTest) =>
    (await kube.get({ apiVersion: "batch/v1", kind: "Job", name: "cloud", namespace }))["spec"] as {
      parallelism: number;
      suspend: boolean;
    };
  const has = (it: BurstUnderTest, pods: number) =>
    waitFor(
      `${pods} pods in the cloud`,
      async () => {
        const staying = (await it.cloud.pods()).filter(({ deleting }) => !deleting);
        return staying.length === pods && staying.every(({ ready }) => ready);
      },
      120_000,
    );

  it("grows from 0 by what its queue needs and goes back to 0, and no preview, refresh or up shows it", () =>
    withBurst(far, { home: { bursting }, cloud }, async (it) => {
      await it.stack.up();
      assert.deepEqual(await it.cloud.pods(), []);
      await withAgent(it, async ({ tell, log }) => {
        tell({ pending: [{ id: "f1", hosts: 3 }] });
        await has(it, 3);
        assert.match(log(), /^size 0 => 3: 0 running on 0 hosts, 1 pending for 3$/m);
        assert.deepEqual(changes(await it.stack.preview()), []);
        await it.stack.refresh();
        const { changedSteps } = await it.stack.preview();
        assert.deepEqual(
          changedSteps.flatMap(({ diffs }) => diffs),
          [],
        );
        // A change of the Job leaves its counts alone, and lets it run.
        it.change({ home: { bursting }, cloud: { ...cloud, jobLabels: { team: "physics" } } });
        const { changedSteps: relabelled } = await it.stack.preview();
        assert.deepEqual(
          relabelled.flatMap(({ diffs }) => diffs),
          ["metadata.labels.team"],
        );
        await it.stack.up();
        await has(it, 3);

        tell({});
        await has(it, 0);
        assert.deepEqual(await jobOf(it).then(({ parallelism, suspend }) => [parallelism, suspend]), [1, true]);
        assert.deepEqual(changes(await it.stack.preview()), []);
      });
    }));

  it("asks the lead broker's pod by a second port of the same way, with a key that both sides make of the certificate", () =>
    withBurst(far, { home: { bursting }, cloud }, async (it) => {
      await it.stack.up();
      const { kube, namespace } = it.home;
      const service = await kube.get({ apiVersion: "v1", kind: "Service", name: "home-lead", namespace });
      const { ports } = service["spec"] as { ports: { name: string; nodePort: number; targetPort: number }[] };
      const [broker, demand] = ports;
      assert.deepEqual([broker?.targetPort, demand?.targetPort], [8050, 8060]);
      const agent = await it.cloud.kube.get({
        ...{ apiVersion: "apps/v1", kind: "Deployment", name: "cloud-autoscale", namespace: it.cloud.namespace },
      });
      const { template } = agent["spec"] as { template: { spec: { containers: { env: object[] }[] } } };
      assert.deepEqual(template.spec.containers[0]?.env, [
        { name: "MINICLUSTER_DEMAND", value: `203.0.113.7:${demand?.nodePort}` },
      ]);
      const { data } = await kube.get({ apiVersion: "v1", kind: "Secret", name: "home-curve", namespace });
      const certificate = Buffer.from((data as Record<string, string>)["curve.cert"] ?? "", "base64");
      const key = await agentKey({ kube: it.cloud.kube, namespace: it.cloud.namespace, name: "cloud" });
      assert.deepEqual(key, createHmac("sha256", certificate).update("demand").digest());
    }));

  it("begins and ends to follow the queue while its pods run", () =>
    withBurst(far, { home: { bursting }, cloud: { size: 2 } }, async (it) => {
      await it.stack.up();
      const before = (await it.cloud.pods()).map(({ uid }) => uid);
      it.change({ home: { bursting }, cloud });
      assert.deepEqual(
        changes(await it.stack.preview()).filter((step) => /replace/.test(step)),
        [],
      );
      await it.stack.up();
      it.change({ home: { bursting }, cloud: { size: 1 } });
      await it.stack.up();
      await has(it, 1);
      const [kept] = (await it.cloud.pods()).filter(({ deleting }) => !deleting);
      assert.equal(kept?.uid, before[0]);
      assert.deepEqual(changes(await it.stack.preview()), []);
    }));
});
