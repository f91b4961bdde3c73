import * as assert from "node:assert/strict";
import { MiniCluster, type MiniClusterArgs, MiniClusterWait } from "../../provider";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type Registration, valueOf } from "../support/mocks";

const elastic = { containers: [aContainer({ launcher: true })], autoscale: { max: 4 } };

async function register(args: Partial<MiniClusterArgs>): Promise<Registration> {
  const seen = await mockEngine();
  const cluster = new MiniCluster("demo", aMiniClusterArgs({ ...elastic, ...args }));
  await valueOf(cluster.jobName);
  return seen.find(({ id }) => id === "Deployment demo-autoscale") ?? assert.fail("there is no agent");
}

describe("the agent of a cluster", () => {
  it("comes after the brokers, its program, key and role, and has their time to become Ready", async () => {
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
});
