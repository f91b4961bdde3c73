import { ProximityPlacementGroup } from "@pulumi/azure-native/compute/proximityPlacementGroup";
import { AgentPool } from "@pulumi/azure-native/containerservice/agentPool";
import type { ChildOptions } from "../../../shared/children";
import { registerDevicePlugins } from "../../nodes/register";
import { agentPoolHooks } from "./diagnostics";
import { buildAgentPool, buildPlacementGroup, needsPlacementGroup, settledAtCreation } from "./objects";
import type { AksPoolSpec } from "./parse";

/** Registers a pool and its placement group in Azure, and its device plugins in Kubernetes. */
export function registerAksPool(name: string, spec: AksPoolSpec, options: ChildOptions) {
  const { parent } = options;
  const { sizing } = spec;
  const group = needsPlacementGroup(spec)
    ? new ProximityPlacementGroup(name, buildPlacementGroup(spec), {
        ...options,
        // Azure changes the sizes of a group only while none of its machines runs.
        replaceOnChanges: ["intent", "zones"],
      })
    : undefined;
  const placementGroupId = group?.id ?? spec.proximityPlacementGroupId;
  const agentPool = new AgentPool(name, buildAgentPool(spec, placementGroupId), {
    ...options,
    // The name is fixed: the old pool is deleted before the new one is created.
    deleteBeforeReplace: true,
    replaceOnChanges: settledAtCreation,
    hooks: agentPoolHooks(spec, parent),
    // Left to the autoscaler. The number that the stack has on record is sent to Azure all the same.
    ...(!sizing.isFixed && { ignoreChanges: ["count"] }),
  });
  const home = { pool: spec.name, staticCpu: spec.staticCpu };
  return { placementGroupId, agentPool, plugins: registerDevicePlugins(name, spec.devicePlugins, home, options) };
}
