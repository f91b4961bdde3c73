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
  // A program's runner prints the stack and every property of an error: to people the message says it all.
  error.stack = error.message;
  Object.defineProperty(error, inspect.custom, { value: () => error.message });
  return error;
}

/** A path in the engine's notation: `containers[0].volumes["my.data"].path`. */
function propertyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    if (!/^[A-Za-z_]\w*$/.test(String(key))) return `${text}[${JSON.stringify(String(key))}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}
