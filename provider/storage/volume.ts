import type { types } from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { Driver } from "../shared/missing";
import type { StorageSpec } from "./common";

/** A file system as its CSI driver mounts it. */
export interface Mount {
  driver: Driver;
  /** Name by which the driver tells volumes from each other. */
  volumeHandle: pulumi.Input<string>;
  volumeAttributes?: Record<string, pulumi.Input<string>>;
  mountOptions?: string[];
  /** Shown by Kubernetes, and enforced by nobody. Default: what any claim is content with. */
  capacityGib?: number;
}

// Nobody else claims a volume of this class, and no StorageClass of this name has to exist.
const storageClassName = "minicluster-shared";

// A claim that no StorageClass stands behind cannot be changed: it asks for less than any volume has.
const leastGib = 1;

/** The volume. Data outlive it: what becomes of them is a matter of the file system. */
export const buildVolume = (mount: Mount): types.input.core.v1.PersistentVolume => ({
  spec: {
    capacity: { storage: `${Math.max(leastGib, mount.capacityGib ?? 0)}Gi` },
    accessModes: ["ReadWriteMany"],
    persistentVolumeReclaimPolicy: "Retain",
    storageClassName,
    ...(mount.mountOptions && { mountOptions: mount.mountOptions }),
    csi: {
      driver: mount.driver.name,
      volumeHandle: mount.volumeHandle,
      ...(mount.volumeAttributes && { volumeAttributes: mount.volumeAttributes }),
    },
  },
});

/** The claim of that volume, and of no other one. */
export const buildClaim = (
  { namespace }: StorageSpec,
  volumeName: pulumi.Input<string>,
): types.input.core.v1.PersistentVolumeClaim => ({
  metadata: { namespace },
  spec: {
    accessModes: ["ReadWriteMany"],
    storageClassName,
    volumeName,
    resources: { requests: { storage: `${leastGib}Gi` } },
  },
});
