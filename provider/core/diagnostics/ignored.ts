import * as pulumi from "@pulumi/pulumi";

/** Warns of properties that `ignoreChanges` names: a component computes its resources from all of its arguments. */
export function warnOfIgnored(component: pulumi.Resource, { ignoreChanges = [] }: pulumi.ResourceOptions = {}): void {
  if (ignoreChanges.length === 0) return;
  const names = ignoreChanges.map((name) => JSON.stringify(name)).join(", ");
  const remedy = ignoreChanges.includes("size")
    ? "; use autoscale, with which the queue determines the size and updates keep it"
    : "; leave the argument unchanged instead";
  const message = `ignoreChanges has no effect on a component, so a change of ${names} is applied${remedy}`;
  void pulumi.log.warn(message, component);
}
