import { MiniClusterArch } from "../../../minicluster/args";
import { NodePoolAcceleratorKind } from "../../args";
import type { MachineType } from "../../machineType";

/** An EC2 instance type: its facts that a node pool depends on. */
export interface EksMachineType extends MachineType {
  /** Network cards, 1 for ordinary types. */
  networkCards: number;
  /** EFA interfaces, at most one on each card; 0 for a type without EFA. */
  efaInterfaces: number;
  /** True if the first card, which always has the primary interface, carries EFA as well. */
  efaOnCard0: boolean;
  /** True if a card takes a single interface, so that every device index is 0. */
  oneInterfacePerCard: boolean;
  /** True if the type is available as spot. */
  spot: boolean;
  /** True if the type is available in Capacity Blocks. */
  capacityBlocks: boolean;
  /** True if the images of EKS have a driver for the accelerators. */
  hasDriver: boolean;
}

type Processor = Pick<EksMachineType, "arch" | "threadsPerCore">;

/** A row: as many cards as EFA interfaces, unless `efaBesideCard0` changes it. */
const row = (processor: Processor) => {
  return (vcpus: number, memoryGiB: number, efaInterfaces = 0): EksMachineType => ({
    ...processor,
    vcpus,
    memoryMib: memoryGiB * 1024,
    networkCards: Math.max(1, efaInterfaces),
    efaInterfaces,
    efaOnCard0: efaInterfaces > 0,
    oneInterfacePerCard: false,
    spot: true,
    capacityBlocks: false,
    hasDriver: true,
  });
};

/** An x86 machine, two virtual CPUs of which share a core: vCPUs, GiB of memory, EFA interfaces. */
export const hyperthreaded = row({ arch: MiniClusterArch.Amd64, threadsPerCore: 2 });

/** An x86 machine whose virtual CPUs are cores: vCPUs, GiB of memory, EFA interfaces. */
export const wholeCores = row({ arch: MiniClusterArch.Amd64, threadsPerCore: 1 });

/** An ARM machine, which always has whole cores: vCPUs, GiB of memory, EFA interfaces. */
export const graviton = row({ arch: MiniClusterArch.Arm64, threadsPerCore: 1 });

const accelerated = (kind: NodePoolAcceleratorKind) => {
  return (model: string, count: number, machine: EksMachineType): EksMachineType => ({
    ...machine,
    accelerator: { kind, model, count },
  });
};

/** NVIDIA GPUs in a machine: model, how many, the machine. */
export const nvidia = accelerated(NodePoolAcceleratorKind.Nvidia);

/** AWS accelerators in a machine: model, how many devices (not Neuron cores), the machine. */
export const neuron = accelerated(NodePoolAcceleratorKind.Neuron);

/** A machine with one card more than EFA interfaces: the first one is for Ethernet only. */
export const efaBesideCard0 = (machine: EksMachineType): EksMachineType => ({
  ...machine,
  networkCards: machine.efaInterfaces + 1,
  efaOnCard0: false,
});

export const oneInterfacePerCard = (machine: EksMachineType): EksMachineType => ({
  ...machine,
  oneInterfacePerCard: true,
});

export const neverSpot = (machine: EksMachineType): EksMachineType => ({ ...machine, spot: false });

export const inCapacityBlocks = (machine: EksMachineType): EksMachineType => ({ ...machine, capacityBlocks: true });

export const withoutDriver = (machine: EksMachineType): EksMachineType => ({ ...machine, hasDriver: false });
