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

/** Partitions of a GPU by their names, with how many of them it has; none for a GPU without MIG. */
export const partitionsOf = (acceleratorType: string | undefined): Record<string, number> =>
  (acceleratorType !== undefined && Object.hasOwn(partitions, acceleratorType) && partitions[acceleratorType]) || {};
