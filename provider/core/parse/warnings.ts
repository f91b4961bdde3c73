import { MiniClusterAffinity } from "../args";
import { drainWithin } from "./fields";
import type { MiniClusterSpec } from "./spec";

/** Warnings on arguments that are allowed and probably a mistake, one sentence each: the effect, and what to change. */
export function clusterWarnings(spec: MiniClusterSpec): string[] {
  return [...cleanupWarnings(spec), ...capabilityWarnings(spec), ...roomWarnings(spec), ...interruptionWarnings(spec)];
}

function cleanupWarnings(spec: MiniClusterSpec): string[] {
  const neverEnds = spec.role === "follower" || spec.mode === "interactive";
  return spec.cleanup && neverEnds
    ? ["cleanup has no effect until the Job ends, and without a command it ends only by a shutdown; remove cleanup"]
    : [];
}

/** Warnings on a user other than root if the fabric locks memory: Linux gives an added capability only to processes of root. */
function capabilityWarnings({ pool, main, pod }: MiniClusterSpec): string[] {
  const user = main.securityContext.runAsUser ?? pod.securityContext.runAsUser ?? 0;
  if (!pool?.lockMemory || user === 0) return [];
  return [
    `the fabric of pool ${pool.pool} requires locked memory, which user ${user} cannot have; run the container that runs Flux ` +
      "as root, or use an image that works without locked memory",
  ];
}

/** Warnings on spot nodes that end before the drain does, or without a notice to the pods. */
function interruptionWarnings({ pool, drainTimeoutSeconds, disruptionBudget }: MiniClusterSpec): string[] {
  if (!pool?.interruption) return [];
  const { noticeSeconds, evicts } = pool.interruption;
  const longest = drainWithin(noticeSeconds);
  return [
    ...(drainTimeoutSeconds > longest
      ? [
          `drainTimeoutSeconds ${drainTimeoutSeconds} is longer than the notice of spot nodes of pool ${pool.pool}: pods have ` +
            `${noticeSeconds} s from the notice to the end, so jobs have at most ${longest} s; lower it, or leave it out`,
        ]
      : []),
    ...(disruptionBudget && evicts
      ? [
          `disruptionBudget blocks the evictions that announce the end of a spot node to pods of pool ${pool.pool}, so jobs are ` +
            "lost without a drain; remove it",
        ]
      : []),
  ];
}

/** Warnings on a `maxSize` above a pool of fixed size: the pool may be enlarged before the cluster, so this is not an error. */
function roomWarnings({ pool, network, suspend, maxSize }: MiniClusterSpec): string[] {
  // The number of nodes does not limit pods that share nodes, and a suspended cluster has no pods.
  if (pool?.nodes === undefined || network.affinity !== MiniClusterAffinity.Required || suspend) return [];
  if (maxSize <= pool.nodes) return [];
  return [
    `maxSize ${maxSize} is above the ${pool.nodes} nodes of pool ${pool.pool}, which has a fixed size; raise the pool's size ` +
      "before size",
  ];
}
