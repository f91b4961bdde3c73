import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount";
import { Role } from "@pulumi/kubernetes/rbac/v1/role";
import { RoleBinding } from "@pulumi/kubernetes/rbac/v1/roleBinding";
import type * as pulumi from "@pulumi/pulumi";
import type { Manifests } from "../objects";

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
