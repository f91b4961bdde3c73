import { z } from "zod";
import { inputProblems, inputPropertiesError } from "./errors";
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

/**
 * Parsed arguments of a component, or one error that names all their problems. Without `name` they have the Pulumi
 * resource name.
 */
export function parseArgs<T extends z.ZodType>(
  schema: T,
  component: string,
  resourceName: string,
  args: { name?: string },
): z.output<T> {
  const named = isPlainObject(args) ? { ...args, name: args.name ?? resourceName } : args;
  const parsed = schema.safeParse(named, onceOnly);
  if (!parsed.success) throw inputPropertiesError(`${component} ${resourceName}`, inputProblems(parsed.error));
  return parsed.data;
}
