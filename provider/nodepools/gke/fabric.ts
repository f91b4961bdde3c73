import type { FabricUse } from "../scheduling";
import { NodePoolFabric } from "../schedulingArgs";
import { GkeNodePoolFabric, type GkeNodePoolRdmaNetworkArgs } from "./args";
import type { GkePoolFields } from "./fields";
import { type GkeMachineType, type GkeRdma, isClaimed } from "./machineTypes";

interface Fabric extends Pick<GkePoolFields, "fabricBy"> {
  fabric: GkeNodePoolFabric;
  rdmaNetworks: Pick<GkeNodePoolRdmaNetworkArgs, "name">[];
}

/** Use of the fast network by a pod. */
export function fabricUse({ rdma }: GkeMachineType, args: Fabric): FabricUse | undefined {
  const { fabric, rdmaNetworks } = args;
  if (fabric === GkeNodePoolFabric.Tier1) return { fabric: NodePoolFabric.Tier1, interfaces: 1 };
  if (fabric !== GkeNodePoolFabric.Rdma || !rdma) return undefined;
  if (isClaimed(rdma, args)) return claimedUse(rdma);
  const names = rdmaNetworks.map(({ name }) => name);
  return {
    fabric: NodePoolFabric.Rdma,
    interfaces: rdma.nics,
    resources: Object.fromEntries(names.map((name) => [`networking.gke.io.networks/${name}`, "1"])),
    annotations: {
      "networking.gke.io/default-interface": "eth0",
      "networking.gke.io/interfaces": JSON.stringify(interfaces(names, hasSecondGvnic(rdma) ? 2 : 1)),
    },
    lockMemory: true,
    ...profiles[rdma.profile],
  };
}

/** Use of interfaces whose networks GKE makes (DRANET): a pod claims all those of a node, instead of naming networks. */
const claimedUse = ({ nics, profile }: GkeRdma): FabricUse => ({
  fabric: NodePoolFabric.Rdma,
  interfaces: nics,
  claim: { name: "rdma", deviceClass: "mrdma.google.com", count: nics },
  lockMemory: true,
  ...profiles[profile],
});

/** True for machine types with a second gVNIC before the RDMA interfaces: eth1, which pods leave alone. */
export const hasSecondGvnic = ({ profile }: GkeRdma) => profile === "vpc-roce";

/** Interfaces that a pod takes from its node: the default one, and those for RDMA under the numbers they have there. */
const interfaces = (names: string[], first: number) => [
  { interfaceName: "eth0", network: "default" },
  ...names.map((network, index) => ({ interfaceName: `eth${first + index}`, network })),
];

/** Settings for the libraries of a program, for each kind of RDMA. */
const profiles: Record<GkeRdma["profile"], Pick<FabricUse, "environment" | "hostPaths">> = {
  // From the examples for A3 Ultra and A4 of the Cluster Toolkit. Its installer of gIB, a DaemonSet, fills both directories.
  "vpc-roce": {
    environment: { NCCL_NET: "gIB", LD_LIBRARY_PATH: "/usr/local/nvidia/lib64:/usr/local/gib/lib64" },
    hostPaths: {
      "/usr/local/nvidia": "/home/kubernetes/bin/nvidia",
      "/usr/local/gib": "/home/kubernetes/bin/gib",
    },
  },
  // From the HPL benchmark on H4D of the GKE samples: libfabric over verbs, and Intel MPI on top of it.
  "vpc-falcon": {
    environment: {
      FI_PROVIDER: "verbs;ofi_rxm",
      FI_VERBS_INLINE_SIZE: "39",
      I_MPI_FABRICS: "shm:ofi",
      I_MPI_OFI_PROVIDER: "verbs;ofi_rxm",
    },
  },
};
