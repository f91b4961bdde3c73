import { Instance as Filestore } from "@pulumi/gcp/filestore/instance";
import { Instance as Lustre } from "@pulumi/gcp/lustre/instance";
import * as pulumi from "@pulumi/pulumi";
import type { ChildOptions } from "../../shared/children";
import { hashKnown } from "../../shared/deferred";
import { fileSystemOptions, registerVolume, type SharedStorageOutputs } from "../register";
import { GkeSharedStorageKind } from "./args";
import { buildFilestore, buildLustre, describe, fileSystemName, type InstanceNames, mountOf } from "./fileSystem";
import type { GkeStorageSpec } from "./parse";

/** Registers storage: an instance unless it exists, its volume and its claim. */
export function registerGkeStorage(spec: GkeStorageSpec, options: ChildOptions): SharedStorageOutputs {
  const names = spec.existing ? { project: spec.project, ...spec.existing } : registerInstance(spec, options);
  return { ...registerVolume(spec, mountOf(spec, names), options), fileSystemId: pulumi.output(names.instance) };
}

function registerInstance(spec: GkeStorageSpec, options: ChildOptions): InstanceNames {
  const { location, network = "" } = spec;
  const ofInstance = fileSystemOptions(spec, describe(spec), options);
  if (spec.kind === GkeSharedStorageKind.Filestore) {
    const made = new Filestore(spec.name, buildFilestore(spec, network), ofInstance);
    const ipAddress = made.networks.apply(([first]: { ipAddresses?: string[] }[]) => first?.ipAddresses?.[0] ?? "");
    return { project: undefined, location, instance: made.name, ipAddress, fileSystem: fileSystemName };
  }
  const made = new Lustre(spec.name, buildLustre(spec, { network, ...lustreNames(spec) }), ofInstance);
  // The mount point is ADDRESS@tcp:/FILESYSTEM. The mocks of a user's own tests have none, and no address either.
  const ipAddress = made.mountPoint.apply((mountPoint?: string) => mountPoint?.split("@", 1)[0] ?? "");
  return { project: made.project, location, instance: made.instanceId, ipAddress, fileSystem: made.filesystem };
}

/**
 * Names of Managed Lustre, which Pulumi makes none for. What replaces an instance is part of them, for the old one stays; and a node
 * mounts no two file systems of one name.
 */
function lustreNames({ name, location, throughputPerTib }: GkeStorageSpec) {
  const unique = hashKnown([pulumi.getProject(), pulumi.getStack(), name, location, throughputPerTib]);
  return { instanceId: `${name.slice(0, 54)}-${unique.slice(0, 7)}`, filesystem: `fs${unique.slice(0, 6)}` };
}
