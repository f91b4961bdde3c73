import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import type { ChildOptions } from "../../../shared/children";
import { registerDevicePlugins } from "../../nodes/register";
import { nodeClassHooks, nodePoolHooks } from "./diagnostics";
import { buildAksKarpenterPool, buildAksNodeClass } from "./objects";
import type { AksKarpenterPoolSpec } from "./parse";

/** Registers a pool's objects in Kubernetes, and its device plugin. Karpenter creates the nodes. */
export function registerAksKarpenterPool(name: string, spec: AksKarpenterPoolSpec, options: ChildOptions) {
  const { parent } = options;
  // The names are fixed: the old object is deleted before the new one is created.
  const fixed = { ...options, deleteBeforeReplace: true };
  const nodeClass = new CustomResource(`${name}-class`, buildAksNodeClass(spec), {
    ...fixed,
    hooks: nodeClassHooks(spec, parent),
  });
  const nodePool = new CustomResource(name, buildAksKarpenterPool(spec), {
    ...fixed,
    dependsOn: [nodeClass],
    hooks: nodePoolHooks(spec, parent),
  });
  // The plugin is not created if the NodePool is rejected.
  const afterPool = { ...options, dependsOn: [nodePool] };
  const home = { pool: spec.name, staticCpu: spec.staticCpu };
  return { nodePool, plugins: registerDevicePlugins(name, spec.devicePlugins, home, afterPool) };
}
