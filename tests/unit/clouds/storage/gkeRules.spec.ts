import * as assert from "node:assert/strict";
import { parseAksSharedStorageArgs } from "../../../../provider/clouds/aks/storage/parse";
import { lustreMount } from "../../../../provider/clouds/aks/storage/register";
import { parseGkeSharedStorageArgs } from "../../../../provider/clouds/gke/storage/parse";
import { describeInstance } from "../../../../provider/clouds/gke/storage/register";
import * as pulumi from "@pulumi/pulumi";
import type { GkeSharedStorageArgs } from "../../../../provider";
import { aPool } from "../../../support/fixtures";
import { validating } from "../../../support/problems";
import { anAksLustre, aFilestore, aGcs, aGkeLustre, gkeStorageProblems } from "./fixtures";

const oldInstance = { instance: "old", location: "us-central1-a", ipAddress: "10.0.0.2", fileSystem: "vol1" };

it("a preview names the port that Managed Lustre of Google needs, and the nodes that Azure's driver needs", () => {
  const spec = parseGkeSharedStorageArgs("data", aGkeLustre);
  assert.match(describeInstance(spec), /by TCP port 988, which a firewall rule of the VPC network must allow$/);
  const { driver } = lustreMount(parseAksSharedStorageArgs("data", anAksLustre), "10.0.0.4");
  assert.match(driver.remedy, /, on nodes with Ubuntu$/);
});

describe("the rules of GkeSharedStorage", () => {
  const { rejects, rejectsAll, accepts } = validating((args: Partial<GkeSharedStorageArgs>) =>
    gkeStorageProblems(args),
  );
  rejects({
    "capacityGib: 10000 GiB is not a capacity of Managed Lustre with 1000…": { ...aGkeLustre, capacityGib: 10_000 },
    "capacityGib: 9000 GiB is not a capacity of Managed…": { ...aGkeLustre, capacityGib: 9000, throughputPerTib: 500 },
    "capacityGib: 1539000 GiB is not a capacity of Managed Lustre with…": { ...aGkeLustre, capacityGib: 1_539_000 },
    "capacityGib: 10080000 GiB is not a capacity of Managed Lustre with…": { ...aGkeLustre, capacityGib: 10_080_000 },
    "throughputPerTib: Managed Lustre has 25, 125, 250, 500, 1000 MB/s per…": { ...aGkeLustre, throughputPerTib: 100 },
    "capacityGib: 9000 GiB is not a capacity of Managed Lustre with 25 MB/s per TiB; use 472000": {
      ...aGkeLustre,
      throughputPerTib: 25,
    },
    'tier: is for kind "filestore"; remove tier': { ...aGkeLustre, tier: "zonal" },
    'network: "default" must be the id of a VPC network, such as…': { ...aGkeLustre, network: "default" },
    "zone: a new instance is in one zone; set it, or set pool to a pool in a single zone": {
      ...aGkeLustre,
      zone: undefined,
    },
    "zone: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool": [
      { ...aGkeLustre, pool: aPool({ pool: "hpc", zones: ["us-central1-b"] }) },
      { ...aFilestore, pool: aPool({ pool: "hpc", zones: ["us-central1-b"] }) },
    ],
    'zone: "us-central1" must be a zone, such as "us-central1-a"': { ...aGkeLustre, zone: "us-central1" },
    'capacityGib: 1000 GiB is not a capacity of Filestore of tier "zonal"…': { ...aFilestore, capacityGib: 1000 },
    'capacityGib: 10000 GiB is not a capacity of Filestore of tier "zonal"…': { ...aFilestore, capacityGib: 10_000 },
    'capacityGib: 1024 GiB is not a capacity of Filestore of tier "basicSsd"…': { ...aFilestore, tier: "basicSsd" },
    "capacityGib: 10496 GiB is not a capacity of…": { ...aFilestore, tier: "enterprise", capacityGib: 10_496 },
    'throughputPerTib: is for kind "lustre"; remove throughputPerTib': { ...aFilestore, throughputPerTib: 500 },
    "project: an existing instance of Managed Lustre is identified by its project…": {
      existing: oldInstance,
      kind: "lustre",
    },
    "project: an existing instance of Filestore is…": { existing: oldInstance, kind: "filestore", project: "physics" },
    "existing.location: pool hpc is in us-central1-b, not in us-central1-a; use a zone of the pool": {
      existing: oldInstance,
      kind: "filestore",
      pool: aPool({ pool: "hpc", zones: ["us-central1-b"] }),
    },
  });
  rejectsAll({ ...aGkeLustre, network: undefined, capacityGib: undefined }, [
    "network: a new instance requires it; add it",
    "capacityGib: a new instance requires it; add it",
  ]);
  rejectsAll({ existing: oldInstance, kind: "filestore", capacityGib: 1024, tier: "zonal" }, [
    "capacityGib: describes a new file system, and existing refers to an existing one; remove capacityGib",
    "tier: describes a new file system, and existing refers to an existing one; remove tier",
  ]);
  rejects({
    "bucket: Cloud Storage FUSE mounts a bucket that exists; add it": { kind: "gcsFuse" },
    "capacityGib: describes an instance, not a bucket; remove capacityGib": { ...aGcs, capacityGib: 1024 },
    'bucket: is for kind "gcsFuse"; remove bucket': { ...aFilestore, bucket: "genomes" },
  });
  accepts({
    "a bucket beside a pool in any zone": { ...aGcs, pool: aPool({ zones: ["us-central1-b"] }) },
    "a capacity of Managed Lustre": { ...aGkeLustre, capacityGib: 18_000 },
    "a capacity at 125 MB/s": { ...aGkeLustre, capacityGib: 72_000, throughputPerTib: 125 },
    "the largest capacity": { ...aGkeLustre, capacityGib: 10_008_000 },
    "a network that is known later": {
      ...aGkeLustre,
      network: pulumi.output("projects/physics/global/networks/default"),
    },
    "the zone of the pool": { ...aGkeLustre, zone: undefined, pool: aPool({ zones: ["us-central1-a"] }) },
    "a capacity of the regional tier": { ...aFilestore, tier: "regional", capacityGib: 12_800 },
    "a capacity of basicHdd": { ...aFilestore, tier: "basicHdd", capacityGib: 1025 },
    "a pool in another zone than regional Filestore": {
      ...aFilestore,
      tier: "regional",
      pool: aPool({ pool: "hpc", zones: ["us-central1-b"] }),
    },
    "an existing instance of Filestore": { existing: oldInstance, kind: "filestore" },
    "an existing instance of Lustre": { existing: oldInstance, kind: "lustre", project: "physics" },
    "a pool in a zone beside an existing instance of the region": {
      kind: "filestore",
      existing: { instance: "a", location: "us-central1", ipAddress: "10.0.0.2", fileSystem: "b" },
      pool: aPool({ zones: ["us-central1-b"] }),
    },
  });
});
