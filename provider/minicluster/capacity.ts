import { type Inputs, numberAt, type Remark } from "../shared/changes";
import { MiniClusterAffinity, NodePoolFabric } from "./args";
import type { MiniClusterSpec } from "./spec";
import type { PoolSpec } from "./spec/pool/scheduling";

type Node = PoolSpec["node"];

/** What a number of nodes have together. */
export interface Capacity {
  nodes: number;
  vcpus: number;
  cores: number;
  gpus: number;
  fabricInterfaces: number;
}

/** What a number of nodes of one kind have together. */
export const capacityOf = (nodes: number, { vcpus, cores, gpus, fabricInterfaces }: Node): Capacity => ({
  nodes,
  vcpus: nodes * vcpus,
  cores: nodes * cores,
  gpus: nodes * gpus,
  fabricInterfaces: nodes * fabricInterfaces,
});

const interfaceNames: Record<NodePoolFabric, string> = {
  [NodePoolFabric.Efa]: "EFA interfaces",
  [NodePoolFabric.Tier1]: "Tier_1 interfaces",
  [NodePoolFabric.Rdma]: "RDMA interfaces",
  [NodePoolFabric.InfiniBand]: "InfiniBand interfaces",
};

/** A change of a number of nodes, with everything that comes or goes with them: `nodes 4 => 8, GPUs 32 => 64, …`. */
export function describeChange(before: number, after: number, node: Node): string {
  const [old, changed] = [capacityOf(before, node), capacityOf(after, node)];
  const names: [keyof Capacity, string][] = [
    ["nodes", "nodes"],
    ["gpus", "GPUs"],
    ["fabricInterfaces", node.fabric === undefined ? "interfaces" : interfaceNames[node.fabric]],
    ["vcpus", "vCPUs"],
  ];
  return names
    .filter(([key]) => key === "nodes" || old[key] > 0 || changed[key] > 0)
    .map(([key, name]) => `${name} ${old[key]} => ${changed[key]}`)
    .join(", ");
}

/** The remark on a resize of a cluster, from the inputs of the patch that resizes its Job: a node comes with each pod. */
export function resizeRemarks({ pool, network }: MiniClusterSpec, before: Inputs, after: Inputs): Remark[] {
  if (!pool || network.affinity !== MiniClusterAffinity.Required) return [];
  const [old, changed] = [before, after].map((inputs) => numberAt(inputs, "spec", "completions"));
  if (old === undefined || changed === undefined || old === changed) return [];
  return [{ severity: "info", text: `resize on pool ${pool.pool}: ${describeChange(old, changed, pool.node)}` }];
}
