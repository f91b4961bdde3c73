import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy";
import type * as pulumi from "@pulumi/pulumi";
import { type OptionalApi, refuseMissingApi } from "../../shared/missing";
import type { Manifests } from "../objects";

const monitors: OptionalApi = {
  groupVersion: "monitoring.coreos.com/v1",
  remedy: "the Prometheus Operator is not there; install it with its CRDs before, or remove metrics.podMonitor",
};

/** Registers what leads Prometheus to the metrics of a cluster. */
export function registerMetrics(
  name: string,
  { metrics }: Manifests,
  options: pulumi.CustomResourceOptions & { parent: pulumi.Resource },
): void {
  if (!metrics) return;
  const own = `${name}-metrics`;
  const { networkPolicy, podMonitor } = metrics;
  if (podMonitor)
    new CustomResource(own, podMonitor, {
      ...options,
      hooks: refuseMissingApi(`minicluster:${name}:metrics`, options.parent, monitors),
    });
  if (networkPolicy) new NetworkPolicy(own, networkPolicy, options);
}
