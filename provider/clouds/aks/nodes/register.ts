import { ProximityPlacementGroup } from "@pulumi/azure-native/compute/proximityPlacementGroup";
import { AgentPool } from "@pulumi/azure-native/containerservice/agentPool";
import { DeviceClass } from "@pulumi/kubernetes/resource/v1/deviceClass";
import { StorageClass } from "@pulumi/kubernetes/storage/v1/storageClass";
import type { ChildOptions } from "../../../shared/children";
import { byClaim, infinibandClass } from "../../nodes/parse/scheduling";
import { registerDevicePlugins } from "../../nodes/register";
import { agentPoolHooks, deviceClassHooks, storageClassHooks } from "./diagnostics";
import {
  buildAgentPool,
  buildDeviceClass,
  buildPlacementGroup,
  buildStorageClass,
  needsPlacementGroup,
  immutableInputs,
} from "./objects";
import type { AksPoolSpec } from "./parse";
import { hasInfiniband } from "./parse/fields";

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
    replaceOnChanges: immutableInputs,
    hooks: agentPoolHooks(spec, parent),
    // The autoscaler changes the number. An update still sends the number in the state of the stack to Azure.
    ...(!sizing.isFixed && { ignoreChanges: ["count"] }),
  });
  const home = { pool: spec.name, staticCpu: spec.staticCpu };
  const plugins = registerDevicePlugins(name, spec.devicePlugins, home, options);
  const classes = [...registerStorageClass(name, spec, options), ...registerDeviceClass(name, spec, options)];
  return { placementGroupId, agentPool, plugins: [...plugins, ...classes] };
}

/** Registers the DeviceClass of the InfiniBand devices of a pool, if pods claim the devices. */
function registerDeviceClass(name: string, spec: AksPoolSpec, options: ChildOptions) {
  if (!hasInfiniband(spec) || !byClaim(spec.fabricBy)) return [];
  return [
    new DeviceClass(`${name}-infiniband`, buildDeviceClass(infinibandClass(spec.name)), {
      ...options,
      // The name is fixed: the old class is deleted before the new one is created.
      deleteBeforeReplace: true,
      hooks: deviceClassHooks(spec, options.parent),
    }),
  ];
}

/** Registers the StorageClass of the local disks of a pool, if pods get the disks by a StorageClass. */
function registerStorageClass(name: string, spec: AksPoolSpec, options: ChildOptions) {
  const { localDisk } = spec;
  if (localDisk?.storageClass === undefined) return [];
  return [
    new StorageClass(`${name}-local-disks`, buildStorageClass(localDisk.storageClass), {
      ...options,
      // The name is fixed: the old class is deleted before the new one is created.
      deleteBeforeReplace: true,
      hooks: storageClassHooks(spec, options.parent),
    }),
  ];
}
