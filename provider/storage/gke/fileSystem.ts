import type { InstanceArgs as FilestoreArgs } from "@pulumi/gcp/filestore/instance";
import type { InstanceArgs as LustreArgs } from "@pulumi/gcp/lustre/instance";
import * as pulumi from "@pulumi/pulumi";
import type { Driver } from "../../shared/missing";
import { withoutEmpty } from "../../shared/objects";
import { describeSpeed } from "../common";
import type { Mount } from "../volume";
import { GkeSharedStorageKind, GkeSharedStorageTier } from "./args";
import type { GkeStorageSpec } from "./parse";

/** CSI drivers, each an add-on of the cluster itself. */
const drivers: Record<GkeSharedStorageKind, Driver> = {
  [GkeSharedStorageKind.Filestore]: {
    name: "filestore.csi.storage.gke.io",
    remedy:
      "turn it on in the cluster (addonsConfig.gcpFilestoreCsiDriverConfig of a gcp.container.Cluster, or gcloud container " +
      "clusters update … --update-addons=GcpFilestoreCsiDriver=ENABLED)",
  },
  [GkeSharedStorageKind.Lustre]: {
    name: "lustre.csi.storage.gke.io",
    remedy:
      "turn it on in the cluster (addonsConfig.lustreCsiDriverConfig of a gcp.container.Cluster, or gcloud container clusters " +
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

/** Name of the share of a new instance of Filestore, and of the file system of a new one of Managed Lustre. */
export const fileSystemName = "data";

/** An instance of Filestore. */
export const buildFilestore = (spec: GkeStorageSpec, network: pulumi.Input<string>): FilestoreArgs =>
  withoutEmpty<FilestoreArgs>({
    project: spec.project,
    location: spec.location,
    tier: tiers[spec.tier],
    fileShares: { name: fileSystemName, capacityGb: spec.capacityGib },
    networks: [{ network, modes: ["MODE_IPV4"] }],
    labels: spec.tags,
  });

/** An instance of Managed Lustre. */
export const buildLustre = (
  spec: GkeStorageSpec,
  parts: { network: pulumi.Input<string>; instanceId: pulumi.Input<string>; filesystem: pulumi.Input<string> },
): LustreArgs =>
  withoutEmpty<LustreArgs>({
    ...parts,
    project: spec.project,
    location: spec.location,
    capacityGib: String(spec.capacityGib),
    perUnitStorageThroughput: String(spec.throughputPerTib),
    labels: spec.tags,
  });

/** What a preview says of a new instance. */
export const describe = ({ kind, location, capacityGib, throughputPerTib, tier }: GkeStorageSpec): string =>
  kind === GkeSharedStorageKind.Lustre
    ? `Managed Lustre in ${location}, ${describeSpeed(capacityGib, throughputPerTib)}`
    : `Filestore (${tier}) in ${location}, ${capacityGib} GiB`;

/** An instance, as its driver mounts it. */
export interface InstanceNames {
  project: pulumi.Input<string> | undefined;
  location: string;
  instance: pulumi.Input<string>;
  ipAddress: pulumi.Input<string>;
  fileSystem: pulumi.Input<string>;
}

export function mountOf(
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
