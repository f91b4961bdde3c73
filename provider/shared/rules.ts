import { z } from "zod";
import { inputPropertiesError, type Issue, issuesOf, problemsOf } from "./errors";
import { isPlainObject } from "./objects";

/** Adds an issue: the path of a property, and what is wrong with it and what to change. */
export type AddIssue = (path: PropertyKey[], message: string) => void;

/** The same function for paths below a property. */
export const prefixPath =
  (addIssue: AddIssue, ...prefix: PropertyKey[]): AddIssue =>
  (path, message) =>
    addIssue([...prefix, ...path], message);

/** A rule between the properties of a parsed value. */
export type Rule<T> = (value: T, addIssue: AddIssue) => void;

/** A rule beside a value that is there: the value first, then whatever else it looks at. */
export type RuleBeside<V, T> = (given: V, addIssue: AddIssue, all: T) => void;

/** Rules that hold only where a value is there. */
export const where = <V, T>(valueIn: (all: T) => V | undefined, ...rules: RuleBeside<V, T>[]): Rule<T>[] =>
  rules.map((rule) => (all, addIssue) => {
    const given = valueIn(all);
    if (given !== undefined) rule(given, addIssue, all);
  });

/**
 * The rules between the properties of a schema's values. They run even if some properties are wrong, so that one run
 * shows every problem. A rule that reads a property with an issue of its own ends there: it never sees a value of the
 * wrong type.
 */
export function rules<T>(...all: Rule<T>[]) {
  const check = (value: T, context: z.core.$RefinementCtx<T>) => {
    // An unknown property is beside the values, and an issue of none of them.
    const invalid = context.issues.filter(({ code }) => code !== "unrecognized_keys").map(({ path = [] }) => [...path]);
    const readable = guarded(value, invalid);
    for (const rule of all)
      untilInvalid(() =>
        rule(readable, (path, message) => context.addIssue({ code: "custom", path, message, input: value })),
      );
  };
  return z.superRefine(check, { when: ({ value }) => isPlainObject(value) });
}

/** Calls back for each item of a list in a rule. An item with an issue of its own does not keep the rule from the others. */
export function forEachItem<T>(list: readonly T[], callback: (item: T, index: number) => void): void {
  // The list may have a hole where an item is no value of its type.
  for (let index = 0; index < list.length; index++) untilInvalid(() => callback(list[index] as T, index));
}

/** Ends a rule that reads a property with an issue of its own. */
class InvalidRead extends Error {}

function untilInvalid(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof InvalidRead)) throw error;
  }
}

/** A view of a value that ends a rule where one of these paths is read. */
function guarded<T>(value: T, invalid: PropertyKey[][]): T {
  if (invalid.length === 0 || !(Array.isArray(value) || isPlainObject(value))) return value;
  return new Proxy(value, {
    get(target, key) {
      const below = invalid.filter(([first]) => String(first) === String(key)).map(([, ...rest]) => rest);
      if (below.some((path) => path.length === 0)) throw new InvalidRead();
      return guarded(Reflect.get(target, key) as unknown, below);
    },
  }) as T;
}

// A program parses a handful of components: to compile the schema first would take longer than to read it.
const onceOnly = { jitless: true };

/** A check of what a schema makes of a value. */
export type ResultCheck<T> = (result: T, addIssue: AddIssue) => void;

/** What a schema makes of a value, if nothing is wrong with it. */
export interface Checked<T> {
  data?: T;
  issues: Issue[];
}

/**
 * Parses a value and checks the result. Where properties are wrong, the check sees the result of the others, so that one run
 * shows every problem.
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown, check: ResultCheck<T>): Checked<T> {
  const parsed = schema.safeParse(value, onceOnly);
  const issues = parsed.success ? [] : issuesOf(parsed.error);
  const wrong = issues.map(({ path }) => path);
  const result = parsed.success ? parsed : schema.safeParse(without(value, wrong), onceOnly);
  if (result.success) check(result.data, (path, message) => issues.push({ path, message }));
  return issues.length === 0 ? { data: parsed.data, issues } : { issues };
}

/** A value without what is at some paths. A list is left out with its item, so that the other items keep their indexes. */
function without(value: unknown, paths: PropertyKey[][]): unknown {
  if (paths.some((path) => path.length === 0)) return undefined;
  if (paths.length === 0 || !(Array.isArray(value) || isPlainObject(value))) return value;
  const below = new Map<string, PropertyKey[][]>();
  for (const [step, ...rest] of paths) {
    const others = below.get(String(step));
    if (others) others.push(rest);
    else below.set(String(step), [rest]);
  }
  const entries = Object.entries(value).map(([key, entry]) => [key, without(entry, below.get(key) ?? [])] as const);
  if (!Array.isArray(value)) return Object.fromEntries(entries);
  const items = entries.map(([, item]) => item);
  return items.includes(undefined) ? undefined : items;
}

/**
 * Parsed arguments of a component, or one error that names all their problems. Without `name` they have the Pulumi
 * resource name.
 */
export function parseArgs<T>(
  schema: z.ZodType<T>,
  component: string,
  resourceName: string,
  args: { name?: string },
  check: ResultCheck<T> = () => undefined,
): T {
  const named = isPlainObject(args) ? { ...args, name: args.name ?? resourceName } : args;
  const { data, issues } = checked(schema, named, check);
  if (issues.length > 0) throw inputPropertiesError(`${component} ${resourceName}`, problemsOf(issues));
  return data as T;
}
