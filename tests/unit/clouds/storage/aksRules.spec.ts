import type { AksSharedStorageArgs } from "../../../../provider";
import { aPool } from "../../../support/fixtures";
import { itValidates } from "../../../support/problems";
import { aksStorageProblems, anAksLustre, aShare } from "./fixtures";

describe("the rules of AksSharedStorage", () =>
  itValidates(
    [
      { name: "a capacity of Managed Lustre of Azure", args: { ...anAksLustre, capacityGib: 131_072 } },
      {
        name: "a capacity between two steps",
        args: { ...anAksLustre, capacityGib: 5000 },
        errors: [
          "capacityGib: 5000 GiB is not a capacity of Managed Lustre with 500 MB/s for each TiB; use 4096 or 8192",
        ],
      },
      {
        name: "a capacity below the smallest of a throughput",
        args: { ...anAksLustre, throughputPerTib: 125 },
        errors: ["capacityGib: 4096 GiB is not a capacity of Managed Lustre with 125 MB/s for each TiB; use 16384"],
      },
      {
        name: "a capacity of the lowest throughput",
        args: { ...anAksLustre, throughputPerTib: 40, capacityGib: 49_152 },
      },
      {
        name: "a throughput that Managed Lustre of Azure does not have",
        args: { ...anAksLustre, throughputPerTib: 1000 },
        errors: [
          "throughputPerTib: Managed Lustre has 40, 125, 250, 500 MB/s for each TiB, not 1000; use one of these",
        ],
      },
      {
        name: "a pool in another zone",
        args: { ...anAksLustre, zone: "1", pool: aPool({ pool: "hpc", zones: ["2"] }) },
        errors: ["zone: pool hpc is in 2, not in 1; use a zone of the pool"],
      },
      {
        name: "a pool in two zones",
        args: { ...anAksLustre, pool: aPool({ pool: "hpc", zones: ["1", "2"] }) },
        errors: ["zone: Managed Lustre is in one zone, and pool hpc in 1 and 2; name one"],
      },
      { name: "the zone of the pool", args: { ...anAksLustre, pool: aPool({ zones: ["2"] }) } },
      {
        name: "the name of a zone in place of its number",
        args: { ...anAksLustre, zone: "eastus-1" },
        errors: ['zone: must be one of "1", "2", "3"'],
      },
      {
        name: "Lustre without resource group and subnet",
        args: { ...anAksLustre, resourceGroupName: undefined, subnetId: undefined },
        errors: ["resourceGroupName: a new file system has it; add it", "subnetId: a new file system has it; add it"],
      },
      {
        name: "a capacity of a share below the smallest",
        args: { ...aShare, capacityGib: 99 },
        errors: ["capacityGib: 99 GiB is not a capacity of a premium share of Azure Files; use 100"],
      },
      {
        name: "a capacity of a share above the largest",
        args: { ...aShare, capacityGib: 102_401 },
        errors: ["capacityGib: 102401 GiB is not a capacity of a premium share of Azure Files; use 102400"],
      },
      {
        name: "settings of Lustre for a share",
        args: { ...aShare, zone: "1", throughputPerTib: 125 },
        errors: [
          'zone: is for kind "lustre"; remove zone',
          'throughputPerTib: is for kind "lustre"; remove throughputPerTib',
        ],
      },
      { name: "an existing file system", args: { kind: "lustre", existing: { mgsAddress: "10.0.0.4" } } },
      {
        name: "an existing file system without its address",
        args: { kind: "lustre", existing: {} },
        errors: ["existing.mgsAddress: Lustre is mounted by it (az amlfs show says it); add it"],
      },
      {
        name: "settings of a share for an existing file system",
        args: { kind: "lustre", resourceGroupName: "physics", existing: { mgsAddress: "10.0.0.4", shareName: "data" } },
        errors: [
          "resourceGroupName: an existing file system is mounted by its address; remove resourceGroupName",
          'existing.shareName: is for kind "files"; remove shareName',
        ],
      },
      {
        name: "an existing share",
        args: {
          kind: "files",
          resourceGroupName: "physics",
          existing: { accountName: "physicsdata", shareName: "data" },
        },
      },
      {
        name: "an existing share without its account",
        args: { kind: "files", existing: { mgsAddress: "10.0.0.4" } },
        errors: [
          "resourceGroupName: the storage account is in a resource group; add it",
          "existing.accountName: Azure Files is mounted by it; add it",
          "existing.shareName: Azure Files is mounted by it; add it",
          'existing.mgsAddress: is for kind "lustre"; remove mgsAddress',
        ],
      },
      {
        name: "a capacity for an existing share",
        args: {
          kind: "files",
          resourceGroupName: "physics",
          capacityGib: 100,
          existing: { accountName: "physicsdata", shareName: "data" },
        },
        errors: ["capacityGib: describes a new file system, and existing names one; remove capacityGib"],
      },
    ],
    (args: Partial<AksSharedStorageArgs>) => aksStorageProblems(args),
  ));
