import type { z } from "zod";
import { integer, object } from "../../../shared/checks";
import { type AddIssue, type Picked, ruleOn } from "../../../shared/rules";

const maxPoolNodes = 100_000;

/** Alternative fields that set the number of nodes. */
export const sizingFields = {
  size: integer(0, maxPoolNodes).optional(),
  autoscale: object({ min: integer(0, maxPoolNodes).default(0), max: integer(1, maxPoolNodes) }).optional(),
  pairedWith: object({
    size: integer(0, maxPoolNodes).default(1),
    maxSize: integer(1, maxPoolNodes).optional(),
  }).optional(),
};

/** Number of nodes in the arguments. */
export type SizingFields = z.output<z.ZodObject<typeof sizingFields>>;

/** Number of nodes of a pool, with defaults. */
export interface Sizing {
  isFixed: boolean;
  /** Initial number of nodes: the size, if it is fixed. */
  initial: number;
  min: number;
  max: number;
}

/**
 * The number of nodes with defaults. A pool with a paired cluster is autoscaled up to the size that the cluster needs.
 */
export function resolveSizing({ size, autoscale, pairedWith }: SizingFields): Sizing {
  if (size !== undefined) return { isFixed: true, initial: size, min: size, max: size };
  const { min, max } = autoscale ?? { min: 0, max: pairedNodes(pairedWith) ?? 0 };
  return { isFixed: false, initial: Math.min(Math.max(min, pairedWith?.size ?? 0), max), min, max };
}

/** Nodes that the paired cluster may need. */
const pairedNodes = (pairedWith: SizingFields["pairedWith"]) => pairedWith?.maxSize ?? pairedWith?.size;

const rule = ruleOn<SizingFields>();

const oneWayRule = rule(["size", "autoscale?", "pairedWith?"], ({ size, autoscale, pairedWith }, addIssue) => {
  const scaled = autoscale ?? pairedWith;
  if (size === undefined && scaled === undefined)
    addIssue(["size"], "set size, autoscale, or pairedWith: { size, maxSize } of the MiniCluster");
  if (size !== undefined && scaled !== undefined)
    addIssue(["size"], "a pool has either a fixed size or autoscaling; remove size, or autoscale and pairedWith");
});

const autoscaleRule = rule(["autoscale"], ({ autoscale }, addIssue) => {
  if (autoscale && autoscale.min > autoscale.max)
    addIssue(["autoscale", "min"], `min ${autoscale.min} is above max ${autoscale.max}; raise max or lower min`);
});

const pairedSizeRule = rule(["pairedWith"], ({ pairedWith }, addIssue) => {
  const { size = 0, maxSize } = pairedWith ?? {};
  if (maxSize !== undefined && size > maxSize)
    addIssue(["pairedWith", "size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
});

const pairedLimitRule = rule(["pairedWith", "autoscale?"], ({ autoscale, pairedWith }, addIssue) => {
  if (pairedWith?.size === 0 && pairedWith.maxSize === undefined && autoscale === undefined)
    addIssue(["pairedWith", "maxSize"], "is required with size 0, as the limit of the pool; add it");
});

const roomRule = rule(["autoscale.max", "pairedWith"], ({ autoscale, pairedWith }, addIssue) => {
  const nodes = pairedNodes(pairedWith);
  if (autoscale && nodes !== undefined && nodes > autoscale.max)
    addIssue(
      ["autoscale", "max"],
      `max ${autoscale.max} is below the ${nodes} nodes that the paired cluster may need; raise max`,
    );
});

/** Rules on the number of nodes: it is set in one way, and the limits are in order. */
export const sizingRules = [oneWayRule, autoscaleRule, pairedSizeRule, pairedLimitRule, roomRule];

/** Fields that determine the maximum number of nodes of a pool. */
export const countFields = ["size", "autoscale.max", "pairedWith.size", "pairedWith.maxSize"] as const;

/** Adds an issue at each number with which a pool may have more nodes than `limit`; `message` follows the number. */
export function limitNodes(
  { size, autoscale, pairedWith }: Picked<SizingFields, (typeof countFields)[number]>,
  limit: number,
  message: string,
  addIssue: AddIssue,
): void {
  const counts: [path: string[], nodes: number | undefined][] = [
    [["size"], size],
    [["autoscale", "max"], autoscale?.max],
    [["pairedWith", "size"], pairedWith?.size],
    [["pairedWith", "maxSize"], pairedWith?.maxSize],
  ];
  for (const [path, nodes] of counts)
    if (nodes !== undefined && nodes > limit) addIssue(path, `${nodes} is above the ${limit} nodes ${message}`);
}
