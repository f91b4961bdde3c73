import assert from "node:assert/strict";
import type { NodePoolScheduling } from "../../provider";
import type { NodeShape } from "../sandbox/nodes/simulated";
import type { OperationResult, Step } from "./engine";

/** The nodes of a previewed pool, from the requests to the cloud. Only their size is that of the pool's outputs. */
export function nodeShapeOf({ steps }: Pick<OperationResult, "steps">): NodeShape {
  const component = steps.find(({ type }) => /^minicluster:index:\w+NodePool$/.test(type));
  const pool = steps.find(({ type }) => type in clouds);
  assert.ok(component?.new && pool?.new, "a pool is in the preview");
  const { pool: name, node } = component.new.outputs["scheduling"] as NodePoolScheduling;
  const { devices, ...cloudNode } = clouds[pool.type]!(pool.new.inputs as never, { node, steps });
  const capacity: Record<string, string> = { cpu: String(node.vcpus), memory: `${node.memoryMib}Mi`, ...devices };
  for (const plugin of pluginsOn(cloudNode.labels, steps))
    Object.assign(capacity, pluginDevices(plugin, { node, steps }));
  return { namePrefix: name, ...cloudNode, capacity };
}

type Labels = Record<string, string>;

interface CloudNode {
  architecture: string;
  labels: Labels;
  taints: { key: string; value?: string; effect: string }[];
  /** Devices without a plugin of the pool. */
  devices?: Record<string, string>;
}

/** The other resources of a preview. */
interface Beside {
  node: NodePoolScheduling["node"];
  steps: Step[];
}

/** The nodes of each cloud's pools. */
const clouds: Record<string, (inputs: never, beside: Beside) => CloudNode> = {
  "aws:eks/nodeGroup:NodeGroup": eksNode,
  "kubernetes:karpenter.sh/v1:NodePool": karpenterNode,
  "gcp:container/nodePool:NodePool": gkeNode,
  "azure-native:containerservice:AgentPool": aksNode,
};

const effects = { NO_SCHEDULE: "NoSchedule", NO_EXECUTE: "NoExecute", PREFER_NO_SCHEDULE: "PreferNoSchedule" };

/** Labels and taints of a pool of AWS or Google Cloud. */
interface Marks {
  labels?: Labels;
  taints?: { key: string; value?: string; effect: keyof typeof effects }[];
}

const inKubernetes = (taints: Marks["taints"] = []) =>
  taints.map((taint) => ({ ...taint, effect: effects[taint.effect] }));

const archIf = (isArm: boolean) => (isArm ? "arm64" : "amd64");

/** The host's part of EFA sets huge pages aside: 110 of 2 MiB for each virtual CPU, on Bottlerocket no more. */
function eksNode(group: Marks & { amiType: string; capacityType: string }, { node, steps }: Beside): CloudNode {
  return {
    architecture: archIf(group.amiType.includes("ARM_64")),
    labels: { "eks.amazonaws.com/capacityType": group.capacityType, ...group.labels },
    taints: inKubernetes(group.taints),
    ...(efaInterfaces(steps) > 0 && { devices: { "hugepages-2Mi": `${110 * (node.vcpus ?? 0) * 2}Mi` } }),
  };
}

interface KarpenterTemplate {
  metadata: { labels: Labels };
  spec: { requirements: { key: string; values: string[] }[]; taints?: CloudNode["taints"] };
}

function karpenterNode({ spec: { template } }: { spec: { template: KarpenterTemplate } }): CloudNode {
  const { requirements, taints = [] } = template.spec;
  const valueOf = (wanted: string) => requirements.find(({ key }) => key === wanted)?.values[0] ?? "";
  const labels = { "karpenter.sh/capacity-type": valueOf("karpenter.sh/capacity-type"), ...template.metadata.labels };
  return { architecture: valueOf("kubernetes.io/arch"), labels, taints };
}

interface GkePool {
  queuedProvisioning?: { enabled: boolean };
  nodeConfig: Marks & { machineType: string; guestAccelerators?: { type: string; count: number }[] };
}

/** GKE taints nodes that not every pod can use, and has NVIDIA's driver and plugin itself. */
function gkeNode({ nodeConfig, queuedProvisioning }: GkePool): CloudNode {
  const { machineType, labels, taints, guestAccelerators: [gpus] = [] } = nodeConfig;
  const isArm = /^(t2a|c4a|n4a|a4x)-/.test(machineType);
  const own = [
    ...(isArm ? [["kubernetes.io/arch", "arm64"]] : []),
    ...(gpus ? [["nvidia.com/gpu", "present"]] : []),
    ...(queuedProvisioning?.enabled ? [["cloud.google.com/gke-queued", "true"]] : []),
  ];
  return {
    architecture: archIf(isArm),
    labels: { "cloud.google.com/gke-nodepool": "pool", ...labels },
    taints: [...own.map(([key = "", value]) => ({ key, value, effect: "NoSchedule" })), ...inKubernetes(taints)],
    ...(gpus && { devices: { "nvidia.com/gpu": String(gpus.count) } }),
  };
}

interface AgentPool {
  agentPoolName: string;
  vmSize: string;
  nodeLabels?: Labels;
  nodeTaints?: string[];
}

// A "p" among the features of a size, and the superchips.
const armOfAzure = /^standard_([a-z]+\d+p[a-z]*_v\d|.*_gb\d00_)/i;

function aksNode({ agentPoolName, vmSize, nodeLabels, nodeTaints = [] }: AgentPool): CloudNode {
  return {
    architecture: archIf(armOfAzure.test(vmSize)),
    labels: { "kubernetes.azure.com/agentpool": agentPoolName, "kubernetes.azure.com/mode": "user", ...nodeLabels },
    taints: nodeTaints.map((text) => {
      const [, key = "", value = "", effect = ""] = /^([^=:]+)=?([^:]*):(.+)$/.exec(text) ?? [];
      return { key, value, effect };
    }),
  };
}

interface Plugin {
  metadata: { labels: Labels };
  spec: {
    template: { metadata: { annotations?: Record<string, string> }; spec: { nodeSelector: Labels } };
  };
}

/** The device plugins of a preview that run on nodes with these labels. */
const pluginsOn = (labels: Labels, steps: Step[]): Plugin[] =>
  steps
    .filter(({ type }) => type === "kubernetes:apps/v1:DaemonSet")
    .map((step) => step.new?.inputs as Plugin)
    .filter(({ spec }) =>
      Object.entries(spec.template.spec.nodeSelector).every(([key, value]) => labels[key] === value),
    );

/** The resource that a plugin counts on a node. */
function pluginDevices({ metadata, spec }: Plugin, { node: { gpus = 0 }, steps }: Beside): Record<string, string> {
  const name = metadata.labels["app.kubernetes.io/name"];
  if (name === "nvidia-device-plugin") return { "nvidia.com/gpu": String(gpus) };
  if (name === "efa-device-plugin") return { "vpc.amazonaws.com/efa": String(efaInterfaces(steps)) };
  const [config] = Object.values(spec.template.metadata.annotations ?? {});
  // It prepares the nodes for the plugin of other devices.
  if (config === undefined) return {};
  const { configList } = JSON.parse(config) as { configList: { resourceName: string; rdmaHcaMax: number }[] };
  return Object.fromEntries(
    configList.map(({ resourceName, rdmaHcaMax }) => [`rdma/${resourceName}`, `${rdmaHcaMax}`]),
  );
}

/** The EFA interfaces in the launch template or the node class of a pool. A plain interface has no type there. */
function efaInterfaces(steps: Step[]): number {
  const inputsOf = (wanted: string) => steps.find(({ type }) => type === wanted)?.new?.inputs;
  const nodeClass = inputsOf("kubernetes:karpenter.k8s.aws/v1:EC2NodeClass")?.["spec"] as object | undefined;
  const template = inputsOf("aws:ec2/launchTemplate:LaunchTemplate") ?? nodeClass;
  const { networkInterfaces = [] } = (template ?? {}) as { networkInterfaces?: { interfaceType?: string }[] };
  return networkInterfaces.filter(({ interfaceType }) => interfaceType?.startsWith("efa")).length;
}
