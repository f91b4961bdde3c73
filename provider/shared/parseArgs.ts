import type { z } from "zod";
import { inputPropertiesError, inputProblems } from "./errors";
import { isPlainObject } from "./objects";

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
