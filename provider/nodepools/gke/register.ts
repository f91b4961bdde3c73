import { NodePool } from "@pulumi/gcp/container/nodePool";
import type { ChildOptions } from "../../shared/children";
import { remarkOnResize } from "../remarks";
import { factsIn } from "./counts";
import { buildNodePool } from "./pool";
import type { GkePoolSpec } from "./spec";

// The disks that a machine type comes with: GKE tells of them as if somebody had asked for them, and they cannot change.
const bundledDisks = ["nodeConfig.ephemeralStorageLocalSsdConfig", "nodeConfig.localNvmeSsdBlockConfig"];

/** Registers a pool. GKE itself runs the plugins by which Kubernetes gets to know its devices. */
export function registerGkePool(name: string, spec: GkePoolSpec, options: ChildOptions): NodePool {
  const { scheduling, sizing } = spec;
  return new NodePool(name, buildNodePool(spec), {
    ...options,
    hooks: remarkOnResize(scheduling, options.parent, factsIn(spec)),
    // The autoscaler has the last word on the number of nodes.
    ignoreChanges: [...bundledDisks, ...(sizing.isFixed ? [] : ["nodeCount"])],
  });
}
