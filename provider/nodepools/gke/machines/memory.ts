import { type Series, hyperthreaded, perVcpu } from "./rows";

/** Memory-optimized and storage-optimized machines. */
export const memorySeries: Record<string, Series> = {
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
