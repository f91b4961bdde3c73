import { z } from "zod";
import {
  choice,
  dnsLabel,
  flag,
  integer,
  labelValue,
  leaf,
  list,
  map,
  nonEmptyText,
  object,
  properties,
  qualifiedName,
  text,
} from "../shared/checks";
import { inputPropertiesError, inputProblems } from "../shared/errors";
import { isPlainObject } from "../shared/objects";
import { MiniClusterArch, MiniClusterTaintEffect } from "../minicluster/args";
import type { AddIssue } from "../shared/rules";
import { NodePoolAcceleratorKind } from "./args";
import { poolLabel } from "./scheduling";
import { sizingFields } from "./sizing";

/** A device plugin: run or left out, and from which image. */
export const devicePlugin = object({ skip: flag.default(false), image: leaf(nonEmptyText).optional() }).prefault({});

/** What one machine has, as the user says it. */
export const hardwareFields = {
  arch: choice(MiniClusterArch),
  vcpus: integer(1, 100_000),
  threadsPerCore: integer(1, 2),
  memoryMib: integer(1, Number.MAX_SAFE_INTEGER),
  accelerator: object({
    kind: choice(NodePoolAcceleratorKind),
    model: nonEmptyText,
    count: integer(1, 1000),
  }).optional(),
};

/** What every pool is asked, whatever its cloud. */
export const commonFields = {
  ...sizingFields,
  name: dnsLabel,
  arch: choice(MiniClusterArch).optional(),
  labels: map(qualifiedName, leaf(labelValue)).default({}),
  taints: list(
    object({ key: qualifiedName, value: labelValue.optional(), effect: choice(MiniClusterTaintEffect) }),
  ).default([]),
  tags: map(nonEmptyText, leaf(text)).default({}),
  threadsPerCore: integer(1, 2).optional(),
  staticCpu: flag.default(false),
};

interface CommonArgs {
  labels?: object;
  taints?: { key: string; effect: string }[];
}

/** The rules that hold for every pool, whatever its cloud. */
export function commonRules({ labels, taints }: CommonArgs, addIssue: AddIssue): void {
  if (properties(labels as Record<string, unknown>)[poolLabel] !== undefined)
    addIssue(["labels", poolLabel], "is the label of this package; set name");
  const seen = new Set<string>();
  (Array.isArray(taints) ? taints : []).map(properties).forEach(({ key, effect }, index) => {
    const taint = `${key}:${effect}`;
    if (key !== undefined && seen.has(taint)) addIssue(["taints", index], `${taint} stands twice; remove one of them`);
    seen.add(taint);
  });
}

/**
 * The settled form of a pool's arguments, or one error with every problem. The rules run on whatever was given, so that they
 * report together with every single property that is wrong.
 */
export function parsePool<Args extends { name?: string }, Fields extends z.ZodType, Spec>(
  component: string,
  resourceName: string,
  args: Args,
  { fields, rules, resolve }: PoolSchema<Args, Fields, Spec>,
): Spec {
  const named = isPlainObject(args) ? { ...args, name: args.name ?? resourceName } : args;
  const schema = z.custom<Args>().transform((given, context): z.output<Fields> => {
    rules(properties(given), (path, message) => context.addIssue({ code: "custom", path, message, input: given }));
    const parsed = fields.safeParse(given, { jitless: true });
    if (parsed.success) return parsed.data;
    context.issues.push(...(parsed.error.issues as z.core.$ZodRawIssue[]));
    return z.NEVER;
  });
  const parsed = schema.safeParse(named, { jitless: true });
  if (!parsed.success) throw inputPropertiesError(`${component} ${resourceName}`, inputProblems(parsed.error));
  return resolve(parsed.data);
}

/** How the arguments of one cloud are read. */
export interface PoolSchema<Args, Fields extends z.ZodType, Spec> {
  fields: Fields;
  rules: (args: Partial<Args>, addIssue: AddIssue) => void;
  resolve: (parsed: z.output<Fields>) => Spec;
}
