import { type Rule, ruleOn } from "../../shared/rules";

/** Fields that decide how many pods a cluster starts with. */
export interface SizeFields {
  size?: number;
  autoscale?: { min: number };
}

/** Initial number of pods of a cluster: `autoscale.min`, `size`, or the default. */
export const startingSize = (fields: SizeFields, defaultSize: () => number) =>
  fields.autoscale ? fields.autoscale.min : (fields.size ?? defaultSize());

/** Fields that `initialSizeOf` reads. */
export const sizeFields = ["size", "autoscale.min"] as const;

/** Initial number of pods of a MiniCluster or of a group. */
export const initialSizeOf = (fields: SizeFields) => startingSize(fields, () => 1);

/** Fields that `maxSizeOf` reads. */
export const maxSizeFields = ["maxSize", ...sizeFields, "autoscale.max"] as const;

/** Fields that decide how many hosts a cluster has. */
export interface MaxSizeFields extends SizeFields {
  maxSize?: number;
  autoscale?: { min: number; max: number };
}

/** Number of hosts of a MiniCluster or of a group in the Flux instance. */
export const maxSizeOf = (fields: MaxSizeFields) => fields.maxSize ?? fields.autoscale?.max ?? initialSizeOf(fields);

const rule = ruleOn<MaxSizeFields>();

/** The rule that a size is within `maxSize`. */
export const sizeRule: Rule<MaxSizeFields> = rule(["maxSize", ...sizeFields], (fields, addIssue) => {
  const { maxSize, autoscale } = fields;
  const size = initialSizeOf(fields);
  if (!autoscale && maxSize !== undefined && size > maxSize)
    addIssue(["size"], `size ${size} is above maxSize ${maxSize}; raise maxSize or lower size`);
});

/** The rule that the sizes of `autoscale` are within `maxSize`. */
export const largestSizeRule: Rule<MaxSizeFields> = rule(["maxSize", "autoscale.max"], (fields, addIssue) => {
  const { maxSize, autoscale } = fields;
  if (autoscale && maxSize !== undefined && autoscale.max > maxSize)
    addIssue(["autoscale", "max"], `max ${autoscale.max} is above maxSize ${maxSize}; raise maxSize or lower max`);
});

/** Fields of a Job that a size of 0 suspends: an Indexed Job without pods would be complete permanently. */
export const suspension = (size: number) => ({ suspendsAtZero: true, suspend: size === 0 });
