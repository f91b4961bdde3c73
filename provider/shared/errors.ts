import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";

/** Problem with one of a component's arguments: its path, and what to change. */
export interface InputProblem {
  propertyPath: string;
  reason: string;
}

/** A problem, with its path as a list of steps. */
export interface Issue {
  path: PropertyKey[];
  message: string;
}

/** Every issue of a parse, one entry each, in the order of the schema. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [{ path: issue.path, message: issue.message }];
    // Their message has a line for each key.
    const messages = issue.message.split("\n");
    return issue.keys.map((key, index) => ({
      path: [...issue.path, key],
      message: messages[index] ?? issue.message,
    }));
  });
}

/** Issues in the engine's format. */
export const problemsOf = (issues: Issue[]): InputProblem[] =>
  issues.map(({ path, message }) => ({ propertyPath: propertyPath(path), reason: message }));

/** Every problem of a parse. */
export const inputProblems = (error: z.ZodError): InputProblem[] => problemsOf(issuesOf(error));

/** The error that the engine prints with one line for each wrong property. */
export function inputPropertiesError(component: string, problems: InputProblem[]): pulumi.InputPropertiesError {
  const lines = problems.map(({ propertyPath, reason }) => `  ${propertyPath || "the arguments"}: ${reason}`);
  const error = new pulumi.InputPropertiesError({
    message: [`${component}: invalid arguments, nothing was created`, ...lines].join("\n"),
    errors: problems,
  });
  return withoutStack(error);
}

/** Error caused by the user, from an apply. It has no stack trace, which would not help the user. */
export const userError = (message: string) => withoutStack(new pulumi.RunError(message));

/**
 * The error with its message alone. The runner of a program prints the stack and every property of an error, and takes
 * a minute for a stack with frames of the SDK. The SDK also adds the outputs that the error has passed, before the
 * message, which should begin with the problem.
 */
export function withoutStack<T extends Error>(error: T): T {
  const { message } = error;
  error.stack = message;
  Object.defineProperty(error, "message", { get: () => message, set: () => undefined, configurable: true });
  return Object.defineProperty(error, inspect.custom, { value: () => message });
}

/** A path with an additional step, in the engine's notation: `spec.containers[0].volumes["my.data"].path`. */
export function pathOf(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  if (!/^[A-Za-z_]\w*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** A path in the engine's notation. */
export const propertyPath = (path: readonly PropertyKey[]) =>
  path.reduce<string>((parent, key) => pathOf(parent, typeof key === "symbol" ? String(key) : key), "");

/** Text of any thrown value. */
export const thrownText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
