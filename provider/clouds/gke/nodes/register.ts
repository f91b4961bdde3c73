import { ResourcePolicy } from "@pulumi/gcp/compute/resourcePolicy";
import { NodePool } from "@pulumi/gcp/container/nodePool";
import type { Inputs } from "../../../diagnostics/hooks";
import type { ChildOptions } from "../../../shared/children";
import { isPlainObject } from "../../../shared/objects";
import { registerDevicePlugins } from "../../nodes/register";
import { nodePoolHooks } from "./diagnostics";
import { buildNodePool, buildPlacementPolicy } from "./objects";
import type { GkePoolSpec } from "./parse";

// Disks of a machine type: GKE reports them as inputs of the node pool, and they cannot change.
const bundledDisks = ["ephemeralStorageLocalSsdConfig", "localNvmeSsdBlockConfig"] as const;

/** The fields of such disks that the pool does not set. */
const unsetDisks = ({ nodeConfig }: Inputs) =>
  bundledDisks.filter((key) => isPlainObject(nodeConfig) && !(key in nodeConfig)).map((key) => `nodeConfig.${key}`);

/** Registers a pool, the workload policy of its placement, and the installer of gIB. GKE runs the device plugins itself. */
export function registerGkePool(name: string, spec: GkePoolSpec, options: ChildOptions) {
  const { sizing } = spec;
  const policy = buildPlacementPolicy(spec);
  const policyName = policy && new ResourcePolicy(name, policy, options).name;
  const inputs = buildNodePool(spec, policyName);
  const nodePool = new NodePool(name, inputs, {
    ...options,
    hooks: nodePoolHooks(spec, options.parent),
    // The autoscaler changes the number of nodes.
    ignoreChanges: [...unsetDisks({ ...inputs }), ...(sizing.isFixed ? [] : ["nodeCount"])],
  });
  const home = { pool: spec.name, staticCpu: spec.staticCpu };
  return { nodePool, plugins: registerDevicePlugins(name, spec.devicePlugins, home, options) };
}
