import type { EksNodePoolArgs, NodePoolScheduling } from "../../../provider";
import { parseEksNodePoolArgs } from "../../../provider/clouds/eks/nodes/parse";
import type { Cluster } from "../../sandbox/cluster";

type Taint = { key: string; value?: string; effect: string };

/** The pool of one cluster, whose pods fill its nodes. */
export const poolArgs = (size: number, maxSize: number): EksNodePoolArgs => ({
  clusterName: "research",
  nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
  subnetIds: ["subnet-a1"],
  zones: ["us-east-1a"],
  machineTypes: ["hpc7a.96xlarge"],
  size,
  maxSize,
});

export const poolName = (cluster: string) => `${cluster}-pool`;

/** What the pool of a cluster says of itself, for requests that are made without the engine. */
export const poolScheduling = (cluster: string, size: number, maxSize: number): NodePoolScheduling =>
  parseEksNodePoolArgs(poolName(cluster), poolArgs(size, maxSize)).scheduling;

/** Brings up all nodes that the pools of clusters ever have; resolves with what takes them away. */
export async function addPoolNodes(
  { addNodes, api }: Cluster,
  clusters: string[],
  maxSize: number,
): Promise<() => Promise<void>> {
  const names: string[] = [];
  for (const cluster of clusters) {
    const { pool, nodeSelector, taints, node, resources } = poolScheduling(cluster, maxSize, maxSize);
    const capacity = { cpu: String(node.vcpus), memory: `${node.memoryMib}Mi`, ...resources };
    names.push(
      ...(await addNodes(maxSize, {
        namePrefix: pool,
        labels: nodeSelector,
        taints: taints as Taint[] | undefined,
        capacity,
      })),
    );
  }
  return async () => {
    for (const name of names) await api.delete({ apiVersion: "v1", kind: "Node", name });
  };
}
