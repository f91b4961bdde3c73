import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { buildPrograms } from "../../../../provider/brokers/objects/programs";
import { aBursting, aMiniCluster } from "../../../support/fixtures";
import { itBuilds, templateHash } from "../../../support/manifests";

const lead = { matchLabels: { "job-name": "demo", "batch.kubernetes.io/job-completion-index": "0" } };

describe("the metrics of a cluster", () => {
  it(
    "are served by a program that every lead broker's pod runs once it is there: metrics come and go, and the pods " +
      "stay",
    () => {
      for (const mode of [{}, { interactive: true }, { bursting: aBursting() }] as Partial<MiniClusterArgs>[])
        assert.deepEqual(templateHash({ ...mode, metrics: { port: 9100, podMonitor: {} } }), templateHash(mode));
    },
  );

  itBuilds(
    "are let out from one port of one pod if a policy closes every port",
    { metrics: { port: 9100 }, network: { policy: "pods" } },
    {
      "metrics.networkPolicy.spec": {
        podSelector: lead,
        policyTypes: ["Ingress"],
        ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ protocol: "TCP", port: 9100 }] }],
      },
    },
  );
  itBuilds(
    "are let out to the pods of one namespace",
    { metrics: { fromNamespace: "monitoring" }, network: { policy: "pods" } },
    {
      "metrics.networkPolicy.spec.ingress[0].from": [
        { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } },
      ],
    },
  );
  itBuilds(
    "need no policy if only the brokers' port is closed",
    { metrics: {}, network: { policy: "brokerPort" } },
    { "metrics.networkPolicy": undefined },
  );
  itBuilds(
    "have no PodMonitor by default",
    { metrics: {} },
    { "metrics.networkPolicy": undefined, "metrics.podMonitor": undefined },
  );
  itBuilds(
    "are none by default",
    { interactive: true, autoscale: { max: 4 }, network: { policy: "pods" } },
    { metrics: undefined },
  );
  itBuilds(
    "are found by a PodMonitor once, in the lead broker's pod",
    { metrics: { podMonitor: { labels: { release: "prometheus" }, intervalSeconds: 15 } } },
    {
      "metrics.podMonitor.apiVersion": "monitoring.coreos.com/v1",
      "metrics.podMonitor.kind": "PodMonitor",
      "metrics.podMonitor.metadata.labels.release": "prometheus",
      "metrics.podMonitor.spec.selector": lead,
      "metrics.podMonitor.spec.podMetricsEndpoints[0].path": "/metrics",
      "metrics.podMonitor.spec.podMetricsEndpoints[0].interval": "15s",
      "metrics.podMonitor.spec.podMetricsEndpoints[0].relabelings[0]": {
        action: "keep",
        sourceLabels: ["__meta_kubernetes_pod_container_name"],
        regex: "demo",
      },
      "metrics.podMonitor.spec.podMetricsEndpoints[0].relabelings[1]": {
        action: "replace",
        sourceLabels: ["__meta_kubernetes_pod_ip"],
        regex: "(.+)",
        targetLabel: "__address__",
        replacement: "$1:8061",
      },
    },
  );

  it("and the demand are served by one program, each where it is asked for", () => {
    const settingsOf = (args: Partial<MiniClusterArgs>) => {
      const { "demand.json": text } = (buildPrograms(aMiniCluster(args))?.data ?? {}) as Record<string, string>;
      const { demandPort, metricsPort } = JSON.parse(text ?? "{}") as Record<string, unknown>;
      return { demandPort, metricsPort };
    };
    const elastic = { interactive: true, size: undefined, maxSize: undefined, autoscale: { max: 4 } };
    assert.deepEqual(settingsOf({ metrics: {} }), { demandPort: null, metricsPort: 8061 });
    assert.deepEqual(settingsOf(elastic), { demandPort: 8060, metricsPort: null });
    assert.deepEqual(settingsOf({ ...elastic, metrics: { port: 9100 } }), { demandPort: 8060, metricsPort: 9100 });
  });
});

describe("the program that submits jobs again", () => {
  const dataOf = (args: Partial<MiniClusterArgs>) => (buildPrograms(aMiniCluster(args))?.data ?? {}) as object;

  it("runs in the lead broker's pod with its policy, without a port and without a restart of the pods", () => {
    const { "demand.json": text, ...files } = dataOf({ requeue: { signal: "TERM" } }) as Record<string, string>;
    const { requeue, demandPort, metricsPort } = JSON.parse(text ?? "") as Record<string, unknown>;
    assert.deepEqual(requeue, { restarts: 3, signal: "TERM", graceSeconds: 20 });
    assert.deepEqual([demandPort, metricsPort], [null, null]);
    assert.ok("requeue.py" in files && "demand.py" in files);
    assert.deepEqual(templateHash({ requeue: {} }), templateHash({}));
  });

  it("has no file without requeue", () => assert.ok(!("requeue.py" in dataOf({ metrics: {} }))));
});

describe("the agent that sets the size", () => {
  itBuilds(
    "may get and patch one Job and nothing else",
    { interactive: true, size: undefined, maxSize: undefined, autoscale: { max: 4 } },
    {
      "agent.account.automountServiceAccountToken": false,
      "agent.role.rules": [
        { apiGroups: ["batch"], resources: ["jobs"], resourceNames: ["demo"], verbs: ["get", "patch"] },
      ],
      "agent.binding.roleRef": { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "demo-autoscale" },
      "agent.binding.subjects": [{ kind: "ServiceAccount", name: "demo-autoscale", namespace: "default" }],
      "agent.deployment.spec.template.spec.serviceAccountName": "demo-autoscale",
      "agent.deployment.spec.template.spec.automountServiceAccountToken": true,
    },
  );
  itBuilds(
    "reads its program, and the key that it shares with the lead broker",
    { interactive: true, size: undefined, maxSize: undefined, autoscale: { max: 4 } },
    {
      "programs.metadata.name": "demo-programs",
      "agent.secret.type": "Opaque",
      "agent.secret.metadata.name": "demo-autoscale",
      "agent.deployment.spec.template.spec.volumes[0]": {
        name: "minicluster-programs",
        projected: { sources: [{ configMap: { name: "demo-programs" } }, { secret: { name: "demo-autoscale" } }] },
      },
      "agent.deployment.spec.template.spec.containers[0].volumeMounts[0]": {
        name: "minicluster-programs",
        mountPath: "/etc/minicluster/programs",
        readOnly: true,
      },
    },
  );
  itBuilds("exists only if the size follows the queue", { interactive: true }, { agent: undefined });
});
