import { AsyncResource } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";
import { callsBack } from "../shared/children";
import { within } from "../shared/deferred";
import { userError } from "../shared/errors";

/**
 * A message about an operation: information, a warning of a likely mistake, or the reason why the operation is
 * rejected.
 */
export interface Diagnostic {
  severity: "info" | "warning" | "error";
  message: string;
}

/** Diagnostics of an operation, or the promise of them. */
type Diagnostics = Diagnostic[] | Promise<Diagnostic[]>;

/**
 * Milliseconds for the diagnostics of a hook. The engine waits for every hook without a limit, also after an interrupt:
 * without this limit, a hook that waits for an event that never happens would block the whole update.
 */
export const hookMillis = { before: 60_000, onError: 10_000 };

/** Inputs or outputs of a resource, in the form of the engine. */
export type Inputs = Readonly<Record<string, unknown>>;

/**
 * Hook that logs diagnostics before a resource is created, also in a preview, and not again while the resource exists.
 * An error among them stops the operation.
 */
export const beforeCreate = (
  name: string,
  component: pulumi.Resource,
  diagnose: () => Diagnostics,
): pulumi.ResourceHookBinding => hook("beforeCreate", name, component, diagnose);

/**
 * Hook that logs diagnostics before an update of a resource, also in a preview; an error among them stops the update.
 * Only the engine has the former inputs, and the outputs that the last update or refresh recorded.
 */
export const beforeUpdate = (
  name: string,
  component: pulumi.Resource,
  diagnose: (before: Inputs, after: Inputs, recorded: Inputs) => Diagnostics,
): pulumi.ResourceHookBinding =>
  hook("beforeUpdate", name, component, ({ oldInputs = {}, newInputs = {}, oldOutputs = {} }) =>
    diagnose(oldInputs, newInputs, oldOutputs),
  );

/** Hook that logs diagnostics after an update of a resource. */
export const afterUpdate = (
  name: string,
  component: pulumi.Resource,
  diagnose: (before: Inputs, after: Inputs, updated: Inputs) => Diagnostics,
): pulumi.ResourceHookBinding =>
  hook("afterUpdate", name, component, ({ oldInputs = {}, newInputs = {}, newOutputs = {} }) =>
    diagnose(oldInputs, newInputs, newOutputs),
  );

/** Hooks that log the same diagnostics before a resource is created and before it is updated. An error among them stops the operation. */
export const beforeCreateOrUpdate = (
  name: string,
  component: pulumi.Resource,
  diagnose: () => Diagnostics,
): pulumi.ResourceHookBinding => ({
  ...hook("beforeCreate", `${name}:create`, component, diagnose),
  ...hook("beforeUpdate", `${name}:update`, component, diagnose),
});

/**
 * Hook that logs diagnostics of a resource that could not be created or updated, or did not become ready. The operation
 * still fails. After an interrupt, no diagnostics are logged, and the operation ends at once.
 */
export function onError(
  name: string,
  component: pulumi.Resource,
  diagnose: (errors: string[], recorded: Inputs) => Promise<Diagnostic[]>,
): pulumi.ResourceHookBinding {
  if (!callsBack()) return {};
  const log = AsyncResource.bind(async ({ errors, oldOutputs = {} }: pulumi.ErrorHookArgs) => {
    if (isInterrupted(errors)) return false;
    const diagnostics = diagnose(errors, oldOutputs).catch(() => []);
    for (const diagnostic of await within(hookMillis.onError, diagnostics, []))
      await logDiagnostic(diagnostic, component);
    return false;
  });
  return { onError: [new pulumi.ErrorHook(uniqueName(name), log)] };
}

/** True for the error of an operation that the user has interrupted, in the words of Go's contexts or of the Kubernetes provider. */
const isInterrupted = ([last = ""]: string[]) => /context canceled|operation was cancelled/.test(last);

/** The hooks of several bindings, merged by event. */
export function mergeHooks(...bindings: pulumi.ResourceHookBinding[]): pulumi.ResourceHookBinding {
  const merged: Record<string, unknown[]> = {};
  for (const [event, hooks] of bindings.flatMap((binding) => Object.entries(binding) as [string, unknown[]][]))
    merged[event] = [...(merged[event] ?? []), ...hooks];
  return merged;
}

function hook(
  event: "beforeCreate" | "beforeUpdate" | "afterUpdate",
  name: string,
  component: pulumi.Resource,
  diagnose: (event: pulumi.ResourceHookArgs) => Diagnostics,
): pulumi.ResourceHookBinding {
  if (!callsBack()) return {};
  // The engine calls from outside the program's context, but messages must be sent to the engine of this program.
  const log = AsyncResource.bind(async (args: pulumi.ResourceHookArgs) => {
    const diagnostics = await within(hookMillis.before, Promise.resolve(diagnose(args)), []);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    for (const diagnostic of diagnostics)
      if (diagnostic.severity !== "error") await logDiagnostic(diagnostic, component);
    // A hook that fails stops the operation after it, also in a preview.
    if (errors.length > 0) throw userError(errors.map(({ message }) => message).join("\n"));
  });
  // The result of an update is not known in a preview.
  return { [event]: [new pulumi.ResourceHook(uniqueName(name), log, { onDryRun: event !== "afterUpdate" })] };
}

const logOf = { info: "info", warning: "warn", error: "error" } as const;

const logDiagnostic = ({ severity, message }: Diagnostic, component: pulumi.Resource) =>
  pulumi.log[logOf[severity]](message, component);

const timesTaken = new Map<string, number>();

/**
 * Unique name of a hook: the engine rejects a second hook of one name, and two components may share their name under different
 * parents or types.
 */
function uniqueName(name: string): string {
  const times = (timesTaken.get(name) ?? 0) + 1;
  timesTaken.set(name, times);
  return times === 1 ? name : `${name}:${times}`;
}
