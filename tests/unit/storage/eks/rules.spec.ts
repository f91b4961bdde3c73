import { itJudges } from "../../../support/cases";
import { anEfs, anFsx, eksStorageProblems } from "../fixtures";

describe("The rules of EksSharedStorage for FSx for Lustre", () =>
  itJudges(
    `
{}
{ capacityGib: 1200 }
{ capacityGib: 4800 }
{ capacityGib: 1000 }
  capacityGib: 1000 GiB is not a capacity of FSx for Lustre; use 1200
{ capacityGib: 3600 }
  capacityGib: 3600 GiB is not a capacity of FSx for Lustre; use 2400 or 4800
{ capacityGib: !unset }
  capacityGib: FSx for Lustre has the capacity that is asked for; add it
{ throughputPerTib: 1000 }
{ throughputPerTib: 200 }
  throughputPerTib: deployment "persistent2" has 125, 250, 500, 1000 MB/s for each TiB, not 200; use one of these
{ deployment: persistent1, throughputPerTib: 200 }
{ deployment: persistent1, throughputPerTib: 125 }
  throughputPerTib: deployment "persistent1" has 50, 100, 200 MB/s for each TiB, not 125; use one of these
{ deployment: scratch2 }
{ deployment: scratch2, throughputPerTib: 200 }
  throughputPerTib: deployment "scratch2" has a throughput of its own; remove throughputPerTib
{ throughputMibps: 100 }
  throughputMibps: is for kind "efs"; FSx for Lustre has throughputPerTib; remove throughputMibps
{ zone: !unset }
  zone: FSx for Lustre is in one zone; name it, or a pool that keeps to one
{ zone: !unset, pool: !pool { zones: [us-east-1a] } }
{ zone: !unset, pool: !pool { zones: [us-east-1a, us-east-1b] } }
  zone: FSx for Lustre is in one zone; name it, or a pool that keeps to one
{ pool: !pool { zones: [us-east-1a] } }
# A pool that names no zone may be in any.
{ pool: !pool {} }
{ pool: !pool { pool: hpc, zones: [us-east-1b] } }
  zone: pool hpc is in us-east-1b, not in us-east-1a; use a zone of the pool
{ subnetIds: !unset, clusterName: !unset }
  subnetIds: a new file system is in the subnets of the nodes; add it
  clusterName: the security group of the cluster lets its nodes in; add it
{ clusterName: !unset, securityGroupIds: [sg-1] }
{ clusterName: !unset, securityGroupIds: [sg-1], installDriver: true }
  clusterName: installDriver installs an add-on of the cluster; add it
{ subnetIds: [] }
  subnetIds: needs at least one subnet; add one
`,
    (given) => eksStorageProblems({ ...anFsx, ...given }),
  ));

describe("The rules of EksSharedStorage for EFS", () =>
  itJudges(
    `
{}
{ throughputMibps: 512 }
{ throughputMibps: 4000 }
  throughputMibps: 4000 must be an integer from 1 to 3414
{ capacityGib: 1200 }
  capacityGib: EFS grows with what is in it; remove capacityGib
{ zone: us-east-1a, deployment: scratch2, throughputPerTib: 125 }
  zone: EFS is in every zone that a subnet is in; remove zone
  deployment: is for kind "fsxLustre"; remove deployment
  throughputPerTib: is for kind "fsxLustre"; remove throughputPerTib
`,
    (given) => eksStorageProblems({ ...anEfs, ...given }),
  ));

describe("The rules of EksSharedStorage for a file system that exists", () =>
  itJudges(
    `
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
`,
    (given) => eksStorageProblems(given),
  ));

describe("The rules of EksSharedStorage for another zone than that of the pool", () =>
  itJudges(
    `
{ zone: us-east-1b, pool: !pool { pool: hpc, zones: [us-east-1a] } }
  zone: pool hpc is in us-east-1a, not in us-east-1b; use a zone of the pool
{ zone: us-east-1a, pool: !pool { pool: hpc, zones: [us-east-1a] } }
`,
    (given) =>
      eksStorageProblems({
        ...{ kind: "fsxLustre", existing: { fileSystemId: "fs-1", dnsName: "fs-1.fsx", mountName: "abc" } },
        ...given,
      }),
  ));
