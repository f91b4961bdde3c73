import { itJudges } from "../../../support/cases";
import { aksStorageProblems, anAksLustre, aShare } from "../fixtures";

describe("The rules of AksSharedStorage for Managed Lustre", () =>
  itJudges(
    `
{}
{ capacityGib: 131072 }
{ capacityGib: 5000 }
  capacityGib: 5000 GiB is not a capacity of Managed Lustre with 500 MB/s for each TiB; use 4096 or 8192
{ throughputPerTib: 125 }
  capacityGib: 4096 GiB is not a capacity of Managed Lustre with 125 MB/s for each TiB; use 16384
{ throughputPerTib: 40, capacityGib: 49152 }
{ throughputPerTib: 1000 }
  throughputPerTib: Managed Lustre has 40, 125, 250, 500 MB/s for each TiB, not 1000; use one of these
{ zone: "1", pool: !pool { pool: hpc, zones: ["2"] } }
  zone: pool hpc is in 2, not in 1; use a zone of the pool
{ pool: !pool { pool: hpc, zones: ["1", "2"] } }
  zone: Managed Lustre is in one zone, and pool hpc in 1 and 2; name one
{ pool: !pool { zones: ["2"] } }
{ zone: eastus-1 }
  zone: must be one of "1", "2", "3"
{ resourceGroupName: !unset, subnetId: !unset }
  resourceGroupName: a new file system has it; add it
  subnetId: a new file system has it; add it
`,
    (given) => aksStorageProblems({ ...anAksLustre, ...given }),
  ));

describe("The rules of AksSharedStorage for Azure Files", () =>
  itJudges(
    `
{}
{ capacityGib: 99 }
  capacityGib: 99 GiB is not a capacity of a premium share of Azure Files; use 100
{ capacityGib: 102401 }
  capacityGib: 102401 GiB is not a capacity of a premium share of Azure Files; use 102400
{ zone: "1", throughputPerTib: 125 }
  zone: is for kind "lustre"; remove zone
  throughputPerTib: is for kind "lustre"; remove throughputPerTib
`,
    (given) => aksStorageProblems({ ...aShare, ...given }),
  ));

describe("The rules of AksSharedStorage for a file system that exists", () =>
  itJudges(
    `
{ kind: lustre, existing: { mgsAddress: 10.0.0.4 } }
{ kind: lustre, existing: {} }
  existing.mgsAddress: Lustre is mounted by it (az amlfs show says it); add it
{ kind: lustre, resourceGroupName: physics, existing: { mgsAddress: 10.0.0.4, shareName: data } }
  resourceGroupName: an existing file system is mounted by its address; remove resourceGroupName
  existing.shareName: is for kind "files"; remove shareName
{ kind: files, resourceGroupName: physics, existing: { accountName: physicsdata, shareName: data } }
{ kind: files, existing: { mgsAddress: 10.0.0.4 } }
  resourceGroupName: the storage account is in a resource group; add it
  existing.accountName: Azure Files is mounted by it; add it
  existing.shareName: Azure Files is mounted by it; add it
  existing.mgsAddress: is for kind "lustre"; remove mgsAddress
{ kind: files, resourceGroupName: physics, capacityGib: 100, existing: { accountName: physicsdata, shareName: data } }
  capacityGib: describes a new file system, and existing names one; remove capacityGib
`,
    (given) => aksStorageProblems(given),
  ));
