import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount";
import { Role } from "@pulumi/kubernetes/rbac/v1/role";
import { RoleBinding } from "@pulumi/kubernetes/rbac/v1/roleBinding";
import { mergeHooks } from "../diagnostics/hooks";
import { waitingFor } from "../shared/children";
import { MiniClusterWait } from "../core/args";
import { agentHooks, warnOfSlowAgent, warnOfUnusableHosts } from "./diagnostics";
import { type AgentManifests, waitsForAgent } from "./objects";
import type { Brokers } from "../core/register/feature";
import type { JobOfBrokers, UniqueOptions } from "../core/register/options";

/**
 * Registers the agent of a cluster that is autoscaled. `up` waits until the agent is Ready. Resolves when its last warning is
 * logged.
 */
export async function registerAgent(
  { name, spec }: JobOfBrokers,
  agent: AgentManifests,
  { hooks, ...common }: UniqueOptions,
  { waiting, programs }: Brokers,
): Promise<void> {
  const own = `${name}-autoscale`;
  const options = { ...common, hooks };
  const account = new ServiceAccount(own, agent.account, options);
  const role = new Role(own, agent.role, options);
  const binding = new RoleBinding(own, agent.binding, { ...options, dependsOn: [account, role] });
  const secret = new Secret(own, agent.secret, options);
  // The agent needs the lead broker, but if `up` waits for the end of the command, the command needs the agent.
  const cluster = spec.wait === MiniClusterWait.Complete ? [] : waiting;
  const before = [...cluster, ...programs, binding, secret];
  const deployment = new Deployment(own, agent.deployment, {
    ...options,
    dependsOn: before,
    customTimeouts: waitingFor(spec.waitTimeoutSeconds, options),
    hooks: mergeHooks(hooks, agentHooks(name, spec, options.parent)),
  });
  if (!waitsForAgent(spec)) return;
  warnOfSlowAgent(spec, options.parent, { begun: before, ended: deployment });
  await warnOfUnusableHosts(spec, options.parent, deployment);
}
