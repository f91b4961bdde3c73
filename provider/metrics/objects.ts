import { paths } from "../core/contract.json";
import { withoutEmpty } from "../shared/objects";
import { leadSelector } from "../core/parse/names";
import type { MiniClusterSpec } from "../core/parse/spec";
import { type CustomManifest, metadata } from "../core/objects/manifest";
import { buildLeadPortPolicy } from "../core/objects/network";
import type { MetricsSpec } from "./fields";
import { metricsName } from "./names";
import { metricsOf } from "./spec";

/**
 * The objects by which Prometheus finds and reaches the metrics of a cluster. The pod template does not mention metrics: all pods
 * of a Job share the template.
 */
export function buildMetrics(spec: MiniClusterSpec) {
  const metrics = metricsOf(spec);
  if (!metrics) return undefined;
  return {
    networkPolicy: buildLeadPortPolicy(spec, metricsName(spec), metrics),
    podMonitor: metrics.podMonitor && podMonitor(spec, metrics, metrics.podMonitor),
  };
}

/** The objects that `buildMetrics` returns. */
export type MetricsManifests = NonNullable<ReturnType<typeof buildMetrics>>;

function podMonitor(
  spec: MiniClusterSpec,
  { port }: MetricsSpec,
  { labels, intervalSeconds }: NonNullable<MetricsSpec["podMonitor"]>,
): CustomManifest {
  const own = metadata(spec, metricsName(spec));
  const endpoint = {
    path: paths.metrics,
    interval: intervalSeconds === undefined ? undefined : `${intervalSeconds}s`,
    // No container declares the port, because that would change every pod: Prometheus finds the pod, and gets the port from this
    // object.
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
