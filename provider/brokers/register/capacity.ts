import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { describeChange } from "../../clouds/nodes/parse/capacity";
import { type Inputs, numberAt, type Remark } from "../../shared/changes";
import { properties } from "../../shared/checks";
import { MiniClusterAffinity } from "../args";
import { poolNode, poolNodeAnnotation } from "../objects/poolNode";
import { hostRange } from "../parse/hostlist";
import type { MiniClusterSpec } from "../parse/spec";

/** Pool in the inputs of a patch, if it is there: older versions of this package do not record it. */
function poolNodeIn({ metadata }: Inputs): z.output<typeof poolNode> | undefined {
  const { annotations } = properties(metadata as { annotations?: Record<string, unknown> });
  const text = properties(annotations)[poolNodeAnnotation];
  try {
    return typeof text === "string" ? poolNode.safeParse(JSON.parse(text)).data : undefined;
  } catch {
    return undefined;
  }
}

/** Pods that a patch of a Job lets run: none if the Job is suspended, whatever its counts. */
export function podsIn(inputs: Inputs): number | undefined {
  const { suspend } = properties(inputs["spec"] as { suspend?: unknown } | undefined);
  return suspend === true ? 0 : numberAt(inputs, "spec", "completions");
}

/**
 * Remarks on another size, pool or machine of a cluster, from the inputs of the patch that resizes its Job: a node comes
 * with each pod.
 */
export function resizeRemarks({ pool, network }: MiniClusterSpec, before: Inputs, after: Inputs): Remark[] {
  if (!pool || network.affinity !== MiniClusterAffinity.Required) return [];
  const [old, changed] = [before, after].map(podsIn);
  if (old === undefined || changed === undefined) return [];
  const [oldPool, newPool] = [poolNodeIn(before), poolNodeIn(after)];
  const isSamePlace = oldPool === undefined || isDeepStrictEqual(oldPool, newPool);
  if (old === changed && isSamePlace) return [];
  const isMoved = oldPool !== undefined && oldPool.pool !== pool.pool;
  const what = isMoved ? `move from pool ${oldPool.pool} to pool ${pool.pool}` : `resize on pool ${pool.pool}`;
  const change = describeChange({ count: old, node: oldPool }, { count: changed, node: pool.node });
  return [{ severity: "info", text: `${what}: ${change}` }];
}

/** Remarks on pods that leave with another size, and on what becomes of their jobs, from the inputs of the Job's patch. */
export function leavingRemarks(spec: MiniClusterSpec, before: Inputs, after: Inputs): Remark[] {
  const [old, changed] = [before, after].map(podsIn);
  if (old === undefined || changed === undefined || changed >= old) return [];
  const hosts = hostRange(spec.name, changed, old - changed);
  const verb = old - changed === 1 ? "leaves" : "leave";
  const jobs =
    spec.drainTimeoutSeconds > 0
      ? `no new job starts there, and those that run there have ${spec.drainTimeoutSeconds} s to end`
      : "the jobs that run there are lost";
  return [{ severity: "info", text: `${hosts} ${verb}: ${jobs}` }];
}

/** Remarks on pods that a smaller size has not got rid of yet, from the Job as the API server has it. */
export function stillLeavingRemarks(spec: MiniClusterSpec, before: Inputs, after: Inputs, seen: Inputs): Remark[] {
  const leaving = numberAt(seen, "status", "terminating") ?? 0;
  if (leaving === 0 || leavingRemarks(spec, before, after).length === 0) return [];
  return [{ severity: "info", text: describeLeaving(leaving) }];
}

/** Text on a number of pods that have been told to leave, and have not gone. */
export const describeLeaving = (pods: number) =>
  pods === 1 ? "1 pod is still leaving" : `${pods} pods are still leaving`;
