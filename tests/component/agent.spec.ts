import * as assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster, type MiniClusterArgs, MiniClusterWait } from "../../provider";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type Registration, valueOf, withWarnings } from "../support/mocks";

const elastic = { containers: [aContainer({ launcher: true })], autoscale: { max: 4 } };

async function register(args: Partial<MiniClusterArgs>): Promise<Registration> {
  const seen = await mockEngine();
  const cluster = new MiniCluster("demo", aMiniClusterArgs({ ...elastic, ...args }));
  await valueOf(cluster.jobName);
  return seen.find(({ id }) => id === "Deployment demo-autoscale") ?? assert.fail("there is no agent");
}

describe("the agent of a cluster", () => {
  it("is created after the brokers, its program, key and role, with the brokers' time to become Ready", async () => {
    const { dependsOn, timeouts } = await register({ waitTimeoutSeconds: 90 });
    const before = ["ConfigMap demo-programs", "Job demo", "RoleBinding demo-autoscale", "Secret demo-autoscale"];
    assert.deepEqual([...dependsOn].sort(), before);
    assert.deepEqual(timeouts, { create: "90s", update: "90s" });
  });

  it('does not come after a Job whose end is waited for, which it has to resize, with wait "complete"', async () => {
    const { dependsOn } = await register({ wait: MiniClusterWait.Complete });
    assert.ok(!dependsOn.includes("Job demo"));
  });

  it("is part of what shows why a cluster does not come up", async () => {
    await mockEngine();
    const cluster = new MiniCluster("demo", aMiniClusterArgs(elastic));
    assert.equal(
      await valueOf(cluster.diagnoseCommand),
      "kubectl describe job,deployment,pod --namespace default --selector job-name=demo && " +
        "kubectl logs --namespace default deployment/demo-autoscale --tail 5",
    );
  });

  it("has its last warning before the program ends", async () => {
    const message = "size 3: 1 pending for 2, 2 drained as they joined, and not replaced: missing resources: core[4-7]";
    const server = createServer((request, response) => {
      const state = { size: 3, reason: "unusableHosts", message, since: "2026-01-31T09:00:00Z" };
      const annotations = { "minicluster/autoscale-state": JSON.stringify(state) };
      response.setHeader("content-type", "application/json");
      const isJob = request.url?.endsWith("/jobs/demo");
      setTimeout(() => response.end(JSON.stringify(isJob ? { metadata: { annotations } } : { items: [] })), 100);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const kubeconfig = {
      clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }],
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      users: [{ name: "u", user: { token: "t" } }],
      "current-context": "c",
    };
    try {
      const [warning] = await withWarnings(async (warnings) => {
        await mockEngine();
        pulumi.runtime.setAllConfig({ "kubernetes:kubeconfig": JSON.stringify(kubeconfig) });
        new MiniCluster("demo", aMiniClusterArgs(elastic));
        await pulumi.runtime.disconnect();
        return warnings();
      });
      assert.ok(warning?.endsWith(`the agent of demo adds no hosts: ${message}`), warning);
    } finally {
      pulumi.runtime.setAllConfig({});
      server.close();
    }
  });
});
