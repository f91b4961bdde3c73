import { DaemonSet } from "@pulumi/kubernetes/apps/v1/daemonSet";
import type * as pulumi from "@pulumi/pulumi";
import type { ChildOptions } from "../shared/children";
import { buildDevicePlugin, type DevicePlugin, type PluginHome, pluginName } from "./devicePlugins";

/** Registers the device plugins of a pool. */
export function registerDevicePlugins(
  name: string,
  devicePlugins: DevicePlugin[],
  home: PluginHome,
  options: ChildOptions,
): pulumi.Resource[] {
  return devicePlugins.map(
    (plugin) =>
      // Two pools of one program may have one name, in two clusters.
      new DaemonSet(pluginName(name, plugin.kind), buildDevicePlugin(plugin, home), {
        ...options,
        // The name is fixed: the old DaemonSet goes before the new one comes.
        deleteBeforeReplace: true,
      }),
  );
}
