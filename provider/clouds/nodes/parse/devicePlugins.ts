import type * as pulumi from "@pulumi/pulumi";
import type { NodePoolDevicePluginArgs } from "../args";

/** Devices that a plugin reports to the kubelet, or software of the nodes that such devices need. */
export type DeviceKind = "nvidia" | "efa" | "rdma" | "modules" | "gib";

/** A device plugin that a pool runs, or a DaemonSet that prepares the nodes. */
export interface DevicePlugin {
  kind: DeviceKind;
  image: pulumi.Input<string>;
  /** Arguments of its script. Default: none. */
  args?: string[];
  /** True if the GPUs are partitioned, into partitions of one size. Default: false. */
  isDivided?: boolean;
}

export interface PluginFacts {
  image: string;
  /**
   * Directories of the node, with the hostPath type that Kubernetes checks. Their path in the container is the same,
   * except the root, which is /host.
   */
  hostPaths: Record<string, "" | "Directory" | "DirectoryOrCreate">;
  /** True if it opens device files of the node, for which Kubernetes has no smaller privilege. */
  privileged: boolean;
  hostNetwork: boolean;
  /** Its configuration file, and the command that reads it. */
  config?: { directory: string; file: string; text: string; command: string[] };
  /** Script for the shell of the image, in place of the command of the image. */
  script?: string;
  /** Program that succeeds when the nodes are prepared. Default: the pod is ready when it runs. */
  ready?: string[];
  /** Suffix of the names of its objects, after the name of the pool. Default: "<kind>-device-plugin". */
  suffix?: string;
}

/** Resource name under which the RDMA plugin counts InfiniBand, with the configuration below. */
export const rdmaResource = "rdma/shared_ib";

const kubeletSocket = { "/var/lib/kubelet/device-plugins": "Directory" } as const;

/**
 * Loads kernel modules, and loads them again when the installation of a driver unloads them. /sys/class/infiniband has
 * entries when the driver of the adapters runs; a module that was loaded earlier could block the installation of
 * another driver. The first failure of each module is printed.
 */
const loadModules = `trap 'exit 0' TERM
failed=" "
while :; do
  if [ -n "$(ls /host/sys/class/infiniband 2>/dev/null)" ]; then
    for module in "$@"; do
      case $failed in
      *" $module "*) chroot /host modprobe -q "$module" 2>/dev/null ;;
      *) chroot /host modprobe "$module" || failed="$failed$module " ;;
      esac
    done
  fi
  sleep 30 &
  wait $!
done
`;

/**
 * Copies gIB, the plugin of Google for NCCL, to the directories of the node that pods mount. The script of its settings
 * is copied last, because pods wait for it.
 */
const installGib = `trap 'exit 0' TERM
set -e
/scripts/container_entry.sh install
cp -r /var/lib/gib/lib64/. /home/kubernetes/bin/nvidia/lib64
cd /var/lib/gib
for part in $(ls -A | grep -vx scripts) scripts; do cp -r "$part" /home/kubernetes/bin/gib/; done
touch /tmp/installed
sleep infinity &
wait $!
`;

/** Plugins, configured like the examples of their vendors, each with a pinned version. */
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
  // Azure/aks-rdma-infiniband, configs/nvidia-peermem-reloader, with the node's modprobe, which loads the kernel
  // modules of the node.
  modules: {
    image: "mcr.microsoft.com/mirror/docker/library/ubuntu:24.04",
    hostPaths: { "/": "Directory" },
    privileged: true,
    hostNetwork: false,
    script: loadModules,
    suffix: "kernel-modules",
  },
  // GoogleCloudPlatform/container-engine-accelerators, gpudirect-rdma/nccl-rdma-installer.yaml.
  gib: {
    image: "us-docker.pkg.dev/gce-ai-infra/gpudirect-gib/nccl-plugin-gib:v1.1.1",
    hostPaths: {
      "/home/kubernetes/bin/nvidia/lib64": "DirectoryOrCreate",
      "/home/kubernetes/bin/gib": "DirectoryOrCreate",
    },
    privileged: true,
    hostNetwork: true,
    script: installGib,
    ready: ["test", "-e", "/tmp/installed"],
    suffix: "gib-installer",
  },
};

/** The plugin for a device of the nodes, unless the user disables it. */
export function chosenPlugin(
  kind: DeviceKind,
  hasDevice: boolean,
  args: NodePoolDevicePluginArgs = {},
  defaultImage = plugins[kind].image,
): DevicePlugin[] {
  const { skip = false, image = defaultImage } = args;
  return hasDevice && !skip ? [{ kind, image }] : [];
}

/** Namespace of the plugins, which allows pods of their priority class. */
export const pluginNamespace = "kube-system";

/** Name of a plugin's objects. */
export const pluginName = (pool: string, kind: DeviceKind) => `${pool}-${pluginSuffix(kind)}`;

/** Name of a plugin's objects, without the name of the pool. */
export const pluginSuffix = (kind: DeviceKind) => plugins[kind].suffix ?? `${kind}-device-plugin`;
