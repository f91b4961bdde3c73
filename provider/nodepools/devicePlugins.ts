import type { types } from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { withoutEmpty } from "../shared/objects";
import type { NodePoolDevicePluginArgs } from "./args";
import { poolLabel, poolLabels } from "./scheduling";

/** Devices that the kubelet learns of from a plugin. */
export type DeviceKind = "nvidia" | "efa" | "rdma";

/** A device plugin that a pool runs. */
export interface DevicePlugin {
  kind: DeviceKind;
  image: pulumi.Input<string>;
  /** True if the GPUs are divided, all into parts of one size. Default: false. */
  isDivided?: boolean;
}

interface PluginFacts {
  image: string;
  /** Directories of the node, at the same path in the container, with the hostPath type that Kubernetes checks. */
  hostPaths: Record<string, "" | "Directory" | "DirectoryOrCreate">;
  /** True if it opens device files of the node, for which Kubernetes knows no smaller right. */
  privileged: boolean;
  hostNetwork: boolean;
  /** Its configuration file, and the command that reads it. */
  config?: { directory: string; file: string; text: string; command: string[] };
}

/** Resource name under which the RDMA plugin, as it is run here, counts InfiniBand. */
export const rdmaResource = "rdma/shared_ib";

const kubeletSocket = { "/var/lib/kubelet/device-plugins": "Directory" } as const;

/** Plugins as their vendors run them, each at a pinned version. */
const plugins: Record<DeviceKind, PluginFacts> = {
  // NVIDIA/k8s-device-plugin, deployments/static.
  nvidia: {
    image: "nvcr.io/nvidia/k8s-device-plugin:v0.20.0",
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
      // Network cards of Mellanox whose link is InfiniBand; the pods of a node share them.
      text: JSON.stringify({
        configList: [
          { resourceName: "shared_ib", rdmaHcaMax: 63, selectors: { vendors: ["15b3"], linkTypes: ["infiniband"] } },
        ],
      }),
    },
  },
};

/** The plugin for a device that the nodes have, unless the user skips it. */
export function chosenPlugin(
  kind: DeviceKind,
  hasDevice: boolean,
  args: NodePoolDevicePluginArgs = {},
): DevicePlugin[] {
  const { skip = false, image = plugins[kind].image } = args;
  return hasDevice && !skip ? [{ kind, image }] : [];
}

/** Namespace of the plugins, which allows pods of the priority that they need. */
export const pluginNamespace = "kube-system";

/** Name of a plugin's objects. */
export const pluginName = (pool: string, kind: DeviceKind) => `${pool}-${kind}-device-plugin`;

/** Facts of a pool that its plugins depend on. */
export interface PluginHome {
  pool: string;
  /** True under the static CPU policy, where containers lose devices that were not passed to them one by one. */
  staticCpu: boolean;
}

/** DaemonSet of a plugin on the nodes of one pool, whatever their taints. */
export function buildDevicePlugin(plugin: DevicePlugin, home: PluginHome): types.input.apps.v1.DaemonSet {
  const { kind } = plugin;
  const labels = { "app.kubernetes.io/name": `${kind}-device-plugin`, [poolLabel]: home.pool };
  return {
    metadata: { name: pluginName(home.pool, kind), namespace: pluginNamespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels, ...configAnnotation(kind) }, spec: podSpec(plugin, home) },
    },
  };
}

/** Annotation that carries a plugin's configuration file: pods restart when it changes, and no ConfigMap is needed. */
const configKey = "minicluster/plugin-config";

function configAnnotation(kind: DeviceKind) {
  const { config } = plugins[kind];
  return config && { annotations: { [configKey]: config.text } };
}

/** Volumes of a plugin, each with its path in the container. */
function pluginVolumes({
  hostPaths,
  config,
}: PluginFacts): (types.input.core.v1.Volume & { name: string; at: string })[] {
  const fromNode = Object.entries(hostPaths).map(([path, type], index) => ({
    name: `host-${index}`,
    hostPath: { path, type },
    at: path,
  }));
  if (!config) return fromNode;
  const fieldRef = { fieldPath: `metadata.annotations['${configKey}']` };
  const downwardAPI = { items: [{ path: config.file, fieldRef }] };
  return [...fromNode, { name: "config", downwardAPI, at: config.directory }];
}

/** Variables by which NVIDIA's plugin counts the parts of divided GPUs as GPUs: they are all alike. */
const divided = [
  { name: "MIG_STRATEGY", value: "single" },
  { name: "NVIDIA_MIG_MONITOR_DEVICES", value: "all" },
];

/** Rights of a plugin: those to see how GPUs are divided come with the capability SYS_ADMIN. */
function securityContext(isPrivileged: boolean, isDivided: boolean): types.input.core.v1.SecurityContext {
  if (isPrivileged) return { privileged: true };
  return isDivided
    ? { capabilities: { drop: ["ALL"], add: ["SYS_ADMIN"] } }
    : { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
}

function podSpec({ kind, image, isDivided = false }: DevicePlugin, { pool, staticCpu }: PluginHome) {
  const { hostNetwork, privileged, config } = plugins[kind];
  const passesEach = kind === "nvidia" && staticCpu;
  const volumes = pluginVolumes(plugins[kind]);
  return {
    nodeSelector: poolLabels(pool),
    tolerations: [{ operator: "Exists" }],
    priorityClassName: "system-node-critical",
    automountServiceAccountToken: false,
    ...(hostNetwork && { hostNetwork }),
    containers: [
      withoutEmpty<types.input.core.v1.Container>({
        name: "plugin",
        image,
        command: config?.command ?? [],
        env: [...(passesEach ? [{ name: "PASS_DEVICE_SPECS", value: "true" }] : []), ...(isDivided ? divided : [])],
        securityContext: securityContext(privileged || passesEach, isDivided),
        resources: { requests: { cpu: "10m", memory: "20Mi" } },
        volumeMounts: volumes.map(({ name, at }) => ({ name, mountPath: at })),
      }),
    ],
    volumes: volumes.map(({ at: _, ...volume }) => volume),
  };
}
