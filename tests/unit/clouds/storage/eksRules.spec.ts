import * as assert from "node:assert/strict";
import type { EksSharedStorageArgs } from "../../../../provider";
import { addonWarnings, efaNotices } from "../../../../provider/clouds/eks/storage/diagnostics";
import { parseEksSharedStorageArgs } from "../../../../provider/clouds/eks/storage/parse";
import { describeSpeed } from "../../../../provider/clouds/storage/parse";
import { aPool } from "../../../support/fixtures";
import { validating } from "../../../support/problems";
import { diagnosing } from "../nodes/tables";
import { anEfs, anFsx, anS3, eksStorageProblems } from "./fixtures";

const oldFsx: EksSharedStorageArgs = {
  kind: "fsxLustre",
  existing: { fileSystemId: "fs-1", dnsName: "fs-1.fsx", mountName: "abc" },
};

describe("the diagnostics of new storage on AWS", () => {
  const spec = (args: Partial<EksSharedStorageArgs>) => parseEksSharedStorageArgs("data", { ...anFsx, ...args });
  const addon = diagnosing(addonWarnings);
  addon.says({
    ["warning: storage data: the add-on aws-fsx-csi-driver fails without the EKS Pod Identity agent; install " +
    "the add-on eks-pod-identity-agent with an association of the service account fsx-csi-controller-sa, " +
    "or set driverRoleArn"]: spec({
      installDriver: true,
    }),
  });
  addon.saysNothing({
    "a role of its service account": spec({ installDriver: true, driverRoleArn: "arn:role" }),
    "the add-on of EFS": parseEksSharedStorageArgs("data", { ...anEfs, installDriver: true }),
  });
  const efa = diagnosing(efaNotices);
  efa.says({
    ["info: storage data: nodes use EFA if their EksNodePool has lustreEfaClient: true and os " +
    '"al2023", and otherwise TCP']: spec({ efa: true, capacityGib: 38_400 }),
  });
  efa.saysNothing({ "a file system without EFA": spec({}) });
});

describe("the rules of EksSharedStorage", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<EksSharedStorageArgs>) =>
    eksStorageProblems(args),
  );
  rejects({
    "capacityGib: 3600 GiB is not a capacity of FSx for Lustre; use 2400 or 4800": { ...anFsx, capacityGib: 3600 },
    "capacityGib: FSx for Lustre requires a capacity; add it": { ...anFsx, capacityGib: undefined },
    'throughputPerTib: deployment "persistent2" has 125, 250, 500, 1000 MB/s per…': { ...anFsx, throughputPerTib: 200 },
    'throughputPerTib: deployment "persistent1" has…': { ...anFsx, deployment: "persistent1", throughputPerTib: 125 },
    'throughputPerTib: deployment "scratch2" has no throughput per TiB…': {
      ...anFsx,
      deployment: "scratch2",
      throughputPerTib: 200,
    },
    'throughputMibps: is for kind "efs"; FSx for Lustre has throughputPerTib…': { ...anFsx, throughputMibps: 100 },
    "zone: FSx for Lustre is in one zone; set it, or set pool to a pool in a single zone": [
      { ...anFsx, zone: undefined },
      { ...anFsx, zone: undefined, pool: aPool({ zones: ["us-east-1a", "us-east-1b"] }) },
    ],
    "zone: pool hpc is in us-east-1b, not in us-east-1a; use a zone of the pool": {
      ...anFsx,
      pool: aPool({ pool: "hpc", zones: ["us-east-1b"] }),
    },
    "clusterName: installDriver installs an add-on of the EKS cluster; add it": [
      { ...anFsx, clusterName: undefined, securityGroupIds: ["sg-1"], installDriver: true },
      { kind: "efs", existing: { fileSystemId: "fs-1" }, installDriver: true },
    ],
    "subnetIds: needs at least one subnet; add one": { ...anFsx, subnetIds: [] },
    "throughputMibps: 4000 must be an integer from 1 to 3414": { ...anEfs, throughputMibps: 4000 },
    "capacityGib: EFS grows with its content; remove capacityGib": { ...anEfs, capacityGib: 1200 },
    "existing.mountName: EFS is mounted by its id; remove mountName": {
      kind: "efs",
      existing: { fileSystemId: "fs-1", mountName: "abc" },
    },
    "zone: pool hpc is in us-east-1a, not in us-east-1b; use a zone of the pool": {
      ...oldFsx,
      zone: "us-east-1b",
      pool: aPool({ pool: "hpc", zones: ["us-east-1a"] }),
    },
  });
  rejectsAll({ ...anFsx, subnetIds: undefined, clusterName: undefined }, [
    "subnetIds: a new file system is in the subnets of the nodes; add it",
    "clusterName: the security group of the EKS cluster admits its nodes; add it",
  ]);
  rejectsAll({ ...anEfs, zone: "us-east-1a", deployment: "scratch2", throughputPerTib: 125 }, [
    "zone: EFS is in the zones of all its subnets; remove zone",
    'deployment: is for kind "fsxLustre"; remove deployment',
    'throughputPerTib: is for kind "fsxLustre"; remove throughputPerTib',
  ]);
  rejectsAll({ kind: "fsxLustre", existing: { fileSystemId: "fs-1" } }, [
    "existing.dnsName: Lustre is mounted by this name (see aws fsx describe-file-systems); add it",
    "existing.mountName: Lustre is mounted by this name (see aws fsx describe-file-systems); add it",
  ]);
  rejectsAll(
    {
      kind: "efs",
      existing: { fileSystemId: "fs-1" },
      clusterName: "flux",
      subnetIds: ["subnet-a"],
      retainOnDelete: false,
    },
    [
      "subnetIds: describes a new file system, and existing refers to an existing one; remove subnetIds",
      "retainOnDelete: describes a new file system, and existing refers to an existing one; remove retainOnDelete",
      "clusterName: describes a new file system, and existing refers to an existing one; remove clusterName",
    ],
  );
  const tiered = { ...anFsx, deployment: "intelligentTiering", capacityGib: undefined } as const;
  accepts({
    "a file system that grows": tiered,
    "a file system that grows, with its throughput": { ...tiered, throughputMbps: 2_000_000 },
  });
  rejects({
    "capacityGib: Intelligent-Tiering grows with its content; remove capacityGib": { ...tiered, capacityGib: 2400 },
    "throughputMbps: 6000 must be a multiple of 4000": { ...tiered, throughputMbps: 6000 },
    'throughputMbps: is for deployment "intelligentTiering"; remove throughputMbps': { ...anFsx, throughputMbps: 4000 },
    'throughputMbps: is for kind "fsxLustre"; remove throughputMbps': { ...anEfs, throughputMbps: 4000 },
    'throughputPerTib: deployment "intelligentTiering" has no…': { ...tiered, throughputPerTib: 125 },
    'efa: requires deployment "persistent2"; remove deployment, or efa': { ...tiered, efa: true },
    "imports: FSx has no data repository associations with Intelligent-Tiering; remove imports": {
      ...tiered,
      imports: [{ uri: "s3://genomes", path: "/data" }],
    },
  });
  const withEfa = { ...anFsx, efa: true, throughputPerTib: 500 };
  const shown = (...paths: string[]) => ({
    imports: paths.map((path) => ({ uri: "s3://genomes", path })),
  });
  rejects({
    "capacityGib: 2400 GiB is not a capacity of FSx for Lustre with EFA at 500 MB/s per TiB; use 9600": withEfa,
    "capacityGib: 40000 GiB is not a capacity of FSx for Lustre with…": { ...anFsx, efa: true, capacityGib: 40_000 },
    'efa: requires deployment "persistent2"; remove deployment, or…': { ...anFsx, efa: true, deployment: "scratch2" },
    'efa: is for kind "fsxLustre"; remove efa': { ...anEfs, efa: true },
    'imports[0].path: "data" must be a directory of the file system, such as…': { ...anFsx, ...shown("data") },
    "imports[1].path: one of /a/b and /a contains the other, which FSx for…": {
      ...anFsx,
      ...shown("/a", "/a/b", "/ab"),
    },
    'imports[0].uri: "genomes" must be a bucket or a prefix in it, such as "s3://genomes/hg38"': {
      ...anFsx,
      imports: [{ uri: "genomes", path: "/data" }],
    },
    "imports: has more than the 8 entries that FSx for Lustre accepts; remove some": {
      ...anFsx,
      ...shown(..."abcdefghi".split("").map((name) => `/${name}`)),
    },
    "bucket: Mountpoint for S3 mounts a bucket that exists; add it": { kind: "s3" },
    "zone: describes a file system, not a bucket; remove zone": { ...anS3, zone: "us-east-1a" },
    "clusterName: is for installDriver; remove clusterName": { ...anS3, clusterName: "flux" },
    "clusterName: installDriver installs an add-on of the EKS cluster; add it": { ...anS3, installDriver: true },
    "driverRoleArn: is the role of the add-on of installDriver; remove driverRoleArn": { ...anS3, driverRoleArn: "a" },
    'bucket: is for kind "s3"; imports of FSx for Lustre show buckets…': { ...anFsx, bucket: "genomes" },
  });
  accepts({
    "EFA in its steps": { ...withEfa, capacityGib: 19_200 },
    "a bucket": { ...anS3, pool: aPool({ zones: ["us-east-1a"] }) },
    "the smallest capacity of FSx": { ...anFsx, capacityGib: 1200 },
    "a throughput of persistent2": { ...anFsx, throughputPerTib: 1000 },
    scratch2: { ...anFsx, deployment: "scratch2" },
    "the zone of the pool": { ...anFsx, zone: undefined, pool: aPool({ zones: ["us-east-1a"] }) },
    "a pool that may be in any zone": { ...anFsx, pool: aPool() },
    "security groups in place of those of the cluster": {
      ...anFsx,
      clusterName: undefined,
      securityGroupIds: ["sg-1"],
    },
    "a throughput of EFS": { ...anEfs, throughputMibps: 512 },
    "an existing file system of FSx": {
      kind: "fsxLustre",
      existing: { fileSystemId: "fs-1", dnsName: "fs-1.fsx.us-east-1.amazonaws.com", mountName: "abc" },
    },
    "an existing file system of EFS": { kind: "efs", existing: { fileSystemId: "fs-1" } },
    "a driver for existing EFS": {
      kind: "efs",
      existing: { fileSystemId: "fs-1" },
      installDriver: true,
      clusterName: "flux",
    },
  });
});

it("storage has its throughput per TiB", () =>
  assert.equal(describeSpeed(2400, 250), "2400 GiB, 586 MB/s (250 per TiB)"));
