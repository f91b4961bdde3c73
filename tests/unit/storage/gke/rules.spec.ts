import { itJudges } from "../../../support/cases";
import { aFilestore, aGkeLustre, gkeStorageProblems } from "../fixtures";

describe("The rules of GkeSharedStorage for Managed Lustre", () =>
  itJudges(
    `
{}
{ capacityGib: 18000 }
{ capacityGib: 10000 }
  capacityGib: 10000 GiB is not a capacity of Managed Lustre with 1000 MB/s for each TiB; use 9000 or 18000
{ capacityGib: 9000, throughputPerTib: 500 }
  capacityGib: 9000 GiB is not a capacity of Managed Lustre with 500 MB/s for each TiB; use 18000
{ capacityGib: 36000, throughputPerTib: 250 }
{ capacityGib: 72000, throughputPerTib: 125 }
# Beyond a threshold the steps are larger.
{ capacityGib: 1539000 }
  capacityGib: 1539000 GiB is not a capacity of Managed Lustre with 1000 MB/s for each TiB; use 1530000 or 1584000
{ capacityGib: 10008000 }
{ capacityGib: 10080000 }
  capacityGib: 10080000 GiB is not a capacity of Managed Lustre with 1000 MB/s for each TiB; use 10008000
{ throughputPerTib: 100 }
  throughputPerTib: Managed Lustre has 125, 250, 500, 1000 MB/s for each TiB, not 100; use one of these
{ tier: zonal }
  tier: is for kind "filestore"; remove tier
{ network: default }
  network: "default" must be the id of a VPC network, such as "projects/physics/global/networks/default"
{ network: !later "projects/physics/global/networks/default" }
{ network: !unset, capacityGib: !unset }
  network: a new instance has it; add it
  capacityGib: a new instance has it; add it
{ zone: !unset }
  zone: a new instance is in one zone; name it, or a pool that keeps to one
{ zone: !unset, pool: !pool { zones: [us-central1-a] } }
{ pool: !pool { pool: hpc, zones: [us-central1-b] } }
  zone: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool
{ zone: us-central1 }
  zone: "us-central1" must be a zone, such as "us-central1-a"
`,
    (given) => gkeStorageProblems({ ...aGkeLustre, ...given }),
  ));

describe("The rules of GkeSharedStorage for Filestore", () =>
  itJudges(
    `
{}
{ capacityGib: 1000 }
  capacityGib: 1000 GiB is not a capacity of Filestore of tier "zonal"; use 1024
{ capacityGib: 1100 }
  capacityGib: 1100 GiB is not a capacity of Filestore of tier "zonal"; use 1024 or 1280
{ capacityGib: 10000 }
  capacityGib: 10000 GiB is not a capacity of Filestore of tier "zonal"; use 9984 or 10240
{ tier: regional, capacityGib: 12800 }
{ tier: basicHdd, capacityGib: 1025 }
{ tier: basicSsd }
  capacityGib: 1024 GiB is not a capacity of Filestore of tier "basicSsd"; use 2560
{ tier: enterprise, capacityGib: 10496 }
  capacityGib: 10496 GiB is not a capacity of Filestore of tier "enterprise"; use 10240
{ throughputPerTib: 500 }
  throughputPerTib: is for kind "lustre"; remove throughputPerTib
{ pool: !pool { pool: hpc, zones: [us-central1-b] } }
  zone: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool
# An instance of the region is in each of its zones.
{ tier: regional, pool: !pool { pool: hpc, zones: [us-central1-b] } }
`,
    (given) => gkeStorageProblems({ ...aFilestore, ...given }),
  ));

describe("The rules of GkeSharedStorage for an instance that exists", () =>
  itJudges(
    `
{ kind: filestore }
{ kind: lustre, project: physics }
{ kind: lustre }
  project: an existing instance of Managed Lustre is named with it; add it
{ kind: filestore, project: physics }
  project: an existing instance of Filestore is mounted without it; remove project
{ kind: filestore, capacityGib: 1024, tier: zonal }
  capacityGib: describes a new file system, and existing names one; remove capacityGib
  tier: describes a new file system, and existing names one; remove tier
{ kind: filestore, pool: !pool { pool: hpc, zones: [us-central1-b] } }
  existing.location: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool
{ kind: filestore, existing: { instance: a, location: us-central1, ipAddress: 10.0.0.2, fileSystem: b }, pool: !pool { zones: [us-central1-b] } }
`,
    (given) =>
      gkeStorageProblems({
        existing: { instance: "old", location: "us-central1-a", ipAddress: "10.0.0.2", fileSystem: "vol1" },
        ...given,
      }),
  ));
