import type * as pulumi from "@pulumi/pulumi";
import type { SharedStorageArgs } from "../../storage/args";

/** Kind of shared storage on Google Cloud. */
export const GkeSharedStorageKind = {
  /**
   * Google Cloud Managed Lustre: a parallel file system in one zone, for data that many processes read and write
   * concurrently.
   */
  Lustre: "lustre",
  /** Filestore: NFS. */
  Filestore: "filestore",
  /**
   * An existing bucket of Cloud Storage (Cloud Storage FUSE): objects as files. The pods that mount it need the annotation
   * `gke-gcsfuse/volumes: "true"`, and a service account with access to the bucket through Workload Identity. It supports no
   * file locks, and so no MPI-IO.
   */
  GcsFuse: "gcsFuse",
} as const;
export type GkeSharedStorageKind = (typeof GkeSharedStorageKind)[keyof typeof GkeSharedStorageKind];

/** Service tier of Filestore. */
export const GkeSharedStorageTier = {
  /** Disks in one zone, from 1024 to 65433 GiB. */
  BasicHdd: "basicHdd",
  /** SSDs in one zone, from 2560 to 65433 GiB. */
  BasicSsd: "basicSsd",
  /** SSDs in one zone, from 1024 GiB in steps of 256, or from 10240 to 102400 in steps of 2560. */
  Zonal: "zonal",
  /** Like "zonal", but in several zones of the region. */
  Regional: "regional",
  /** In several zones of the region, from 1024 to 10240 GiB in steps of 256. */
  Enterprise: "enterprise",
} as const;
export type GkeSharedStorageTier = (typeof GkeSharedStorageTier)[keyof typeof GkeSharedStorageTier];

/** Storage on Google Cloud that all pods of a cluster share: an instance, new or existing, its volume and its claim. */
export interface GkeSharedStorageArgs extends SharedStorageArgs {
  /** Kind of storage. */
  kind: GkeSharedStorageKind;
  /** An existing instance in the VPC network of the GKE cluster. Default: a new one. */
  existing?: GkeSharedStorageExistingArgs;
  /** Project of the instance. Default: the project of the Google Cloud provider. */
  project?: pulumi.Input<string>;
  /**
   * VPC network of the GKE cluster, as "projects/PROJECT/global/networks/NAME", which is the id of a
   * `gcp.compute.Network`. For Managed Lustre, it needs private services access, and a firewall rule that allows TCP
   * port 988 from its reserved range ("Access Managed Lustre instances on GKE"). Required for a new instance. Default:
   * none.
   */
  network?: pulumi.Input<string>;
  /**
   * Zone of a new instance, such as "us-central1-a"; a regional tier of Filestore uses the region of this zone.
   * Default: the zone of `pool`, if the pool has one zone.
   */
  zone?: pulumi.Input<string>;
  /**
   * Capacity of a new instance in GiB. Managed Lustre: steps of 9000 GiB at 1000 MB/s per TiB, 18000 at 500, 36000 at 250,
   * 72000 at 125 and 472000 at 25; Filestore: as described for each tier. Required for a new instance. Default: none.
   */
  capacityGib?: number;
  /**
   * Throughput of Managed Lustre in MB/s per TiB: 125, 250, 500 or 1000; or 25 for the Dynamic tier, which moves data that are
   * not used to cheaper disks. A change replaces the instance. Source: Google Cloud Managed Lustre, "Performance tiers".
   * Default: 1000.
   */
  throughputPerTib?: number;
  /** Name of the bucket. Required for kind "gcsFuse", and refused otherwise. Default: none. */
  bucket?: pulumi.Input<string>;
  /** Service tier of Filestore. A change replaces the instance. Default: "zonal". */
  tier?: GkeSharedStorageTier;
  /** Labels of the instance in Google Cloud, in lower case. Default: none. */
  tags?: Record<string, pulumi.Input<string>>;
}

/** An existing instance of Filestore or Managed Lustre. */
export interface GkeSharedStorageExistingArgs {
  /** Name of the instance. */
  instance: pulumi.Input<string>;
  /** Zone of the instance, or the region for a regional tier of Filestore. */
  location: string;
  /** IP address of the instance. */
  ipAddress: pulumi.Input<string>;
  /** Name of the share of Filestore, or of the file system of Managed Lustre. */
  fileSystem: pulumi.Input<string>;
}
