import { integer } from "../../../shared/checks";
import { type AddIssue, type Picked, ruleOn } from "../../../shared/rules";

/** Maximum number of nodes of a pool. */
export const maxPoolNodes = 100_000;

/** Fields that set the number of nodes. */
export const sizingFields = {
  size: integer(0, maxPoolNodes).optional(),
  minSize: integer(0, maxPoolNodes).optional(),
  maxSize: integer(1, maxPoolNodes).optional(),
};

/** Number of nodes in the arguments. */
export interface SizingFields {
  size?: number;
  minSize?: number;
  maxSize?: number;
}

/** Number of nodes of a pool, with defaults. */
export interface Sizing {
  isFixed: boolean;
  /** Initial number of nodes: the size, if it is fixed. */
  initial: number;
  min: number;
  max: number;
}

/** True for a pool with a fixed number of nodes. */
export const isFixedSize = ({ size, maxSize }: SizingFields) => size !== undefined && maxSize === undefined;

/** The number of nodes with defaults. */
export function resolveSizing({ size = 0, minSize = 0, maxSize }: SizingFields): Sizing {
  if (maxSize === undefined) return { isFixed: true, initial: size, min: size, max: size };
  // A cluster without pods, of size 0, does not shrink the pool below its minimum.
  return { isFixed: false, initial: Math.max(size, minSize), min: minSize, max: maxSize };
}

const rule = ruleOn<SizingFields>();

const givenRule = rule(["size", "maxSize"], ({ size, maxSize }, addIssue) => {
  if (size === undefined && maxSize === undefined)
    addIssue(["size"], "set size for a fixed number of nodes, or maxSize for a pool that is autoscaled");
});

const minSizeRule = rule(["minSize", "maxSize"], ({ minSize, maxSize }, addIssue) => {
  if (minSize === undefined) return;
  if (maxSize === undefined) addIssue(["minSize"], "is for a pool that is autoscaled; set maxSize, or remove minSize");
  else if (minSize > maxSize)
    addIssue(["minSize"], `minSize ${minSize} is above maxSize ${maxSize}; raise maxSize or lower minSize`);
});

const sizeRule = rule(["size", "maxSize"], ({ size, maxSize }, addIssue) => {
  if (size !== undefined && maxSize !== undefined && size > maxSize)
    addIssue(["size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
});

/** Rules on the number of nodes. */
export const sizingRules = [givenRule, minSizeRule, sizeRule];

/** Fields that determine the maximum number of nodes of a pool. */
export const countFields = ["size", "maxSize"] as const;

/** Adds an issue at each number with which a pool may have more nodes than `limit`; `message` follows the number. */
export function limitNodes(
  counts: Picked<SizingFields, (typeof countFields)[number]>,
  limit: number,
  message: string,
  addIssue: AddIssue,
): void {
  for (const key of countFields) {
    const { [key]: nodes } = counts;
    if (nodes !== undefined && nodes > limit) addIssue([key], `${nodes} is above the ${limit} nodes ${message}`);
  }
}
