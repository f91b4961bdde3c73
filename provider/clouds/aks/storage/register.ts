import { BlobContainer } from "@pulumi/azure-native/storage/blobContainer";
import { FileShare, type FileShareArgs } from "@pulumi/azure-native/storage/fileShare";
import { StorageAccount, type StorageAccountArgs } from "@pulumi/azure-native/storage/storageAccount";
import { AmlFilesystem, type AmlFilesystemArgs } from "@pulumi/azure-native/storagecache/amlFilesystem";
import * as pulumi from "@pulumi/pulumi";
import type { ChildOptions } from "../../../shared/children";
import { isDeferred } from "../../../shared/deferred";
import { withoutEmpty } from "../../../shared/objects";
import { describeSpeed, zoneText } from "../../storage/parse";
import {
  checkedZone,
  fileSystemOptions,
  type Mount,
  registerVolume,
  type SharedStorageOutputs,
} from "../../storage/register";
import { AksSharedStorageKind } from "./args";
import { type AksStorageSpec, isProvisionedV2 } from "./parse";

/** Registers storage: a file system unless it exists, its volume and its claim. */
export function registerAksStorage(spec: AksStorageSpec, options: ChildOptions): SharedStorageOutputs {
  const { mount, fileSystemId } = makers[spec.kind](spec, options);
  return { ...registerVolume(spec, mount, options), fileSystemId: pulumi.output(fileSystemId) };
}

interface Mountable {
  mount: Mount;
  fileSystemId: pulumi.Input<string>;
}

const makers: Record<AksSharedStorageKind, (spec: AksStorageSpec, options: ChildOptions) => Mountable> = {
  [AksSharedStorageKind.Lustre]: lustre,
  [AksSharedStorageKind.Files]: share,
  [AksSharedStorageKind.Blob]: blob,
};

function lustre(spec: AksStorageSpec, options: ChildOptions) {
  const { existing, subnetId = "" } = spec;
  if (existing) {
    const { mgsAddress = "" } = existing;
    return { mount: lustreMount(spec, mgsAddress), fileSystemId: mgsAddress };
  }
  const made = new AmlFilesystem(
    spec.name,
    buildLustre(spec, subnetId),
    fileSystemOptions(spec, describe(spec), options),
  );
  return { mount: lustreMount(spec, made.clientInfo.mgsAddress), fileSystemId: made.id };
}

function share(spec: AksStorageSpec, options: ChildOptions) {
  const { existing } = spec;
  const { accountName = "", shareName = "" } = existing ?? registerShare(spec, options);
  return {
    mount: shareMount(spec, { accountName, shareName }),
    fileSystemId: pulumi.interpolate`${accountName}/${shareName}`,
  };
}

function blob(spec: AksStorageSpec, options: ChildOptions): Mountable {
  const { accountName = "", containerName = "" } = spec.existing ?? registerContainer(spec, options);
  const volumeHandle = pulumi.interpolate`${accountName}_${containerName}`;
  const { resourceGroupName: resourceGroup } = spec;
  const mount = {
    driver: {
      name: "blob.csi.azure.com",
      remedy: "enable it in the AKS cluster (az aks update --enable-blob-driver)",
    },
    volumeHandle,
    volumeAttributes: { resourceGroup, storageAccount: accountName, containerName, protocol: "nfs" },
    mountOptions: ["nconnect=4"],
  };
  return { mount, fileSystemId: pulumi.interpolate`${accountName}/${containerName}` };
}

/** An account with NFS 3.0, which has a hierarchical namespace, and a container in it. */
function registerContainer(spec: AksStorageSpec, options: ChildOptions) {
  const kind = { kind: "BlockBlobStorage", enableHttpsTrafficOnly: true, enableNfsV3: true, isHnsEnabled: true };
  const account = registerAccount(spec, options, kind);
  const inputs = { resourceGroupName: spec.resourceGroupName, accountName: account.name, containerName: spec.name };
  const made = new BlobContainer(spec.name, inputs, fileSystemOptions(spec, describe(spec), options));
  return { accountName: account.name, containerName: made.name };
}

function registerAccount(spec: AksStorageSpec, options: ChildOptions, kind: Partial<StorageAccountArgs> = {}) {
  const { retainOnDelete, subnetId = "" } = spec;
  // Azure accepts up to 24 lowercase letters and digits, of which Pulumi's provider adds the last eight.
  const accountName = spec.name.replace(/[^a-z0-9]/g, "").slice(0, 16);
  const inputs = { ...buildAccount(spec, subnetId), ...kind };
  // Azure cannot move an account between the models of billing.
  return new StorageAccount(accountName, inputs, { ...options, retainOnDelete, replaceOnChanges: ["sku.name"] });
}

function registerShare(spec: AksStorageSpec, options: ChildOptions): ShareNames {
  const account = registerAccount(spec, options);
  const made = new FileShare(
    spec.name,
    buildShare(spec, account.name),
    fileSystemOptions(spec, describe(spec), options),
  );
  return { accountName: account.name, shareName: made.name };
}

/** A file system of Managed Lustre, which Azure maintains on Sunday mornings. */
const buildLustre = (spec: AksStorageSpec, filesystemSubnet: pulumi.Input<string>): AmlFilesystemArgs =>
  withoutEmpty<AmlFilesystemArgs>({
    resourceGroupName: spec.resourceGroupName,
    location: spec.location,
    filesystemSubnet,
    sku: { name: `AMLFS-Durable-Premium-${spec.throughputPerTib}` },
    storageCapacityTiB: spec.capacityGib / 1024,
    zones: spec.zone === undefined ? [] : [checkedZone(`AksSharedStorage ${spec.name}`, spec.zone, spec.pool)],
    maintenanceWindow: { dayOfWeek: "Sunday", timeOfDayUTC: "03:00" },
    tags: spec.tags,
  });

/** The storage account of a share. NFS has neither keys nor passwords: the account admits only the subnet. */
const buildAccount = (spec: AksStorageSpec, subnetId: pulumi.Input<string>): StorageAccountArgs =>
  withoutEmpty<StorageAccountArgs>({
    resourceGroupName: spec.resourceGroupName,
    location: spec.location,
    kind: "FileStorage",
    sku: { name: isProvisionedV2(spec) ? "PremiumV2_LRS" : "Premium_LRS" },
    // Azure requires `false` for NFS: access is restricted by the subnet.
    enableHttpsTrafficOnly: false,
    allowSharedKeyAccess: false,
    networkRuleSet: { defaultAction: "Deny", virtualNetworkRules: [{ virtualNetworkResourceId: subnetId }] },
    tags: spec.tags,
  });

/** The share. */
const buildShare = (spec: AksStorageSpec, accountName: pulumi.Input<string>): FileShareArgs =>
  withoutEmpty<FileShareArgs>({
    resourceGroupName: spec.resourceGroupName,
    accountName,
    shareName: spec.name,
    enabledProtocols: "NFS",
    shareQuota: spec.capacityGib,
    provisionedIops: spec.iops,
    provisionedBandwidthMibps: spec.throughputMibps,
  });

/** Text of a preview on a new file system. */
function describe(spec: AksStorageSpec): string {
  const { kind, zone, capacityGib, throughputPerTib } = spec;
  if (kind === AksSharedStorageKind.Blob) return "a premium container of Azure Blob, by NFS 3.0";
  return kind === AksSharedStorageKind.Lustre
    ? `Managed Lustre${zone === undefined ? "" : ` in ${isDeferred(zone) ? "" : "zone "}${zoneText(zone)}`}, ${describeSpeed(capacityGib, throughputPerTib)}`
    : `a premium share of Azure Files${isProvisionedV2(spec) ? " (provisioned v2)" : ""}, ${capacityGib} GiB, by NFS`;
}

/** A file system of Managed Lustre as its driver mounts it. */
export const lustreMount = ({ name, capacityGib }: AksStorageSpec, mgsAddress: pulumi.Input<string>): Mount => ({
  driver: {
    name: "azurelustre.csi.azure.com",
    remedy:
      "install Azure's Lustre CSI driver first (kubernetes-sigs/azurelustre-csi-driver, a Helm chart), on nodes with Ubuntu",
  },
  volumeHandle: pulumi.interpolate`${name}_${mgsAddress}`,
  volumeAttributes: { "mgs-ip-address": mgsAddress },
  // MPI-IO locks files across nodes.
  mountOptions: ["noatime", "flock"],
  capacityGib,
});

/** A share, by its account and its own name. */
interface ShareNames {
  accountName: pulumi.Input<string>;
  shareName: pulumi.Input<string>;
}

const shareMount = (
  { resourceGroupName, capacityGib }: AksStorageSpec,
  { accountName, shareName }: ShareNames,
): Mount => ({
  driver: {
    name: "file.csi.azure.com",
    remedy: "AKS runs it unless it was disabled; az aks update --enable-file-driver enables it",
  },
  volumeHandle: pulumi.interpolate`${accountName}_${shareName}`,
  volumeAttributes: { resourceGroup: resourceGroupName, storageAccount: accountName, shareName, protocol: "nfs" },
  mountOptions: ["nconnect=4", "noresvport", "actimeo=30"],
  capacityGib,
});
