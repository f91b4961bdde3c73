import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { describeChange, describePriceChange } from "../../clouds/nodes/parse/capacity";
import type { Diagnostic, Inputs } from "../../diagnostics/hooks";
import { properties } from "../../shared/checks";
import { numberAt } from "../../shared/objects";
import { MiniClusterAffinity } from "../args";
import { poolNode, poolNodeAnnotation } from "../pool/objects/poolNodeAnnotation";
import { hostRange } from "../parse/hostlist";
import type { MiniClusterSpec } from "../parse/spec";

/** Pool in the inputs of a patch; undefined if an older version of this package has written them. */
function poolNodeIn({ metadata }: Inputs): z.output<typeof poolNode> | undefined {
  const { annotations } = properties(metadata as { annotations?: Record<string, unknown> });
  const text = properties(annotations)[poolNodeAnnotation];
  try {
    return typeof text === "string" ? poolNode.safeParse(JSON.parse(text)).data : undefined;
  } catch {
    return undefined;
  }
}

/** Pods that the Job runs after a patch: none if the Job is suspended. */
function podsIn(inputs: Inputs): number | undefined {
  const { suspend } = properties(inputs["spec"] as { suspend?: unknown } | undefined);
  return suspend === true ? 0 : numberAt(inputs, "spec", "completions");
}

/** Notices of the nodes that a change of size, pool or machine type adds or removes, if each pod has a node. */
export function nodeNotices({ pool, network }: MiniClusterSpec, before: Inputs, after: Inputs): Diagnostic[] {
  if (!pool || network.affinity !== MiniClusterAffinity.Required) return [];
  const [old, changed] = [before, after].map(podsIn);
  if (old === undefined || changed === undefined) return [];
  const [oldPool, newPool] = [poolNodeIn(before), poolNodeIn(after)];
  const isSamePlace = oldPool === undefined || isDeepStrictEqual(oldPool, newPool);
  if (old === changed && isSamePlace) return [];
  const isMoved = oldPool !== undefined && oldPool.pool !== pool.pool;
  const what = isMoved ? `move from pool ${oldPool.pool} to pool ${pool.pool}` : `resize on pool ${pool.pool}`;
  const change = describeChange({ count: old, node: oldPool }, { count: changed, node: pool.node });
  const price = describePriceChange(isSamePlace ? old : undefined, changed, pool);
  return [{ severity: "info", message: `${what}: ${change}${price}` }];
}

/** Notices of the hosts that a smaller size removes, and of the effect on their jobs. */
export function scaleDownNotices(spec: MiniClusterSpec, before: Inputs, after: Inputs): Diagnostic[] {
  const [old, changed] = [before, after].map(podsIn);
  if (old === undefined || changed === undefined || changed >= old) return [];
  const jobs =
    spec.drainTimeoutSeconds > 0
      ? `no new job starts there, and running jobs have ${spec.drainTimeoutSeconds} s to end`
      : "running jobs are lost";
  return [{ severity: "info", message: `removes ${hostRange(spec.name, changed, old - changed)}: ${jobs}` }];
}

/** Notices of the pods that still terminate after a smaller size is set, from the Job as the API server returned it. */
export function terminatingNotices(
  spec: MiniClusterSpec,
  before: Inputs,
  after: Inputs,
  updated: Inputs,
): Diagnostic[] {
  const terminating = numberAt(updated, "status", "terminating") ?? 0;
  if (terminating === 0 || scaleDownNotices(spec, before, after).length === 0) return [];
  return [{ severity: "info", message: describeTerminating(terminating) }];
}

/** Text on a number of terminating pods. */
export const describeTerminating = (pods: number) =>
  pods === 1 ? "1 pod is terminating" : `${pods} pods are terminating`;
