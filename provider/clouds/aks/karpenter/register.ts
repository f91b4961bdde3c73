import type { ChildOptions } from "../../../shared/children";
import { registerNodePool } from "../../karpenter/register";
import { nodeClassHooks, nodePoolHooks } from "./diagnostics";
import { buildAksKarpenterPool, buildAksNodeClass } from "./objects";
import type { AksKarpenterPoolSpec } from "./parse";

/** Registers the objects of a pool. */
export const registerAksKarpenterPool = (name: string, spec: AksKarpenterPoolSpec, options: ChildOptions) =>
  registerNodePool(
    name,
    {
      nodeClass: { object: buildAksNodeClass(spec), hooks: nodeClassHooks(spec, options.parent) },
      nodePool: { object: buildAksKarpenterPool(spec), hooks: nodePoolHooks(spec, options.parent) },
      spec,
    },
    options,
  );
