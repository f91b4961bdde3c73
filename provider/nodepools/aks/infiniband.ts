import { NodePoolFabric } from "../../minicluster/args";
import { NodePoolAcceleratorKind } from "../args";
import { rdmaResource } from "../devicePlugins";
import type { FabricUse } from "../scheduling";
import { AksNodePoolFabric } from "./args";
import type { AksPoolMachine } from "./machine";

/** How a pod uses the network of its pool. */
export const settledFabric = (
  machine: AksPoolMachine,
  { fabric }: { fabric: AksNodePoolFabric },
): FabricUse | undefined => (fabric === AksNodePoolFabric.Infiniband ? infinibandUse(machine) : undefined);

/** How a pod uses InfiniBand: the node's devices, all of them by one resource, and memory that they may lock. */
const infinibandUse = (machine: AksPoolMachine): FabricUse => ({
  fabric: NodePoolFabric.Infiniband,
  interfaces: machine.infinibandDevices,
  resources: { [rdmaResource]: "1" },
  environment: { ...mpiEnvironment(machine), ...ncclEnvironment(machine) },
  lockMemory: true,
});

function mpiEnvironment({ accelerator, infinibandDevices }: AksPoolMachine): Record<string, string> {
  return {
    // Open MPI before version 5 has a way of its own to InfiniBand, which is given up for UCX.
    OMPI_MCA_btl: "^openib",
    // Fails where InfiniBand does not work, instead of going on over Ethernet. UCX itself finds the ways to GPUs.
    ...(!accelerator && { UCX_TLS: "ib,sm,self" }),
    // With several devices, and beside GPUs, UCX has to choose by what is near.
    ...(!accelerator && infinibandDevices === 1 && { UCX_NET_DEVICES: "mlx5_0:1" }),
  };
}

function ncclEnvironment({ accelerator }: AksPoolMachine): Record<string, string> {
  if (accelerator?.kind !== NodePoolAcceleratorKind.Nvidia) return {};
  return {
    // The numbers of the GPUs have to be in the order of the bus, as a topology file of Azure names them.
    CUDA_DEVICE_ORDER: "PCI_BUS_ID",
    // GPUs reach each other's memory through any adapter of the node.
    NCCL_NET_GDR_LEVEL: "SYS",
    // Ranks find each other over Ethernet.
    NCCL_SOCKET_IFNAME: "eth0",
  };
}
