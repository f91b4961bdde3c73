import { AsyncResource } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";
import { callsBack } from "./engine";
import { userError } from "./errors";

/** What there is to say of a change: a fact, something that is probably not meant, or why it cannot be made. */
export interface Remark {
  severity: "info" | "warning" | "error";
  text: string;
}

/** Inputs of a resource, as the engine has them. */
export type Inputs = Readonly<Record<string, unknown>>;

/**
 * Speaks of an update of a resource before it happens, and in a preview before anybody has decided on it. Only the engine
 * knows what the inputs were, and what the resource was when it was last seen.
 */
export const remarkOnUpdate = (
  name: string,
  component: pulumi.Resource,
  remarks: (before: Inputs, after: Inputs, seen: Inputs) => Remark[] | Promise<Remark[]>,
): pulumi.ResourceHookBinding =>
  hook("beforeUpdate", name, component, ({ oldInputs = {}, newInputs = {}, oldOutputs = {} }) =>
    remarks(oldInputs, newInputs, oldOutputs),
  );

/** Speaks of what an update of a resource has come to. */
export const remarkAfterUpdate = (
  name: string,
  component: pulumi.Resource,
  remarks: (before: Inputs, after: Inputs, seen: Inputs) => Remark[],
): pulumi.ResourceHookBinding =>
  hook("afterUpdate", name, component, ({ oldInputs = {}, newInputs = {}, newOutputs = {} }) =>
    remarks(oldInputs, newInputs, newOutputs),
  );

/** Speaks of a resource that was made or changed and has not become what was waited for. The operation fails all the same. */
export function remarkOnError(
  name: string,
  component: pulumi.Resource,
  remarks: () => Promise<Remark[]>,
): pulumi.ResourceHookBinding {
  if (!callsBack()) return {};
  const speak = AsyncResource.bind(async () => {
    for (const { severity, text } of await remarks().catch(() => []))
      await pulumi.log[logOf[severity]](text, component);
    return false;
  });
  return { onError: [new pulumi.ErrorHook(uniqueName(name), speak)] };
}

const logOf = { info: "info", warning: "warn", error: "error" } as const;

/** Speaks of a resource before it is made, in a preview, too, and never again while it is there. */
export const remarkOnCreate = (
  name: string,
  component: pulumi.Resource,
  remarks: Remark[],
): pulumi.ResourceHookBinding => (remarks.length === 0 ? {} : hook("beforeCreate", name, component, () => remarks));

/** Refuses to make or to change a resource, in a preview, too, if there is a reason. */
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

/** The engine refuses a second hook of one name, and two components may share theirs under other parents or types. */
function uniqueName(name: string): string {
  const times = (timesTaken.get(name) ?? 0) + 1;
  timesTaken.set(name, times);
  return times === 1 ? name : `${name}:${times}`;
}

/** A number in the inputs of a resource, if it is known. */
export function numberAt(inputs: unknown, ...keys: string[]): number | undefined {
  const found = keys.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? (value as Inputs)[key] : undefined),
    inputs,
  );
  return typeof found === "number" ? found : undefined;
}
