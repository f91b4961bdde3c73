import type { types } from "@pulumi/kubernetes";
import { PersistentVolume } from "@pulumi/kubernetes/core/v1/persistentVolume";
import { PersistentVolumeClaim } from "@pulumi/kubernetes/core/v1/persistentVolumeClaim";
import * as pulumi from "@pulumi/pulumi";
import { beforeCreate, type Diagnostic } from "../../diagnostics/hooks";
import { type Driver, requireCsiDriver } from "../../diagnostics/optionalApis";
import type { ChildOptions } from "../../shared/children";
import { mapInput } from "../../shared/deferred";
import { userError } from "../../shared/errors";
import { type StoragePool, type StorageSpec, zoneProblem } from "./parse";

/** The zone of storage, which is compared with the zones of its pool as soon as it is known. */
export const checkedZone = (component: string, zone: pulumi.Input<string>, pool: StoragePool | undefined) =>
  mapInput(zone, (known) => {
    const problem = zoneProblem(known, pool);
    if (problem !== undefined) throw userError(`${component}: ${problem}`);
    return known;
  });

/** Options of a file system: by default it is kept in the cloud when the stack is destroyed, as a preview reports. */
export const fileSystemOptions = (
  spec: StorageSpec,
  description: string,
  options: ChildOptions,
  warnings: Diagnostic[] = [],
) => ({
  ...options,
  retainOnDelete: spec.retainOnDelete,
  hooks: beforeCreate(`minicluster:${spec.name}:storage`, options.parent, () => [
    { severity: "info", message: `storage ${spec.name}: ${description}; ${retention(spec)}` },
    ...warnings,
  ]),
});

const retention = ({ retainOnDelete }: StorageSpec) =>
  retainOnDelete
    ? "pulumi destroy keeps it and its data in the cloud (retainOnDelete)"
    : "pulumi destroy deletes it with its data (retainOnDelete: false)";

/**
 * Registers the volume of a file system and its claim. The engine generates the names, so that another file system gets
 * another claim, which the clusters use before the old claim is deleted.
 */
export function registerVolume(
  spec: StorageSpec,
  mount: Mount,
  options: ChildOptions & { dependsOn?: pulumi.Resource[] },
  isInstalled = false,
) {
  const volume = new PersistentVolume(spec.name, buildVolume(mount), {
    ...options,
    // If the same update installs the driver, a preview cannot find it yet.
    ...(!isInstalled && {
      hooks: requireCsiDriver(`minicluster:${spec.name}:driver`, options.parent, mount.driver),
    }),
  });
  const claim = new PersistentVolumeClaim(spec.name, buildClaim(spec, volume.metadata.name), options);
  return { volumeName: volume.metadata.name, claimName: claim.metadata.name };
}

/** Outputs of shared storage in every cloud. */
export interface SharedStorageOutputs {
  claimName: pulumi.Output<string>;
  volumeName: pulumi.Output<string>;
  fileSystemId: pulumi.Output<string>;
}

/** A file system, for its CSI driver. */
export interface Mount {
  driver: Driver;
  /** Name by which the driver identifies the volume. */
  volumeHandle: pulumi.Input<string>;
  volumeAttributes?: Record<string, pulumi.Input<string>>;
  mountOptions?: string[];
  /** Capacity that Kubernetes shows but does not enforce. Default: the capacity that the claim requests. */
  capacityGib?: number;
}

// No other claim uses this class, and no StorageClass of this name must exist.
const storageClassName = "minicluster-shared";

// A claim without a StorageClass cannot be changed: it requests less than any volume offers.
const leastGib = 1;

/** The volume. Its deletion keeps the data, which belong to the file system. */
const buildVolume = (mount: Mount): types.input.core.v1.PersistentVolume => ({
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

/** The claim, which is bound to that volume only. */
const buildClaim = (
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
