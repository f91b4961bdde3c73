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
export function podsIn(inputs: Inputs): number | undefined {
  const { suspend } = properties(inputs["spec"] as { suspend?: unknown } | undefined);
  return suspend === true ? 0 : numberAt(inputs, "spec", "completions");
}

/** A resize: the argument of the size, and what the change of the size is for the pods. */
export interface Resize {
  /** Path of the argument, such as `groups.cpu.size`. */
  size: string;
  /** True if the Job is replaced in the same update. */
  isReplaced: boolean;
  /** What a controller does with all pods for another size. Default: nothing, so that the remaining pods keep running. */
  restart?: string | undefined;
}

/**
 * Notice of a change of the size, the pool or the machine type, in one line: the pods that keep running, the hosts that leave, and
 * the nodes that the change adds or removes, if each pod has a node of a pool.
 */
export function resizeNotices(spec: MiniClusterSpec, resize: Resize, before: Inputs, after: Inputs): Diagnostic[] {
  const [old, changed] = [before, after].map(podsIn);
  if (old === undefined || changed === undefined) return [];
  const nodes = describeNodes(spec, before, after, { old, changed });
  if (old === changed || resize.isReplaced)
    return nodes === undefined ? [] : [info(`${nodes.isMoved ? "" : "resize "}${nodes.place}: ${nodes.change}`)];
  const on = nodes === undefined ? "" : ` ${nodes.place}: ${nodes.change}`;
  return [info(`${resize.size} ${old} => ${changed} in place${on}; ${effectOf(spec, resize, { old, changed })}`)];
}

const info = (message: string): Diagnostic => ({ severity: "info", message });

interface Counts {
  old: number;
  changed: number;
}

/** The change of the nodes of a pool, if each pod has a node. */
function describeNodes({ pool, network }: MiniClusterSpec, before: Inputs, after: Inputs, { old, changed }: Counts) {
  if (!pool || network.affinity !== MiniClusterAffinity.Required) return undefined;
  const [oldPool, newPool] = [poolNodeIn(before), poolNodeIn(after)];
  const isSamePlace = oldPool === undefined || isDeepStrictEqual(oldPool, newPool);
  if (old === changed && isSamePlace) return undefined;
  const isMoved = oldPool !== undefined && oldPool.pool !== pool.pool;
  const change = describeChange({ count: old, node: oldPool }, { count: changed, node: pool.node });
  const price = describePriceChange(isSamePlace ? old : undefined, changed, pool);
  const place = isMoved ? `move from pool ${oldPool.pool} to pool ${pool.pool}` : `on pool ${pool.pool}`;
  return { isMoved, place, change: `${change}${price}` };
}

/** The effect of a resize in place on the pods and on the jobs of the hosts that leave. */
function effectOf(spec: MiniClusterSpec, { restart }: Resize, { old, changed }: Counts): string {
  if (spec.suspend === true && !spec.suspendsAtZero) return "no pod runs until suspend is false";
  const kept = Math.min(old, changed);
  const pods = old === 0 ? `${describePods(changed)} ${changed === 1 ? "starts" : "start"}` : describeKept(kept);
  const parts = [
    ...(restart !== undefined ? [restart] : kept > 0 || old === 0 ? [pods] : []),
    ...leaving(spec, { old, changed }),
  ];
  return parts.join(", ");
}

const describePods = (count: number) => (count === 1 ? "1 pod" : `${count} pods`);

const describeKept = (count: number) => `${describePods(count)} ${count === 1 ? "keeps" : "keep"} running`;

function leaving({ name, drainTimeoutSeconds }: MiniClusterSpec, { old, changed }: Counts): string[] {
  const count = old - changed;
  if (count <= 0) return [];
  const [hosts, leave, their] = count === 1 ? ["host", "leaves", "its"] : ["hosts", "leave", "their"];
  const when =
    drainTimeoutSeconds > 0
      ? `after ${their} jobs or the drain timeout of ${drainTimeoutSeconds} s`
      : `at once, and ${their} running jobs are lost`;
  return [`${hosts} ${hostRange(name, changed, count)} ${leave} ${when}`];
}

/** Notices of the pods that still terminate after a smaller size is set, from the Job as the API server returned it. */
export function terminatingNotices(before: Inputs, after: Inputs, updated: Inputs): Diagnostic[] {
  const terminating = numberAt(updated, "status", "terminating") ?? 0;
  const [old = 0, changed = old] = [before, after].map(podsIn);
  return terminating === 0 || changed >= old ? [] : [info(describeTerminating(terminating))];
}

/** Text on a number of terminating pods. */
export const describeTerminating = (count: number) =>
  `${describePods(count)} ${count === 1 ? "is" : "are"} terminating`;
