import * as pulumi from "@pulumi/pulumi";
import type { GkeSharedStorageArgs } from "../../../../provider";
import { aPool } from "../../../support/fixtures";
import { itValidates } from "../../../support/problems";
import { aFilestore, aGkeLustre, gkeStorageProblems } from "./fixtures";

const oldInstance = { instance: "old", location: "us-central1-a", ipAddress: "10.0.0.2", fileSystem: "vol1" };

describe("the rules of GkeSharedStorage", () =>
  itValidates(
    [
      { name: "a capacity of Managed Lustre", args: { ...aGkeLustre, capacityGib: 18_000 } },
      {
        name: "a capacity of Managed Lustre between two steps",
        args: { ...aGkeLustre, capacityGib: 10_000 },
        errors: [
          "capacityGib: 10000 GiB is not a capacity of Managed Lustre with 1000 MB/s for each TiB; use 9000 or 18000",
        ],
      },
      {
        name: "a capacity below the smallest at 500 MB/s",
        args: { ...aGkeLustre, capacityGib: 9000, throughputPerTib: 500 },
        errors: ["capacityGib: 9000 GiB is not a capacity of Managed Lustre with 500 MB/s for each TiB; use 18000"],
      },
      { name: "a capacity at 250 MB/s", args: { ...aGkeLustre, capacityGib: 36_000, throughputPerTib: 250 } },
      { name: "a capacity at 125 MB/s", args: { ...aGkeLustre, capacityGib: 72_000, throughputPerTib: 125 } },
      {
        name: "a capacity above the threshold of larger steps",
        args: { ...aGkeLustre, capacityGib: 1_539_000 },
        errors: [
          "capacityGib: 1539000 GiB is not a capacity of Managed Lustre with 1000 MB/s for each TiB; use 1530000 " +
            "or 1584000",
        ],
      },
      {
        name: "a capacity above the threshold at 500 MB/s",
        args: { ...aGkeLustre, capacityGib: 3_078_000, throughputPerTib: 500 },
        errors: [
          "capacityGib: 3078000 GiB is not a capacity of Managed Lustre with 500 MB/s for each TiB; use 3060000 " +
            "or 3168000",
        ],
      },
      {
        name: "a capacity above the threshold at 250 MB/s",
        args: { ...aGkeLustre, capacityGib: 6_156_000, throughputPerTib: 250 },
        errors: [
          "capacityGib: 6156000 GiB is not a capacity of Managed Lustre with 250 MB/s for each TiB; use 6120000 " +
            "or 6336000",
        ],
      },
      { name: "the largest capacity", args: { ...aGkeLustre, capacityGib: 10_008_000 } },
      {
        name: "a capacity above the largest",
        args: { ...aGkeLustre, capacityGib: 10_080_000 },
        errors: [
          "capacityGib: 10080000 GiB is not a capacity of Managed Lustre with 1000 MB/s for each TiB; use 10008000",
        ],
      },
      {
        name: "a throughput that Managed Lustre does not have",
        args: { ...aGkeLustre, throughputPerTib: 100 },
        errors: [
          "throughputPerTib: Managed Lustre has 125, 250, 500, 1000 MB/s for each TiB, not 100; use one of these",
        ],
      },
      {
        name: "the tier of Filestore for Lustre",
        args: { ...aGkeLustre, tier: "zonal" },
        errors: ['tier: is for kind "filestore"; remove tier'],
      },
      {
        name: "the name of a network in place of its id",
        args: { ...aGkeLustre, network: "default" },
        errors: [
          'network: "default" must be the id of a VPC network, such as "projects/physics/global/networks/default"',
        ],
      },
      {
        name: "a network that is known later",
        args: { ...aGkeLustre, network: pulumi.output("projects/physics/global/networks/default") },
      },
      {
        name: "Lustre without network and capacity",
        args: { ...aGkeLustre, network: undefined, capacityGib: undefined },
        errors: ["network: a new instance has it; add it", "capacityGib: a new instance has it; add it"],
      },
      {
        name: "Lustre without a zone",
        args: { ...aGkeLustre, zone: undefined },
        errors: ["zone: a new instance is in one zone; name it, or a pool that keeps to one"],
      },
      {
        name: "the zone of the pool",
        args: { ...aGkeLustre, zone: undefined, pool: aPool({ zones: ["us-central1-a"] }) },
      },
      {
        name: "a pool in another zone",
        args: { ...aGkeLustre, pool: aPool({ pool: "hpc", zones: ["us-central1-b"] }) },
        errors: ["zone: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool"],
      },
      {
        name: "a region in place of a zone",
        args: { ...aGkeLustre, zone: "us-central1" },
        errors: ['zone: "us-central1" must be a zone, such as "us-central1-a"'],
      },
      {
        name: "a capacity of Filestore below the smallest",
        args: { ...aFilestore, capacityGib: 1000 },
        errors: ['capacityGib: 1000 GiB is not a capacity of Filestore of tier "zonal"; use 1024'],
      },
      {
        name: "a capacity of Filestore between two steps",
        args: { ...aFilestore, capacityGib: 1100 },
        errors: ['capacityGib: 1100 GiB is not a capacity of Filestore of tier "zonal"; use 1024 or 1280'],
      },
      {
        name: "a large capacity of Filestore between two steps",
        args: { ...aFilestore, capacityGib: 10_000 },
        errors: ['capacityGib: 10000 GiB is not a capacity of Filestore of tier "zonal"; use 9984 or 10240'],
      },
      { name: "a capacity of the regional tier", args: { ...aFilestore, tier: "regional", capacityGib: 12_800 } },
      { name: "a capacity of basicHdd", args: { ...aFilestore, tier: "basicHdd", capacityGib: 1025 } },
      {
        name: "a capacity below the smallest of basicSsd",
        args: { ...aFilestore, tier: "basicSsd" },
        errors: ['capacityGib: 1024 GiB is not a capacity of Filestore of tier "basicSsd"; use 2560'],
      },
      {
        name: "a capacity above the largest of enterprise",
        args: { ...aFilestore, tier: "enterprise", capacityGib: 10_496 },
        errors: ['capacityGib: 10496 GiB is not a capacity of Filestore of tier "enterprise"; use 10240'],
      },
      {
        name: "the throughput of Lustre for Filestore",
        args: { ...aFilestore, throughputPerTib: 500 },
        errors: ['throughputPerTib: is for kind "lustre"; remove throughputPerTib'],
      },
      {
        name: "a pool in another zone than Filestore",
        args: { ...aFilestore, pool: aPool({ pool: "hpc", zones: ["us-central1-b"] }) },
        errors: ["zone: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool"],
      },
      {
        name: "a pool in another zone than regional Filestore",
        args: { ...aFilestore, tier: "regional", pool: aPool({ pool: "hpc", zones: ["us-central1-b"] }) },
      },
      { name: "an existing instance of Filestore", args: { existing: oldInstance, kind: "filestore" } },
      { name: "an existing instance of Lustre", args: { existing: oldInstance, kind: "lustre", project: "physics" } },
      {
        name: "an existing instance of Lustre without its project",
        args: { existing: oldInstance, kind: "lustre" },
        errors: ["project: an existing instance of Managed Lustre is named with it; add it"],
      },
      {
        name: "a project for an existing instance of Filestore",
        args: { existing: oldInstance, kind: "filestore", project: "physics" },
        errors: ["project: an existing instance of Filestore is mounted without it; remove project"],
      },
      {
        name: "settings of a new instance for an existing one",
        args: { existing: oldInstance, kind: "filestore", capacityGib: 1024, tier: "zonal" },
        errors: [
          "capacityGib: describes a new file system, and existing names one; remove capacityGib",
          "tier: describes a new file system, and existing names one; remove tier",
        ],
      },
      {
        name: "a pool in another zone than the existing instance",
        args: { existing: oldInstance, kind: "filestore", pool: aPool({ pool: "hpc", zones: ["us-central1-b"] }) },
        errors: ["existing.location: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool"],
      },
      {
        name: "a pool in a zone beside an existing instance of the region",
        args: {
          kind: "filestore",
          existing: { instance: "a", location: "us-central1", ipAddress: "10.0.0.2", fileSystem: "b" },
          pool: aPool({ zones: ["us-central1-b"] }),
        },
      },
    ],
    (args: Partial<GkeSharedStorageArgs>) => gkeStorageProblems(args),
  ));
