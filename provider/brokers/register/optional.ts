import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy";
import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import { ResourceClaimTemplate } from "@pulumi/kubernetes/resource/v1/resourceClaimTemplate";
import { computeDomainApi, type OptionalApi, refuseMissingApi, remarkOnDrivers } from "../../shared/missing";
import { waitingFor } from "../../shared/children";
import type { Manifests } from "../objects";
import type { MiniClusterSpec } from "../parse/spec";

const monitors: OptionalApi = {
  groupVersion: "monitoring.coreos.com/v1",
  remedy: "the Prometheus Operator is not there; install it with its CRDs before, or remove metrics.podMonitor",
};

/** Claim templates for the pods. Their drivers are installed separately. */
export function registerClaims(
  name: string,
  { pool }: MiniClusterSpec,
  { claimTemplate, computeDomain }: Manifests,
  options: pulumi.CustomResourceOptions & { parent: pulumi.Resource },
): pulumi.Resource[] {
  const { parent } = options;
  const classes = (pool?.claims ?? []).map(({ deviceClass }) => deviceClass);
  return [
    ...(claimTemplate
      ? [
          new ResourceClaimTemplate(`${name}-devices`, claimTemplate, {
            ...options,
            hooks: remarkOnDrivers(`minicluster:${name}:devices`, parent, classes),
          }),
        ]
      : []),
    ...(computeDomain
      ? [
          new CustomResource(`${name}-domain`, computeDomain, {
            ...options,
            hooks: refuseMissingApi(`minicluster:${name}:domain`, parent, computeDomainApi),
          }),
        ]
      : []),
  ];
}

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

/** Registers what pulls the images. It comes after the pool, and waits for a pod on each node. */
export function registerPrepull(
  name: string,
  { waitTimeoutSeconds }: MiniClusterSpec,
  { prepull }: Manifests,
  options: pulumi.CustomResourceOptions,
): pulumi.Resource[] {
  if (!prepull) return [];
  const customTimeouts = waitingFor(waitTimeoutSeconds, options);
  return [new DaemonSet(`${name}-prepull`, prepull, { ...options, customTimeouts })];
}
