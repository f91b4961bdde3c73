import { NodePoolAcceleratorKind } from "../args";
import { rdmaResource } from "../devicePlugins";
import type { FabricUse } from "../scheduling";
import { NodePoolFabric } from "../schedulingArgs";
import { type AksPoolFields, hasInfiniband } from "./fields";
import type { AksMachineType } from "./machineTypes";

/** Use of InfiniBand by a pod: the node's devices, all of them by one resource, and memory that they may lock. */
export function fabricUse(machine: AksMachineType, args: Pick<AksPoolFields, "fabric">): FabricUse | undefined {
  if (!hasInfiniband(args)) return undefined;
  return {
    fabric: NodePoolFabric.Infiniband,
    interfaces: machine.infinibandDevices,
    resources: { [rdmaResource]: "1" },
    environment: { ...mpiEnvironment(machine), ...ncclEnvironment(machine) },
    lockMemory: true,
  };
}

function mpiEnvironment({ accelerator }: AksMachineType): Record<string, string> {
  return {
    // Open MPI before version 5 has its own InfiniBand transport, deprecated in favor of UCX.
    OMPI_MCA_btl: "^openib",
    // Fails where InfiniBand does not work, instead of falling back to Ethernet. For GPUs UCX chooses the transports itself. The
    // devices are left to it everywhere: their names differ between images, and the plugin gives a pod those of InfiniBand alone.
    ...(!accelerator && { UCX_TLS: "ib,sm,self" }),
  };
}

function ncclEnvironment({ accelerator }: AksMachineType): Record<string, string> {
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
