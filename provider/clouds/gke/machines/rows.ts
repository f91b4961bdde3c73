import type { MachineType } from "../../machines";
import { MiniClusterArch } from "../../nodes/args";

/** RDMA interfaces of a machine type, and the kind of VPC network that each interface requires. */
export interface GkeRdma {
  nics: number;
  /** A network profile belongs to one zone: "us-central1-a-vpc-roce". */
  profile: "vpc-roce" | "vpc-falcon";
  /** True if pods always claim the interfaces, on networks that GKE creates (DRANET). */
  claimed?: boolean;
}

/** The properties of a machine type that a node pool depends on. */
export interface GkeMachineType extends MachineType {
  /** Machine series, such as "c2d". */
  family: string;
  /** True if it can have per VM Tier_1 egress bandwidth. */
  tier1: boolean;
  /** True if the documents of GKE list it for compact placement. */
  compactPlacement: boolean;
  rdma?: GkeRdma;
  /** True for a machine without a hypervisor, which has another kind of network card. */
  bareMetal?: boolean;
  /** GKE's name for the GPUs of the machine type. */
  acceleratorType?: string;
  /** Local SSDs of the machine type. */
  localSsds?: number;
  /** Total capacity of the local SSDs in GiB. */
  localSsdsGib?: number;
  /** GPUs that can be added, by GKE's name for them. */
  attachable?: Record<string, GkeAttachable>;
}

/** A GPU that can be added, and the supported numbers. Not every size of a machine supports every number. */
export interface GkeAttachable {
  model: string;
  counts: number[];
}

/** GiB of memory by vCPUs. */
export type Sizes = Record<number, number>;

/** Machine types whose names count their vCPUs. */
export interface Series extends Pick<GkeMachineType, "arch" | "threadsPerCore" | "rdma" | "attachable"> {
  compact?: boolean;
  /** Smallest number of vCPUs with Tier_1. */
  tier1From?: number;
  /** Local SSDs of the machines, by the rest of the name and by vCPUs. */
  localSsds?: Record<string, Record<number, number>>;
  /** GiB of each local SSD. Default: 375. */
  localSsdGib?: number;
  /** By the rest of the name, with a star in place of the number of vCPUs. */
  types: Record<string, Sizes>;
}

/** Machine types with one kind of GPU. */
export interface GpuSeries extends Pick<GkeMachineType, "arch" | "threadsPerCore" | "rdma" | "bareMetal"> {
  compact?: boolean;
  model: string;
  acceleratorType: string;
  /** GiB of each local SSD. Default: 375. */
  localSsdGib?: number;
  /** vCPUs, GiB of memory, GPUs and local SSDs of each. */
  types: Record<string, [vcpus: number, memoryGiB: number, gpus: number, localSsds?: number]>;
}

/** x86, two vCPUs per core. */
export const hyperthreaded = { arch: MiniClusterArch.Amd64, threadsPerCore: 2 };
/** x86, one vCPU per core. */
export const wholeCores = { arch: MiniClusterArch.Amd64, threadsPerCore: 1 };
/** ARM, which always has one vCPU per core. */
export const arm = { arch: MiniClusterArch.Arm64, threadsPerCore: 1 };

/** Memory in proportion to the vCPUs, in whole GiB. */
export const perVcpu = (gib: number, vcpus: number[]): Sizes =>
  Object.fromEntries(vcpus.map((count) => [count, Math.floor(count * gib)]));
