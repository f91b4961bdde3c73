import type { types } from "@pulumi/kubernetes";
import { withoutEmpty } from "../../shared/objects";
import {
  type DevicePlugin,
  pluginName,
  pluginNamespace,
  pluginSuffix,
  type DeviceKind,
  plugins,
  type PluginFacts,
} from "./parse/devicePlugins";
import { poolLabel, poolLabels } from "./parse/scheduling";

/** Properties of a pool that determine its plugins. */
export interface PluginHome {
  pool: string;
  /** True with the static CPU policy, with which containers lose devices that were not passed to them individually. */
  staticCpu: boolean;
}

/** DaemonSet of a plugin on the nodes of one pool, which tolerates all taints. */
export function buildDevicePlugin(plugin: DevicePlugin, home: PluginHome): types.input.apps.v1.DaemonSet {
  const { kind } = plugin;
  const labels = { "app.kubernetes.io/name": pluginSuffix(kind), [poolLabel]: home.pool };
  return {
    metadata: { name: pluginName(home.pool, kind), namespace: pluginNamespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels, ...configAnnotation(kind) }, spec: podSpec(plugin, home) },
    },
  };
}

/** Annotation with a plugin's configuration file: pods restart when it changes, and no ConfigMap is needed. */
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
    at: path === "/" ? "/host" : path,
  }));
  if (!config) return fromNode;
  const fieldRef = { fieldPath: `metadata.annotations['${configKey}']` };
  const downwardAPI = { items: [{ path: config.file, fieldRef }] };
  return [...fromNode, { name: "config", downwardAPI, at: config.directory }];
}

/** Variables with which NVIDIA's plugin counts the partitions of GPUs as GPUs: all partitions have one size. */
const divided = [
  { name: "MIG_STRATEGY", value: "single" },
  { name: "NVIDIA_MIG_MONITOR_DEVICES", value: "all" },
];

/** Rights of a plugin: reading the partitions of GPUs requires the capability SYS_ADMIN. */
function securityContext(isPrivileged: boolean, isDivided: boolean): types.input.core.v1.SecurityContext {
  if (isPrivileged) return { privileged: true };
  return isDivided
    ? { capabilities: { drop: ["ALL"], add: ["SYS_ADMIN"] } }
    : { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
}

function podSpec({ kind, image, args = [], isDivided = false }: DevicePlugin, { pool, staticCpu }: PluginHome) {
  const { hostNetwork, privileged, config, script, ready } = plugins[kind];
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
        command: script === undefined ? (config?.command ?? []) : ["/bin/sh", "-c", script, "sh", ...args],
        env: [...(passesEach ? [{ name: "PASS_DEVICE_SPECS", value: "true" }] : []), ...(isDivided ? divided : [])],
        securityContext: securityContext(privileged || passesEach, isDivided),
        ...(ready && { readinessProbe: { exec: { command: ready }, periodSeconds: 5 } }),
        resources: { requests: { cpu: "10m", memory: "20Mi" } },
        volumeMounts: volumes.map(({ name, at }) => ({ name, mountPath: at })),
      }),
    ],
    volumes: volumes.map(({ at: _, ...volume }) => volume),
  };
}
