import { MiniClusterArch } from "../../../minicluster/args";
import { NodePoolAcceleratorKind, type Machine } from "../../machine";

/** What an EC2 instance type has, of that which a pool of nodes depends on. */
export interface EksMachine extends Machine {
  /** Network cards, 1 for ordinary types. */
  networkCards: number;
  /** Most EFA interfaces, at most one on each card; 0 for a type without EFA. */
  efaInterfaces: number;
  /** Whether the first card, which the primary interface is always on, carries EFA as well. */
  efaOnCard0: boolean;
  /** Whether a card takes a single interface, so that none fits beside another and every device index is 0. */
  oneInterfacePerCard: boolean;
  /** Whether the type is sold as spot at all. */
  spot: boolean;
  /** Whether the type is sold by Capacity Block. */
  capacityBlocks: boolean;
  /** Whether the images of EKS have a driver for the accelerators. */
  hasDriver: boolean;
}

type Processor = Pick<EksMachine, "arch" | "threadsPerCore">;

/** Cards and EFA interfaces are the same in number, wherever a type has EFA and `efaBesideCard0` does not say otherwise. */
const machines = (processor: Processor) => {
  return (vcpus: number, memoryGiB: number, efaInterfaces = 0): EksMachine => ({
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
export const hyperthreaded = machines({ arch: MiniClusterArch.Amd64, threadsPerCore: 2 });

/** An x86 machine whose virtual CPUs are cores: vCPUs, GiB of memory, EFA interfaces. */
export const wholeCores = machines({ arch: MiniClusterArch.Amd64, threadsPerCore: 1 });

/** An ARM machine, which always has whole cores: vCPUs, GiB of memory, EFA interfaces. */
export const graviton = machines({ arch: MiniClusterArch.Arm64, threadsPerCore: 1 });

const accelerated = (kind: NodePoolAcceleratorKind) => {
  return (model: string, count: number, machine: EksMachine): EksMachine => ({
    ...machine,
    accelerator: { kind, model, count },
  });
};

/** NVIDIA GPUs in a machine: model, how many, the machine. */
export const nvidia = accelerated(NodePoolAcceleratorKind.Nvidia);

/** AWS accelerators in a machine: model, how many devices (not Neuron cores), the machine. */
export const neuron = accelerated(NodePoolAcceleratorKind.Neuron);

/** One card more than there are EFA interfaces: the first one is for Ethernet only. */
export const efaBesideCard0 = (machine: EksMachine): EksMachine => ({
  ...machine,
  networkCards: machine.efaInterfaces + 1,
  efaOnCard0: false,
});

export const oneInterfacePerCard = (machine: EksMachine): EksMachine => ({ ...machine, oneInterfacePerCard: true });

export const neverSpot = (machine: EksMachine): EksMachine => ({ ...machine, spot: false });

export const inCapacityBlocks = (machine: EksMachine): EksMachine => ({ ...machine, capacityBlocks: true });

export const withoutDriver = (machine: EksMachine): EksMachine => ({ ...machine, hasDriver: false });
