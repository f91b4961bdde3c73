import type * as pulumi from "@pulumi/pulumi";
import { MiniClusterAffinity } from "../args";
import { brokerSelector } from "../parse/names";
import type { MiniClusterSpec } from "../parse/spec";
import type { Affinity } from "./manifest";

/** Affinity of the pods: nodes with the given labels, preferably in one zone, and no two pods on one node, unless each fills its node. */
export const buildAffinity = (spec: MiniClusterSpec): Affinity => ({ ...nodesWithLabels(spec), ...betweenPods(spec) });

/** Affinity of a pod beside the workers, which keeps it off their nodes. */
export const awayFromWorkers = ({ avoidedNodes }: MiniClusterSpec): Affinity => onNodes(notIn(avoidedNodes));

function nodesWithLabels({ pool, pod, avoidedNodes }: MiniClusterSpec): Affinity {
  const given = Object.entries(pod.nodeAffinity).map(([key, values]) => ({ key, operator: "In", values }));
  return onNodes([...given, ...(pool ? [] : notIn(avoidedNodes))]);
}

const notIn = (labels: Record<string, string[]> = {}) =>
  Object.entries(labels).map(([key, values]) => ({ key, operator: "NotIn", values }));

function onNodes(
  matchExpressions: { key: string; operator: string; values: pulumi.Input<pulumi.Input<string>[]> }[],
): Affinity {
  if (matchExpressions.length === 0) return {};
  const nodeSelectorTerms = [{ matchExpressions }];
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}

// For every pod with terms on other pods the scheduler reads the pods of all nodes, once for the required terms and once for the
// preferred ones, and it cannot place equal pods together: terms without effect are left out. Otherwise anti-affinity is the
// cheapest way to one pod per node. A spread over host names (minDomains above the nodes) also counts all nodes, and places a pod
// beside a terminating pod; baseline and restricted pods may not use a port of the node.
function betweenPods(spec: MiniClusterSpec): Affinity {
  const { network, pool, fillsNode } = spec;
  if (network.affinity === MiniClusterAffinity.None) return {};
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
  return {
    ...(!isOneZone && { podAffinity: preferred("topology.kubernetes.io/zone") }),
    ...(!fillsNode && { podAntiAffinity: apart }),
  };
}
