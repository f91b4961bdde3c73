import { z } from "zod";
import { inputPropertiesError, type Issue, issuesOf, problemsOf, propertyPath } from "./errors";
import { isPlainObject } from "./objects";

/** Adds an issue: the path of a property, and what is wrong with it and what to change. */
export type AddIssue = (path: PropertyKey[], message: string) => void;

/** The same function for paths below a property. */
export const prefixPath =
  (addIssue: AddIssue, ...prefix: PropertyKey[]): AddIssue =>
  (path, message) =>
    addIssue([...prefix, ...path], message);

/** The same function without duplicate issues: one argument may appear in several objects. */
export function once(addIssue: AddIssue): AddIssue {
  const added = new Set<string>();
  return (path, message) => {
    const key = `${propertyPath(path)}: ${message}`;
    if (!added.has(key)) addIssue([...path], message);
    added.add(key);
  };
}

/** A rule between the fields of a parsed value. */
export interface Rule<T> {
  /** Runs the rule, unless one of the issues is at a field that it names. */
  run: (value: T, issues: readonly IssuePath[], addIssue: AddIssue) => void;
}

type IssuePath = readonly PropertyKey[];

/**
 * Creates rules on values of one type. A rule names the fields that it reads, and runs only if all of them are valid,
 * so that one run shows every problem and a rule never reads a value of the wrong type.
 *
 * A field is named by its path: `size`, `autoscale.max`. `autoscale?` is only whether `autoscale` is set. With `[]`
 * after a list or a map, as in `taints[].key`, the rule also runs if an item has an issue: `forEachItem` skips this
 * item of a list, and a map is passed without it. With `containers.*.name`, the rule requires a valid field in every
 * item.
 */
export const ruleOn =
  <T>() =>
  <P extends FieldOf<T>>(fields: readonly P[], check: (value: Picked<T, P>, addIssue: AddIssue) => void): Rule<T> => {
    const paths = fields.map((field) => field.replace(/\[\]|\?/g, ".$&").split("."));
    return {
      run: (value, issues, addIssue) => {
        const readable = paths.reduce<unknown>((part, path) => readablePart(part, path, issues), value);
        if (readable !== unreadable) check(readable as Picked<T, P>, addIssue);
      },
    };
  };

// Last step of a path to an object whose content may be invalid, step to each item of a list or value of a map, and
// step to all items.
const [whetherGiven, eachItem, everyItem] = ["?", "[]", "*"];

/** Result for a value if one of its named fields has an issue. */
const unreadable = Symbol("unreadable");

/** A value without the items at a path that have an issue, or `unreadable` if another field at the path has one. */
function readablePart(value: unknown, [step, ...rest]: string[], issues: readonly IssuePath[]): unknown {
  if (issues.length === 0 || value === unreadable) return value;
  if (issues.some((path) => path.length === 0)) return unreadable;
  if (step === whetherGiven) return value;
  if (step === undefined) return unreadable;
  const partAt = (key: PropertyKey, inner: unknown) => readablePart(inner, rest, issuesBelow(key, issues));
  if (step === everyItem) {
    const items = (value as unknown[]).map((item, index) => partAt(index, item));
    return items.includes(unreadable) ? unreadable : items;
  }
  if (step !== eachItem) {
    const part = partAt(step, (value as Record<string, unknown>)[step]);
    return part === unreadable ? part : { ...(value as object), [step]: part };
  }
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (item === undefined ? item : readableItem(partAt(index, item))));
  const entries = Object.entries(value as object).map(([key, item]) => [key, partAt(key, item)] as const);
  return Object.fromEntries(entries.filter(([, part]) => part !== unreadable));
}

const readableItem = (part: unknown) => (part === unreadable ? undefined : part);

/** The paths of the issues below a property, relative to the property. */
const issuesBelow = (key: PropertyKey, issues: readonly IssuePath[]) =>
  issues.filter(([first]) => String(first) === String(key)).map(([, ...path]) => path);

/** Rules on each item of a list; `itemsOf` may add fields to the items. */
export const onItems = <T, Item>(
  list: keyof T & string,
  itemsOf: (value: T) => Item[],
  ...all: Rule<Item>[]
): Rule<T>[] =>
  all.map((rule) => ({
    run: (value, issues, addIssue) => {
      const below = issuesBelow(list, issues);
      if (below.some((path) => path.length === 0)) return;
      for (const [index, item] of itemsOf(value).entries())
        rule.run(item, issuesBelow(index, below), prefixPath(addIssue, list, index));
    },
  }));

/** Paths in some arguments, each with its source path in other ones, longer ones first. */
export type Moved = (readonly [path: IssuePath, origin: IssuePath])[];

/** Arguments that are composed of other ones. */
export interface MovedArgs {
  args: Record<string, unknown>;
  moved: Moved;
}

const startsWith = (path: IssuePath, start: IssuePath) =>
  start.every((step, index) => String(path[index]) === String(step));

/** The source path of a path. */
export function sourcePath(moved: Moved, path: IssuePath): PropertyKey[] {
  const found = moved.find(([start]) => startsWith(path, start));
  return found ? [...found[1], ...path.slice(found[0].length)] : [...path];
}

/** The rules between the fields of a schema's values. They run even if some fields are wrong. */
export function rules<T>(...all: Rule<T>[]) {
  const check = (value: T, context: z.core.$RefinementCtx<T>) => {
    // An unknown property is not among the values, so its issue is not an issue of a field.
    const issues = context.issues.filter(({ code }) => code !== "unrecognized_keys").map(({ path = [] }) => path);
    const addIssue = once((path, message) => context.addIssue({ code: "custom", path, message, input: value }));
    for (const rule of all) rule.run(value, issues, addIssue);
  };
  return z.superRefine(check, { when: ({ value }) => isPlainObject(value) });
}

/** Calls back for each item of a list in a rule, except for invalid items. */
export function forEachItem<T>(list: readonly (T | undefined)[], callback: (item: T, index: number) => void): void {
  for (const [index, item] of list.entries()) if (item !== undefined) callback(item, index);
}

/** The fields of a type by their paths, down to values that are only known later. */
export type FieldOf<T> = { [K in keyof T & string]: K | FieldBelow<NonNullable<T[K]>, K> }[keyof T & string];

type FieldBelow<V, K extends string> = [Extract<V, PromiseLike<unknown>>] extends [never]
  ? V extends readonly (infer Item)[]
    ? `${K}[]` | FieldBelow<Item, `${K}[]` | `${K}.*`>
    : V extends object
      ? string extends keyof V
        ? `${K}[]` | FieldBelow<V[keyof V], `${K}[]`>
        : `${K}?` | `${K}.${FieldOf<V>}`
      : never
  : never;

/** The part of a type that some paths name. */
export type Picked<T, P extends string> = {
  [K in keyof T as K extends Head<P> ? K : never]: Part<T[K], K & string, P>;
};

type Head<P extends string> = P extends `${infer Name}.${string}` ? NameIn<Name> : NameIn<P>;

type NameIn<Step extends string> = Step extends `${infer Name}${"[]" | "?"}` ? Name : Step;

type Part<V, K extends string, P extends string> = K extends P
  ? V
  : V extends readonly (infer Item)[]
    ? Below<P, `${K}.*`> extends never
      ? (Part<Item, `${K}[]`, P> | undefined)[]
      : Part<Item, `${K}.*`, P>[]
    : V extends object
      ? string extends keyof V
        ? Record<string, Part<V[keyof V], `${K}[]`, P>>
        : Picked<V, Below<P, K>>
      : V;

type Below<P extends string, K extends string> = P extends `${K}.${infer Rest}` ? Rest : never;

// A program parses few components, so compiling the schema would take longer than interpreting it.
const onceOnly = { jitless: true };

/** A check of the result of a schema. */
export type ResultCheck<T> = (result: T, addIssue: AddIssue) => void;

/** The result of a schema, if the value is valid. */
export interface Checked<T> {
  data?: T;
  issues: Issue[];
}

/**
 * Parses a value and checks the result. If some properties are invalid, the check gets the result of the other
 * properties, so that one run shows every problem.
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown, check: ResultCheck<T>): Checked<T> {
  const parsed = schema.safeParse(value, onceOnly);
  const issues = parsed.success ? [] : issuesOf(parsed.error);
  const wrong = issues.map(({ path }) => path);
  const result = parsed.success ? parsed : schema.safeParse(without(value, wrong), onceOnly);
  if (result.success) check(result.data, (path, message) => issues.push({ path, message }));
  return issues.length === 0 ? { data: parsed.data, issues } : { issues };
}

/**
 * A value without the parts at some paths. A list with such a part is omitted as a whole, because its other items would
 * change their index.
 */
function without(value: unknown, paths: PropertyKey[][]): unknown {
  if (paths.some((path) => path.length === 0)) return undefined;
  if (paths.length === 0 || !(Array.isArray(value) || isPlainObject(value))) return value;
  const below = new Map<string, PropertyKey[][]>();
  for (const [step, ...rest] of paths) {
    const siblings = below.get(String(step));
    if (siblings) siblings.push(rest);
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
