import { NodePoolFabric } from "../../nodes/args";
import { labelOf } from "./hardware";
import type { Node } from "./clusterObjects";

/** What the pods need to use a network that nodes advertise under a name. */
export interface FabricRow {
  /** Names of extended resources, of DeviceClasses or of drivers; `*` matches any text. */
  names: string[];
  /** Labels of the nodes to which the row is limited: one of them. */
  labels?: string[];
  /** True if `fabric` has to name the resource, because the name does not say that it is a fast network. */
  isChosen?: boolean;
  fabric: NodePoolFabric;
  /**
   * Amount that a pod requests which has a node to itself: all units, 1 unit that gives access to all interfaces, or, because the
   * name has both meanings, all units up to the number of interfaces that a machine can have.
   */
  amount: "all" | "one" | "interfaces";
  /** True if the pods also request the huge pages of the node. */
  hugePages?: boolean;
  /** True if Multus attaches the interfaces: the pods name a NetworkAttachmentDefinition once for each. */
  attached?: boolean;
  lockMemory: boolean;
  environment: Record<string, string>;
  /** Documents of the values. */
  source: string;
}

// Open MPI before version 5 has its own InfiniBand transport, deprecated in favor of UCX. The processes of NCCL exchange their
// addresses over Ethernet.
const verbs = { OMPI_MCA_btl: "^openib", NCCL_SOCKET_IFNAME: "eth0" };

/** Most interfaces of a machine; a greater amount counts the pods that may share them. */
const mostInterfaces = 16;

/** Networks of nodes. The first row of a name applies. */
export const fabricRows: FabricRow[] = [
  {
    names: ["vpc.amazonaws.com/efa", "efa.networking.k8s.aws"],
    fabric: NodePoolFabric.Efa,
    amount: "all",
    hugePages: true,
    lockMemory: false,
    environment: { FI_PROVIDER: "efa" },
    source: "Amazon EKS User Guide, node-efa; aws/eks-charts, aws-efa-k8s-device-plugin and aws-dranet",
  },
  {
    names: ["rdma/ib"],
    labels: ["backend.coreweave.cloud/flavor", "ib.coreweave.cloud/fabric", "node.coreweave.cloud/type"],
    fabric: NodePoolFabric.Infiniband,
    amount: "one",
    lockMemory: false,
    environment: { ...verbs, NCCL_IB_HCA: "ibp" },
    source: "CoreWeave, Use GPUDirect RDMA with InfiniBand; coreweave/nccl-tests, mpi-operator",
  },
  {
    names: ["rdma/ib"],
    fabric: NodePoolFabric.Infiniband,
    amount: "interfaces",
    lockMemory: true,
    environment: verbs,
    source:
      "Azure/aks-rdma-infiniband, 01-network-operator (SR-IOV device plugin); ai-dynamo/dynamo, recipes for Nebius",
  },
  {
    names: ["rdma/shared_ib", "rdma/hca*", "rdma/rdma_shared_device*", "rdma/shared_device*"],
    fabric: NodePoolFabric.Infiniband,
    amount: "one",
    lockMemory: true,
    environment: verbs,
    source:
      "Mellanox/k8s-rdma-shared-dev-plugin, README; NVIDIA Network Operator, rdma-shared-device-plugin; Azure/aks-rdma-infiniband",
  },
  {
    names: ["nvidia.com/rdma-vf", "nvidia.com/sriov-rdma-vf"],
    fabric: NodePoolFabric.Rdma,
    amount: "all",
    attached: true,
    lockMemory: true,
    environment: {
      ...verbs,
      NCCL_IB_HCA: "mlx5",
      NCCL_IB_GID_INDEX: "3",
      NCCL_IB_SL: "0",
      NCCL_IB_TC: "41",
      NCCL_IB_TIMEOUT: "22",
    },
    source: "oracle-quickstart/oci-hpc-oke, using-rdma-network-interfaces-in-manifests",
  },
  {
    names: ["nvidia.com/mlnxnics", "nvidia.com/resib*", "nvidia.com/hostdev"],
    fabric: NodePoolFabric.Infiniband,
    amount: "all",
    attached: true,
    lockMemory: true,
    environment: verbs,
    source: "Mellanox/network-operator, example/sriov-network/infiniband and hostdevice-network",
  },
  {
    names: ["openshift.io/*", "nvidia.com/*"],
    isChosen: true,
    fabric: NodePoolFabric.Rdma,
    amount: "all",
    attached: true,
    lockMemory: true,
    environment: verbs,
    source: "k8snetworkplumbingwg/sriov-network-operator, SriovNetworkNodePolicy with isRdma",
  },
  {
    names: ["ib.networking.nebius.ai", "sriovnetwork.k8snetworkplumbingwg.io"],
    fabric: NodePoolFabric.Infiniband,
    amount: "all",
    lockMemory: true,
    environment: verbs,
    source: "k8snetworkplumbingwg/dra-driver-sriov, deviceclass",
  },
  {
    names: ["dra.net"],
    fabric: NodePoolFabric.Rdma,
    amount: "all",
    lockMemory: true,
    environment: verbs,
    source: "kubernetes-sigs/dranet, examples and rdma-modes",
  },
];

function isNamed(pattern: string, name: string): boolean {
  const [start = "", end] = pattern.split("*");
  return end === undefined ? name === pattern : name.startsWith(start) && name.length > start.length;
}

/** The row of an extended resource, a DeviceClass or a driver on some nodes. */
export const fabricRowOf = (name: string, nodes: Node[] = []): FabricRow | undefined =>
  fabricRows.find(
    ({ names, labels }) =>
      names.some((pattern) => isNamed(pattern, name)) &&
      (!labels || nodes.some((node) => labels.some((label) => labelOf(node, label)))),
  );

/** The row of a resource that nodes advertise, if its name alone says that it is a fast network. */
export function detectedRow(name: string, nodes: Node[]): FabricRow | undefined {
  const row = fabricRowOf(name, nodes);
  return row?.isChosen ? undefined : row;
}

/** Units that a pod requests of those that a node has. */
export function requestedUnits(row: FabricRow | undefined, has: number): number {
  if (row?.amount === "all") return has;
  return row?.amount === "interfaces" && has <= mostInterfaces ? has : 1;
}
