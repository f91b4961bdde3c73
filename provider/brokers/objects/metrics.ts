import { withoutEmpty } from "../../shared/objects";
import type { MetricsSpec } from "../parse/metrics";
import { leadSelector, metricsName } from "../parse/names";
import type { LeadSpec, MiniClusterSpec } from "../parse/spec";
import { type CustomManifest, metadata } from "./manifest";
import { buildLeadPortPolicy } from "./network";

/** What lets Prometheus reach the metrics of a cluster, and find them. The pod template does not mention it: all pods of a Job share the template. */
export function buildMetrics(spec: MiniClusterSpec) {
  if (spec.role === "follower" || !spec.metrics) return undefined;
  const { metrics } = spec;
  return {
    networkPolicy: buildLeadPortPolicy(spec, metricsName(spec), metrics),
    podMonitor: metrics.podMonitor && podMonitor(spec, metrics, metrics.podMonitor),
  };
}

function podMonitor(
  spec: LeadSpec,
  { port }: MetricsSpec,
  { labels, intervalSeconds }: NonNullable<MetricsSpec["podMonitor"]>,
): CustomManifest {
  const own = metadata(spec, metricsName(spec));
  const endpoint = {
    path: "/metrics",
    interval: intervalSeconds === undefined ? undefined : `${intervalSeconds}s`,
    // No container declares the port, which would be a change of every pod: Prometheus finds the pod, and gets the port here.
    relabelings: [
      { action: "keep", sourceLabels: ["__meta_kubernetes_pod_container_name"], regex: spec.main.name },
      {
        action: "replace",
        sourceLabels: ["__meta_kubernetes_pod_ip"],
        regex: "(.+)",
        targetLabel: "__address__",
        replacement: `$1:${port}`,
      },
    ],
  };
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PodMonitor",
    metadata: { ...own, labels: { ...labels, ...own.labels } },
    spec: { selector: { matchLabels: leadSelector(spec) }, podMetricsEndpoints: [withoutEmpty(endpoint)] },
  };
}
