import { amount } from "../../clouds/nodes/parse/pool";
import { properties } from "../../shared/checks";
import { MiniClusterAffinity } from "../args";
import { brokerSelector } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";
import type { Affinity, PodSpec } from "./manifest";

/**
 * Affinity of the pods: nodes with the given labels, one zone where that can be, and nodes apart from each other, unless each
 * fills its node.
 */
export function buildAffinity(spec: MiniClusterSpec, areAlone: boolean): Affinity | undefined {
  const nodeAffinity = buildNodeAffinity(spec);
  const between = betweenPods(spec, areAlone);
  return nodeAffinity || between ? { ...(nodeAffinity && { nodeAffinity }), ...between } : undefined;
}

function buildNodeAffinity({ pod }: MiniClusterSpec): Affinity["nodeAffinity"] {
  const matchExpressions = Object.entries(pod.nodeAffinity).map(([key, values]) => ({ key, operator: "In", values }));
  if (matchExpressions.length === 0) return undefined;
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } };
}

// For every pod with terms on other pods the scheduler looks at the pods of all nodes, once for those that are required and once
// for those that are preferred, and it places no pods of a kind together: terms that decide nothing are left out. Elsewhere
// anti-affinity is the cheapest that keeps to one pod per node. A spread over host names (minDomains above the nodes)
// also counts all nodes, and lets a pod in beside a terminating one; a port of the node is forbidden to baseline and
// restricted pods.
function betweenPods(spec: MiniClusterSpec, areAlone: boolean): Affinity | undefined {
  const { network, pool } = spec;
  if (network.affinity === MiniClusterAffinity.None) return undefined;
  const sameCluster = (topologyKey: string) => ({ labelSelector: brokerSelector(spec), topologyKey });
  const preferred = (topologyKey: string) => ({
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: sameCluster(topologyKey) }],
  });
  const hostname = "kubernetes.io/hostname";
  const apart = {
    [MiniClusterAffinity.Required]: { requiredDuringSchedulingIgnoredDuringExecution: [sameCluster(hostname)] },
    [MiniClusterAffinity.Preferred]: preferred(hostname),
  }[network.affinity];
  const isOneZone = pool?.zones?.length === 1;
  if (isOneZone && areAlone) return undefined;
  return {
    ...(!isOneZone && { podAffinity: preferred("topology.kubernetes.io/zone") }),
    ...(!areAlone && { podAntiAffinity: apart }),
  };
}

/**
 * True for pods that share a node of their pool with none of their kind, because each requests more than half of what it has: of
 * the CPUs or of the EFA interfaces, which no node offers more of than its machine has. GPUs may be offered in parts, and of
 * memory a pool of several machines names the least.
 */
export function fillsNode(pod: PodSpec, { pool }: Pick<MiniClusterSpec, "pool">): boolean {
  if (!pool) return false;
  const labels = properties(pod.nodeSelector as Record<string, unknown> | undefined);
  if (Object.entries(pool.nodeSelector).some(([key, value]) => labels[key] !== value)) return false;
  const efa = "vpc.amazonaws.com/efa";
  const offers: [resource: string, has: number | undefined][] = [
    ["cpu", pool.node.vcpus],
    [efa, amount(pool.resources[efa])],
  ];
  return offers.some(([resource, has = Infinity]) => 2 * requestedBy(pod, resource) > has);
}

interface Running {
  restartPolicy?: unknown;
  resources?: unknown;
}

/** Amount that the containers which a pod has at the same time request together. Amounts that are known only later do not count. */
function requestedBy({ containers, initContainers }: PodSpec, resource: string): number {
  const listed = (list: unknown) => (Array.isArray(list) ? list.map((item) => properties(item as Running)) : []);
  const sidecars = listed(initContainers).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...listed(containers), ...sidecars]
    .map(({ resources }) => properties(resources as Record<"limits" | "requests", unknown> | undefined))
    .map((lists) => [lists.requests, lists.limits].map((list) => properties(list as Record<string, unknown>)[resource]))
    .map(([request, limit]) => amount(request ?? limit) ?? 0)
    .reduce((sum, each) => sum + each, 0);
}
