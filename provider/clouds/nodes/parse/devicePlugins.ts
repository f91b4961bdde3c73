import type * as pulumi from "@pulumi/pulumi";
import type { NodePoolDevicePluginArgs } from "../args";

/** Devices that a plugin reports to the kubelet. */
export type DeviceKind = "nvidia" | "efa" | "rdma";

/** A device plugin that a pool runs. */
export interface DevicePlugin {
  kind: DeviceKind;
  image: pulumi.Input<string>;
  /** True if the GPUs are divided, all into parts of one size. Default: false. */
  isDivided?: boolean;
}

export interface PluginFacts {
  image: string;
  /** Directories of the node, at the same path in the container, with the hostPath type that Kubernetes checks. */
  hostPaths: Record<string, "" | "Directory" | "DirectoryOrCreate">;
  /** True if it opens device files of the node, for which Kubernetes has no lesser privilege. */
  privileged: boolean;
  hostNetwork: boolean;
  /** Its configuration file, and the command that reads it. */
  config?: { directory: string; file: string; text: string; command: string[] };
}

/** Resource name under which the RDMA plugin counts InfiniBand, with the configuration below. */
export const rdmaResource = "rdma/shared_ib";

const kubeletSocket = { "/var/lib/kubelet/device-plugins": "Directory" } as const;

/** Plugins as their vendors run them, each at a pinned version. */
export const plugins: Record<DeviceKind, PluginFacts> = {
  // NVIDIA/k8s-device-plugin, deployments/static.
  nvidia: {
    image: "nvcr.io/nvidia/k8s-device-plugin:v0.20.1",
    hostPaths: kubeletSocket,
    privileged: false,
    hostNetwork: false,
  },
  // aws/eks-charts, aws-efa-k8s-device-plugin. Every commercial region may pull from this account.
  efa: {
    image: "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/aws-efa-k8s-device-plugin:v0.5.20",
    hostPaths: { ...kubeletSocket, "/dev/infiniband": "", "/opt/aws/neuron": "DirectoryOrCreate" },
    privileged: true,
    hostNetwork: true,
  },
  // Mellanox/k8s-rdma-shared-dev-plugin, deployment.
  rdma: {
    image: "ghcr.io/mellanox/k8s-rdma-shared-dev-plugin:v1.5.1",
    hostPaths: { ...kubeletSocket, "/var/lib/kubelet/plugins_registry": "DirectoryOrCreate", "/dev": "Directory" },
    privileged: true,
    hostNetwork: true,
    config: {
      directory: "/k8s-rdma-shared-dev-plugin",
      file: "config.json",
      command: ["/bin/k8s-rdma-shared-dp", "--config-file", "/k8s-rdma-shared-dev-plugin/config.json"],
      // Mellanox network cards with an InfiniBand link; the pods of a node share them.
      text: JSON.stringify({
        configList: [
          { resourceName: "shared_ib", rdmaHcaMax: 63, selectors: { vendors: ["15b3"], linkTypes: ["infiniband"] } },
        ],
      }),
    },
  },
};

/** The plugin for a device of the nodes, unless the user disables it. */
export function chosenPlugin(
  kind: DeviceKind,
  hasDevice: boolean,
  args: NodePoolDevicePluginArgs = {},
): DevicePlugin[] {
  const { skip = false, image = plugins[kind].image } = args;
  return hasDevice && !skip ? [{ kind, image }] : [];
}

/** Namespace of the plugins, which allows pods of their priority class. */
export const pluginNamespace = "kube-system";

/** Name of a plugin's objects. */
export const pluginName = (pool: string, kind: DeviceKind) => `${pool}-${kind}-device-plugin`;
