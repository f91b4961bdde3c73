import type { MachineType } from "../../machines";
import { NodePoolAcceleratorKind, MiniClusterArch } from "../../nodes/args";

/** The properties of an EC2 instance type that a node pool depends on. */
export interface EksMachineType extends MachineType {
  /** Network cards, 1 for ordinary types. */
  networkCards: number;
  /** EFA interfaces, at most one on each card; 0 for a type without EFA. */
  efaInterfaces: number;
  /** Index of each card with EFA. The first card, 0, always has the primary interface. */
  efaCards: readonly number[];
  /** Maximum number of interfaces of each card. Default: two or more on every card. */
  interfacesPerCard?: readonly number[];
  /** True if the type is available as spot. */
  spot: boolean;
  /** True if the type is available in Capacity Blocks. */
  capacityBlocks: boolean;
  /** True if only images of EKS since September 2026 have a driver for the accelerators. */
  needsNewImage: boolean;
}

type Processor = Pick<EksMachineType, "arch" | "threadsPerCore">;

/** `count` consecutive integers, from `first` on. */
const range = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

/** The cards with EFA: all cards, or, if there are more cards than EFA interfaces, all cards after the first. */
export const efaCardsOf = (networkCards: number, efaInterfaces: number) =>
  range(efaInterfaces < networkCards ? 1 : 0, efaInterfaces);

/** A row: as many cards as EFA interfaces, unless `efaBesideCard0` changes it. */
const row = (processor: Processor) => {
  return (vcpus: number, memoryGiB: number, efaInterfaces = 0): EksMachineType => ({
    ...processor,
    vcpus,
    memoryMib: memoryGiB * 1024,
    networkCards: Math.max(1, efaInterfaces),
    efaInterfaces,
    efaCards: range(0, efaInterfaces),
    spot: true,
    capacityBlocks: false,
    needsNewImage: false,
  });
};

/** An x86 machine with two virtual CPUs per core: vCPUs, GiB of memory, EFA interfaces. */
export const hyperthreaded = row({ arch: MiniClusterArch.Amd64, threadsPerCore: 2 });

/** An x86 machine whose virtual CPUs are cores: vCPUs, GiB of memory, EFA interfaces. */
export const wholeCores = row({ arch: MiniClusterArch.Amd64, threadsPerCore: 1 });

/** An ARM machine, which always has one thread per core: vCPUs, GiB of memory, EFA interfaces. */
export const graviton = row({ arch: MiniClusterArch.Arm64, threadsPerCore: 1 });

const accelerated = (kind: NodePoolAcceleratorKind) => {
  return (model: string, count: number, machine: EksMachineType): EksMachineType => ({
    ...machine,
    accelerator: { kind, model, count },
  });
};

/** NVIDIA GPUs in a machine: model, number, machine. */
export const nvidia = accelerated(NodePoolAcceleratorKind.Nvidia);

/** AWS accelerators in a machine: model, number of devices (not of Neuron cores), machine. */
export const neuron = accelerated(NodePoolAcceleratorKind.Neuron);

/** A machine with one card more than EFA interfaces: the first card is for Ethernet only. */
export const efaBesideCard0 = (machine: EksMachineType): EksMachineType => ({
  ...machine,
  networkCards: machine.efaInterfaces + 1,
  efaCards: efaCardsOf(machine.efaInterfaces + 1, machine.efaInterfaces),
});

/**
 * A machine with pairs of cards after a first card for Ethernet: the first card of a pair is only for EFA, and supports
 * one interface; the second card shares its wire.
 */
export const efaOnOddCards = (machine: EksMachineType): EksMachineType => {
  const networkCards = 2 * machine.efaInterfaces + 1;
  const isOdd = (card: number) => card % 2 === 1;
  return {
    ...machine,
    networkCards,
    efaCards: range(0, networkCards).filter(isOdd),
    interfacesPerCard: range(0, networkCards).map((card) => (isOdd(card) ? 1 : 2)),
  };
};

/** A machine whose GPUs have EFA interfaces on the same PCIe root, as its DRA drivers publish them. */
export const efaNearGpus = (machine: EksMachineType): EksMachineType => ({ ...machine, hasNearInterfaces: true });

export const oneInterfacePerCard = (machine: EksMachineType): EksMachineType => ({
  ...machine,
  interfacesPerCard: machine.efaCards.map(() => 1),
});

export const neverSpot = (machine: EksMachineType): EksMachineType => ({ ...machine, spot: false });

export const inCapacityBlocks = (machine: EksMachineType): EksMachineType => ({ ...machine, capacityBlocks: true });

export const onNewImages = (machine: EksMachineType): EksMachineType => ({ ...machine, needsNewImage: true });
