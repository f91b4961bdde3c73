import * as assert from "node:assert/strict";
import { describeSpeed } from "../../../../provider/clouds/storage/parse";
import { itJudges } from "../../../support/cases";
import {
  aFilestore,
  aGkeLustre,
  aksStorageProblems,
  anAksLustre,
  anEfs,
  anFsx,
  aShare,
  eksStorageProblems,
  gkeStorageProblems,
} from "./fixtures";

describe("the rules of EksSharedStorage", () =>
  itJudges(
    `
!fsx { capacityGib: 1200 }
!fsx { capacityGib: 1000 }
  capacityGib: 1000 GiB is not a capacity of FSx for Lustre; use 1200
!fsx { capacityGib: 3600 }
  capacityGib: 3600 GiB is not a capacity of FSx for Lustre; use 2400 or 4800
!fsx { capacityGib: !unset }
  capacityGib: FSx for Lustre has the capacity that is asked for; add it
!fsx { throughputPerTib: 1000 }
!fsx { throughputPerTib: 200 }
  throughputPerTib: deployment "persistent2" has 125, 250, 500, 1000 MB/s for each TiB, not 200; use one of these
!fsx { deployment: persistent1, throughputPerTib: 200 }
!fsx { deployment: persistent1, throughputPerTib: 125 }
  throughputPerTib: deployment "persistent1" has 50, 100, 200 MB/s for each TiB, not 125; use one of these
!fsx { deployment: scratch2 }
!fsx { deployment: scratch2, throughputPerTib: 200 }
  throughputPerTib: deployment "scratch2" has a throughput of its own; remove throughputPerTib
!fsx { throughputMibps: 100 }
  throughputMibps: is for kind "efs"; FSx for Lustre has throughputPerTib; remove throughputMibps
!fsx { zone: !unset }
  zone: FSx for Lustre is in one zone; name it, or a pool that keeps to one
!fsx { zone: !unset, pool: !pool { zones: [us-east-1a] } }
!fsx { zone: !unset, pool: !pool { zones: [us-east-1a, us-east-1b] } }
  zone: FSx for Lustre is in one zone; name it, or a pool that keeps to one
!fsx { pool: !pool { zones: [us-east-1a] } }
# A pool that names no zone may be in any.
!fsx { pool: !pool {} }
!fsx { pool: !pool { pool: hpc, zones: [us-east-1b] } }
  zone: pool hpc is in us-east-1b, not in us-east-1a; use a zone of the pool
!fsx { subnetIds: !unset, clusterName: !unset }
  subnetIds: a new file system is in the subnets of the nodes; add it
  clusterName: the security group of the cluster lets its nodes in; add it
!fsx { clusterName: !unset, securityGroupIds: [sg-1] }
!fsx { clusterName: !unset, securityGroupIds: [sg-1], installDriver: true }
  clusterName: installDriver installs an add-on of the cluster; add it
!fsx { subnetIds: [] }
  subnetIds: needs at least one subnet; add one
!efs { throughputMibps: 512 }
!efs { throughputMibps: 4000 }
  throughputMibps: 4000 must be an integer from 1 to 3414
!efs { capacityGib: 1200 }
  capacityGib: EFS grows with what is in it; remove capacityGib
!efs { zone: us-east-1a, deployment: scratch2, throughputPerTib: 125 }
  zone: EFS is in every zone that a subnet is in; remove zone
  deployment: is for kind "fsxLustre"; remove deployment
  throughputPerTib: is for kind "fsxLustre"; remove throughputPerTib
{ kind: fsxLustre, existing: { fileSystemId: fs-1, dnsName: fs-1.fsx.us-east-1.amazonaws.com, mountName: abc } }
{ kind: fsxLustre, existing: { fileSystemId: fs-1 } }
  existing.dnsName: Lustre is mounted by it (aws fsx describe-file-systems says it); add it
  existing.mountName: Lustre is mounted by it (aws fsx describe-file-systems says it); add it
{ kind: efs, existing: { fileSystemId: fs-1 } }
{ kind: efs, existing: { fileSystemId: fs-1, mountName: abc } }
  existing.mountName: EFS is mounted by its id; remove mountName
{ kind: efs, existing: { fileSystemId: fs-1 }, installDriver: true }
  clusterName: installDriver installs an add-on of the cluster; add it
{ kind: efs, existing: { fileSystemId: fs-1 }, installDriver: true, clusterName: flux }
{ kind: efs, existing: { fileSystemId: fs-1 }, clusterName: flux, subnetIds: [subnet-a], retainOnDelete: false }
  subnetIds: describes a new file system, and existing names one; remove subnetIds
  retainOnDelete: describes a new file system, and existing names one; remove retainOnDelete
  clusterName: describes a new file system, and existing names one; remove clusterName
!old { zone: us-east-1b, pool: !pool { pool: hpc, zones: [us-east-1a] } }
  zone: pool hpc is in us-east-1a, not in us-east-1b; use a zone of the pool
`,
    eksStorageProblems,
    {
      "!fsx": (args: object) => ({ ...anFsx, ...args }),
      "!efs": (args: object) => ({ ...anEfs, ...args }),
      "!old": (args: object) => ({
        kind: "fsxLustre",
        existing: { fileSystemId: "fs-1", dnsName: "fs-1.fsx", mountName: "abc" },
        ...args,
      }),
    },
  ));

describe("the rules of GkeSharedStorage", () =>
  itJudges(
    `
!lustre { capacityGib: 18000 }
!lustre { capacityGib: 10000 }
  capacityGib: 10000 GiB is not a capacity of Managed Lustre with 1000 MB/s for each TiB; use 9000 or 18000
!lustre { capacityGib: 9000, throughputPerTib: 500 }
  capacityGib: 9000 GiB is not a capacity of Managed Lustre with 500 MB/s for each TiB; use 18000
!lustre { capacityGib: 36000, throughputPerTib: 250 }
!lustre { capacityGib: 72000, throughputPerTib: 125 }
# Beyond a threshold the steps are larger.
!lustre { capacityGib: 1539000 }
  capacityGib: 1539000 GiB is not a capacity of Managed Lustre with 1000 MB/s for each TiB; use 1530000 or 1584000
!lustre { capacityGib: 3078000, throughputPerTib: 500 }
  capacityGib: 3078000 GiB is not a capacity of Managed Lustre with 500 MB/s for each TiB; use 3060000 or 3168000
!lustre { capacityGib: 6156000, throughputPerTib: 250 }
  capacityGib: 6156000 GiB is not a capacity of Managed Lustre with 250 MB/s for each TiB; use 6120000 or 6336000
!lustre { capacityGib: 10008000 }
!lustre { capacityGib: 10080000 }
  capacityGib: 10080000 GiB is not a capacity of Managed Lustre with 1000 MB/s for each TiB; use 10008000
!lustre { throughputPerTib: 100 }
  throughputPerTib: Managed Lustre has 125, 250, 500, 1000 MB/s for each TiB, not 100; use one of these
!lustre { tier: zonal }
  tier: is for kind "filestore"; remove tier
!lustre { network: default }
  network: "default" must be the id of a VPC network, such as "projects/physics/global/networks/default"
!lustre { network: !later "projects/physics/global/networks/default" }
!lustre { network: !unset, capacityGib: !unset }
  network: a new instance has it; add it
  capacityGib: a new instance has it; add it
!lustre { zone: !unset }
  zone: a new instance is in one zone; name it, or a pool that keeps to one
!lustre { zone: !unset, pool: !pool { zones: [us-central1-a] } }
!lustre { pool: !pool { pool: hpc, zones: [us-central1-b] } }
  zone: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool
!lustre { zone: us-central1 }
  zone: "us-central1" must be a zone, such as "us-central1-a"
!filestore { capacityGib: 1000 }
  capacityGib: 1000 GiB is not a capacity of Filestore of tier "zonal"; use 1024
!filestore { capacityGib: 1100 }
  capacityGib: 1100 GiB is not a capacity of Filestore of tier "zonal"; use 1024 or 1280
!filestore { capacityGib: 10000 }
  capacityGib: 10000 GiB is not a capacity of Filestore of tier "zonal"; use 9984 or 10240
!filestore { tier: regional, capacityGib: 12800 }
!filestore { tier: basicHdd, capacityGib: 1025 }
!filestore { tier: basicSsd }
  capacityGib: 1024 GiB is not a capacity of Filestore of tier "basicSsd"; use 2560
!filestore { tier: enterprise, capacityGib: 10496 }
  capacityGib: 10496 GiB is not a capacity of Filestore of tier "enterprise"; use 10240
!filestore { throughputPerTib: 500 }
  throughputPerTib: is for kind "lustre"; remove throughputPerTib
!filestore { pool: !pool { pool: hpc, zones: [us-central1-b] } }
  zone: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool
# An instance of the region is in each of its zones.
!filestore { tier: regional, pool: !pool { pool: hpc, zones: [us-central1-b] } }
!old { kind: filestore }
!old { kind: lustre, project: physics }
!old { kind: lustre }
  project: an existing instance of Managed Lustre is named with it; add it
!old { kind: filestore, project: physics }
  project: an existing instance of Filestore is mounted without it; remove project
!old { kind: filestore, capacityGib: 1024, tier: zonal }
  capacityGib: describes a new file system, and existing names one; remove capacityGib
  tier: describes a new file system, and existing names one; remove tier
!old { kind: filestore, pool: !pool { pool: hpc, zones: [us-central1-b] } }
  existing.location: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool
!old { kind: filestore, existing: { instance: a, location: us-central1, ipAddress: 10.0.0.2, fileSystem: b }, pool: !pool { zones: [us-central1-b] } }
`,
    gkeStorageProblems,
    {
      "!lustre": (args: object) => ({ ...aGkeLustre, ...args }),
      "!filestore": (args: object) => ({ ...aFilestore, ...args }),
      "!old": (args: object) => ({
        existing: { instance: "old", location: "us-central1-a", ipAddress: "10.0.0.2", fileSystem: "vol1" },
        ...args,
      }),
    },
  ));

describe("the rules of AksSharedStorage", () =>
  itJudges(
    `
!lustre { capacityGib: 131072 }
!lustre { capacityGib: 5000 }
  capacityGib: 5000 GiB is not a capacity of Managed Lustre with 500 MB/s for each TiB; use 4096 or 8192
!lustre { throughputPerTib: 125 }
  capacityGib: 4096 GiB is not a capacity of Managed Lustre with 125 MB/s for each TiB; use 16384
!lustre { throughputPerTib: 40, capacityGib: 49152 }
!lustre { throughputPerTib: 1000 }
  throughputPerTib: Managed Lustre has 40, 125, 250, 500 MB/s for each TiB, not 1000; use one of these
!lustre { zone: "1", pool: !pool { pool: hpc, zones: ["2"] } }
  zone: pool hpc is in 2, not in 1; use a zone of the pool
!lustre { pool: !pool { pool: hpc, zones: ["1", "2"] } }
  zone: Managed Lustre is in one zone, and pool hpc in 1 and 2; name one
!lustre { pool: !pool { zones: ["2"] } }
!lustre { zone: eastus-1 }
  zone: must be one of "1", "2", "3"
!lustre { resourceGroupName: !unset, subnetId: !unset }
  resourceGroupName: a new file system has it; add it
  subnetId: a new file system has it; add it
!share { capacityGib: 99 }
  capacityGib: 99 GiB is not a capacity of a premium share of Azure Files; use 100
!share { capacityGib: 102401 }
  capacityGib: 102401 GiB is not a capacity of a premium share of Azure Files; use 102400
!share { zone: "1", throughputPerTib: 125 }
  zone: is for kind "lustre"; remove zone
  throughputPerTib: is for kind "lustre"; remove throughputPerTib
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
    aksStorageProblems,
    {
      "!lustre": (args: object) => ({ ...anAksLustre, ...args }),
      "!share": (args: object) => ({ ...aShare, ...args }),
    },
  ));

it("storage has its throughput for each TiB", () =>
  assert.equal(describeSpeed(2400, 250), "2400 GiB, 586 MB/s (250 for each TiB)"));
