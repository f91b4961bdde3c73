import { MiniClusterAffinity } from "../args";
import { brokerSelector } from "../names";
import type { MiniClusterSpec } from "../parse/spec";
import type { Affinity } from "./types";

/** Affinity of the pods: nodes with the given labels, one zone where that can be, and nodes apart from each other. */
export function buildAffinity(spec: MiniClusterSpec): Affinity | undefined {
  const nodeAffinity = buildNodeAffinity(spec);
  const between = betweenPods(spec);
  return nodeAffinity || between ? { ...(nodeAffinity && { nodeAffinity }), ...between } : undefined;
}

function buildNodeAffinity({ pod }: MiniClusterSpec): Affinity["nodeAffinity"] {
  const matchExpressions = Object.entries(pod.nodeAffinity).map(([key, values]) => ({ key, operator: "In", values }));
  if (matchExpressions.length === 0) return undefined;
  return { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } };
}

function betweenPods(spec: MiniClusterSpec): Affinity | undefined {
  const sameCluster = (topologyKey: string) => ({ labelSelector: brokerSelector(spec), topologyKey });
  const preferred = (topologyKey: string) => [{ weight: 100, podAffinityTerm: sameCluster(topologyKey) }];
  const zone = {
    podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred("topology.kubernetes.io/zone") },
  };
  const hostname = "kubernetes.io/hostname";
  const rules: Record<MiniClusterAffinity, Affinity | undefined> = {
    [MiniClusterAffinity.Required]: {
      ...zone,
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [sameCluster(hostname)] },
    },
    [MiniClusterAffinity.Preferred]: {
      ...zone,
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred(hostname) },
    },
    [MiniClusterAffinity.None]: undefined,
  };
  return rules[spec.network.affinity];
}
