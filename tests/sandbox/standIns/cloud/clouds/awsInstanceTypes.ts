import type { Obj } from "../../rpc/values";

/** The stand-in's facts on an instance type: those that AWS documents, except for the last type. */
interface InstanceType {
  arch: "x86_64" | "arm64";
  vcpus: number;
  cores: number;
  memoryGiB: number;
  efa: number;
  cards: number;
  gpus?: { name: string; count: number; memoryMib: number };
  neuronDevices?: number;
  /** Letters of the zones that offer it. */
  zones: string;
}

/** A few types of each sort. No published table can have the last one, which AWS does not have. */
export const instanceTypes: Record<string, InstanceType> = {
  "m7i.large": { arch: "x86_64", vcpus: 2, cores: 1, memoryGiB: 8, efa: 0, cards: 1, zones: "abc" },
  "c7i.48xlarge": { arch: "x86_64", vcpus: 192, cores: 96, memoryGiB: 384, efa: 1, cards: 1, zones: "abc" },
  "c7gn.16xlarge": { arch: "arm64", vcpus: 64, cores: 64, memoryGiB: 128, efa: 1, cards: 1, zones: "ab" },
  "hpc6a.48xlarge": { arch: "x86_64", vcpus: 96, cores: 96, memoryGiB: 384, efa: 1, cards: 1, zones: "b" },
  "hpc7a.96xlarge": { arch: "x86_64", vcpus: 192, cores: 192, memoryGiB: 768, efa: 2, cards: 2, zones: "b" },
  "hpc7g.16xlarge": { arch: "arm64", vcpus: 64, cores: 64, memoryGiB: 128, efa: 1, cards: 1, zones: "a" },
  "g5.48xlarge": {
    arch: "x86_64",
    vcpus: 192,
    cores: 96,
    memoryGiB: 768,
    efa: 1,
    cards: 1,
    zones: "abc",
    gpus: { name: "A10G", count: 8, memoryMib: 24 * 1024 },
  },
  "p4d.24xlarge": {
    arch: "x86_64",
    vcpus: 96,
    cores: 48,
    memoryGiB: 1152,
    efa: 4,
    cards: 4,
    zones: "ab",
    gpus: { name: "A100", count: 8, memoryMib: 40 * 1024 },
  },
  "p5.48xlarge": {
    arch: "x86_64",
    vcpus: 192,
    cores: 96,
    memoryGiB: 2048,
    efa: 32,
    cards: 32,
    zones: "a",
    gpus: { name: "H100", count: 8, memoryMib: 80 * 1024 },
  },
  // One of its network cards, the first, has no EFA.
  "p6-b300.48xlarge": {
    arch: "x86_64",
    vcpus: 192,
    cores: 96,
    memoryGiB: 4096,
    efa: 16,
    cards: 17,
    zones: "a",
    gpus: { name: "B300", count: 8, memoryMib: 288 * 1024 },
  },
  "trn1.32xlarge": {
    arch: "x86_64",
    vcpus: 128,
    cores: 64,
    memoryGiB: 512,
    efa: 8,
    cards: 8,
    zones: "b",
    neuronDevices: 16,
  },
  "c9gn.48xlarge": { arch: "arm64", vcpus: 192, cores: 192, memoryGiB: 384, efa: 2, cards: 2, zones: "ab" },
};

/** The row as `getInstanceType` gives it. */
export function describeInstanceType(name: string, type: InstanceType): Obj {
  const { gpus, neuronDevices = 0 } = type;
  return {
    id: name,
    instanceType: name,
    currentGeneration: true,
    hypervisor: "nitro",
    supportedArchitectures: [type.arch],
    defaultVcpus: type.vcpus,
    defaultCores: type.cores,
    defaultThreadsPerCore: type.vcpus / type.cores,
    memorySize: type.memoryGiB * 1024,
    efaSupported: type.efa > 0,
    efaMaximumInterfaces: type.efa,
    maximumNetworkCards: type.cards,
    networkCards: Array.from({ length: type.cards }, (_, index) => ({
      index,
      maximumInterfaces: 2,
      performance: "100 Gigabit",
      baselineBandwidth: 100,
      peakBandwidth: 100,
    })),
    gpuses: gpus ? [{ manufacturer: "NVIDIA", name: gpus.name, count: gpus.count, memorySize: gpus.memoryMib }] : [],
    totalGpuMemory: gpus ? gpus.count * gpus.memoryMib : 0,
    neuronDevices: neuronDevices
      ? [{ name: "Trainium", count: neuronDevices, coreCount: 2, coreVersion: 2, memorySize: 32 * 1024 }]
      : [],
    totalNeuronDeviceMemory: neuronDevices * 32 * 1024,
    supportedPlacementStrategies: ["cluster", "partition", "spread"],
    supportedUsagesClasses: ["on-demand", "spot"],
  };
}
