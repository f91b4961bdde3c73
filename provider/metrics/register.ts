import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy";
import type { UniqueOptions } from "../core/register/options";
import { mergeHooks } from "../diagnostics/hooks";
import { type OptionalApi, requireApi } from "../diagnostics/optionalApis";
import type { MetricsManifests } from "./objects";

const podMonitors: OptionalApi = {
  groupVersion: "monitoring.coreos.com/v1",
  remedy: "install the Prometheus Operator with its CRDs first, or remove metrics.podMonitor",
};

/** Registers the objects that Prometheus needs to scrape the metrics of a cluster. */
export function registerMetrics(name: string, metrics: MetricsManifests, options: UniqueOptions): void {
  const own = `${name}-metrics`;
  const { networkPolicy, podMonitor } = metrics;
  if (podMonitor)
    new CustomResource(own, podMonitor, {
      ...options,
      hooks: mergeHooks(options.hooks, requireApi(`minicluster:${name}:metrics`, options.parent, podMonitors)),
    });
  if (networkPolicy) new NetworkPolicy(own, networkPolicy, options);
}
