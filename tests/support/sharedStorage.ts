import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AksSharedStorage, EksSharedStorage, GkeSharedStorage } from "../../provider";
import {
  aBlob,
  aFilestore,
  aGcs,
  aGkeLustre,
  anAksLustre,
  anEfs,
  anFsx,
  anS3,
  aShare,
} from "../unit/clouds/storage/fixtures";
import { mockEngine, type MockOptions, type Registration, valueOf } from "./mocks";

export const answers: MockOptions["answers"] = {
  "aws:eks/getCluster:getCluster": ({ name }) => ({ vpcConfig: { clusterSecurityGroupId: `sg-of-${String(name)}` } }),
  // The zone of a subnet is the end of its name.
  "aws:ec2/getSubnet:getSubnet": ({ id }) => ({ id, availabilityZone: `us-east-1${String(id).at(-1)}` }),
};

/** The clouds' answers on the file systems that they have created. */
const made: Record<string, object> = {
  LustreFileSystem: { dnsName: "fs.fsx.us-east-1.amazonaws.com", mountName: "abc" },
  AmlFilesystem: { clientInfo: { mgsAddress: "10.0.0.4" } },
  StorageAccount: { name: "data1234" },
  FileShare: { name: "data" },
  BlobContainer: { name: "data" },
};
/** The state of what is made, as the clouds and Kubernetes have it. */
export const state = ({ type, inputs }: pulumi.runtime.MockResourceArgs) => {
  const kind = type.split(":").at(-1) ?? "";
  if (type === "gcp:filestore/instance:Instance")
    return { name: "data-1", networks: [{ ...inputs, ipAddresses: ["10.0.0.2"] }] };
  if (type === "gcp:lustre/instance:Instance") return { project: "physics", mountPoint: "10.0.0.3@tcp:/fs" };
  if (type.startsWith("kubernetes:")) return { metadata: { name: `${kind}-of-data` } };
  return made[kind] ?? {};
};

/** Shared storage of any cloud. */
export interface Storage extends pulumi.ComponentResource {
  claimName: pulumi.Output<string>;
  volumeName: pulumi.Output<string>;
  fileSystemId: pulumi.Output<string>;
}

/** Everything that is registered for storage, and its outputs. */
export async function register(make: () => Storage, options: MockOptions = {}) {
  const seen = await mockEngine({ answers, state, ...options });
  const storage = make();
  const outputs = await valueOf(pulumi.all([storage.claimName, storage.volumeName, storage.fileSystemId]));
  await valueOf(storage.urn);
  const find = (id: string) =>
    seen.find((each) => each.id === id) ?? assert.fail(`${id} is not registered: ${ids(seen).join(", ")}`);
  return { seen, outputs, find };
}

/** Everything that was registered. */
export const ids = (seen: Registration[]) => seen.map(({ id }) => id).sort();

/** Storage of each kind, with other arguments where a test gives them. */
export const fsx = (args = {}) => new EksSharedStorage("data", { ...anFsx, ...args });
export const efs = (args = {}) => new EksSharedStorage("data", { ...anEfs, ...args });
export const gkeLustre = (args = {}) => new GkeSharedStorage("data", { ...aGkeLustre, ...args });
export const s3 = (args = {}) => new EksSharedStorage("data", { ...anS3, ...args });
export const gcs = () => new GkeSharedStorage("data", aGcs);
export const blob = (args = {}) => new AksSharedStorage("data", { ...aBlob, ...args });
export const filestore = (args = {}) => new GkeSharedStorage("data", { ...aFilestore, ...args });
export const aksLustre = (args = {}) => new AksSharedStorage("data", { ...anAksLustre, ...args });
export const files = (args = {}) => new AksSharedStorage("data", { ...aShare, ...args });

/** Storage of each kind that exists. */
export const existing = {
  fsx: () =>
    new EksSharedStorage("data", {
      kind: "fsxLustre",
      existing: { fileSystemId: "fs-1", dnsName: "fs-1.fsx.us-east-1.amazonaws.com", mountName: "abc" },
    }),
  efs: () => new EksSharedStorage("data", { kind: "efs", existing: { fileSystemId: "fs-1" } }),
  gkeLustre: () =>
    new GkeSharedStorage("data", {
      kind: "lustre",
      project: "physics",
      existing: { instance: "old", location: "us-central1-a", ipAddress: "10.0.0.3", fileSystem: "fs" },
    }),
  filestore: () =>
    new GkeSharedStorage("data", {
      kind: "filestore",
      existing: { instance: "old", location: "us-central1-a", ipAddress: "10.0.0.2", fileSystem: "vol1" },
    }),
  aksLustre: () => new AksSharedStorage("data", { kind: "lustre", existing: { mgsAddress: "10.0.0.4" } }),
  files: () =>
    new AksSharedStorage("data", {
      kind: "files",
      resourceGroupName: "physics",
      existing: { accountName: "physics1", shareName: "old" },
    }),
  blob: () =>
    new AksSharedStorage("data", {
      kind: "blob",
      resourceGroupName: "physics",
      existing: { accountName: "physics1", containerName: "old" },
    }),
};
