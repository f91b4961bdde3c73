import type { z } from "zod";
import { integer, object, properties } from "../shared/checks";
import type { AddIssue } from "../shared/rules";
import type { NodePoolAutoscaleArgs, NodePoolPairArgs } from "./args";

const maxPoolNodes = 100_000;

/** The ways of saying how many nodes a pool has. */
export const sizingFields = {
  size: integer(0, maxPoolNodes).optional(),
  autoscale: object({ min: integer(0, maxPoolNodes).default(0), max: integer(1, maxPoolNodes) }).optional(),
  pairedWith: object({
    size: integer(0, maxPoolNodes).default(1),
    maxSize: integer(1, maxPoolNodes).optional(),
  }).optional(),
};

/** How many nodes a pool has, in the end. */
export interface Sizing {
  isFixed: boolean;
  /** Nodes that it starts with: all of them, where the size is fixed. */
  initial: number;
  min: number;
  max: number;
}

type Given = { [K in keyof typeof sizingFields]?: z.output<(typeof sizingFields)[K]> };

/** The number of nodes from whichever way it was said in. A pool that is paired with a cluster grows as the cluster needs it. */
export function resolveSizing({ size, autoscale, pairedWith }: Given): Sizing {
  if (size !== undefined) return { isFixed: true, initial: size, min: size, max: size };
  const { size: initial = 0, maxSize = initial } = pairedWith ?? {};
  const { min, max } = autoscale ?? { min: 0, max: maxSize };
  return { isFixed: false, initial: Math.min(Math.max(min, initial), max), min, max };
}

interface SizingArgs {
  size?: number;
  autoscale?: NodePoolAutoscaleArgs;
  pairedWith?: NodePoolPairArgs;
}

/** The rules on the number of nodes: it is said once, and the limits are in order. */
export function sizingRules({ size, autoscale, pairedWith }: SizingArgs, addIssue: AddIssue): void {
  const given = [size, autoscale ?? pairedWith].filter((way) => way !== undefined);
  if (given.length === 0)
    addIssue(
      ["size"],
      "how many nodes? give size, or autoscale, or the sizes of the MiniCluster as pairedWith: { size, maxSize }",
    );
  if (given.length > 1)
    addIssue(["size"], "a pool has a fixed size or grows by need; keep size, or autoscale and pairedWith");
  const { min = 0, max } = properties(autoscale);
  if (isNumber(min) && isNumber(max) && min > max)
    addIssue(["autoscale", "min"], `min ${min} is above max ${max}; raise max or lower min`);
  const { size: pods = 1, maxSize } = properties(pairedWith);
  if (isNumber(pods) && isNumber(maxSize) && pods > maxSize)
    addIssue(["pairedWith", "size"], `size ${pods} is above maxSize ${maxSize}; raise maxSize or lower size`);
  if (pods === 0 && maxSize === undefined && autoscale === undefined)
    addIssue(["pairedWith", "maxSize"], "says how far the pool may grow, for a cluster that has no pods yet; add it");
  const most = maxSize ?? (pairedWith === undefined ? undefined : pods);
  if (isNumber(max) && isNumber(most) && most > max)
    addIssue(["autoscale", "max"], `max ${max} is below the ${most} nodes that the paired cluster may need; raise it`);
}

const isNumber = (value: unknown): value is number => typeof value === "number";
