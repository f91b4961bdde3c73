/** Label with the name of the node, the lowest possible level of a Topology of Kueue. */
const hostname = "kubernetes.io/hostname";

/** Levels of a Topology of Kueue for nodes with these labels of the cloud's network, from the largest part to the smallest. */
export const topologyLevels = (networkLabels: string[]): string[] => [...networkLabels, hostname];

/**
 * Labels of Google's network, from the largest part to the smallest ("Schedule GKE workloads with Topology Aware Scheduling"; Cluster
 * Toolkit, examples/gke-a4/kueue-configuration.yaml.tftpl).
 */
export const gkeNetworkLabels = ["block", "subblock", "host"].map((part) => `cloud.google.com/gce-topology-${part}`);

const eksLayer = "topology.k8s.aws/network-node-layer-";

/** Labels of the layers of Amazon's network, from the top ("Place distributed AI/ML workloads with network topology labels"). */
export const eksNetworkLabels = (layers: number): string[] =>
  Array.from({ length: layers }, (_, index) => `${eksLayer}${index + 1}`);

/**
 * Labels of the networks of other places, from the largest part to the smallest (CoreWeave, "InfiniBand and RoCE labels";
 * oracle-quickstart/oci-hpc-oke, oci-hpc-oke-utils).
 */
const otherNetworkLabels = [
  ["fabric", "superpod", "leafgroup"].map((part) => `backend.coreweave.cloud/${part}`),
  ["hpc_island", "network_block", "local_block"].map((part) => `oci.oraclecloud.com/rdma.${part}_id`),
];

/** The levels of nodes that have some of these labels; undefined without a label of a network. */
export function levelsWith(isLabel: (label: string) => boolean): string[] | undefined {
  const networks = [gkeNetworkLabels, eksNetworkLabels(3), ...otherNetworkLabels];
  const labels = networks.map((all) => all.filter(isLabel)).find((found) => found.length > 0);
  return labels && topologyLevels(labels);
}

/** True for a label that only a cloud sets, for the place of a node in its network. */
export const isNetworkLabel = (label: string): boolean =>
  label.startsWith("cloud.google.com/gce-topology-") || label.startsWith(eksLayer);
