import { AsyncResource } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";
import { callsBack } from "./children";
import { userError } from "./errors";

/** Remark on a change: a fact, a likely mistake, or the reason why the change cannot be made. */
export interface Remark {
  severity: "info" | "warning" | "error";
  text: string;
}

/** Inputs of a resource, as the engine has them. */
export type Inputs = Readonly<Record<string, unknown>>;

/**
 * Hook that logs remarks before an update of a resource, in a preview too; an error among them stops the update. Only the
 * engine knows the former inputs, and the resource as it was last seen.
 */
export const remarkOnUpdate = (
  name: string,
  component: pulumi.Resource,
  remarks: (before: Inputs, after: Inputs, seen: Inputs) => Remark[] | Promise<Remark[]>,
): pulumi.ResourceHookBinding =>
  hook("beforeUpdate", name, component, ({ oldInputs = {}, newInputs = {}, oldOutputs = {} }) =>
    remarks(oldInputs, newInputs, oldOutputs),
  );

/** Hook that logs remarks after an update of a resource. */
export const remarkAfterUpdate = (
  name: string,
  component: pulumi.Resource,
  remarks: (before: Inputs, after: Inputs, seen: Inputs) => Remark[],
): pulumi.ResourceHookBinding =>
  hook("afterUpdate", name, component, ({ oldInputs = {}, newInputs = {}, newOutputs = {} }) =>
    remarks(oldInputs, newInputs, newOutputs),
  );

/**
 * Hook that logs remarks on a resource that could not be created or updated, or has not become what was waited for. The
 * operation fails all the same.
 */
export function remarkOnError(
  name: string,
  component: pulumi.Resource,
  remarks: (errors: string[]) => Promise<Remark[]>,
): pulumi.ResourceHookBinding {
  if (!callsBack()) return {};
  const speak = AsyncResource.bind(async ({ errors }: pulumi.ErrorHookArgs) => {
    for (const { severity, text } of await remarks(errors).catch(() => []))
      await pulumi.log[logOf[severity]](text, component);
    return false;
  });
  return { onError: [new pulumi.ErrorHook(uniqueName(name), speak)] };
}

const logOf = { info: "info", warning: "warn", error: "error" } as const;

/** Hook that logs remarks before a resource is created, in a preview too, and not again while the resource exists. */
export const remarkOnCreate = (
  name: string,
  component: pulumi.Resource,
  remarks: Remark[],
): pulumi.ResourceHookBinding => (remarks.length === 0 ? {} : hook("beforeCreate", name, component, () => remarks));

/** The same for remarks that have to be looked for; an error among them stops the operation. */
export const lookBeforeCreate = (
  name: string,
  component: pulumi.Resource,
  look: () => Promise<Remark[]>,
): pulumi.ResourceHookBinding => hook("beforeCreate", name, component, look);

/** Hooks that refuse to create or update a resource, in a preview too, if there is a reason. */
export function refuseWhere(
  name: string,
  component: pulumi.Resource,
  reason: Promise<string | undefined>,
): pulumi.ResourceHookBinding {
  const remarks = async (): Promise<Remark[]> => {
    const text = await reason;
    return text === undefined ? [] : [{ severity: "error", text }];
  };
  return {
    ...hook("beforeCreate", `${name}:create`, component, remarks),
    ...hook("beforeUpdate", `${name}:update`, component, remarks),
  };
}

/**
 * Hooks that log remarks before a resource is created or updated; an error among them refuses that. A preview only warns of an error:
 * what mends it may be part of the same update.
 */
export function remarkNow(
  name: string,
  component: pulumi.Resource,
  remarks: () => Promise<Remark[]>,
): pulumi.ResourceHookBinding {
  const softened = async (): Promise<Remark[]> => {
    const all = await remarks();
    return pulumi.runtime.isDryRun() ? all.map(({ text }) => ({ severity: "warning", text })) : all;
  };
  return {
    ...hook("beforeCreate", `${name}:create`, component, softened),
    ...hook("beforeUpdate", `${name}:update`, component, softened),
  };
}

/** The hooks of several bindings together. */
export const mergeHooks = (...bindings: pulumi.ResourceHookBinding[]): pulumi.ResourceHookBinding => ({
  beforeCreate: bindings.flatMap(({ beforeCreate = [] }) => beforeCreate),
  beforeUpdate: bindings.flatMap(({ beforeUpdate = [] }) => beforeUpdate),
  afterUpdate: bindings.flatMap(({ afterUpdate = [] }) => afterUpdate),
  onError: bindings.flatMap(({ onError = [] }) => onError),
});

function hook(
  event: "beforeCreate" | "beforeUpdate" | "afterUpdate",
  name: string,
  component: pulumi.Resource,
  remarks: (event: pulumi.ResourceHookArgs) => Remark[] | Promise<Remark[]>,
): pulumi.ResourceHookBinding {
  if (!callsBack()) return {};
  // The engine calls from outside, and what is logged there has to find the engine of this program.
  const speak = AsyncResource.bind(async (event: pulumi.ResourceHookArgs) => {
    const all = await remarks(event);
    for (const { severity, text } of all.filter((remark) => remark.severity !== "error"))
      await pulumi.log[logOf[severity]](text, component);
    const errors = all.filter(({ severity }) => severity === "error");
    // A hook that fails stops what it comes before, in a preview too.
    if (errors.length > 0) throw userError(errors.map(({ text }) => text).join("\n"));
  });
  // A preview does not know what an update comes to.
  return { [event]: [new pulumi.ResourceHook(uniqueName(name), speak, { onDryRun: event !== "afterUpdate" })] };
}

const timesTaken = new Map<string, number>();

/**
 * Name of a hook that no other hook has: the engine refuses a second one, and two components may share their name under
 * other parents or types.
 */
function uniqueName(name: string): string {
  const times = (timesTaken.get(name) ?? 0) + 1;
  timesTaken.set(name, times);
  return times === 1 ? name : `${name}:${times}`;
}

/** Number at a path in the inputs of a resource, if it is known. */
export function numberAt(inputs: unknown, ...keys: string[]): number | undefined {
  const found = keys.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? (value as Inputs)[key] : undefined),
    inputs,
  );
  return typeof found === "number" ? found : undefined;
}
