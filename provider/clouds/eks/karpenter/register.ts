import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import type { ChildOptions } from "../../../shared/children";
import { registerDevicePlugins } from "../../nodes/register";
import { nodeClassHooks, nodePoolHooks } from "./diagnostics";
import { buildKarpenterPool, buildNodeClass } from "./objects";
import type { KarpenterPoolSpec } from "./parse";

/** Registers a pool's objects in Kubernetes, and its device plugins. Karpenter creates the nodes. */
export function registerKarpenterPool(name: string, spec: KarpenterPoolSpec, options: ChildOptions) {
  const { parent } = options;
  // The names are fixed: the old object is deleted before the new one is created.
  const fixed = { ...options, deleteBeforeReplace: true };
  const nodeClass = new CustomResource(`${name}-class`, buildNodeClass(spec), {
    ...fixed,
    hooks: nodeClassHooks(spec, parent),
  });
  const nodePool = new CustomResource(name, buildKarpenterPool(spec), {
    ...fixed,
    dependsOn: [nodeClass],
    hooks: nodePoolHooks(spec, parent),
  });
  // The other objects are not created if the NodePool is rejected.
  const afterPool = { ...options, dependsOn: [nodePool] };
  const home = { pool: spec.name, staticCpu: spec.staticCpu };
  return { nodePool, plugins: registerDevicePlugins(name, spec.devicePlugins, home, afterPool) };
}
