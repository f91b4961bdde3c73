import { MiniClusterAffinity } from "../args";
import { isWithin } from "./container";
import { drainWithin } from "./fields";
import type { LeadSpec, MiniClusterSpec } from "./spec";

/** Warnings on arguments that are allowed and probably a mistake, one sentence each: the effect, and what to change. */
export function clusterWarnings(spec: MiniClusterSpec): string[] {
  return [
    ...(spec.role === "lead" ? archiveWarnings(spec) : []),
    ...cleanupWarnings(spec),
    ...capabilityWarnings(spec),
    ...roomWarnings(spec),
    ...interruptionWarnings(spec),
    ...(spec.role === "lead" ? burstWarnings(spec) : []),
  ];
}

function archiveWarnings({ archive, main, podTemplate }: LeadSpec): string[] {
  // The user's patch of the pods may mount anything anywhere.
  if (archive === undefined || podTemplate !== undefined) return [];
  const lasting = Object.values(main.volumes).filter(({ source }) => source !== "emptyDir");
  if (lasting.some(({ path }) => isWithin(archive.path, path))) return [];
  return [
    `archive.path ${archive.path} is not on a persistent volume, so the state is lost with the pods; mount a volume`,
  ];
}

function cleanupWarnings(spec: MiniClusterSpec): string[] {
  const neverEnds = spec.role === "follower" || spec.mode === "interactive";
  return spec.cleanup && neverEnds
    ? ["cleanup waits for the end of the Job, and a cluster without a command ends when it is shut down"]
    : [];
}

/**
 * Warnings on a user other than root where the fabric locks memory: Linux gives an added capability to processes of root
 * alone.
 */
function capabilityWarnings({ pool, main, pod }: MiniClusterSpec): string[] {
  const user = main.securityContext.runAsUser ?? pod.securityContext.runAsUser ?? 0;
  if (!pool?.lockMemory || user === 0) return [];
  return [
    `the fabric of pool ${pool.pool} requires locked memory, which user ${user} cannot have; run the container that runs Flux ` +
      "as root, or use an image that works without locked memory",
  ];
}

/** Warnings on spot nodes that end before the jobs have had their time, or that end without a notice to the pods. */
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
  // Pods that share nodes are not counted by nodes, and a suspended cluster has none.
  if (pool?.nodes === undefined || network.affinity !== MiniClusterAffinity.Required || suspend) return [];
  if (maxSize <= pool.nodes) return [];
  return [
    `maxSize ${maxSize} is above the ${pool.nodes} nodes of pool ${pool.pool}, which has a fixed size; raise the pool's size ` +
      "before size",
  ];
}

/**
 * Warnings on joining clusters of unknown hardware: the lead broker's description of the hosts takes precedence, and no broker of
 * another cluster contradicts it.
 */
function burstWarnings({ bursting, pool }: LeadSpec): string[] {
  // Flux compares the configuration with the hardware that each broker finds.
  if (pool) return [];
  const unknown = (bursting?.clusters ?? []).filter(({ cores, pool }) => cores === undefined && pool === undefined);
  return unknown.map(
    ({ name }) =>
      `bursting: the cores of a host of "${name}" are not set, so Flux assumes those of the lead broker's host, and overcommits ` +
      "smaller hosts; add cores or pool",
  );
}
