import { FileShare } from "@pulumi/azure-native/storage/fileShare";
import { StorageAccount } from "@pulumi/azure-native/storage/storageAccount";
import { AmlFilesystem } from "@pulumi/azure-native/storagecache/amlFilesystem";
import * as pulumi from "@pulumi/pulumi";
import type { ChildOptions } from "../../shared/children";
import { fileSystemOptions, registerVolume, type SharedStorageOutputs } from "../register";
import { AksSharedStorageKind } from "./args";
import {
  buildAccount,
  buildLustre,
  buildShare,
  describe,
  lustreMount,
  shareMount,
  type ShareNames,
} from "./fileSystem";
import type { AksStorageSpec } from "./parse";

/** Registers storage: a file system unless it exists, its volume and its claim. */
export function registerAksStorage(spec: AksStorageSpec, options: ChildOptions): SharedStorageOutputs {
  const { mount, fileSystemId } =
    spec.kind === AksSharedStorageKind.Lustre ? lustre(spec, options) : share(spec, options);
  return { ...registerVolume(spec, mount, options), fileSystemId: pulumi.output(fileSystemId) };
}

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

function registerShare(spec: AksStorageSpec, options: ChildOptions): ShareNames {
  const { retainOnDelete, subnetId = "" } = spec;
  // Azure takes 24 lowercase letters and digits, of which Pulumi's provider adds the last eight.
  const accountName = spec.name.replace(/[^a-z0-9]/g, "").slice(0, 16);
  const account = new StorageAccount(accountName, buildAccount(spec, subnetId), { ...options, retainOnDelete });
  const made = new FileShare(
    spec.name,
    buildShare(spec, account.name),
    fileSystemOptions(spec, describe(spec), options),
  );
  return { accountName: account.name, shareName: made.name };
}
