import { type Series, arm, hyperthreaded, perVcpu, wholeCores } from "./rows";

const c2d = [2, 4, 8, 16, 32, 56, 112];
const c3 = [4, 8, 22, 44, 88, 176];
const c3dSsd = [8, 16, 30, 60, 90, 180, 360];
const c3d = [4, ...c3dSsd];
const c4Ssd = [4, 8, 16, 24, 32, 48, 96, 144, 192, 288];
const c4 = [2, ...c4Ssd];
const c4aSsd = [4, 8, 16, 32, 48, 64, 72];
const c4a = [1, 2, ...c4aSsd];
const c4dSsd = [8, 16, 32, 48, 64, 96, 192, 384];
const c4d = [2, 4, ...c4dSsd];

/** Machine types with a fast network, general-purpose and compute-optimized. */
export const computeSeries: Record<string, Series> = {
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
    types: {
      "standard-*": perVcpu(4, c4a),
      "standard-*-lssd": perVcpu(4, c4aSsd),
      "highmem-*": perVcpu(8, c4a),
      "highmem-*-lssd": perVcpu(8, c4aSsd),
      "highcpu-*": perVcpu(2, c4a),
    },
  },
  c4d: {
    ...hyperthreaded,
    compact: true,
    tier1From: 48,
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
    types: { "standard-*": { 192: 720 }, "highmem-*": { 192: 1488 }, "highmem-*-lssd": { 192: 1488 } },
  },
};
