import type * as pulumi from "@pulumi/pulumi";
import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import { NetworkPolicy } from "@pulumi/kubernetes/networking/v1/networkPolicy";
import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount";
import { Role } from "@pulumi/kubernetes/rbac/v1/role";
import { RoleBinding } from "@pulumi/kubernetes/rbac/v1/roleBinding";
import { type OptionalApi, refuseMissingApi } from "../../shared/missing";
import { waitingFor } from "../../shared/children";
import type { Manifests } from "../objects";
import type { MiniClusterSpec } from "../parse/spec";

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

/** Registers the agent of a cluster whose size follows the queue. It comes after the cluster and its own program. */
export function registerAgent(
  name: string,
  { agent }: Manifests,
  { after, ...options }: pulumi.CustomResourceOptions & { after: pulumi.Resource[] },
): void {
  if (!agent) return;
  const account = new ServiceAccount(`${name}-autoscale`, agent.account, options);
  const role = new Role(`${name}-autoscale`, agent.role, options);
  const binding = new RoleBinding(`${name}-autoscale`, agent.binding, { ...options, dependsOn: [account, role] });
  const secret = new Secret(`${name}-autoscale`, agent.secret, options);
  new Deployment(`${name}-autoscale`, agent.deployment, { ...options, dependsOn: [...after, binding, secret] });
}
