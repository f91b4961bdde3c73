import * as assert from "node:assert/strict";
import { files, fsx, gkeLustre, register, type Storage } from "../support/sharedStorage";

describe("a file system whose cost follows its use", function () {
  this.timeout(30_000);

  const inputsOfEach: [name: string, make: () => Storage, id: string, inputs: object][] = [
    [
      "grows in Intelligent-Tiering, with a read cache and metadata as FSx requires",
      () => fsx({ deployment: "intelligentTiering", capacityGib: undefined, throughputMbps: 8000 }),
      "LustreFileSystem data",
      {
        deploymentType: "PERSISTENT_2",
        storageType: "INTELLIGENT_TIERING",
        throughputCapacity: 8000,
        dataReadCacheConfiguration: { sizingMode: "PROPORTIONAL_TO_THROUGHPUT_CAPACITY" },
        metadataConfiguration: { mode: "USER_PROVISIONED", iops: 6000 },
        fileSystemTypeVersion: "2.15",
        subnetIds: "subnet-a",
        securityGroupIds: ["sg-of-flux"],
        tags: { Name: "data" },
      },
    ],
    [
      "is in the account of the provisioned v2 model",
      () => files({ iops: 5000 }),
      "StorageAccount data",
      {
        resourceGroupName: "physics",
        kind: "FileStorage",
        sku: { name: "PremiumV2_LRS" },
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
      "has the provisioned performance",
      () => files({ iops: 5000, throughputMibps: 250, capacityGib: 32 }),
      "FileShare data",
      {
        resourceGroupName: "physics",
        accountName: "data1234",
        shareName: "data",
        enabledProtocols: "NFS",
        shareQuota: 32,
        provisionedIops: 5000,
        provisionedBandwidthMibps: 250,
      },
    ],
    [
      "is in the Dynamic tier of Managed Lustre of Google, which has no throughput per TiB",
      () => gkeLustre({ throughputPerTib: 25, capacityGib: 472_000 }),
      "Instance data",
      {
        location: "us-central1-a",
        network: "projects/physics/global/networks/default",
        capacityGib: "472000",
        dynamicTierOptions: { mode: "DEFAULT_CACHE" },
      },
    ],
  ];
  for (const [name, make, id, inputs] of inputsOfEach)
    it(`${name}: ${id}`, async () => {
      // The names of Managed Lustre have a hash.
      const { instanceId, filesystem, ...found } = (await register(make)).find(id).inputs as Record<string, unknown>;
      assert.equal(instanceId === undefined, filesystem === undefined);
      assert.deepEqual(found, inputs);
    });
});
