import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { waitFor } from "../sandbox/waiting";
import { type RunningAgent, withAgent } from "../support/agent";
import { type BurstUnderTest, withBurst } from "../support/bursts";
import { type Cloud, startCloud } from "../support/clouds";
import { changes, differences, readyIn, staying } from "../support/clusters";
import type { StandInLead } from "../support/lead";

const bursting = {
  clusters: [{ name: "cloud", maxSize: 8 }],
  expose: { nodePort: { address: "203.0.113.7" }, demand: {} },
};
const cloud = { autoscale: { max: 4, idleSeconds: 2, cooldownSeconds: 0 } };

describe("A cluster that joins, and follows the queue", () => {
  let far: Cloud;
  before(async () => (far = await startCloud({ nodes: 4 })));
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
        const all = await it.cloud.pods();
        return staying(all).length === pods && readyIn(all) === pods;
      },
      120_000,
    );
  /** The key that the lead broker's pod makes of the certificate. */
  const keyAt = async ({ kube, namespace }: BurstUnderTest["home"]) => {
    const { data } = await kube.get({ apiVersion: "v1", kind: "Secret", name: "home-curve", namespace });
    const certificate = Buffer.from((data as Record<string, string>)["curve.cert"] ?? "", "base64");
    return createHmac("sha256", certificate).update("demand").digest();
  };

  it(
    "grows from 0 by what its queue needs and goes back to 0, no preview, refresh or up shows it, and it may end " +
      "to follow",
    () =>
      withBurst(far, { home: { bursting }, cloud }, async (it) => {
        await it.stack.up();
        assert.deepEqual(await it.cloud.pods(), []);
        const test = async ({ setDemand, log }: StandInLead & RunningAgent) => {
          setDemand({ pending: [{ id: "f1", hosts: 3 }] });
          await has(it, 3);
          assert.match(log(), /^size 0 => 3: 0 running on 0 hosts, 1 pending for 3$/m);
          assert.deepEqual(changes(await it.stack.preview()), []);
          await it.stack.refresh();
          assert.deepEqual(differences(await it.stack.preview()), []);
          // A change of the Job leaves its counts alone, and lets it run.
          it.change({ home: { bursting }, cloud: { ...cloud, jobLabels: { team: "physics" } } });
          assert.deepEqual(differences(await it.stack.preview()), ["metadata.labels.team"]);
          await it.stack.up();
          await has(it, 3);

          setDemand({});
          await has(it, 0);
          assert.deepEqual(await jobOf(it).then(({ parallelism, suspend }) => [parallelism, suspend]), [1, true]);
          assert.deepEqual(changes(await it.stack.preview()), []);
        };
        const { kube, namespace } = it.cloud;
        await withAgent({ kube, namespace, name: "cloud" }, test, { key: await keyAt(it.home) });

        it.change({ home: { bursting }, cloud: { size: 1 } });
        await it.stack.up();
        await has(it, 1);
        assert.deepEqual(changes(await it.stack.preview()), []);
      }),
  );
});
