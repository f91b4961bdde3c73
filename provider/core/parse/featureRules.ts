import type { z } from "zod";
import { object } from "../../shared/checks";
import { type MovedArgs, type Rule, rules, sourcePath } from "../../shared/rules";
import type { Additions, MiniClusterSpec } from "./spec";

/** What a feature sets in the spec of a Job. */
export interface FeatureSpec {
  /** Its own spec, which only the feature reads. */
  spec?: unknown;
  /** What the builders of the Job place. */
  additions?: Partial<Additions>;
  /** True if another controller suspends and resumes the Job. */
  isHeldBack?: boolean;
}

/**
 * The part of a feature from the arguments to the spec. Its functions get the fields of the whole cluster, and declare the fields
 * that they read.
 */
export interface FeatureRules {
  /** The key of its spec. */
  name: string;
  /** Its arguments of a cluster with the lead broker, by name. */
  fields?: z.core.$ZodLooseShape;
  /** Its arguments of every Job of brokers, by name. */
  jobFields?: z.core.$ZodLooseShape;
  /** Rules on a cluster with the lead broker. */
  rules?: Rule<never>[];
  /** Rules on every Job of brokers. */
  jobRules?: Rule<never>[];
  /** The unchecked arguments of a Job in the form that the rules expect. */
  normalize?(args: Record<string, unknown>): MovedArgs;
  /** Its part of the spec of a Job. */
  buildSpec?(fields: object, spec: MiniClusterSpec): FeatureSpec;
  /** Warnings on arguments that are allowed and probably a mistake, one sentence each: the effect, and what to change. */
  warnings?(spec: MiniClusterSpec): string[];
}

/** Rules of features for values that have the fields of all of them. */
const rulesOf = <T>(features: readonly FeatureRules[], kind: "rules" | "jobRules") =>
  features.flatMap((feature) => feature[kind] ?? []) as Rule<T>[];

/** The schema of a Job: its own arguments and rules, and the arguments and rules of features. `T` are its parsed arguments. */
export function jobSchema<T>(
  own: z.core.$ZodLooseShape,
  ownRules: Rule<T>[],
  features: readonly FeatureRules[],
  { isLead = false }: { isLead?: boolean } = {},
): z.ZodType<T> {
  const shapes = features.flatMap(({ fields = {}, jobFields = {} }) => (isLead ? [fields, jobFields] : [jobFields]));
  const shape = Object.assign({}, own, ...shapes) as z.core.$ZodLooseShape;
  const all = [...ownRules, ...rulesOf<T>(features, "jobRules"), ...(isLead ? rulesOf<T>(features, "rules") : [])];
  return (object(shape) as unknown as z.ZodType<T>).check(rules<T>(...all));
}

/** A spec with the parts of features. If another controller suspends the Job, that controller sets `suspend`. */
export const withFeatures = <T extends MiniClusterSpec>(
  spec: T,
  fields: object,
  features: readonly FeatureRules[],
): T =>
  features.reduce((before, feature) => {
    const { spec: own, additions, isHeldBack } = feature.buildSpec?.(fields, before) ?? {};
    return {
      ...before,
      ...(isHeldBack && { suspend: undefined, suspendsAtZero: false }),
      ...(own !== undefined && { features: { ...before.features, [feature.name]: own } }),
      additions: merged(before.additions, additions),
    };
  }, spec);

function merged(before: Additions, more: Partial<Additions> = {}): Additions {
  const entries = Object.entries(more).map(([key, value]) => [key, { ...before[key as keyof Additions], ...value }]);
  return { ...before, ...(Object.fromEntries(entries) as Partial<Additions>) };
}

/** The spec of a feature in the spec of a Job. */
export const specOf = <T>({ features }: MiniClusterSpec, name: string): T | undefined =>
  features[name] as T | undefined;

/** The unchecked arguments of a Job in the form that the rules expect, with the source path of each. */
export const normalized = <T extends MovedArgs>(job: T, features: readonly FeatureRules[]): T =>
  features.reduce((before, feature) => {
    if (!feature.normalize) return before;
    const { args, moved } = feature.normalize(before.args);
    // The source path may itself have been moved.
    const origins = moved.map(([path, origin]) => [path, sourcePath(before.moved, origin)] as const);
    return { ...before, args, moved: [...origins, ...before.moved] };
  }, job);
