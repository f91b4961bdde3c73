import { type GkeAttachable, type Series, arm, hyperthreaded, perVcpu, wholeCores } from "./rows";

const e2 = [2, 4, 8, 16];
const n1 = [2, 4, 8, 16, 32, 64, 96];
const n2 = [2, 4, 8, 16, 32, 48, 64, 80, 96];
const n4 = [2, 4, 8, 16, 32, 48, 64, 80];
const n4a = [1, 2, 4, 8, 16, 32, 48, 64];

const n1Gpus: Record<string, GkeAttachable> = {
  "nvidia-tesla-p4": { model: "P4", counts: [1, 2, 4] },
  "nvidia-tesla-p100": { model: "P100", counts: [1, 2, 4] },
  "nvidia-tesla-t4": { model: "T4", counts: [1, 2, 4] },
  "nvidia-tesla-v100": { model: "V100", counts: [1, 2, 4, 8] },
};

/** Machine types for general purposes, and those optimized for memory or storage. */
export const generalSeries: Record<string, Series> = {
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
    types: {
      "highmem-*": perVcpu(8, [88, 176]),
      "highmem-*-standardlssd": perVcpu(8, [14, 22, 44, 88, 176]),
      "highmem-*-highlssd": perVcpu(8, [8, 16, 22, 32, 44, 88]),
    },
  },
};
