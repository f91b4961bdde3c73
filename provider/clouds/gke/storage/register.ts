import { Instance as Filestore, type InstanceArgs as FilestoreArgs } from "@pulumi/gcp/filestore/instance";
import { Instance as Lustre, type InstanceArgs as LustreArgs } from "@pulumi/gcp/lustre/instance";
import * as pulumi from "@pulumi/pulumi";
import type { ChildOptions } from "../../../shared/children";
import { hashKnown, mapInput } from "../../../shared/deferred";
import type { Driver } from "../../../diagnostics/optionalApis";
import { withoutEmpty } from "../../../shared/objects";
import { describeSpeed, zoneText } from "../../storage/parse";
import {
  checkedZone,
  fileSystemOptions,
  type Mount,
  registerVolume,
  type SharedStorageOutputs,
} from "../../storage/register";
import { GkeSharedStorageKind, GkeSharedStorageTier } from "./args";
import { dynamicThroughput, type GkeStorageSpec } from "./parse";

/** Registers storage: an instance unless it exists, its volume and its claim. */
export function registerGkeStorage(spec: GkeStorageSpec, options: ChildOptions): SharedStorageOutputs {
  if (spec.kind === GkeSharedStorageKind.GcsFuse) return registerBucket(spec, options);
  const names = spec.existing ? { project: spec.project, ...spec.existing } : registerInstance(spec, options);
  return { ...registerVolume(spec, mountOf(spec, names), options), fileSystemId: pulumi.output(names.instance) };
}

/** The volume of an existing bucket. Directories are derived from the names of its objects. */
function registerBucket(spec: GkeStorageSpec, options: ChildOptions): SharedStorageOutputs {
  const { bucket = "" } = spec;
  const mount = { driver: drivers[spec.kind], volumeHandle: bucket, mountOptions: ["implicit-dirs"] };
  return { ...registerVolume(spec, mount, options), fileSystemId: pulumi.output(bucket) };
}

function registerInstance(spec: GkeStorageSpec, options: ChildOptions): InstanceNames {
  const { network = "" } = spec;
  const location = checkedZone(`GkeSharedStorage ${spec.name}`, spec.location, spec.isOfRegion ? undefined : spec.pool);
  const ofInstance = fileSystemOptions(spec, describeInstance(spec), options);
  if (spec.kind === GkeSharedStorageKind.Filestore) {
    const made = new Filestore(spec.name, buildFilestore(spec, { network, location }), ofInstance);
    const ipAddress = made.networks.apply(([first]: { ipAddresses?: string[] }[]) => first?.ipAddresses?.[0] ?? "");
    return { project: undefined, location, instance: made.name, ipAddress, fileSystem: fileSystemName };
  }
  const made = new Lustre(spec.name, buildLustre(spec, { network, location, ...lustreNames(spec) }), ofInstance);
  // The mount point is ADDRESS@tcp:/FILESYSTEM. With Pulumi's mocks in the tests of a user, it is undefined.
  const ipAddress = made.mountPoint.apply((mountPoint?: string) => mountPoint?.split("@", 1)[0] ?? "");
  return { project: made.project, location, instance: made.instanceId, ipAddress, fileSystem: made.filesystem };
}

/**
 * Names of Managed Lustre, for which Pulumi generates none. They contain all inputs whose change replaces an instance,
 * because the old instance is kept, and a node cannot mount two file systems with the same name.
 */
function lustreNames({ name, location, throughputPerTib }: GkeStorageSpec) {
  const unique = mapInput(location, (known) =>
    hashKnown([pulumi.getProject(), pulumi.getStack(), name, known, throughputPerTib]),
  );
  return {
    instanceId: mapInput(unique, (hash) => `${name.slice(0, 54)}-${hash.slice(0, 7)}`),
    filesystem: mapInput(unique, (hash) => `fs${hash.slice(0, 6)}`),
  };
}

/** CSI drivers, each an add-on of the GKE cluster. */
const drivers: Record<GkeSharedStorageKind, Driver> = {
  [GkeSharedStorageKind.Filestore]: {
    name: "filestore.csi.storage.gke.io",
    remedy:
      "enable it in the GKE cluster (addonsConfig.gcpFilestoreCsiDriverConfig of a gcp.container.Cluster, or gcloud container " +
      "clusters update … --update-addons=GcpFilestoreCsiDriver=ENABLED)",
  },
  [GkeSharedStorageKind.GcsFuse]: {
    name: "gcsfuse.csi.storage.gke.io",
    remedy:
      "enable it in the GKE cluster (addonsConfig.gcsFuseCsiDriverConfig of a gcp.container.Cluster, or gcloud container clusters " +
      "update … --update-addons=GcsFuseCsiDriver=ENABLED), with Workload Identity",
  },
  [GkeSharedStorageKind.Lustre]: {
    name: "lustre.csi.storage.gke.io",
    remedy:
      "enable it in the GKE cluster (addonsConfig.lustreCsiDriverConfig of a gcp.container.Cluster, or gcloud container clusters " +
      "update … --update-addons=LustreCsiDriver=ENABLED)",
  },
};

const tiers: Record<GkeSharedStorageTier, string> = {
  [GkeSharedStorageTier.BasicHdd]: "BASIC_HDD",
  [GkeSharedStorageTier.BasicSsd]: "BASIC_SSD",
  [GkeSharedStorageTier.Zonal]: "ZONAL",
  [GkeSharedStorageTier.Regional]: "REGIONAL",
  [GkeSharedStorageTier.Enterprise]: "ENTERPRISE",
};

/** Name of the share of a new instance of Filestore, and of the file system of a new instance of Managed Lustre. */
const fileSystemName = "data";

/** The network and the location of an instance. */
interface Place {
  network: pulumi.Input<string>;
  location: pulumi.Input<string>;
}

/** An instance of Filestore. */
const buildFilestore = (spec: GkeStorageSpec, { network, location }: Place): FilestoreArgs =>
  withoutEmpty<FilestoreArgs>({
    project: spec.project,
    location,
    tier: tiers[spec.tier],
    fileShares: { name: fileSystemName, capacityGb: spec.capacityGib },
    networks: [{ network, modes: ["MODE_IPV4"] }],
    labels: spec.tags,
  });

/** An instance of Managed Lustre. */
const buildLustre = (
  spec: GkeStorageSpec,
  parts: Place & { instanceId: pulumi.Input<string>; filesystem: pulumi.Input<string> },
): LustreArgs =>
  withoutEmpty<LustreArgs>({
    ...parts,
    project: spec.project,
    capacityGib: String(spec.capacityGib),
    ...(spec.throughputPerTib === dynamicThroughput
      ? { dynamicTierOptions: { mode: "DEFAULT_CACHE" } }
      : { perUnitStorageThroughput: String(spec.throughputPerTib) }),
    labels: spec.tags,
  });

/** Text of a preview on a new instance. */
export const describeInstance = ({ kind, location, capacityGib, throughputPerTib, tier }: GkeStorageSpec): string =>
  kind === GkeSharedStorageKind.Lustre
    ? `Managed Lustre in ${zoneText(location)}, ${describeSpeed(capacityGib, throughputPerTib)}, by TCP port 988, which a firewall rule of the VPC network must allow`
    : `Filestore (${tier}) in ${zoneText(location)}, ${capacityGib} GiB`;

/** The names with which the driver mounts an instance. */
interface InstanceNames {
  project: pulumi.Input<string> | undefined;
  location: pulumi.Input<string>;
  instance: pulumi.Input<string>;
  ipAddress: pulumi.Input<string>;
  fileSystem: pulumi.Input<string>;
}

function mountOf(
  { kind, capacityGib }: GkeStorageSpec,
  { project, location, instance, ipAddress, fileSystem }: InstanceNames,
): Mount {
  const shared = { driver: drivers[kind], capacityGib };
  return kind === GkeSharedStorageKind.Lustre
    ? {
        ...shared,
        volumeHandle: pulumi.interpolate`${project}/${location}/${instance}`,
        volumeAttributes: { ip: ipAddress, filesystem: fileSystem },
      }
    : {
        ...shared,
        volumeHandle: pulumi.interpolate`modeInstance/${location}/${instance}/${fileSystem}`,
        volumeAttributes: { ip: ipAddress, volume: fileSystem },
      };
}
