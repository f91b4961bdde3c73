import assert from "node:assert/strict";
import { changes, uids, withCluster } from "../support/clusters";
import { aContainer } from "../support/fixtures";
import { waitFor } from "../sandbox/waiting";
import { sharedCluster } from "../support/sandboxHooks";

/** How many addresses the service of a name leads to. */
async function addresses(namespace: string, name: string): Promise<number> {
  const { subsets = [] } = (await sharedCluster().kube.get({
    apiVersion: "v1",
    kind: "Endpoints",
    name,
    namespace,
  })) as { subsets?: { addresses?: object[] }[] };
  return subsets.flatMap(({ addresses = [] }) => addresses).length;
}

describe("The service of a sidecar", () => {
  const args = (serviceName: string) => ({
    size: 2,
    services: [aContainer({ name: "store" })],
    containers: [aContainer({ runFlux: true }), aContainer({ name: "web", ports: [80], serviceName })],
  });

  it("leads to the brokers' pods alone, and another name for it leaves them alone", () =>
    withCluster(args("nginx"), async (cluster) => {
      await cluster.stack.up();
      await waitFor("both pods", async () => (await addresses(cluster.namespace, "nginx")) === 2);
      const before = uids(await cluster.pods());

      cluster.change(args("front"));
      const steps = changes(await cluster.stack.preview());
      assert.deepEqual([steps.length, steps.every((step) => step.endsWith(" Service"))], [3, true]);
      await cluster.stack.up();
      await waitFor("both pods", async () => (await addresses(cluster.namespace, "front")) === 2);
      assert.deepEqual(uids(await cluster.pods()), before);
    }));
});
