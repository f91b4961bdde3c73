import { isNotFound, type Read } from "../../shared/apiServer";
import { agentSelector, autoscaleName, demandPort } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";
import { type Pod, podProblems } from "./progress";

interface Deployment {
  status?: { conditions?: { type: string; status: string; message?: string }[] };
}

/** The reason why the agent of a cluster is not Ready. Nothing where the cluster has no agent yet. */
export async function readAgentProblem(read: Read, spec: MiniClusterSpec): Promise<string | undefined> {
  const { namespace } = spec;
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${autoscaleName(spec)}`;
  const deployment = await read(path).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (deployment === undefined) return undefined;
  const selector = Object.entries(agentSelector(spec)).map((pair) => pair.join("="));
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const { items } = (await read(`${pods}?labelSelector=${encodeURIComponent(selector.join())}`)) as { items: Pod[] };
  const pod = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined).at(-1);
  if (!pod) return refusal(deployment as Deployment) ?? "it has no pod yet";
  const [problem] = podProblems([pod]);
  if (problem !== undefined) return problem;
  const log = await read(`${pods}/${pod.metadata.name}/log?container=agent&tailLines=1`);
  const words = printable(String(log));
  return words === ""
    ? `pod ${pod.metadata.name} has only just started`
    : (explain(words, spec) ?? `it says "${words}"`);
}

/** Why Kubernetes makes no pod, such as a quota. */
const refusal = ({ status }: Deployment) =>
  status?.conditions?.find(({ type, status: state }) => type === "ReplicaFailure" && state === "True")?.message;

/** One line for a terminal, whatever a program has written. */
const printable = (text: string) =>
  text
    .replaceAll(/\p{C}+/gu, " ")
    .trim()
    .slice(0, 500);

/** The likely cause of an error that the agent has written, and what to check. */
function explain(words: string, spec: MiniClusterSpec): string | undefined {
  const concernsLead = /\blead\b/.test(words);
  const [whom, way] = concernsLead
    ? ["the lead broker's pod", `TCP port ${demandPort} of that pod, or the port of expose.demand`]
    : ["the API server", `routes and network policies for egress from namespace ${spec.namespace}`];
  const quoted = `it says "${words}"`;
  if (/\b40[13]\b/.test(words))
    return concernsLead
      ? `the lead broker's pod does not accept it, because its key is of another certificate: ${quoted}`
      : `the API server refuses it (RBAC); check Role and RoleBinding ${autoscaleName(spec)}: ${quoted}`;
  if (/Errno -[23]\b|name resolution/i.test(words))
    return `it cannot resolve a name; check DNS, and network policies that close port 53: ${quoted}`;
  if (/unreachable|no route|timed out|too slow|refused|reset/i.test(words))
    return `it does not reach ${whom}; check ${way}: ${quoted}`;
  return undefined;
}
