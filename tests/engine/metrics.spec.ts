import assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../provider";
import { type Cluster, startCluster } from "../sandbox/cluster";
import { changes, type ClusterUnderTest, isRefused, uids, withCluster } from "../support/clusters";
import { installPodMonitors } from "../support/monitors";
import { ownCluster, type SharedCluster } from "../support/sandboxHooks";

describe("The metrics of a cluster", () => {
  let own: Cluster;
  let cluster: SharedCluster;
  before(async () => {
    own = await startCluster({ nodes: 4 });
    cluster = ownCluster(own);
  });
  after(() => own.stop());

  const withMetrics = (args: Partial<MiniClusterArgs>, body: (it: ClusterUnderTest) => Promise<void>) =>
    withCluster(args, body, { cluster, reads: true });
  const podMonitor = { labels: { release: "prometheus" }, intervalSeconds: 15 };
  const monitor = { apiVersion: "monitoring.coreos.com/v1", kind: "PodMonitor", name: "demo-metrics" };

  it("are refused as a PodMonitor where the cluster has no such kind, and a preview warns", () =>
    withMetrics({ metrics: { podMonitor } }, ({ stack }) =>
      isRefused(stack, /the Kubernetes cluster has no monitoring\.coreos\.com\/v1: install the Prometheus Operator/),
    ));

  it("are created and deleted while the brokers run, each change in the preview", async () => {
    await installPodMonitors(own.api);
    await withMetrics({ size: 2, maxSize: 4 }, async ({ stack, change, pods, namespace }) => {
      await stack.up();
      const before = uids(await pods());
      change({ size: 2, maxSize: 4, metrics: { podMonitor }, network: { policy: "pods" } });
      const come = ["create ConfigMap", "create NetworkPolicy", "create NetworkPolicy", "create PodMonitor"];
      assert.deepEqual(changes(await stack.preview()).sort(), come);
      await stack.up();
      // The API server has kept every field: none is unknown to the definition.
      const { spec } = (await own.api.get({ ...monitor, namespace })) as unknown as { spec: Record<string, unknown[]> };
      const [endpoint] = spec["podMetricsEndpoints"] as [{ interval: string; path: string; relabelings: object[] }];
      assert.deepEqual([endpoint.path, endpoint.interval, endpoint.relabelings.length], ["/metrics", "15s", 2]);
      assert.deepEqual(changes(await stack.preview()), []);

      change({ size: 3, maxSize: 4, metrics: { port: 9100 }, network: { policy: "pods" } });
      const port = changes(await stack.preview()).sort();
      // To Pulumi a ConfigMap is immutable. The program is there again before the pod has noticed.
      const replaced = ["create-replacement ConfigMap", "delete-replaced ConfigMap", "replace ConfigMap"];
      const resize = ["update ConfigMapPatch", "update JobPatch"];
      assert.deepEqual(port, ["delete PodMonitor", ...replaced, ...resize, "update NetworkPolicy"].sort());
      await stack.up();

      change({ size: 3, maxSize: 4 });
      const gone = ["delete ConfigMap", "delete NetworkPolicy", "delete NetworkPolicy"];
      assert.deepEqual(changes(await stack.preview()).sort(), gone);
      await stack.up();
      assert.deepEqual(uids((await pods()).slice(0, 2)), before);
    });
  });
});
