import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";

/** One thing that is wrong with a component's arguments: where it stands, and what to change. */
export interface InputProblem {
  propertyPath: string;
  reason: string;
}

/** Every problem that a parse found, one entry each, in the order of the schema. */
export function inputProblems(error: z.ZodError): InputProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [{ propertyPath: propertyPath(issue.path), reason: issue.message }];
    return issue.keys.map((key) => ({
      propertyPath: propertyPath([...issue.path, key]),
      reason: "unknown property; correct its name or remove it",
    }));
  });
}

/** The error that the engine prints with one line for each wrong property. */
export function inputPropertiesError(component: string, problems: InputProblem[]): pulumi.InputPropertiesError {
  const lines = problems.map(({ propertyPath, reason }) => `  ${propertyPath || "the arguments"}: ${reason}`);
  const error = new pulumi.InputPropertiesError({
    message: [`${component}: invalid arguments, nothing was created`, ...lines].join("\n"),
    errors: problems,
  });
  return withoutStack(error);
}

/** An error of the user's making, from an apply: no stack leads anywhere that he could change something. */
export const userError = (message: string) => withoutStack(new pulumi.RunError(message));

/**
 * The error without all that is not its message. A program's runner prints the stack and every property of an error, and a
 * stack that goes through the SDK's own sources takes the runner a minute to write. The SDK puts the outputs that the error
 * was on its way through before the message, which begins with what has happened.
 */
export function withoutStack<T extends Error>(error: T): T {
  const { message } = error;
  error.stack = message;
  Object.defineProperty(error, "message", { get: () => message, set: () => undefined, configurable: true });
  return Object.defineProperty(error, inspect.custom, { value: () => message });
}

/** A path with one step more, in the engine's notation: `spec.containers[0].volumes["my.data"].path`. */
export function pathOf(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  if (!/^[A-Za-z_]\w*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** A path in the engine's notation. */
export const propertyPath = (path: readonly PropertyKey[]) =>
  path.reduce<string>((parent, key) => pathOf(parent, typeof key === "symbol" ? String(key) : key), "");
