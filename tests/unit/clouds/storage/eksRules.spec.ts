import * as assert from "node:assert/strict";
import type { EksSharedStorageArgs } from "../../../../provider";
import { describeSpeed } from "../../../../provider/clouds/storage/parse";
import { aPool } from "../../../support/fixtures";
import { itValidates } from "../../../support/problems";
import { anEfs, anFsx, eksStorageProblems } from "./fixtures";

const oldFsx: EksSharedStorageArgs = {
  ...{ kind: "fsxLustre", existing: { fileSystemId: "fs-1", dnsName: "fs-1.fsx", mountName: "abc" } },
};

describe("the rules of EksSharedStorage", () =>
  itValidates(
    [
      { name: "the smallest capacity of FSx", args: { ...anFsx, capacityGib: 1200 } },
      {
        name: "a capacity of FSx below the smallest",
        args: { ...anFsx, capacityGib: 1000 },
        errors: ["capacityGib: 1000 GiB is not a capacity of FSx for Lustre; use 1200"],
      },
      {
        name: "a capacity of FSx between two steps",
        args: { ...anFsx, capacityGib: 3600 },
        errors: ["capacityGib: 3600 GiB is not a capacity of FSx for Lustre; use 2400 or 4800"],
      },
      {
        name: "FSx without a capacity",
        args: { ...anFsx, capacityGib: undefined },
        errors: ["capacityGib: FSx for Lustre has the capacity that is asked for; add it"],
      },
      { name: "a throughput of persistent2", args: { ...anFsx, throughputPerTib: 1000 } },
      {
        name: "a throughput that persistent2 does not have",
        args: { ...anFsx, throughputPerTib: 200 },
        errors: [
          'throughputPerTib: deployment "persistent2" has 125, 250, 500, 1000 MB/s for each TiB, not 200; use ' +
            "one of these",
        ],
      },
      { name: "a throughput of persistent1", args: { ...anFsx, deployment: "persistent1", throughputPerTib: 200 } },
      {
        name: "a throughput that persistent1 does not have",
        args: { ...anFsx, deployment: "persistent1", throughputPerTib: 125 },
        errors: [
          'throughputPerTib: deployment "persistent1" has 50, 100, 200 MB/s for each TiB, not 125; use one of these',
        ],
      },
      { name: "scratch2", args: { ...anFsx, deployment: "scratch2" } },
      {
        name: "a throughput of scratch2",
        args: { ...anFsx, deployment: "scratch2", throughputPerTib: 200 },
        errors: ['throughputPerTib: deployment "scratch2" has a throughput of its own; remove throughputPerTib'],
      },
      {
        name: "the throughput of EFS for FSx",
        args: { ...anFsx, throughputMibps: 100 },
        errors: ['throughputMibps: is for kind "efs"; FSx for Lustre has throughputPerTib; remove throughputMibps'],
      },
      {
        name: "FSx without a zone",
        args: { ...anFsx, zone: undefined },
        errors: ["zone: FSx for Lustre is in one zone; name it, or a pool that keeps to one"],
      },
      { name: "the zone of the pool", args: { ...anFsx, zone: undefined, pool: aPool({ zones: ["us-east-1a"] }) } },
      {
        name: "a pool in two zones",
        args: { ...anFsx, zone: undefined, pool: aPool({ zones: ["us-east-1a", "us-east-1b"] }) },
        errors: ["zone: FSx for Lustre is in one zone; name it, or a pool that keeps to one"],
      },
      { name: "the zone of FSx and of the pool", args: { ...anFsx, pool: aPool({ zones: ["us-east-1a"] }) } },
      { name: "a pool that may be in any zone", args: { ...anFsx, pool: aPool() } },
      {
        name: "a pool in another zone",
        args: { ...anFsx, pool: aPool({ pool: "hpc", zones: ["us-east-1b"] }) },
        errors: ["zone: pool hpc is in us-east-1b, not in us-east-1a; use a zone of the pool"],
      },
      {
        name: "FSx without subnets and a cluster",
        args: { ...anFsx, subnetIds: undefined, clusterName: undefined },
        errors: [
          "subnetIds: a new file system is in the subnets of the nodes; add it",
          "clusterName: the security group of the cluster lets its nodes in; add it",
        ],
      },
      {
        name: "security groups in place of those of the cluster",
        args: { ...anFsx, clusterName: undefined, securityGroupIds: ["sg-1"] },
      },
      {
        name: "a driver without a cluster",
        args: { ...anFsx, clusterName: undefined, securityGroupIds: ["sg-1"], installDriver: true },
        errors: ["clusterName: installDriver installs an add-on of the cluster; add it"],
      },
      {
        name: "no subnet",
        args: { ...anFsx, subnetIds: [] },
        errors: ["subnetIds: needs at least one subnet; add one"],
      },
      { name: "a throughput of EFS", args: { ...anEfs, throughputMibps: 512 } },
      {
        name: "a throughput above the maximum of EFS",
        args: { ...anEfs, throughputMibps: 4000 },
        errors: ["throughputMibps: 4000 must be an integer from 1 to 3414"],
      },
      {
        name: "a capacity of EFS",
        args: { ...anEfs, capacityGib: 1200 },
        errors: ["capacityGib: EFS grows with what is in it; remove capacityGib"],
      },
      {
        name: "settings of FSx for EFS",
        args: { ...anEfs, zone: "us-east-1a", deployment: "scratch2", throughputPerTib: 125 },
        errors: [
          "zone: EFS is in every zone that a subnet is in; remove zone",
          'deployment: is for kind "fsxLustre"; remove deployment',
          'throughputPerTib: is for kind "fsxLustre"; remove throughputPerTib',
        ],
      },
      {
        name: "an existing file system of FSx",
        args: {
          kind: "fsxLustre",
          existing: { fileSystemId: "fs-1", dnsName: "fs-1.fsx.us-east-1.amazonaws.com", mountName: "abc" },
        },
      },
      {
        name: "an existing file system of FSx without its mount",
        args: { kind: "fsxLustre", existing: { fileSystemId: "fs-1" } },
        errors: [
          "existing.dnsName: Lustre is mounted by it (aws fsx describe-file-systems says it); add it",
          "existing.mountName: Lustre is mounted by it (aws fsx describe-file-systems says it); add it",
        ],
      },
      { name: "an existing file system of EFS", args: { kind: "efs", existing: { fileSystemId: "fs-1" } } },
      {
        name: "a mount name for EFS",
        args: { kind: "efs", existing: { fileSystemId: "fs-1", mountName: "abc" } },
        errors: ["existing.mountName: EFS is mounted by its id; remove mountName"],
      },
      {
        name: "a driver without a cluster for existing EFS",
        args: { kind: "efs", existing: { fileSystemId: "fs-1" }, installDriver: true },
        errors: ["clusterName: installDriver installs an add-on of the cluster; add it"],
      },
      {
        name: "a driver for existing EFS",
        args: { kind: "efs", existing: { fileSystemId: "fs-1" }, installDriver: true, clusterName: "flux" },
      },
      {
        name: "settings of a new file system for an existing one",
        args: {
          kind: "efs",
          existing: { fileSystemId: "fs-1" },
          clusterName: "flux",
          subnetIds: ["subnet-a"],
          retainOnDelete: false,
        },
        errors: [
          "subnetIds: describes a new file system, and existing names one; remove subnetIds",
          "retainOnDelete: describes a new file system, and existing names one; remove retainOnDelete",
          "clusterName: describes a new file system, and existing names one; remove clusterName",
        ],
      },
      {
        name: "a pool in another zone than the existing file system",
        args: { ...oldFsx, zone: "us-east-1b", pool: aPool({ pool: "hpc", zones: ["us-east-1a"] }) },
        errors: ["zone: pool hpc is in us-east-1a, not in us-east-1b; use a zone of the pool"],
      },
    ],
    (args: Partial<EksSharedStorageArgs>) => eksStorageProblems(args),
  ));

it("storage has its throughput for each TiB", () =>
  assert.equal(describeSpeed(2400, 250), "2400 GiB, 586 MB/s (250 for each TiB)"));
