import { arm, type GpuSeries, hyperthreaded } from "./rows";

const compactX86 = { ...hyperthreaded, compact: true };

/** Machine types with GPUs, one row for each kind of GPU. */
export const gpuSeries: GpuSeries[] = [
  {
    ...compactX86,
    model: "A100",
    acceleratorType: "nvidia-tesla-a100",
    types: {
      "a2-highgpu-1g": [12, 85, 1],
      "a2-highgpu-2g": [24, 170, 2],
      "a2-highgpu-4g": [48, 340, 4],
      "a2-highgpu-8g": [96, 680, 8],
      "a2-megagpu-16g": [96, 1360, 16],
    },
  },
  {
    ...compactX86,
    model: "A100",
    acceleratorType: "nvidia-a100-80gb",
    types: {
      "a2-ultragpu-1g": [12, 170, 1, 1],
      "a2-ultragpu-2g": [24, 340, 2, 2],
      "a2-ultragpu-4g": [48, 680, 4, 4],
      "a2-ultragpu-8g": [96, 1360, 8, 8],
    },
  },
  {
    ...compactX86,
    model: "H100",
    acceleratorType: "nvidia-h100-80gb",
    types: {
      "a3-highgpu-1g": [26, 234, 1, 2],
      "a3-highgpu-2g": [52, 468, 2, 4],
      "a3-highgpu-4g": [104, 936, 4, 8],
      "a3-highgpu-8g": [208, 1872, 8, 16],
    },
  },
  {
    ...compactX86,
    model: "H100",
    acceleratorType: "nvidia-h100-mega-80gb",
    types: { "a3-megagpu-8g": [208, 1872, 8, 16] },
  },
  {
    ...compactX86,
    model: "H200",
    acceleratorType: "nvidia-h200-141gb",
    rdma: { nics: 8, profile: "vpc-roce" },
    types: { "a3-ultragpu-8g": [224, 2952, 8, 32] },
  },
  {
    ...compactX86,
    model: "B200",
    acceleratorType: "nvidia-b200",
    rdma: { nics: 8, profile: "vpc-roce" },
    types: { "a4-highgpu-8g": [224, 3968, 8, 32] },
  },
  {
    ...arm,
    compact: true,
    model: "GB200",
    acceleratorType: "nvidia-gb200",
    rdma: { nics: 4, profile: "vpc-roce", claimed: true },
    localSsdGib: 3000,
    types: { "a4x-highgpu-4g": [140, 884, 4, 4] },
  },
  {
    // Interfaces and settings are from "Create an AI-optimized GKE cluster that uses A4X Max" and NVIDIA's AI Cluster
    // Runtime.
    ...arm,
    compact: true,
    model: "GB300",
    acceleratorType: "nvidia-gb300",
    rdma: { nics: 8, profile: "vpc-roce", claimed: true },
    bareMetal: true,
    localSsdGib: 3000,
    types: { "a4x-maxgpu-4g-metal": [144, 960, 4, 4] },
  },
  {
    ...compactX86,
    model: "L4",
    acceleratorType: "nvidia-l4",
    types: {
      "g2-standard-4": [4, 16, 1],
      "g2-standard-8": [8, 32, 1],
      "g2-standard-12": [12, 48, 1],
      "g2-standard-16": [16, 64, 1],
      "g2-standard-24": [24, 96, 2],
      "g2-standard-32": [32, 128, 1],
      "g2-standard-48": [48, 192, 4],
      "g2-standard-96": [96, 384, 8],
    },
  },
  {
    // The smaller sizes have a fraction of one GPU, which Kubernetes cannot count.
    ...compactX86,
    model: "RTX PRO 6000",
    acceleratorType: "nvidia-rtx-pro-6000",
    types: {
      "g4-standard-48": [48, 180, 1],
      "g4-standard-96": [96, 360, 2],
      "g4-standard-192": [192, 720, 4],
      "g4-standard-384": [384, 1440, 8],
    },
  },
];

// Partitions of each GPU and how many of them a GPU has, by GKE's names for both: from the table of GKE's own device plugin
// (GoogleCloudPlatform/container-engine-accelerators, pkg/gpu/nvidia/mig), read in November 2026.
const h100 = { "1g.10gb": 7, "1g.20gb": 4, "2g.20gb": 3, "3g.40gb": 2, "7g.80gb": 1 };

const partitions: Record<string, Record<string, number>> = {
  "nvidia-tesla-a100": { "1g.5gb": 7, "2g.10gb": 3, "3g.20gb": 2, "7g.40gb": 1 },
  "nvidia-a100-80gb": { "1g.10gb": 7, "2g.20gb": 3, "3g.40gb": 2, "7g.80gb": 1 },
  "nvidia-h100-80gb": h100,
  "nvidia-h100-mega-80gb": h100,
  "nvidia-h200-141gb": { "1g.18gb": 7, "1g.35gb": 4, "2g.35gb": 3, "3g.71gb": 2, "4g.71gb": 1, "7g.141gb": 1 },
  "nvidia-b200": { "1g.23gb": 7, "1g.45gb": 4, "2g.45gb": 3, "3g.90gb": 2, "4g.90gb": 1, "7g.180gb": 1 },
  "nvidia-gb200": { "1g.23gb": 7, "1g.47gb": 4, "2g.47gb": 3, "3g.93gb": 2, "4g.93gb": 1, "7g.186gb": 1 },
  "nvidia-rtx-pro-6000": { "1g.24gb": 4, "2g.48gb": 2, "4g.96gb": 1 },
};

/** Partitions of a GPU by their names, with the number of each; empty for a GPU without MIG. */
export const partitionsOf = (acceleratorType: string | undefined): Record<string, number> =>
  (acceleratorType !== undefined && Object.hasOwn(partitions, acceleratorType) && partitions[acceleratorType]) || {};
