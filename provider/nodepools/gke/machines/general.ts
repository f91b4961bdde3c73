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

/** General-purpose machines but for those that HPC is run on. */
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
};
