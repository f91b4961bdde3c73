import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import type * as pulumi from "@pulumi/pulumi";
import type { ChildOptions } from "../../shared/children";
import type { DevicePlugin } from "../nodes/parse/devicePlugins";
import { registerDevicePlugins } from "../nodes/register";
import type { KarpenterObject } from "./objects";

/** An object of a pool in Kubernetes, with its hooks. */
export interface HookedObject {
  object: KarpenterObject;
  hooks: pulumi.ResourceHookBinding;
}

/** What a pool of any cloud registers. */
export interface KarpenterPoolParts {
  nodeClass: HookedObject;
  nodePool: HookedObject;
  spec: { name: string; staticCpu: boolean; devicePlugins: DevicePlugin[] };
}

/** Registers a pool's objects in Kubernetes, and its device plugins. Karpenter creates the nodes. */
export function registerNodePool(name: string, parts: KarpenterPoolParts, options: ChildOptions) {
  // The names are fixed: the old object is deleted before the new one is created.
  const fixed = { ...options, deleteBeforeReplace: true };
  const { object: classObject, hooks } = parts.nodeClass;
  const nodeClass = new CustomResource(`${name}-class`, classObject, { ...fixed, hooks });
  const nodePool = new CustomResource(name, parts.nodePool.object, {
    ...fixed,
    dependsOn: [nodeClass],
    hooks: parts.nodePool.hooks,
  });
  // The plugins are not created if the NodePool is rejected.
  const afterPool = { ...options, dependsOn: [nodePool] };
  const { name: pool, staticCpu, devicePlugins } = parts.spec;
  return { nodePool, plugins: registerDevicePlugins(name, devicePlugins, { pool, staticCpu }, afterPool) };
}
