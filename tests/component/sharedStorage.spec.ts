import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { aPool } from "../support/fixtures";
import { mockEngine, type Registration, uncaughtIn } from "../support/mocks";
import {
  aksLustre,
  answers,
  blob,
  efs,
  existing,
  files,
  filestore,
  fsx,
  gcs,
  gkeLustre,
  ids,
  register,
  s3,
  state,
  type Storage,
} from "../support/sharedStorage";

const imports = [{ uri: "s3://genomes/hg38", path: "/genomes", exports: true }];

describe("what shared storage registers", function () {
  this.timeout(30_000);

  const table: Record<string, [make: () => Storage, ...want: string[]]> = {
    FSx: [fsx, "LustreFileSystem data"],
    "FSx with its driver": [() => fsx({ installDriver: true }), "Addon data-driver", "LustreFileSystem data"],
    EFS: [efs, "FileSystem data", "MountTarget data-0", "MountTarget data-1"],
    "Managed Lustre of Google": [gkeLustre, "Instance data"],
    Filestore: [filestore, "Instance data"],
    "Managed Lustre of Azure": [aksLustre, "AmlFilesystem data"],
    "Azure Files": [files, "FileShare data", "StorageAccount data"],
    "Azure Blob": [blob, "BlobContainer data", "StorageAccount data"],
    "Cloud Storage FUSE": [gcs],
    "Mountpoint for S3": [s3],
    "FSx with data in S3": [() => fsx({ imports }), "DataRepositoryAssociation data-0", "LustreFileSystem data"],
    ...Object.fromEntries(
      Object.entries(existing).map(([name, make]) => [`existing ${name}`, [make] as [() => Storage]]),
    ),
  };
  for (const [name, [make, ...want]] of Object.entries(table))
    it(`is that of ${name}, in a preview too`, async () => {
      const objects = ["PersistentVolume data", "PersistentVolumeClaim data"];
      for (const preview of [false, true]) {
        const { seen } = await register(make, { preview });
        const [component] = ids(seen).filter((id) => id.includes("SharedStorage"));
        assert.deepEqual(ids(seen), [component, ...objects, ...want].sort());
        for (const { id, parent } of seen) assert.equal(parent, id === component ? "" : component, id);
      }
    });

  it("is nothing when the arguments are wrong, not even the component", async () => {
    const seen = await mockEngine({ answers });
    assert.throws(
      () => fsx({ pool: aPool({ zones: ["us-east-1b"] }) }),
      (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors[0]?.propertyPath === "zone",
    );
    assert.deepEqual(seen, []);
  });
});

describe("what becomes of data", function () {
  this.timeout(30_000);

  const inCloud = ({ type }: Registration) => !type.startsWith("Persistent") && !type.endsWith("SharedStorage");
  for (const [name, make] of Object.entries({ fsx, efs, gkeLustre, filestore, aksLustre, files, blob }))
    it(`is that they stay with all that leads to them, unless that is not wanted: ${name}`, async () => {
      for (const retainOnDelete of [undefined, true, false]) {
        const { seen } = await register(() => make(retainOnDelete === undefined ? {} : { retainOnDelete }));
        for (const each of seen.filter(inCloud)) assert.equal(each.retainOnDelete, retainOnDelete ?? true, each.id);
        for (const each of seen.filter((one) => !inCloud(one))) assert.equal(each.retainOnDelete, false, each.id);
      }
    });
});

describe("a file system", function () {
  this.timeout(30_000);

  const lustre = { deploymentType: "PERSISTENT_2", storageCapacity: 2400, fileSystemTypeVersion: "2.15" };
  const tagged = { encrypted: true, tags: { Name: "data" } };
  const team = { team: "physics" };
  const events = { events: ["NEW", "CHANGED", "DELETED"] };
  const inputsOfEach: [name: string, make: () => Storage, id: string, inputs: object][] = [
    [
      "is in the subnet of its zone and open to the nodes of the cluster",
      () => fsx({ throughputPerTib: 250, tags: team }),
      "LustreFileSystem data",
      {
        ...lustre,
        subnetIds: "subnet-a",
        securityGroupIds: ["sg-of-flux"],
        perUnitStorageThroughput: 250,
        tags: { Name: "data", ...team },
      },
    ],
    [
      "takes the zone of a pool with one zone, and the given security groups",
      () =>
        fsx({
          zone: undefined,
          pool: aPool({ zones: ["us-east-1b"] }),
          clusterName: undefined,
          securityGroupIds: ["sg-mine"],
        }),
      "LustreFileSystem data",
      {
        ...lustre,
        subnetIds: "subnet-b",
        securityGroupIds: ["sg-mine"],
        perUnitStorageThroughput: 125,
        tags: { Name: "data" },
      },
    ],
    ["has the throughput that jobs use", efs, "FileSystem data", { ...tagged, throughputMode: "elastic" }],
    [
      "has the given throughput",
      () => efs({ throughputMibps: 512 }),
      "FileSystem data",
      { ...tagged, throughputMode: "provisioned", provisionedThroughputInMibps: 512 },
    ],
    [
      "has a mount target in each subnet",
      efs,
      "MountTarget data-1",
      { fileSystemId: "data-id", subnetId: "subnet-b", securityGroups: ["sg-of-flux"] },
    ],
    [
      "has the arguments of Filestore",
      () => filestore({ tags: team }),
      "Instance data",
      {
        location: "us-central1-a",
        tier: "ZONAL",
        fileShares: { name: "data", capacityGb: 1024 },
        labels: team,
        networks: [{ network: "projects/physics/global/networks/default", modes: ["MODE_IPV4"] }],
      },
    ],
    [
      "has the arguments of Managed Lustre of Azure",
      () => aksLustre({ pool: aPool({ zones: ["2"] }), tags: team }),
      "AmlFilesystem data",
      {
        resourceGroupName: "physics",
        filesystemSubnet: "/subnets/storage",
        zones: ["2"],
        tags: team,
        sku: { name: "AMLFS-Durable-Premium-500" },
        storageCapacityTiB: 4,
        maintenanceWindow: { dayOfWeek: "Sunday", timeOfDayUTC: "03:00" },
      },
    ],
    [
      "is in an account that the subnet may reach; the bypass is the default of the SDK",
      files,
      "StorageAccount data",
      {
        resourceGroupName: "physics",
        kind: "FileStorage",
        sku: { name: "Premium_LRS" },
        enableHttpsTrafficOnly: false,
        allowSharedKeyAccess: false,
        networkRuleSet: {
          bypass: "AzureServices",
          defaultAction: "Deny",
          virtualNetworkRules: [{ virtualNetworkResourceId: "/subnets/nodes" }],
        },
      },
    ],
    [
      "has EFA with metadata that scale by themselves",
      () => fsx({ efa: true, throughputPerTib: 1000, capacityGib: 9600 }),
      "LustreFileSystem data",
      {
        ...lustre,
        storageCapacity: 9600,
        subnetIds: "subnet-a",
        securityGroupIds: ["sg-of-flux"],
        perUnitStorageThroughput: 1000,
        efaEnabled: true,
        metadataConfiguration: { mode: "AUTOMATIC" },
        tags: { Name: "data" },
      },
    ],
    [
      "shows data in S3, and follows changes on both sides",
      () => fsx({ imports }),
      "DataRepositoryAssociation data-0",
      {
        fileSystemId: "data-id",
        dataRepositoryPath: "s3://genomes/hg38",
        fileSystemPath: "/genomes",
        batchImportMetaDataOnCreate: true,
        s3: { autoImportPolicy: events, autoExportPolicy: events },
      },
    ],
    [
      "is a container of an account with NFS 3.0",
      blob,
      "StorageAccount data",
      {
        resourceGroupName: "physics",
        kind: "BlockBlobStorage",
        sku: { name: "Premium_LRS" },
        enableHttpsTrafficOnly: true,
        enableNfsV3: true,
        isHnsEnabled: true,
        allowSharedKeyAccess: false,
        networkRuleSet: {
          bypass: "AzureServices",
          defaultAction: "Deny",
          virtualNetworkRules: [{ virtualNetworkResourceId: "/subnets/nodes" }],
        },
      },
    ],
    [
      "has a driver with a role, where that is given",
      () => s3({ clusterName: "flux", installDriver: true, driverRoleArn: "arn:role" }),
      "Addon data-driver",
      { addonName: "aws-mountpoint-s3-csi-driver", clusterName: "flux", serviceAccountRoleArn: "arn:role" },
    ],
    [
      "is a share of that account",
      files,
      "FileShare data",
      {
        resourceGroupName: "physics",
        accountName: "data1234",
        shareName: "data",
        enabledProtocols: "NFS",
        shareQuota: 100,
      },
    ],
  ];
  for (const [name, make, id, inputs] of inputsOfEach)
    it(`${name}: ${id}`, async () => assert.deepEqual((await register(make)).find(id).inputs, inputs));

  const refused: [name: string, make: () => Storage, want: RegExp][] = [
    [
      "FSx without a subnet in its zone",
      () => fsx({ zone: "us-east-1c" }),
      /EksSharedStorage data: no subnet is in us-east-1c \(subnet-a in us-east-1a, .*\); correct zone or subnetIds/,
    ],
    [
      "EFS with two subnets in a zone",
      () => efs({ subnetIds: ["subnet-a", "subnet-2a"] }),
      /EFS has one mount target in each zone, .* in the same zone \(subnet-a in us-east-1a, subnet-2a in us-east-1a\)/,
    ],
    [
      "EFS where the pool is not",
      () => efs({ pool: aPool({ zones: ["us-east-1c"] }) }),
      /pool hpc is in us-east-1c, and no subnet is \(.*, subnet-b in us-east-1b\); correct subnetIds/,
    ],
  ];
  for (const [name, make, want] of refused)
    it(`is refused in a preview, before anything is changed: ${name}`, async () => {
      const errors = await uncaughtIn(async () => {
        await mockEngine({ answers, state, preview: true });
        make();
      });
      assert.match(errors.join("\n"), want);
    });
});
