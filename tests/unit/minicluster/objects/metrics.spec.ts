import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { buildMetrics } from "../../../../provider/minicluster/objects/metrics";
import { buildPodTemplate } from "../../../../provider/minicluster/objects/podTemplate";
import { buildPrograms } from "../../../../provider/minicluster/objects/programs";
import { renderConfigFiles } from "../../../../provider/minicluster/flux/configFiles";
import { aBursting, aMiniCluster } from "../../../support/fixtures";

const builtOf = (args: Partial<MiniClusterArgs>) => buildMetrics(aMiniCluster(args));
const lead = { matchLabels: { "job-name": "demo", "batch.kubernetes.io/job-completion-index": "0" } };

describe("the metrics of a cluster", () => {
  it("are served by a program that every lead broker's pod runs once it is there: metrics come and go, and the pods stay", () => {
    const templateOf = (args: Partial<MiniClusterArgs>) => {
      const spec = aMiniCluster(args);
      return buildPodTemplate(spec, renderConfigFiles(spec));
    };
    for (const mode of [{}, { interactive: true }, { bursting: aBursting() }] as Partial<MiniClusterArgs>[])
      assert.deepEqual(templateOf({ ...mode, metrics: { port: 9100, podMonitor: {} } }), templateOf(mode));
    assert.equal(builtOf({}), undefined);
  });

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

  it("are let out where a policy closes every port: from one port of one pod, to pods of the cluster or of one namespace", () => {
    const policyOf = (args: Partial<MiniClusterArgs>) => builtOf(args)?.networkPolicy?.spec;
    assert.deepEqual(policyOf({ metrics: { port: 9100 }, network: { policy: "pods" } }), {
      podSelector: lead,
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ protocol: "TCP", port: 9100 }] }],
    });
    const named = policyOf({ metrics: { fromNamespace: "monitoring" }, network: { policy: "pods" } }) as unknown as {
      ingress: [{ from: object[] }];
    };
    assert.deepEqual(named.ingress[0].from, [
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } },
    ]);
    // There every port but the brokers' is open.
    assert.equal(policyOf({ metrics: {}, network: { policy: "brokerPort" } }), undefined);
    assert.equal(policyOf({ metrics: {} }), undefined);
    const elastic = { interactive: true, size: undefined, maxSize: undefined, autoscale: { max: 4 } };
    assert.equal(policyOf({ ...elastic, network: { policy: "pods" } }), undefined);
  });

  it("are found by a PodMonitor: once, in the lead broker's pod, at a port that no container names", () => {
    const podMonitor = { labels: { release: "prometheus" }, intervalSeconds: 15 };
    const monitor = builtOf({ metrics: { podMonitor } })?.podMonitor;
    assert.deepEqual([monitor?.apiVersion, monitor?.kind], ["monitoring.coreos.com/v1", "PodMonitor"]);
    assert.deepEqual((monitor?.metadata.labels as Record<string, string>).release, "prometheus");
    assert.deepEqual(monitor?.spec, {
      selector: lead,
      podMetricsEndpoints: [
        {
          path: "/metrics",
          interval: "15s",
          relabelings: [
            { action: "keep", sourceLabels: ["__meta_kubernetes_pod_container_name"], regex: "demo" },
            {
              action: "replace",
              sourceLabels: ["__meta_kubernetes_pod_ip"],
              regex: "(.+)",
              targetLabel: "__address__",
              replacement: "$1:8061",
            },
          ],
        },
      ],
    });
    assert.equal(builtOf({ metrics: {} })?.podMonitor, undefined);
  });
});
