import { arm, type GkeAttachable, hyperthreaded, perVcpu, type Series, wholeCores } from "./rows";

const e2 = [2, 4, 8, 16];
const n1 = [2, 4, 8, 16, 32, 64, 96];
const n2 = [2, 4, 8, 16, 32, 48, 64, 80, 96];
const n4 = [2, 4, 8, 16, 32, 48, 64, 80];
const n4a = [1, 2, 4, 8, 16, 32, 48, 64];
const c2d = [2, 4, 8, 16, 32, 56, 112];
const c3 = [4, 8, 22, 44, 88, 176];
const c3dSsd = [8, 16, 30, 60, 90, 180, 360];
const c3d = [4, ...c3dSsd];
const c4Ssd = [4, 8, 16, 24, 32, 48, 96, 144, 192, 288];
const c4 = [2, ...c4Ssd];
const c4aSsd = [4, 8, 16, 32, 48, 64, 72];
const c4a = [1, 2, ...c4aSsd];
const c4nSsd = [4, 8, 16, 24, 32, 48, 96, 192];
const c4n = [2, ...c4nSsd];
const c4dSsd = [8, 16, 32, 48, 64, 96, 192, 384];
const c4d = [2, 4, ...c4dSsd];

const n1Gpus: Record<string, GkeAttachable> = {
  "nvidia-tesla-p4": { model: "P4", counts: [1, 2, 4] },
  "nvidia-tesla-p100": { model: "P100", counts: [1, 2, 4] },
  "nvidia-tesla-t4": { model: "T4", counts: [1, 2, 4] },
  "nvidia-tesla-v100": { model: "V100", counts: [1, 2, 4, 8] },
};

/** Local SSDs of machine types whose names end in "lssd". */
const ofLssd = (ssds: Record<number, number>): Series["localSsds"] => ({
  "standard-*-lssd": ssds,
  "highmem-*-lssd": ssds,
});

/** Machine types without GPUs, except for those that can be added to N1. */
export const cpuSeries: Record<string, Series> = {
  // General-purpose.
  e2: {
    ...hyperthreaded,
    types: {
      "standard-*": perVcpu(4, [...e2, 32]),
      "highmem-*": perVcpu(8, e2),
      "highcpu-*": perVcpu(1, [...e2, 32]),
    },
  },
  n1: {
    ...hyperthreaded,
    attachable: n1Gpus,
    types: {
      "standard-*": { ...perVcpu(3.75, n1), 2: 7.5 },
      "highmem-*": perVcpu(6.5, n1),
      "highcpu-*": { 2: 1.8, 4: 3.6, 8: 7.2, 16: 14.4, 32: 28.8, 64: 57.6, 96: 86.4 },
    },
  },
  n2: {
    ...hyperthreaded,
    compact: true,
    tier1From: 32,
    types: {
      "standard-*": perVcpu(4, [...n2, 128]),
      "highmem-*": { ...perVcpu(8, n2), 128: 864 },
      "highcpu-*": perVcpu(1, n2),
    },
  },
  n2d: {
    ...hyperthreaded,
    compact: true,
    tier1From: 48,
    types: {
      "standard-*": perVcpu(4, [...n2, 128, 224]),
      "highmem-*": perVcpu(8, n2),
      "highcpu-*": perVcpu(1, [...n2, 128, 224]),
    },
  },
  n4: {
    ...hyperthreaded,
    types: { "standard-*": perVcpu(4, n4), "highmem-*": perVcpu(8, n4), "highcpu-*": perVcpu(2, n4) },
  },
  n4a: {
    ...arm,
    types: { "standard-*": perVcpu(4, n4a), "highmem-*": perVcpu(8, n4a), "highcpu-*": perVcpu(2, n4a) },
  },
  n4d: {
    ...hyperthreaded,
    types: {
      "standard-*": perVcpu(4, [...n4, 96]),
      "highmem-*": perVcpu(8, [...n4, 96]),
      "highcpu-*": perVcpu(2, [...n4, 96]),
    },
  },
  t2a: { ...arm, types: { "standard-*": perVcpu(4, [1, 2, 4, 8, 16, 32, 48]) } },
  t2d: { ...wholeCores, types: { "standard-*": perVcpu(4, [1, 2, 4, 8, 16, 32, 48, 60]) } },
  // Optimized for memory or storage.
  m1: { ...hyperthreaded, types: { "ultramem-*": { 40: 961, 80: 1922, 160: 3844 }, "megamem-*": { 96: 1433.6 } } },
  m2: {
    ...hyperthreaded,
    types: { "ultramem-*": { 208: 5888, 416: 11776 }, "megamem-*": { 416: 5888 }, "hypermem-*": { 416: 8832 } },
  },
  m3: {
    ...hyperthreaded,
    tier1From: 64,
    types: { "ultramem-*": { 32: 976, 64: 1952, 128: 3904 }, "megamem-*": { 64: 976, 128: 1952 } },
  },
  z3: {
    ...hyperthreaded,
    tier1From: 44,
    localSsdGib: 3000,
    types: {
      "highmem-*": perVcpu(8, [88, 176]),
      "highmem-*-standardlssd": perVcpu(8, [14, 22, 44, 88, 176]),
      "highmem-*-highlssd": perVcpu(8, [8, 16, 22, 32, 44, 88]),
    },
    localSsds: {
      "highmem-*": { 88: 12, 176: 12 },
      "highmem-*-standardlssd": { 14: 1, 22: 2, 44: 3, 88: 6, 176: 12 },
      "highmem-*-highlssd": { 8: 1, 16: 2, 22: 3, 32: 4, 44: 6, 88: 12 },
    },
  },
  // With a fast network: general-purpose and compute-optimized.
  c2: { ...hyperthreaded, compact: true, tier1From: 30, types: { "standard-*": perVcpu(4, [4, 8, 16, 30, 60]) } },
  c2d: {
    ...hyperthreaded,
    compact: true,
    tier1From: 32,
    types: { "standard-*": perVcpu(4, c2d), "highmem-*": perVcpu(8, c2d), "highcpu-*": perVcpu(2, c2d) },
  },
  c3: {
    ...hyperthreaded,
    compact: true,
    tier1From: 44,
    localSsds: ofLssd({ 4: 1, 8: 2, 22: 4, 44: 8, 88: 16, 176: 32 }),
    types: {
      "standard-*": perVcpu(4, c3),
      "standard-*-lssd": perVcpu(4, c3),
      "highmem-*": perVcpu(8, c3),
      "highcpu-*": perVcpu(2, c3),
    },
  },
  c3d: {
    ...hyperthreaded,
    compact: true,
    tier1From: 30,
    localSsds: ofLssd({ 8: 1, 16: 1, 30: 2, 60: 4, 90: 8, 180: 16, 360: 32 }),
    types: {
      "standard-*": perVcpu(4, c3d),
      "standard-*-lssd": perVcpu(4, c3dSsd),
      "highmem-*": perVcpu(8, c3d),
      "highmem-*-lssd": perVcpu(8, c3dSsd),
      "highcpu-*": { 4: 8, 8: 16, 16: 32, 30: 59, 60: 118, 90: 177, 180: 354, 360: 708 },
    },
  },
  c4: {
    ...hyperthreaded,
    tier1From: 48,
    localSsds: ofLssd({ 4: 1, 8: 1, 16: 2, 24: 4, 32: 5, 48: 8, 96: 16, 144: 24, 192: 32, 288: 48 }),
    types: {
      "standard-*": perVcpu(3.75, c4),
      "standard-*-lssd": perVcpu(3.75, c4Ssd),
      "highmem-*": perVcpu(7.75, c4),
      "highmem-*-lssd": perVcpu(7.75, c4Ssd),
      "highcpu-*": perVcpu(2, c4),
    },
  },
  c4a: {
    ...arm,
    compact: true,
    tier1From: 32,
    localSsds: ofLssd({ 4: 1, 8: 2, 16: 4, 32: 6, 48: 10, 64: 14, 72: 16 }),
    types: {
      "standard-*": perVcpu(4, c4a),
      "standard-*-lssd": perVcpu(4, c4aSsd),
      "highmem-*": perVcpu(8, c4a),
      "highmem-*-lssd": perVcpu(8, c4aSsd),
      "highcpu-*": perVcpu(2, c4a),
    },
  },
  c4n: {
    ...hyperthreaded,
    compact: true,
    localSsds: ofLssd({ 4: 1, 8: 1, 16: 2, 24: 4, 32: 5, 48: 8, 96: 16, 192: 32 }),
    types: {
      "standard-*": perVcpu(3.75, c4n),
      "standard-*-lssd": perVcpu(3.75, c4nSsd),
      "highmem-*": perVcpu(7.75, c4n),
      "highmem-*-lssd": perVcpu(7.75, c4nSsd),
      "highcpu-*": perVcpu(2, c4n),
    },
  },
  c4d: {
    ...hyperthreaded,
    compact: true,
    tier1From: 48,
    localSsds: ofLssd({ 8: 1, 16: 1, 32: 2, 48: 4, 64: 6, 96: 8, 192: 16, 384: 32 }),
    types: {
      "standard-*": perVcpu(3.875, c4d),
      "standard-*-lssd": perVcpu(3.875, c4dSsd),
      "highmem-*": perVcpu(7.875, c4d),
      "highmem-*-lssd": perVcpu(7.875, c4dSsd),
      "highcpu-*": perVcpu(1.875, c4d),
    },
  },
  h3: { ...wholeCores, compact: true, types: { "standard-*": { 88: 352 } } },
  h4d: {
    ...wholeCores,
    compact: true,
    rdma: { nics: 1, profile: "vpc-falcon" },
    localSsds: ofLssd({ 192: 10 }),
    types: { "standard-*": { 192: 720 }, "highmem-*": { 192: 1488 }, "highmem-*-lssd": { 192: 1488 } },
  },
};
