import { FileSystem, type FileSystemArgs } from "@pulumi/aws/efs/fileSystem";
import { MountTarget } from "@pulumi/aws/efs/mountTarget";
import { Addon } from "@pulumi/aws/eks/addon";
import { getClusterOutput } from "@pulumi/aws/eks/getCluster";
import { DataRepositoryAssociation } from "@pulumi/aws/fsx/dataRepositoryAssociation";
import { LustreFileSystem, type LustreFileSystemArgs } from "@pulumi/aws/fsx/lustreFileSystem";
import * as pulumi from "@pulumi/pulumi";
import { beforeCreate } from "../../../diagnostics/hooks";
import type { ChildOptions } from "../../../shared/children";
import { userError } from "../../../shared/errors";
import { withoutEmpty } from "../../../shared/objects";
import { describeSpeed, zoneText } from "../../storage/parse";
import {
  checkedZone,
  fileSystemOptions,
  type Mount,
  registerVolume,
  type SharedStorageOutputs,
} from "../../storage/register";
import { describePlaces, type Subnet } from "../nodes/objects";
import { lookUpSubnets } from "../nodes/register";
import { EksSharedStorageDeployment, EksSharedStorageKind } from "./args";
import { addonWarnings, efaNotices } from "./diagnostics";
import type { EksStorageSpec } from "./parse";

/** Registers storage: a file system unless it exists, its driver on request, its volume and its claim. */
export function registerEksStorage(spec: EksStorageSpec, options: ChildOptions): SharedStorageOutputs {
  const { mount, fileSystemId, targets } = fileSystem(spec, options);
  const addon = spec.installDriver ? [registerAddon(spec, options)] : [];
  // Pods that start before the mount targets or the driver exist would retry the mount for minutes.
  const volume = registerVolume(spec, mount, { ...options, dependsOn: [...targets, ...addon] }, spec.installDriver);
  return { ...volume, fileSystemId: pulumi.output(fileSystemId) };
}

interface Mountable {
  mount: Mount;
  fileSystemId: pulumi.Input<string>;
  targets: pulumi.Resource[];
}

function fileSystem(spec: EksStorageSpec, options: ChildOptions): Mountable {
  if (spec.kind === EksSharedStorageKind.Efs) return registerEfs(spec, options);
  if (spec.kind === EksSharedStorageKind.S3) return bucketOf(spec);
  const { existing } = spec;
  if (existing) {
    const { fileSystemId: id, dnsName = "", mountName = "" } = existing;
    return { mount: lustreMount(spec, { id, dnsName, mountName }), fileSystemId: id, targets: [] };
  }
  const made = new LustreFileSystem(
    spec.name,
    buildLustre(spec, { subnetId: lustreSubnet(spec, options), securityGroupIds: securityGroups(spec, options) }),
    fileSystemOptions(spec, describe(spec), options, efaNotices(spec)),
  );
  const repositories = spec.imports.map(({ uri, path, exports }, index) => {
    const inputs = { fileSystemId: made.id, dataRepositoryPath: uri, fileSystemPath: path, ...repository(exports) };
    return new DataRepositoryAssociation(`${spec.name}-${index}`, withoutEmpty({ ...inputs, tags: spec.tags }), {
      ...options,
      retainOnDelete: spec.retainOnDelete,
    });
  });
  return { mount: lustreMount(spec, made), fileSystemId: made.id, targets: repositories };
}

const allEvents = { events: ["NEW", "CHANGED", "DELETED"] };

/** A data repository whose listing is available at once. It follows changes in S3 and, on request, in the file system. */
const repository = (exports: boolean) => ({
  batchImportMetaDataOnCreate: true,
  s3: { autoImportPolicy: allEvents, ...(exports && { autoExportPolicy: allEvents }) },
});

/** An existing bucket. */
function bucketOf({ name, bucket = "" }: EksStorageSpec): Mountable {
  const mount = {
    driver: driver(EksSharedStorageKind.S3, "s3.csi.aws.com"),
    // Two volumes of one bucket must have different handles.
    volumeHandle: pulumi.interpolate`${name}-${bucket}`,
    volumeAttributes: { bucketName: bucket },
    // Without these options, files can only be read and created, and only by root.
    mountOptions: ["allow-delete", "allow-overwrite", "allow-other"],
  };
  return { mount, fileSystemId: bucket, targets: [] };
}

function registerEfs(spec: EksStorageSpec, options: ChildOptions): Mountable {
  const { existing } = spec;
  if (existing) return { mount: efsMount(existing.fileSystemId), fileSystemId: existing.fileSystemId, targets: [] };
  const made = new FileSystem(spec.name, buildEfs(spec), fileSystemOptions(spec, describe(spec), options));
  const subnetIds = efsSubnets(spec, options);
  const groups = securityGroups(spec, options);
  const targets = spec.mountTargets.map((_, index) => {
    const inputs = { fileSystemId: made.id, subnetId: subnetIds[index]!, securityGroups: groups };
    return new MountTarget(`${spec.name}-${index}`, inputs, { ...options, retainOnDelete: spec.retainOnDelete });
  });
  return { mount: efsMount(made.id), fileSystemId: made.id, targets };
}

/**
 * Security groups of the file system: the groups in the arguments, or the group that all nodes of node groups share.
 */
function securityGroups({ clusterName = "", securityGroupIds }: EksStorageSpec, options: pulumi.InvokeOptions) {
  if (securityGroupIds) return pulumi.output(securityGroupIds);
  const { vpcConfig } = getClusterOutput({ name: clusterName }, options);
  return vpcConfig.apply(({ clusterSecurityGroupId }) => [clusterSecurityGroupId]);
}

/** The subnet in the zone of the file system. Without one, storage fails before anything is changed. */
function lustreSubnet({ name, zone = "", pool, subnetIds }: EksStorageSpec, options: pulumi.InvokeOptions) {
  const component = `EksSharedStorage ${name}`;
  return pulumi.all([lookUpSubnets(subnetIds, options), checkedZone(component, zone, pool)]).apply(([all, known]) => {
    const { id, problem } = subnetIn(known, all);
    if (id === undefined) throw userError(`${component}: ${problem}`);
    return id;
  });
}

/** The subnets of the mount targets, checked before anything is changed. */
function efsSubnets(spec: EksStorageSpec, options: pulumi.InvokeOptions): pulumi.Output<string>[] {
  const checked = lookUpSubnets(spec.subnetIds, options).apply((all) => {
    const problem = efsProblem(spec, all);
    if (problem !== undefined) throw userError(`EksSharedStorage ${spec.name}: ${problem}`);
    return all;
  });
  return spec.mountTargets.map((_, index) => checked.apply((all) => all[index]!.id));
}

function registerAddon(spec: EksStorageSpec, options: ChildOptions) {
  const { name, kind, clusterName = "", driverRoleArn: serviceAccountRoleArn, tags } = spec;
  return new Addon(
    `${name}-driver`,
    withoutEmpty({ clusterName, addonName: addons[kind], serviceAccountRoleArn, tags }),
    { ...options, hooks: beforeCreate(`minicluster:${name}:addon`, options.parent, () => addonWarnings(spec)) },
  );
}

/** EKS add-ons of the CSI drivers. */
const addons: Record<EksSharedStorageKind, string> = {
  [EksSharedStorageKind.FsxLustre]: "aws-fsx-csi-driver",
  [EksSharedStorageKind.Efs]: "aws-efs-csi-driver",
  [EksSharedStorageKind.S3]: "aws-mountpoint-s3-csi-driver",
};

const driver = (kind: EksSharedStorageKind, name: string) => ({
  name,
  remedy: `install the EKS add-on ${addons[kind]} first, or set installDriver: true`,
});

const deploymentTypes: Record<EksSharedStorageDeployment, string> = {
  [EksSharedStorageDeployment.Scratch2]: "SCRATCH_2",
  [EksSharedStorageDeployment.Persistent1]: "PERSISTENT_1",
  [EksSharedStorageDeployment.Persistent2]: "PERSISTENT_2",
  [EksSharedStorageDeployment.IntelligentTiering]: "PERSISTENT_2",
};

/** Inputs from other resources. */
interface EksStorageParts {
  subnetId: pulumi.Input<string>;
  securityGroupIds: pulumi.Input<pulumi.Input<string>[]>;
}

/** A file system of FSx for Lustre, with the newest Lustre version of FSx. */
const buildLustre = (spec: EksStorageSpec, parts: EksStorageParts): LustreFileSystemArgs =>
  withoutEmpty<LustreFileSystemArgs>({
    subnetIds: parts.subnetId,
    securityGroupIds: parts.securityGroupIds,
    deploymentType: deploymentTypes[spec.deployment],
    storageCapacity: spec.capacityGib,
    perUnitStorageThroughput: spec.throughputPerTib,
    fileSystemTypeVersion: "2.15",
    ...(spec.throughputMbps !== undefined && tiered(spec.throughputMbps)),
    ...(spec.efa && { efaEnabled: true, metadataConfiguration: { mode: "AUTOMATIC" } }),
    tags: withName(spec),
  });

/** Metadata IOPS of Intelligent-Tiering, the smaller of the two numbers that FSx supports. */
const tieredIops = 6000;

/** Intelligent-Tiering, with the read cache that AWS recommends. */
const tiered = (throughputCapacity: number): Partial<LustreFileSystemArgs> => ({
  storageType: "INTELLIGENT_TIERING",
  throughputCapacity,
  dataReadCacheConfiguration: { sizingMode: "PROPORTIONAL_TO_THROUGHPUT_CAPACITY" },
  metadataConfiguration: { mode: "USER_PROVISIONED", iops: tieredIops },
});

/** A file system of EFS, in all zones. */
const buildEfs = (spec: EksStorageSpec): FileSystemArgs =>
  withoutEmpty<FileSystemArgs>({
    encrypted: true,
    throughputMode: spec.throughputMibps === undefined ? "elastic" : "provisioned",
    provisionedThroughputInMibps: spec.throughputMibps,
    tags: withName(spec),
  });

/** Tags, including the one that AWS shows as the name. */
const withName = ({ name, tags }: EksStorageSpec) => ({ Name: name, ...tags });

/** Text of a preview on a new file system. */
function describe(spec: EksStorageSpec): string {
  const { kind, capacityGib = 0, throughputPerTib, throughputMbps, throughputMibps, zone, deployment } = spec;
  if (kind === EksSharedStorageKind.Efs)
    return `EFS, ${throughputMibps === undefined ? "throughput by use (elastic)" : `${throughputMibps} MiB/s`}`;
  if (throughputMbps !== undefined)
    return `FSx for Lustre (${deployment}) in ${zoneText(zone)}, ${throughputMbps} MB/s`;
  return `FSx for Lustre (${deployment}${spec.efa ? ", EFA" : ""}) in ${zoneText(zone)}, ${describeSpeed(capacityGib, throughputPerTib)}`;
}

/** A file system of FSx for Lustre, in the names of FSx. */
interface LustreNames {
  id: pulumi.Input<string>;
  dnsName: pulumi.Input<string>;
  mountName: pulumi.Input<string>;
}

const lustreMount = ({ capacityGib }: EksStorageSpec, { id, dnsName, mountName }: LustreNames): Mount => ({
  driver: driver(EksSharedStorageKind.FsxLustre, "fsx.csi.aws.com"),
  volumeHandle: id,
  volumeAttributes: { dnsname: dnsName, mountname: mountName },
  // MPI-IO locks files across nodes.
  mountOptions: ["flock"],
  capacityGib,
});

const efsMount = (id: pulumi.Input<string>): Mount => ({
  driver: driver(EksSharedStorageKind.Efs, "efs.csi.aws.com"),
  volumeHandle: id,
});

/** The subnet of FSx for Lustre, or the reason why no subnet fits. */
function subnetIn(zone: string, all: Subnet[]): { id?: string; problem?: string } {
  const found = all.find(({ availabilityZone }) => availabilityZone === zone);
  return found
    ? { id: found.id }
    : { problem: `no subnet is in ${zone} (${describePlaces(all)}); correct zone or subnetIds` };
}

/** The reason why EFS cannot be in some subnets, or is not in the zones of the pool. */
function efsProblem({ pool }: Pick<EksStorageSpec, "pool">, all: Subnet[]): string | undefined {
  const zones = all.map(({ availabilityZone }) => availabilityZone);
  if (new Set(zones).size < zones.length)
    return `EFS has one mount target in each zone, and two subnets are in the same zone (${describePlaces(all)}); remove one of them`;
  const missing = pool?.zones?.filter((zone) => !zones.includes(zone)) ?? [];
  return missing.length === 0
    ? undefined
    : `pool ${pool?.pool} is in ${missing.join(" and ")}, and no subnet is (${describePlaces(all)}); correct subnetIds`;
}
