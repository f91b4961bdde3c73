import { MiniClusterTaintEffect, type NodePoolTaint } from "../../nodes/args";
import type { Node, Taint } from "./clusterObjects";

/**
 * Prefixes and keys of taints by which Kubernetes, autoscalers and clouds mark nodes that are not ready or will be removed. Sources:
 * Kubernetes, "Well-Known Labels, Annotations and Taints"; cluster autoscaler, `utils/taints`; Karpenter, `apis/v1/taints.go` and
 * `scheduling/taints.go`; aws-node-termination-handler, `node.go`; Cilium and the EBS driver, by Karpenter's "NodePools".
 */
const lifecyclePrefixes = [
  "node.kubernetes.io/",
  "node.cloudprovider.kubernetes.io/",
  "ignore-taint.cluster-autoscaler.kubernetes.io/",
  "startup-taint.cluster-autoscaler.kubernetes.io/",
  "status-taint.cluster-autoscaler.kubernetes.io/",
  "karpenter.sh/",
  "readiness.k8s.io/",
  "aws-node-termination-handler/",
];
const lifecycleKeys = new Set([
  "ToBeDeletedByClusterAutoscaler",
  "DeletionCandidateOfClusterAutoscaler",
  "NodeWithImpairedVolumes",
  "cloud.google.com/impending-node-termination",
  "cloud.google.com/gke-quick-remove",
  "node.cilium.io/agent-not-ready",
  "ebs.csi.aws.com/agent-not-ready",
  "node.coreweave.cloud/reserved",
  "node.coreweave.cloud/evict",
]);

/** Prefix of the taints of a control plane, whose nodes run no jobs unless the arguments say so. */
const rolePrefix = "node-role.kubernetes.io/";

const isOfLifecycle = (key: string) =>
  lifecycleKeys.has(key) || lifecyclePrefixes.some((prefix) => key.startsWith(prefix));

const isLasting = ({ key, effect }: Taint) => effect !== MiniClusterTaintEffect.PreferNoSchedule && !isOfLifecycle(key);

/** The taints of a node that belong to its purpose. */
export const lastingTaints = ({ spec: { taints = [] } = {} }: Node) => taints.filter(isLasting);

export const taintText = ({ key, value, effect }: { key: string; value?: unknown; effect: string }) =>
  `${key}${typeof value === "string" && value !== "" ? `=${value}` : ""}:${effect}`;

/** The taints that all nodes have, except for those of the life cycle and of the role of a node. */
export function commonTaints(nodes: Node[]): NodePoolTaint[] {
  const [first, ...others] = nodes.map(lastingTaints);
  const common = (first ?? []).filter(
    (taint) =>
      !taint.key.startsWith(rolePrefix) &&
      others.every((taints) => taints.some((other) => taintText(other) === taintText(taint))),
  );
  return common.map(({ key, value, effect }) => ({
    key,
    ...(value !== undefined && { value }),
    effect: effect as MiniClusterTaintEffect,
  }));
}

/** The taints of a node that these pods do not tolerate. */
export const untolerated = (node: Node, tolerated: NodePoolTaint[]) =>
  lastingTaints(node).filter((taint) => !tolerated.some((other) => isSame(taint, other)));

/** A value that is known only later may be the same. */
const isSame = (taint: Taint, { key, value, effect }: NodePoolTaint) =>
  taint.key === key && taint.effect === effect && (typeof value === "object" || (taint.value ?? "") === (value ?? ""));
