/** Defaults of the operator that the component does not share. */
export const operatorDefaults = {
  /** Default of the CRD, and no image to run anything in. */
  image: "ghcr.io/rse-ops/accounting:app-latest",
  backoffLimit: 100,
  logLevel: 6,
  connectTimeout: "5s",
  topology: "kary:256",
  strict: { v1alpha1: true, v1alpha2: false },
  v1alpha1: { headlessName: "flux-service", installRoot: "/usr", storageClass: "hostpath", capacity: "5Gi" },
} as const;
