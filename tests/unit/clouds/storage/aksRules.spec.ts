import type { AksSharedStorageArgs } from "../../../../provider";
import { aPool } from "../../../support/fixtures";
import { validating } from "../../../support/problems";
import { aBlob, aksStorageProblems, anAksLustre, aShare } from "./fixtures";

describe("the rules of AksSharedStorage", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<AksSharedStorageArgs>) =>
    aksStorageProblems(args),
  );
  rejects({
    "capacityGib: 5000 GiB is not a capacity of Managed Lustre with 500 MB/s…": { ...anAksLustre, capacityGib: 5000 },
    "capacityGib: 4096 GiB is not a capacity of Managed Lustre with 125…": { ...anAksLustre, throughputPerTib: 125 },
    "throughputPerTib: Managed Lustre has 40, 125, 250, 500 MB/s per TiB…": { ...anAksLustre, throughputPerTib: 1000 },
    "zone: pool hpc is in 2, not in 1; use a zone of the pool": {
      ...anAksLustre,
      zone: "1",
      pool: aPool({ pool: "hpc", zones: ["2"] }),
    },
    "zone: Managed Lustre is in one zone, and pool hpc is in 1 and 2; set zone to one of them": {
      ...anAksLustre,
      pool: aPool({ pool: "hpc", zones: ["1", "2"] }),
    },
    'zone: must be one of "1", "2", "3"': { ...anAksLustre, zone: "eastus-1" },
    "capacityGib: 99 GiB is not a capacity of a premium share of Azure Files; use 100": { ...aShare, capacityGib: 99 },
    "capacityGib: 102401 GiB is not a capacity of a premium share of Azure Files…": { ...aShare, capacityGib: 102_401 },
    "existing.mgsAddress: Lustre is mounted by this address (see az amlfs show); add it": {
      kind: "lustre",
      existing: {},
    },
    "capacityGib: describes a new file system, and existing refers to an existing one; remove capacityGib": {
      kind: "files",
      resourceGroupName: "physics",
      capacityGib: 100,
      existing: { accountName: "physicsdata", shareName: "data" },
    },
  });
  rejects({
    "capacityGib: Azure Blob grows with its content; remove capacityGib": { ...aBlob, capacityGib: 100 },
    "existing.containerName: it is mounted by it; add it": {
      kind: "blob",
      resourceGroupName: "physics",
      existing: { accountName: "data" },
    },
    'existing.containerName: is for kind "blob"; remove containerName': {
      kind: "files",
      resourceGroupName: "physics",
      existing: { accountName: "data", shareName: "data", containerName: "data" },
    },
  });
  accepts({
    "a container": aBlob,
    "a share with provisioned operations": { ...aShare, iops: 3000, capacityGib: 32 },
    "a share with provisioned throughput": { ...aShare, throughputMibps: 10_340, capacityGib: 262_144 },
  });
  rejects({
    "capacityGib: 31 GiB is not a capacity of a premium share of Azure Files; use 32": {
      ...aShare,
      iops: 3000,
      capacityGib: 31,
    },
    "iops: 2999 must be an integer from 3000 to 102400": { ...aShare, iops: 2999 },
    'iops: is for kind "files"; remove iops': [
      { ...anAksLustre, iops: 3000 },
      { ...aBlob, iops: 3000 },
    ],
    "throughputMibps: describes a new file system, and existing refers to an existing one; remove throughputMibps": {
      kind: "files",
      resourceGroupName: "physics",
      throughputMibps: 125,
      existing: { accountName: "data", shareName: "data" },
    },
  });
  rejectsAll({ ...anAksLustre, resourceGroupName: undefined, subnetId: undefined }, [
    "resourceGroupName: a new file system requires it; add it",
    "subnetId: a new file system requires it; add it",
  ]);
  rejectsAll({ ...aShare, zone: "1", throughputPerTib: 125 }, [
    'zone: is for kind "lustre"; remove zone',
    'throughputPerTib: is for kind "lustre"; remove throughputPerTib',
  ]);
  rejectsAll(
    { kind: "lustre", resourceGroupName: "physics", existing: { mgsAddress: "10.0.0.4", shareName: "data" } },
    [
      "resourceGroupName: an existing file system is mounted by its address; remove resourceGroupName",
      'existing.shareName: is for kind "files"; remove shareName',
    ],
  );
  rejectsAll({ kind: "files", existing: { mgsAddress: "10.0.0.4" } }, [
    "resourceGroupName: the storage account is in a resource group; add it",
    "existing.accountName: Azure Files is mounted by it; add it",
    'existing.mgsAddress: is for kind "lustre"; remove mgsAddress',
    "existing.shareName: it is mounted by it; add it",
  ]);
  accepts({
    "a capacity of Managed Lustre of Azure": { ...anAksLustre, capacityGib: 131_072 },
    "a capacity of the lowest throughput": { ...anAksLustre, throughputPerTib: 40, capacityGib: 49_152 },
    "the zone of the pool": { ...anAksLustre, pool: aPool({ zones: ["2"] }) },
    "an existing file system": { kind: "lustre", existing: { mgsAddress: "10.0.0.4" } },
    "an existing share": {
      kind: "files",
      resourceGroupName: "physics",
      existing: { accountName: "physicsdata", shareName: "data" },
    },
  });
});
