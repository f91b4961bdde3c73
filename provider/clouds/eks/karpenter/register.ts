import type { ChildOptions } from "../../../shared/children";
import { registerNodePool } from "../../karpenter/register";
import { nodeClassHooks, nodePoolHooks } from "./diagnostics";
import { buildKarpenterPool, buildNodeClass } from "./objects";
import type { KarpenterPoolSpec } from "./parse";

/** Registers the objects of a pool. */
export const registerKarpenterPool = (name: string, spec: KarpenterPoolSpec, options: ChildOptions) =>
  registerNodePool(
    name,
    {
      nodeClass: { object: buildNodeClass(spec), hooks: nodeClassHooks(spec, options.parent) },
      nodePool: { object: buildKarpenterPool(spec), hooks: nodePoolHooks(spec, options.parent) },
      spec,
    },
    options,
  );
