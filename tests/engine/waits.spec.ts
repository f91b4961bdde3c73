import assert from "node:assert/strict";
import { createNodes } from "../sandbox/nodes/simulated";
import { type ClusterUnderTest, failure, readyIn, withCluster } from "../support/clusters";
import { sharedCluster } from "../support/sandboxHooks";

describe("a cluster whose pods do not all start", () => {
  it("ends, with its reason, where a size that fits as little follows one that did not fit", async () => {
    const labels = { "minicluster-tests/three": "yes" };
    await createNodes(sharedCluster().kube, 0, 3, { namePrefix: "three", labels });
    const three = { maxSize: 8, pod: { nodeSelector: labels }, waitTimeoutSeconds: 4 };
    const config = { "kubernetes:kubeconfig": sharedCluster().kubeconfigPath };
    const body = async (cluster: ClusterUnderTest) => {
      await cluster.stack.up();
      cluster.change({ size: 6, ...three });
      await failure(cluster.stack.up());
      await cluster.stack.refresh();

      // The refresh has marked the Job as unhealthy: its update and the patch of the size wait side by side. Both fail.
      cluster.change({ size: 5, ...three });
      const { result } = await failure(cluster.stack.up());
      const begin = "the pods of demo have not all become Ready in time: 3 of 5 brokers have joined; pod demo-";
      const found = result.diagnostics.filter(({ message }) => message.startsWith(begin));
      assert.deepEqual(
        found.map(({ message }) => / and 1 more: Unsched/.test(message)),
        [true],
      );
      cluster.change({ size: 3, ...three });
      await cluster.stack.up({ refresh: true });
      assert.equal(readyIn(await cluster.pods()), 3);
    };
    await withCluster({ size: 2, ...three }, body, { config });
  });

  for (const { name, args, refresh, resize } of [
    { name: "a refresh", args: {}, refresh: true, resize: "patch" },
    { name: "a change of a label", args: { jobLabels: { team: "physics" } }, refresh: false, resize: "patch" },
    {
      name: "a change of a label, without patches,",
      args: { jobLabels: { team: "physics" } },
      refresh: false,
      resize: "manifest",
    },
  ] as const)
    it(`reports what the pods wait for where the Job itself waits for them after ${name}`, async () => {
      const pair = name.replace(/\W+/g, "-").replace(/-$/, "").slice(-30);
      const labels = { "minicluster-tests/pair": pair };
      await createNodes(sharedCluster().kube, 0, 2, { namePrefix: pair, labels });
      const given = { size: 3, maxSize: 4, resize, pod: { nodeSelector: labels }, waitTimeoutSeconds: 6 };
      const config = { "kubernetes:kubeconfig": sharedCluster().kubeconfigPath };
      const body = async (cluster: ClusterUnderTest) => {
        await failure(cluster.stack.up());
        cluster.change({ ...given, ...args });
        const { result } = await failure(cluster.stack.up({ refresh }));
        const seen = /2 of 3 brokers have joined; pod demo-\d-\w+: Unschedulable: .*to see more, run: kubectl/;
        for (const [severity, begins] of [
          ["warning", "still waiting for the pods of demo: "],
          ["error", "the pods of demo have not all become Ready in time: "],
        ]) {
          const said = result.diagnostics.filter(
            (each) => each.severity === severity && each.message.startsWith(String(begins)),
          );
          assert.equal(
            said.length,
            1,
            `${severity}, among\n${result.diagnostics.map(({ message }) => message).join("\n")}`,
          );
          assert.match(said[0]?.message ?? "", seen);
        }
      };
      await withCluster(given, body, { config });
    });
});
