import { NodePool } from "@pulumi/gcp/container/nodePool";
import type { ChildOptions } from "../../shared/children";
import { remarkOnResize } from "../remarks";
import type { GkePoolSpec } from "./parse";
import { buildNodePool } from "./pool";
import { factsIn } from "./remarks";

// Disks that a machine type comes with: GKE reports them as if they had been asked for, and they cannot change.
const bundledDisks = ["nodeConfig.ephemeralStorageLocalSsdConfig", "nodeConfig.localNvmeSsdBlockConfig"];

/** Registers a pool. GKE runs the device plugins itself. */
export function registerGkePool(name: string, spec: GkePoolSpec, options: ChildOptions): NodePool {
  const { scheduling, sizing } = spec;
  return new NodePool(name, buildNodePool(spec), {
    ...options,
    hooks: remarkOnResize(scheduling, options.parent, factsIn(spec)),
    // The number of nodes is left to the autoscaler.
    ignoreChanges: [...bundledDisks, ...(sizing.isFixed ? [] : ["nodeCount"])],
  });
}
