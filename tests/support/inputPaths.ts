import { type OperationResult, unknownValue } from "./engine";

// How the engine marks a secret in its events and in its state.
const secretSignature = "4dabf18193072939515e22adb298388d";

/** Paths of the inputs of every resource of a kind of value. */
export function inputPaths(result: OperationResult, matches: (value: unknown) => boolean): string[] {
  const found: string[] = [];
  const walk = (value: unknown, path: string) => {
    if (matches(value)) found.push(path);
    else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, `${path}.${key}`);
  };
  for (const { type, new: state } of result.steps)
    if (!type.startsWith("pulumi:")) walk(state?.inputs ?? {}, type.split(":").at(-1) as string);
  return [...new Set(found)].sort();
}

/** Whether a value of a preview is not known yet. */
export const isUnknown = (value: unknown) => value === unknownValue;

/** Whether a value of an event is a secret. */
export const isSecret = (value: unknown) =>
  value === "[secret]" || (value as { [secretSignature]?: unknown } | null)?.[secretSignature] !== undefined;
