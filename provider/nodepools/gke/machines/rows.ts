import { MiniClusterArch } from "../../../minicluster/args";
import type { Machine } from "../../machine";

/** The RDMA interfaces of a machine type, and the kind of VPC network that each of them has to be on. */
export interface GkeRdma {
  nics: number;
  /** A network profile is of one zone: "us-central1-a-vpc-roce". */
  profile: "vpc-roce" | "vpc-falcon";
}

/** What a machine type has, of that which a pool of nodes depends on. */
export interface GkeMachine extends Machine {
  /** Machine series, such as "c2d". */
  family: string;
  /** Whether per VM TIER_1 egress bandwidth can be bought for it. */
  tier1: boolean;
  /** Whether GKE is documented to put it in a compact placement. */
  compactPlacement: boolean;
  rdma?: GkeRdma;
  /** How NCCL reaches the GPUs of other nodes where the machine has no RDMA. */
  gpuDirect?: "tcpx" | "tcpxo";
  /** Name that GKE has for the GPUs the machine comes with. */
  acceleratorType?: string;
  /** GPUs that can be added, and how many at once, under the names that GKE has for them. */
  attachable?: Record<string, GkeAttachable>;
}

/** A GPU to add to a machine. The larger counts do not go with every size, nor the larger sizes with every count. */
export interface GkeAttachable {
  model: string;
  counts: number[];
}

/** GiB of memory by vCPUs. */
export type Sizes = Record<number, number>;

/** Machine types whose names count their vCPUs. */
export interface Series extends Pick<GkeMachine, "arch" | "threadsPerCore" | "rdma" | "attachable"> {
  compact?: boolean;
  /** Fewest vCPUs with TIER_1. */
  tier1From?: number;
  /** By the rest of the name, in which the number of vCPUs takes the place of the star. */
  types: Record<string, Sizes>;
}

/** Machine types that come with GPUs of one kind. */
export interface GpuSeries extends Pick<GkeMachine, "arch" | "threadsPerCore" | "rdma" | "gpuDirect"> {
  compact?: boolean;
  model: string;
  acceleratorType: string;
  /** vCPUs, GiB of memory and GPUs of each. */
  types: Record<string, [vcpus: number, memoryGiB: number, gpus: number]>;
}

/** Two vCPUs share a core. */
export const hyperthreaded = { arch: MiniClusterArch.Amd64, threadsPerCore: 2 };
/** A vCPU is a core, and there is no second thread to have. */
export const wholeCores = { arch: MiniClusterArch.Amd64, threadsPerCore: 1 };
/** ARM, which always has whole cores. */
export const arm = { arch: MiniClusterArch.Arm64, threadsPerCore: 1 };

/** Memory comes in whole GiB. */
export const perVcpu = (gib: number, vcpus: number[]): Sizes =>
  Object.fromEntries(vcpus.map((count) => [count, Math.floor(count * gib)]));
