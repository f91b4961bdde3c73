import type { FileSystemArgs } from "@pulumi/aws/efs/fileSystem";
import type { LustreFileSystemArgs } from "@pulumi/aws/fsx/lustreFileSystem";
import type * as pulumi from "@pulumi/pulumi";
import { describePlaces, type Subnet } from "../../nodepools/eks/pool";
import { withoutEmpty } from "../../shared/objects";
import { describeSpeed } from "../common";
import type { Mount } from "../volume";
import { EksSharedStorageDeployment, EksSharedStorageKind } from "./args";
import type { EksStorageSpec } from "./parse";

/** EKS add-ons of the CSI drivers. */
export const addons: Record<EksSharedStorageKind, string> = {
  [EksSharedStorageKind.FsxLustre]: "aws-fsx-csi-driver",
  [EksSharedStorageKind.Efs]: "aws-efs-csi-driver",
};

const driver = (kind: EksSharedStorageKind, name: string) => ({
  name,
  remedy: `install the EKS add-on ${addons[kind]} before, or set installDriver: true`,
});

const deploymentTypes: Record<EksSharedStorageDeployment, string> = {
  [EksSharedStorageDeployment.Scratch2]: "SCRATCH_2",
  [EksSharedStorageDeployment.Persistent1]: "PERSISTENT_1",
  [EksSharedStorageDeployment.Persistent2]: "PERSISTENT_2",
};

/** What comes from other resources. */
export interface EksStorageParts {
  subnetId: pulumi.Input<string>;
  securityGroupIds: pulumi.Input<pulumi.Input<string>[]>;
}

/** A file system of FSx for Lustre, of the newest Lustre that FSx has. */
export const buildLustre = (spec: EksStorageSpec, parts: EksStorageParts): LustreFileSystemArgs =>
  withoutEmpty<LustreFileSystemArgs>({
    subnetIds: parts.subnetId,
    securityGroupIds: parts.securityGroupIds,
    deploymentType: deploymentTypes[spec.deployment],
    storageCapacity: spec.capacityGib,
    perUnitStorageThroughput: spec.throughputPerTib,
    fileSystemTypeVersion: "2.15",
    tags: withName(spec),
  });

/** A file system of EFS, in all zones. */
export const buildEfs = (spec: EksStorageSpec): FileSystemArgs =>
  withoutEmpty<FileSystemArgs>({
    encrypted: true,
    throughputMode: spec.throughputMibps === undefined ? "elastic" : "provisioned",
    provisionedThroughputInMibps: spec.throughputMibps,
    tags: withName(spec),
  });

/** Tags with the one that AWS shows as the name. */
const withName = ({ name, tags }: EksStorageSpec) => ({ Name: name, ...tags });

/** What a preview says of a new file system. */
export function describe(spec: EksStorageSpec): string {
  const { kind, capacityGib = 0, throughputPerTib, throughputMibps, zone, deployment } = spec;
  if (kind === EksSharedStorageKind.Efs)
    return `EFS, ${throughputMibps === undefined ? "throughput by use (elastic)" : `${throughputMibps} MiB/s`}`;
  return `FSx for Lustre (${deployment}) in ${zone}, ${describeSpeed(capacityGib, throughputPerTib)}`;
}

/** A file system of FSx for Lustre, as FSx names it. */
export interface LustreNames {
  id: pulumi.Input<string>;
  dnsName: pulumi.Input<string>;
  mountName: pulumi.Input<string>;
}

export const lustreMount = ({ capacityGib }: EksStorageSpec, { id, dnsName, mountName }: LustreNames): Mount => ({
  driver: driver(EksSharedStorageKind.FsxLustre, "fsx.csi.aws.com"),
  volumeHandle: id,
  volumeAttributes: { dnsname: dnsName, mountname: mountName },
  // MPI-IO locks files across nodes.
  mountOptions: ["flock"],
  capacityGib,
});

export const efsMount = (id: pulumi.Input<string>): Mount => ({
  driver: driver(EksSharedStorageKind.Efs, "efs.csi.aws.com"),
  volumeHandle: id,
});

/** The subnet of FSx for Lustre, or the reason for which there is none. */
export function subnetIn(zone: string | undefined, all: Subnet[]): { id?: string; problem?: string } {
  const found = all.find(({ availabilityZone }) => availabilityZone === zone);
  return found
    ? { id: found.id }
    : { problem: `no subnet is in ${zone} (${describePlaces(all)}); correct zone or subnetIds` };
}

/** The reason for which EFS cannot be in some subnets, or is not where the pool has its nodes. */
export function efsProblem({ pool }: Pick<EksStorageSpec, "pool">, all: Subnet[]): string | undefined {
  const zones = all.map(({ availabilityZone }) => availabilityZone);
  if (new Set(zones).size < zones.length)
    return `EFS has one mount target in each zone, and two subnets are in one (${describePlaces(all)}); remove one of them`;
  const missing = pool?.zones?.filter((zone) => !zones.includes(zone)) ?? [];
  return missing.length === 0
    ? undefined
    : `pool ${pool?.pool} is in ${missing.join(" and ")}, and no subnet is (${describePlaces(all)}); correct subnetIds`;
}
