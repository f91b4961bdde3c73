import { PersistentVolume } from "@pulumi/kubernetes/core/v1/persistentVolume";
import { PersistentVolumeClaim } from "@pulumi/kubernetes/core/v1/persistentVolumeClaim";
import * as pulumi from "@pulumi/pulumi";
import { remarkOnCreate } from "../shared/changes";
import type { ChildOptions } from "../shared/children";
import { refuseMissingDriver } from "../shared/missing";
import type { StorageSpec } from "./common";
import { buildClaim, buildVolume, type Mount } from "./volume";

/** Options of a file system: it stays in the cloud unless the user says otherwise, and a preview says so. */
export const fileSystemOptions = (spec: StorageSpec, description: string, options: ChildOptions) => ({
  ...options,
  retainOnDelete: spec.retainOnDelete,
  hooks: remarkOnCreate(`minicluster:${spec.name}:storage`, options.parent, [
    { severity: "info", text: `storage ${spec.name}: ${description}; ${fate(spec)}` },
  ]),
});

const fate = ({ retainOnDelete }: StorageSpec) =>
  retainOnDelete
    ? "pulumi destroy leaves it and its data in the cloud (retainOnDelete)"
    : "pulumi destroy deletes it with its data (retainOnDelete: false)";

/**
 * Registers the volume of a file system and its claim. Names are of the engine's making, so that another file system gets a claim of
 * its own, which the clusters move to before the old one goes.
 */
export function registerVolume(
  spec: StorageSpec,
  mount: Mount,
  options: ChildOptions & { dependsOn?: pulumi.Resource[] },
  isInstalled = false,
) {
  const volume = new PersistentVolume(spec.name, buildVolume(mount), {
    ...options,
    // What installs the driver in the same update has not run in the preview.
    ...(!isInstalled && {
      hooks: refuseMissingDriver(`minicluster:${spec.name}:driver`, options.parent, mount.driver),
    }),
  });
  const claim = new PersistentVolumeClaim(spec.name, buildClaim(spec, volume.metadata.name), options);
  return { volumeName: volume.metadata.name, claimName: claim.metadata.name };
}

/** Outputs that shared storage has in every cloud. */
export interface SharedStorageOutputs {
  claimName: pulumi.Output<string>;
  volumeName: pulumi.Output<string>;
  fileSystemId: pulumi.Output<string>;
}
