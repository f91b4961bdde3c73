import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { aPool } from "../support/fixtures";
import { mockEngine, type Registration, uncaughtIn } from "../support/mocks";
import {
  aksLustre,
  answers,
  efs,
  existing,
  files,
  filestore,
  fsx,
  gkeLustre,
  ids,
  register,
  state,
  type Storage,
} from "../support/sharedStorage";

describe("what shared storage registers", function () {
  this.timeout(30_000);

  const table: { name: string; make: () => Storage; want: string[] }[] = [
    { name: "FSx", make: () => fsx(), want: ["LustreFileSystem data"] },
    {
      name: "FSx with its driver",
      make: () => fsx({ installDriver: true }),
      want: ["Addon data-driver", "LustreFileSystem data"],
    },
    { name: "EFS", make: () => efs(), want: ["FileSystem data", "MountTarget data-0", "MountTarget data-1"] },
    { name: "Managed Lustre of Google", make: () => gkeLustre(), want: ["Instance data"] },
    { name: "Filestore", make: () => filestore(), want: ["Instance data"] },
    { name: "Managed Lustre of Azure", make: () => aksLustre(), want: ["AmlFilesystem data"] },
    { name: "Azure Files", make: () => files(), want: ["FileShare data", "StorageAccount data"] },
    { name: "existing FSx", make: existing.fsx, want: [] },
    { name: "existing EFS", make: existing.efs, want: [] },
    { name: "existing Managed Lustre of Google", make: existing.gkeLustre, want: [] },
    { name: "existing Filestore", make: existing.filestore, want: [] },
    { name: "existing Managed Lustre of Azure", make: existing.aksLustre, want: [] },
    { name: "existing Azure Files", make: existing.files, want: [] },
  ];
  for (const { name, make, want } of table)
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
  for (const [name, make] of Object.entries({ fsx, efs, gkeLustre, filestore, aksLustre, files }))
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

  const inputsOfEach: { name: string; make: () => Storage; want: [id: string, inputs: object] }[] = [
    {
      name: "is in the subnet of its zone and open to the nodes of the cluster",
      make: () => fsx({ throughputPerTib: 250, tags: { team: "physics" } }),
      want: [
        "LustreFileSystem data",
        {
          subnetIds: "subnet-a",
          securityGroupIds: ["sg-of-flux"],
          deploymentType: "PERSISTENT_2",
          storageCapacity: 2400,
          perUnitStorageThroughput: 250,
          fileSystemTypeVersion: "2.15",
          tags: { Name: "data", team: "physics" },
        },
      ],
    },
    {
      name: "takes the zone of a pool with one zone, and the given security groups",
      make: () =>
        fsx({
          zone: undefined,
          pool: aPool({ zones: ["us-east-1b"] }),
          clusterName: undefined,
          securityGroupIds: ["sg-mine"],
        }),
      want: [
        "LustreFileSystem data",
        {
          subnetIds: "subnet-b",
          securityGroupIds: ["sg-mine"],
          deploymentType: "PERSISTENT_2",
          storageCapacity: 2400,
          perUnitStorageThroughput: 125,
          fileSystemTypeVersion: "2.15",
          tags: { Name: "data" },
        },
      ],
    },
    {
      name: "has the throughput that jobs use",
      make: () => efs(),
      want: ["FileSystem data", { encrypted: true, tags: { Name: "data" }, throughputMode: "elastic" }],
    },
    {
      name: "has the given throughput",
      make: () => efs({ throughputMibps: 512 }),
      want: [
        "FileSystem data",
        { encrypted: true, tags: { Name: "data" }, throughputMode: "provisioned", provisionedThroughputInMibps: 512 },
      ],
    },
    {
      name: "has a mount target in each subnet",
      make: () => efs(),
      want: ["MountTarget data-1", { fileSystemId: "data-id", subnetId: "subnet-b", securityGroups: ["sg-of-flux"] }],
    },
    {
      name: "has the arguments of Filestore",
      make: () => filestore({ tags: { team: "physics" } }),
      want: [
        "Instance data",
        {
          location: "us-central1-a",
          tier: "ZONAL",
          fileShares: { name: "data", capacityGb: 1024 },
          labels: { team: "physics" },
          networks: [{ network: "projects/physics/global/networks/default", modes: ["MODE_IPV4"] }],
        },
      ],
    },
    {
      name: "has the arguments of Managed Lustre of Azure",
      make: () => aksLustre({ pool: aPool({ zones: ["2"] }), tags: { team: "physics" } }),
      want: [
        "AmlFilesystem data",
        {
          resourceGroupName: "physics",
          filesystemSubnet: "/subnets/storage",
          zones: ["2"],
          sku: { name: "AMLFS-Durable-Premium-500" },
          storageCapacityTiB: 4,
          tags: { team: "physics" },
          maintenanceWindow: { dayOfWeek: "Sunday", timeOfDayUTC: "03:00" },
        },
      ],
    },
    {
      name: "is in an account that the subnet may reach; the bypass is the default of the SDK",
      make: () => files(),
      want: [
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
    },
    {
      name: "is a share of that account",
      make: () => files(),
      want: [
        "FileShare data",
        {
          resourceGroupName: "physics",
          accountName: "data1234",
          shareName: "data",
          enabledProtocols: "NFS",
          shareQuota: 100,
        },
      ],
    },
  ];
  for (const { name, make, want } of inputsOfEach) {
    const [id, inputs] = want;
    it(`${name}: ${id}`, async () => {
      const { find } = await register(make);
      assert.deepEqual(find(id).inputs, inputs);
    });
  }

  const refused: [name: string, make: () => Storage, want: RegExp][] = [
    [
      "FSx without a subnet in its zone",
      () => fsx({ zone: "us-east-1c" }),
      /EksSharedStorage data: no subnet is in us-east-1c \(subnet-a in us-east-1a, subnet-b in us-east-1b\); correct zone or subnetIds/,
    ],
    [
      "EFS with two subnets in a zone",
      () => efs({ subnetIds: ["subnet-a", "subnet-2a"] }),
      /EFS has one mount target in each zone, and two subnets are in one \(subnet-a in us-east-1a, subnet-2a in us-east-1a\)/,
    ],
    [
      "EFS where the pool is not",
      () => efs({ pool: aPool({ zones: ["us-east-1c"] }) }),
      /pool hpc is in us-east-1c, and no subnet is \(subnet-a in us-east-1a, subnet-b in us-east-1b\); correct subnetIds/,
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
