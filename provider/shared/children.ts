import type * as pulumi from "@pulumi/pulumi";

/** What all children of a component have in common. */
export interface ChildOptions {
  parent: pulumi.ComponentResource;
  customTimeouts: pulumi.CustomTimeouts;
}

/**
 * The options of a component's children. The engine hands down all that counts for them, except for the time limits that the
 * component has been given.
 */
export const childOptions = (
  parent: pulumi.ComponentResource,
  { customTimeouts = {} }: pulumi.ComponentResourceOptions = {},
): ChildOptions => ({ parent, customTimeouts });

/** Those of a child that waits as long as the component does by default. */
export function waitingFor(seconds: number, { customTimeouts }: pulumi.CustomResourceOptions): pulumi.CustomTimeouts {
  const limit = `${seconds}s`;
  return { create: limit, update: limit, ...customTimeouts };
}
