import * as pulumi from "@pulumi/pulumi";
import { describeCapacity, describePrice } from "../../clouds/nodes/parse/capacity";
import { isNotFound, labelSelector, type Read, readerOf } from "../../diagnostics/apiServer";
import { beforeCreate, beforeUpdate, type Diagnostic, type Inputs, mergeHooks, onError } from "../../diagnostics/hooks";
import { kubectlOf } from "../../diagnostics/kubectl";
import { whenKnown } from "../../shared/deferred";
import { MiniClusterAffinity } from "../../core/args";
import { diagnoseCommand } from "../../core/flux/hosts";
import { demandPort } from "../../core/parse/names";
import { isAutoscaled, type MiniClusterSpec } from "../../core/parse/spec";
import { autoscaleName, agentSelector, maxAnnotation } from "../names";
import { autoscaledJobs } from "../spec";
import { annotationsIn, replacementWarning } from "../../core/diagnostics/job";
import { type JobReader, type Pod, podProblems } from "../../core/diagnostics/pods";
import { duringWait, untilSlow, type Wait } from "../../core/diagnostics/waiting";
import { type AgentState, oneLine, peers, problems, readState, readStates, reasons } from "./state";

/**
 * Hooks that show which nodes a new cluster keeps while its queue is empty, warn of an `autoscale.max` that replaces the Job, and
 * log why the agent is not Ready.
 */
export const agentHooks = (name: string, spec: MiniClusterSpec, parent: pulumi.ComponentResource) =>
  mergeHooks(
    beforeCreate(`minicluster:${name}:rest`, parent, () => restNotices(spec)),
    beforeUpdate(`minicluster:${name}:agent`, parent, (before, after) => maxReplacementWarnings(spec, before, after)),
    onError(`minicluster:${name}:agentWait`, parent, async () => {
      const problem = await problemOf(spec, parent);
      const message = `the agent of ${spec.name} is not Ready, and without it the size does not follow the queue`;
      return problem === undefined ? [] : [{ severity: "error", message: `${message}: ${problem}` }];
    }),
  );

/** Notices of the nodes that a cluster with `autoscale` keeps while its queue is empty, if each pod has a node of a pool. */
export const restNotices = (spec: MiniClusterSpec): Diagnostic[] =>
  autoscaledJobs(spec).flatMap((job): Diagnostic[] => {
    const { pool, network, autoscale } = job;
    if (!pool || network.affinity !== MiniClusterAffinity.Required) return [];
    const { min, max, budget } = autoscale;
    const machine = pool.machineType === undefined ? "" : ` (${pool.machineType})`;
    const at = (count: number) => `${describeCapacity({ count, node: pool.node })}${describePrice(count, pool)}`;
    const limits = [
      ...(budget?.perDay === undefined ? [] : [`${budget.perDay} per day`]),
      ...(budget?.perMonth === undefined ? [] : [`${budget.perMonth} per month`]),
    ];
    const limit = limits.length > 0 ? `, budget ${limits.join(", ")}` : "";
    const range = `${job.name} on pool ${pool.pool}${machine}: at rest ${at(min)}; at most ${at(max)}${limit}`;
    const way =
      job.role === "lead"
        ? "; pod 0 runs the lead broker and remains: with lead, it has a separate pod of 1 CPU, and min may be 0"
        : "";
    const isAvoided = ([key, value]: [string, string]) => spec.avoidedNodes?.[key]?.includes(value);
    const others = Object.entries(pool.nodeSelector).some(isAvoided)
      ? "; the pods of the lead broker and the agent run on other nodes (lead.pool)"
      : "";
    return [{ severity: "info", message: `${range}${way}${others}` }];
  });

/** Warns while the engine waits for the agent, if the wait is slow. */
export function warnOfSlowAgent(spec: MiniClusterSpec, component: pulumi.ComponentResource, wait: Wait): void {
  duringWait(wait, async (signal) => {
    await untilSlow(spec, signal);
    const problem = await problemOf(spec, component);
    if (problem === undefined || signal.aborted) return;
    await pulumi.log.warn(`still waiting for the agent of ${spec.name}: ${problem}`, component);
  });
}

/**
 * Warns, once the agent is Ready, of hosts that Flux drained as they joined: the agent does not replace them, so jobs may wait
 * although the size could grow. Resolves when the state of the agent is known.
 */
export async function warnOfUnusableHosts(
  spec: MiniClusterSpec,
  component: pulumi.ComponentResource,
  agent: pulumi.Resource,
): Promise<void> {
  if (pulumi.runtime.isDryRun()) return;
  await whenKnown(agent.urn);
  try {
    const read = await readerOf(component);
    const message = read && (await readUnusableHosts(read, spec));
    if (message !== undefined) await pulumi.log.warn(`the agent of ${spec.name} adds no hosts: ${message}`, component);
  } catch {
    // The cluster already has the requested size.
  }
}

/** The message of the agent's state, if it reports hosts that Flux drained as they joined. */
export async function readUnusableHosts(read: Read, spec: MiniClusterSpec): Promise<string | undefined> {
  const found = (await readStates(read, spec)).filter(({ reason }) => reason === reasons.unusableHosts);
  return found.length > 0 ? found.map(({ message }) => message).join("; ") : undefined;
}

/** Reasons for the size of a Job that its agent has set, as a part of the message on a wait for its pods. */
export async function sizeReasons({ read }: JobReader, spec: MiniClusterSpec): Promise<string[]> {
  const state = isAutoscaled(spec) ? await readState(read, spec) : undefined;
  return state ? [`the agent has set the size (${state.reason} since ${state.since}): ${state.message}`] : [];
}

/** The reason why the agent is not Ready, and the command that shows more. Undefined if its Deployment cannot be read. */
async function problemOf(spec: MiniClusterSpec, component: pulumi.Resource): Promise<string | undefined> {
  const read = await readerOf(component);
  const problem = read && (await readAgentProblem(read, spec).catch(() => undefined));
  return problem === undefined
    ? undefined
    : `${problem}; to see more, run: ${diagnoseCommand(spec, await kubectlOf(component))}`;
}

interface Deployment {
  status?: { conditions?: { type: string; status: string; message?: string }[] };
}

/** The reason why the agent of a cluster is not Ready. Undefined if the cluster has no agent yet. */
export async function readAgentProblem(read: Read, spec: MiniClusterSpec): Promise<string | undefined> {
  const path = `/apis/apps/v1/namespaces/${spec.namespace}/deployments/${autoscaleName(spec)}`;
  const deployment = await read(path).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (deployment === undefined) return undefined;
  const pod = await readPod(read, spec);
  if (!pod) return replicaFailure(deployment as Deployment) ?? "it has no pod yet";
  const [problem] = podProblems([pod]);
  if (problem !== undefined) return problem;
  const states = (await readStates(read, spec)).filter(({ since }) => since >= createdAt(pod));
  const causes = states.flatMap(({ problem: cause, message }) => (cause ? [`${causeOf(cause, spec)}${message}`] : []));
  if (causes.length > 0) return causes.join("; ");
  const line = await readLastLine(read, spec, pod);
  if (line === "") return `pod ${pod.metadata.name} has just started`;
  return states.length > 0 ? `its log ends with "${line}"` : `${withoutState(spec)}: its log ends with "${line}"`;
}

/** Time of the creation of a pod: a former pod has written an earlier state. */
const createdAt = ({ metadata }: Pod) => metadata.creationTimestamp ?? "";

/** Checks to make if the agent has not written its state: it needs only the API server for this. */
const withoutState = (spec: MiniClusterSpec) =>
  `it has not written its state to the Job, so it does not reach the API server, or the API server rejects its requests (RBAC); ` +
  `check Role and RoleBinding ${autoscaleName(spec)}, DNS, and routes and network policies for egress from namespace ${spec.namespace}`;

const podsPath = ({ namespace }: MiniClusterSpec) => `/api/v1/namespaces/${namespace}/pods`;

/** The agent's pod. Undefined if it does not exist or is terminating. */
async function readPod(read: Read, spec: MiniClusterSpec): Promise<Pod | undefined> {
  const query = `labelSelector=${encodeURIComponent(labelSelector(agentSelector(spec)))}`;
  const { items } = (await read(`${podsPath(spec)}?${query}`)) as { items: Pod[] };
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).at(-1);
}

/** The last line of the agent's log, only for a message: no decision depends on it. */
const readLastLine = async (read: Read, spec: MiniClusterSpec, { metadata }: Pod) =>
  oneLine(String(await read(`${podsPath(spec)}/${metadata.name}/log?container=agent&tailLines=1`)));

/** The reason why Kubernetes creates no pod, such as a quota. */
const replicaFailure = ({ status }: Deployment) =>
  status?.conditions?.find(({ type, status: state }) => type === "ReplicaFailure" && state === "True")?.message;

/** The cause of a problem of the agent, and what to check, as the start of a sentence. Empty for an unknown error. */
function causeOf({ peer, code }: NonNullable<AgentState["problem"]>, spec: MiniClusterSpec): string {
  const isLead = peer === peers.leadPod;
  switch (code) {
    case problems.accessRejected:
      return isLead
        ? "the lead broker's pod rejects its key, which belongs to another certificate: "
        : `the API server rejects its requests (RBAC); check Role and RoleBinding ${autoscaleName(spec)}: `;
    case problems.nameNotResolved:
      return "it cannot resolve a name; check DNS, and network policies that close port 53: ";
    case problems.peerNotReached:
      return isLead
        ? `it does not reach the lead broker's pod; check TCP port ${demandPort} of that pod, or the port of expose.demand: `
        : `it does not reach the API server; check routes and network policies for egress from namespace ${spec.namespace}: `;
    default:
      return "";
  }
}

/** Warnings of an `autoscale.max` whose change replaces the Job, from the inputs of the agent. */
export function maxReplacementWarnings(spec: MiniClusterSpec, before: Inputs, after: Inputs): Diagnostic[] {
  const [old, changed] = [before, after].map((inputs) => annotationsIn(inputs)[maxAnnotation]);
  if (spec.role === "follower" || spec.hasMaxSize) return [];
  if (typeof old !== "string" || typeof changed !== "string" || old === changed) return [];
  return [replacementWarning(spec, "max", { old, changed })];
}
