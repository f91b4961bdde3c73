import type { Kube } from "../sandbox/kube";

/** Makes a CSI driver known to a cluster, as its installation does. */
export const installDriver = (kube: Kube, name: string) =>
  kube.create({
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIDriver",
    metadata: { name },
    spec: { attachRequired: false },
  });
