import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import * as pulumi from "@pulumi/pulumi";
import type { ChildOptions } from "../../shared/children";
import { attachKnownValue } from "../../shared/deferred";
import type { NodePoolScheduling } from "./args";
import { buildDevicePlugin, type PluginHome } from "./objects";
import { capacityOf } from "./parse/capacity";
import { type DevicePlugin, pluginName } from "./parse/devicePlugins";

/** Registers the device plugins of a pool. */
export function registerDevicePlugins(
  name: string,
  devicePlugins: DevicePlugin[],
  home: PluginHome,
  options: ChildOptions,
): pulumi.Resource[] {
  return devicePlugins.map(
    (plugin) =>
      // Pools in two clusters of one program may have the same name.
      new DaemonSet(pluginName(name, plugin.kind), buildDevicePlugin(plugin, home), {
        ...options,
        // The name is fixed: the old DaemonSet is deleted before the new one is created.
        deleteBeforeReplace: true,
      }),
  );
}

/**
 * Outputs that all pools have. Both are known in every preview; a resource that uses `scheduling` waits for the pool and its
 * plugins.
 */
export function poolOutputs(scheduling: NodePoolScheduling, resources: pulumi.Resource[]) {
  const { gpus = 0, fabricInterfaces = 0, ...node } = scheduling.node;
  const nodes = scheduling.nodes ?? scheduling.maxNodes ?? 0;
  // The URN of a resource is known before the resource exists.
  const ready = pulumi.all(resources.map(({ urn }) => urn));
  return {
    scheduling: attachKnownValue(
      ready.apply(() => scheduling),
      scheduling,
    ),
    capacity: pulumi.output(capacityOf(nodes, { ...node, gpus, fabricInterfaces })),
  };
}
