import { parseArgs, rules } from "../../../../shared/rules";
import { isSuperchip } from "../../../machines";
import { aksPlace } from "../../../kubernetes/parse";
import { NodePoolAcceleratorKind, NodePoolFabric, NodePoolLocalDisks } from "../../../nodes/args";
import { chosenPlugin, rdmaResource } from "../../../nodes/parse/devicePlugins";
import { stripedDisk } from "../../../nodes/parse/localDisks";
import { buildScheduling, byClaim, type FabricUse, infinibandClass } from "../../../nodes/parse/scheduling";
import { resolveSizing } from "../../../nodes/parse/sizing";
import { type AksMachineType, aksMachineType } from "../../machines";
import { type AksNodePoolArgs, AksNodePoolCapacityType, AksNodePoolGpuDriver, AksNodePoolGpuPartition } from "../args";
import { type AksPoolFields, aksPoolFields, hasInfiniband, spotTaint } from "./fields";
import { aksRules } from "./rules";

const schema = aksPoolFields.check(rules(...aksRules));

/** The spec of a pool, or one error that names every problem of its arguments. */
export const parseAksNodePoolArgs = (resourceName: string, args: AksNodePoolArgs) =>
  buildSpec(parseArgs(schema, "AksNodePool", resourceName, args));

/** Arguments that are all checked, with every default set. */
export type AksPoolSpec = ReturnType<typeof buildSpec>;

function buildSpec(args: AksPoolFields) {
  const machine = aksMachineType(args.machineType, args.hardware);
  if (!machine) throw new Error(`the rules did not reject the unknown VM size ${args.machineType}`);
  const sizing = resolveSizing(args);
  const taints = isSpot(args) ? [...args.taints, spotTaint] : args.taints;
  const gpuDriver = machine.accelerator && (args.gpuDriver ?? defaultDriver(machine));
  const hasNvidia = machine.accelerator?.kind === NodePoolAcceleratorKind.Nvidia;
  const localDisk = localDiskOf(machine, args);
  const gpuUse = args.gpuPartition && { perGpu: partsPerGpu[args.gpuPartition] };
  const isReady = isSuperchip(machine.accelerator);
  const hasDriver = hasNvidia && gpuDriver === AksNodePoolGpuDriver.Install;
  return {
    ...args,
    ...aksPlace(args),
    machine,
    sizing,
    taints,
    ...(gpuUse && { gpuUse }),
    gpuDriver,
    spotMaxPrice: args.spotMaxPrice ?? -1,
    localDisk,
    scheduling: buildScheduling({
      ...args,
      machine,
      sizing,
      taints,
      gpuUse,
      // "Use labels in an Azure Kubernetes Service (AKS) cluster" has no labels of the network.
      networkLabels: [],
      localDisk,
      fabric: fabricUse(machine, args),
      interruption: interruptionOf(args),
    }),
    devicePlugins: [
      // If AKS installs no driver, an operator installs the driver and its plugin. The image of superchips runs a
      // plugin itself.
      ...chosenPlugin(
        "nvidia",
        hasDriver && !byClaim(args.gpuBy) && (!isReady || args.nvidiaPlugin !== undefined),
        args.nvidiaPlugin,
      ).map((plugin) => ({ ...plugin, ...(gpuUse && { isDivided: true }) })),
      ...chosenPlugin("rdma", hasInfiniband(args) && !byClaim(args.fabricBy), args.rdmaPlugin),
      ...chosenPlugin("modules", hasInfiniband(args) && !isReady, args.moduleLoader).map((loader) => ({
        ...loader,
        args: ["ib_umad", "rdma_ucm", ...(hasDriver ? ["nvidia-peermem"] : [])],
      })),
    ],
  };
}

const isSpot = ({ capacityType }: Pick<AksPoolFields, "capacityType">) => capacityType === AksNodePoolCapacityType.Spot;

/**
 * The interruption of spot machines: at the notice of Azure's Scheduled Events, AKS drains the node ("Node
 * auto-drain").
 */
export const interruptionOf = (args: Pick<AksPoolFields, "capacityType">) =>
  isSpot(args) ? { noticeSeconds: 30, evicts: true } : undefined;

/**
 * The way in which pods get the local disks: NVMe disks by the driver of a StorageClass, unless the image of AKS mounts
 * them.
 */
function localDiskOf(machine: AksMachineType, { name, localDisks }: Pick<AksPoolFields, "name" | "localDisks">) {
  const { nvmeGb, stripesItself } = machine;
  if (stripesItself) return stripedDisk(machine, NodePoolLocalDisks.Raid0);
  const disk = stripedDisk(machine, localDisks);
  return disk && nvmeGb !== undefined ? { ...disk, storageClass: storageClassName(name) } : disk;
}

/** Name of the StorageClass of a pool. */
const storageClassName = (pool: string) => `${pool}-local-disks`;

/** Parts of a GPU ("Multi-instance GPU node pool"). */
const partsPerGpu: Record<AksNodePoolGpuPartition, number> = {
  [AksNodePoolGpuPartition.OneSlice]: 7,
  [AksNodePoolGpuPartition.TwoSlices]: 3,
  [AksNodePoolGpuPartition.ThreeSlices]: 2,
  [AksNodePoolGpuPartition.FourSlices]: 1,
  [AksNodePoolGpuPartition.SevenSlices]: 1,
};

/** Installation of the driver of a machine, if the arguments do not set it. */
export const defaultDriver = ({ accelerator }: AksMachineType): AksNodePoolGpuDriver =>
  accelerator?.kind === NodePoolAcceleratorKind.Amd ? AksNodePoolGpuDriver.None : AksNodePoolGpuDriver.Install;

/** Use of InfiniBand by a pod: all devices of the node, by one resource or by a claim, and memory that they may lock. */
export function fabricUse(
  machine: AksMachineType,
  args: Pick<AksPoolFields, "name" | "fabric" | "fabricBy">,
): FabricUse | undefined {
  if (!hasInfiniband(args)) return undefined;
  const { infinibandDevices: count } = machine;
  return {
    fabric: NodePoolFabric.Infiniband,
    interfaces: count,
    ...(byClaim(args.fabricBy)
      ? { claim: { name: "infiniband", deviceClass: infinibandClass(args.name), count } }
      : { resources: { [rdmaResource]: "1" } }),
    environment: { ...mpiEnvironment(machine), ...ncclEnvironment(machine) },
    lockMemory: true,
  };
}

function mpiEnvironment({ accelerator }: AksMachineType): Record<string, string> {
  return {
    // Open MPI before version 5 has its own InfiniBand transport, deprecated in favor of UCX.
    OMPI_MCA_btl: "^openib",
    // Fails if InfiniBand does not work, instead of falling back to Ethernet. For GPUs UCX chooses the transports
    // itself. UCX always chooses the devices: their names differ between images, and the plugin gives a pod only the
    // InfiniBand devices.
    ...(!accelerator && { UCX_TLS: "ib,sm,self" }),
  };
}

function ncclEnvironment({ accelerator }: AksMachineType): Record<string, string> {
  if (accelerator?.kind !== NodePoolAcceleratorKind.Nvidia) return {};
  return {
    // GPUs must be numbered in the order of the PCI bus, as in Azure's topology files.
    CUDA_DEVICE_ORDER: "PCI_BUS_ID",
    // GPUs reach each other's memory through any adapter of the node.
    NCCL_NET_GDR_LEVEL: "SYS",
    // The processes exchange their addresses over Ethernet.
    NCCL_SOCKET_IFNAME: "eth0",
  };
}
