import { Deployment } from "@pulumi/kubernetes/apps/v1/deployment";
import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount";
import { Role } from "@pulumi/kubernetes/rbac/v1/role";
import { RoleBinding } from "@pulumi/kubernetes/rbac/v1/roleBinding";
import * as pulumi from "@pulumi/pulumi";
import { lookAtCluster } from "../../shared/apiServer";
import { mergeHooks, remarkOnError, remarkOnUpdate } from "../../shared/changes";
import { waitingFor } from "../../shared/children";
import { MiniClusterWait } from "../args";
import { diagnoseCommand } from "../flux/hosts";
import type { Manifests } from "../objects";
import { waitsForAgent } from "../objects/programs";
import type { MiniClusterSpec } from "../parse/spec";
import { readAgentProblem } from "./agentProblem";
import { largerReplacementRemarks } from "./jobChange";
import { kubectlOf } from "./kubectl";
import { duringWait, untilSlow } from "./waiting";

interface AgentOptions extends pulumi.CustomResourceOptions {
  parent: pulumi.ComponentResource;
  hooks: pulumi.ResourceHookBinding;
  /** The resource that waits for the brokers' pods. */
  waiting: pulumi.Resource;
  /** ConfigMaps with the agent's program. */
  programs: pulumi.Resource[];
}

/** Registers the agent of a cluster whose size follows the queue. `up` waits until it is Ready. */
export function registerAgent(
  name: string,
  spec: MiniClusterSpec,
  { agent }: Manifests,
  { waiting, programs, hooks, ...others }: AgentOptions,
): void {
  if (!agent) return;
  const own = `${name}-autoscale`;
  const options = { ...others, hooks };
  const account = new ServiceAccount(own, agent.account, options);
  const role = new Role(own, agent.role, options);
  const binding = new RoleBinding(own, agent.binding, { ...options, dependsOn: [account, role] });
  const secret = new Secret(own, agent.secret, options);
  // The agent needs the lead broker, but where `up` waits for the end of the command, the command needs the agent.
  const cluster = spec.wait === MiniClusterWait.Complete ? [] : [waiting];
  const before = [...cluster, ...programs, binding, secret];
  const deployment = new Deployment(own, agent.deployment, {
    ...options,
    dependsOn: before,
    customTimeouts: waitingFor(spec.waitTimeoutSeconds, options),
    hooks: mergeHooks(hooks, hooksOnAgent(name, spec, options.parent)),
  });
  if (waitsForAgent(spec)) hintWhenSlow(spec, options.parent, { begun: before, ended: deployment });
}

/** Hooks that warn of a largest size that replaces the Job, and log why the agent has not become Ready. */
function hooksOnAgent(name: string, spec: MiniClusterSpec, parent: pulumi.ComponentResource) {
  return {
    ...remarkOnUpdate(`minicluster:${name}:agent`, parent, (before, after) =>
      largerReplacementRemarks(spec, before, after),
    ),
    ...remarkOnError(`minicluster:${name}:agentWait`, parent, async () => {
      const problem = await problemOf(spec, parent);
      const text = `the agent of ${spec.name} is not Ready, and without it the size does not follow the queue`;
      return problem === undefined ? [] : [{ severity: "error", text: `${text}: ${problem}` }];
    }),
  };
}

function hintWhenSlow(
  spec: MiniClusterSpec,
  component: pulumi.ComponentResource,
  wait: { begun: pulumi.Resource[]; ended: pulumi.Resource },
) {
  duringWait(wait, async (signal) => {
    await untilSlow(spec, signal);
    const problem = await problemOf(spec, component);
    if (problem === undefined || signal.aborted) return;
    await pulumi.log.warn(`still waiting for the agent of ${spec.name}: ${problem}`, component);
  });
}

/** The reason why the agent is not Ready, and the command that shows more. Nothing where there is no Deployment to look at. */
async function problemOf(spec: MiniClusterSpec, component: pulumi.Resource): Promise<string | undefined> {
  const read = await lookAtCluster(component);
  const problem = read && (await readAgentProblem(read, spec).catch(() => undefined));
  return problem === undefined
    ? undefined
    : `${problem}; to see more, run: ${diagnoseCommand(spec, await kubectlOf(component))}`;
}
