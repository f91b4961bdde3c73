import type * as pulumi from "@pulumi/pulumi";

/** Options that all children of a component share. */
export interface ChildOptions {
  parent: pulumi.ComponentResource;
  customTimeouts: pulumi.CustomTimeouts;
}

/**
 * Options of a component's children. The engine hands down all options that count for them, except for the time limits
 * that the component has been given.
 */
export const childOptions = (
  parent: pulumi.ComponentResource,
  { customTimeouts = {} }: pulumi.ComponentResourceOptions = {},
): ChildOptions => ({ parent, customTimeouts });

/**
 * Time limits of a child that waits: by default so many seconds for a create and an update, unless `customTimeouts` says
 * otherwise.
 */
export function waitingFor(seconds: number, { customTimeouts }: pulumi.CustomResourceOptions): pulumi.CustomTimeouts {
  const limit = `${seconds}s`;
  return { create: limit, update: limit, ...customTimeouts };
}
