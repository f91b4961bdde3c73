import { ResourcePolicy } from "@pulumi/gcp/compute/resourcePolicy";
import { NodePool } from "@pulumi/gcp/container/nodePool";
import type { ChildOptions } from "../../../shared/children";
import { nodePoolHooks } from "./diagnostics";
import { buildNodePool, buildPlacementPolicy } from "./objects";
import type { GkePoolSpec } from "./parse";

// Disks that a machine type comes with: GKE reports them as if they had been asked for, and they cannot change.
const bundledDisks = ["nodeConfig.ephemeralStorageLocalSsdConfig", "nodeConfig.localNvmeSsdBlockConfig"];

/** Registers a pool, and the resource policy of its NVLink domain. GKE runs the device plugins itself. */
export function registerGkePool(name: string, spec: GkePoolSpec, options: ChildOptions): NodePool {
  const { sizing } = spec;
  const policy = buildPlacementPolicy(spec);
  const policyName = policy && new ResourcePolicy(name, policy, options).name;
  return new NodePool(name, buildNodePool(spec, policyName), {
    ...options,
    hooks: nodePoolHooks(spec, options.parent),
    // The number of nodes is left to the autoscaler.
    ignoreChanges: [...bundledDisks, ...(sizing.isFixed ? [] : ["nodeCount"])],
  });
}
