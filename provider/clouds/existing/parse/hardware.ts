import { processors } from "../../machines";
import { aksMachineType } from "../../aks/machines";
import { eksMachineTypes } from "../../eks/machines";
import { gkeMachineType } from "../../gke/machines";
import { MiniClusterArch, type NodePoolNode } from "../../nodes/args";
import { ownValue } from "../../../shared/objects";
import { amountOn, type Node } from "./clusterObjects";

export const labelOf = ({ metadata: { labels = {} } }: Node, label: string) => labels[label];

/** The value that all nodes have; undefined if they differ, or if one of them has none. */
export function shared<T>(nodes: Node[], valueOf: (node: Node) => T | undefined): T | undefined {
  const values = new Set(nodes.map(valueOf));
  const [value] = values;
  return values.size === 1 ? value : undefined;
}

export const archOf = (node: Node): string =>
  node.status?.nodeInfo?.architecture ?? labelOf(node, "kubernetes.io/arch") ?? MiniClusterArch.Amd64;

export const machineTypeOf = (node: Node) => labelOf(node, "node.kubernetes.io/instance-type");

/** Labels with the model of the GPUs: of NVIDIA's GPU Feature Discovery, CoreWeave and GKE. */
const modelLabels = ["nvidia.com/gpu.product", "gpu.nvidia.com/model", "cloud.google.com/gke-accelerator"];

const modelOf = (node: Node) => modelLabels.map((label) => labelOf(node, label)).find((model) => model);

/** Whether the CPUs of a node are the threads of half as many cores, by Node Feature Discovery (`cpu-hardware_multithreading`). */
const threadsLabel = "feature.node.kubernetes.io/cpu-hardware_multithreading";

/** Cores of a node, if they are known. */
function coresOf(node: Node): number | undefined {
  const vcpus = amountOn(node, "cpu");
  const threads = labelOf(node, threadsLabel);
  if (threads !== undefined) return threads === "true" ? Math.floor(vcpus / 2) : vcpus;
  const type = machineTypeOf(node);
  const listed =
    type === undefined ? undefined : (ownValue(eksMachineTypes, type) ?? gkeMachineType(type) ?? aksMachineType(type));
  if (!listed) return undefined;
  // A pool may have turned off the second thread of each core.
  const { cores } = processors(listed);
  return vcpus === cores || vcpus === listed.vcpus ? cores : undefined;
}

/** Memory in GiB, rounded down: nodes of one type differ by a few MiB, which their kernels reserve. */
const gibOf = (node: Node) => Math.floor(amountOn(node, "memory") / 1024 ** 3);

/** The hardware that all of these nodes have. */
export function commonHardware(nodes: Node[]): NodePoolNode {
  const vcpus = shared(nodes, (node) => amountOn(node, "cpu"));
  const cores = vcpus === undefined ? undefined : shared(nodes, coresOf);
  const gpuModel = shared(nodes, modelOf);
  const gib = shared(nodes, gibOf) ?? 0;
  return {
    arch: shared(nodes, archOf) as MiniClusterArch,
    ...(vcpus !== undefined && vcpus >= 1 && { vcpus: Math.floor(vcpus) }),
    ...(cores !== undefined && cores >= 1 && { cores: Math.floor(cores) }),
    ...(gib > 0 && { memoryMib: gib * 1024 }),
    ...(gpuModel !== undefined && { gpuModel }),
  };
}

/** The amount of a resource that most nodes have, and the larger one of several that are as frequent. */
export function usualAmount(nodes: Node[], resource: string): number {
  const counts = new Map<number, number>();
  for (const node of nodes) {
    const amount = amountOn(node, resource);
    counts.set(amount, (counts.get(amount) ?? 0) + 1);
  }
  const [usual] = [...counts].filter(([amount]) => amount > 0).sort(([a, n], [b, m]) => m - n || b - a);
  return usual?.[0] ?? 0;
}
