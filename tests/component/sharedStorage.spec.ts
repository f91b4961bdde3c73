import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "../../provider";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type Registration, uncaughtIn, valueOf } from "../support/mocks";
import {
  answers,
  aksLustre,
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
import { poolIn } from "../unit/storage/fixtures";

describe("what shared storage registers", function () {
  this.timeout(30_000);

  const objects = ["PersistentVolume data", "PersistentVolumeClaim data"];
  const cases: [name: string, make: () => Storage, want: string[]][] = [
    ["FSx for Lustre", fsx, ["LustreFileSystem data"]],
    [
      "FSx for Lustre with its driver",
      () => fsx({ installDriver: true }),
      ["Addon data-driver", "LustreFileSystem data"],
    ],
    ["EFS", efs, ["FileSystem data", "MountTarget data-0", "MountTarget data-1"]],
    ["Managed Lustre of Google", gkeLustre, ["Instance data"]],
    ["Filestore", filestore, ["Instance data"]],
    ["Managed Lustre of Azure", aksLustre, ["AmlFilesystem data"]],
    ["Azure Files", files, ["FileShare data", "StorageAccount data"]],
    ...Object.entries(existing).map(([name, make]): [string, () => Storage, string[]] => [
      `${name} that exists`,
      make,
      [],
    ]),
  ];
  for (const [name, make, want] of cases)
    it(`is this for ${name}, in a preview too`, async () => {
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
      () => fsx({ pool: poolIn("us-east-1b") }),
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

describe("a file system of AWS", function () {
  this.timeout(30_000);

  it("is in the subnet of its zone, and open to the nodes of the cluster", async () => {
    const { find } = await register(() => fsx({ throughputPerTib: 250, tags: { team: "physics" } }));
    assert.deepEqual(find("LustreFileSystem data").inputs, {
      ...{ subnetIds: "subnet-a", securityGroupIds: ["sg-of-flux"] },
      ...{ deploymentType: "PERSISTENT_2", storageCapacity: 2400, perUnitStorageThroughput: 250 },
      ...{ fileSystemTypeVersion: "2.15", tags: { Name: "data", team: "physics" } },
    });
  });

  it("takes the zone of a pool that keeps to one, and the security groups that it is given", async () => {
    const { find } = await register(() =>
      fsx({ zone: undefined, pool: poolIn("us-east-1b"), clusterName: undefined, securityGroupIds: ["sg-mine"] }),
    );
    const { subnetIds, securityGroupIds } = find("LustreFileSystem data").inputs as Record<string, unknown>;
    assert.deepEqual([subnetIds, securityGroupIds], ["subnet-b", ["sg-mine"]]);
  });

  it("has throughput by use, or that which it is given", async () => {
    const inputs = async (args = {}) => (await register(() => efs(args))).find("FileSystem data").inputs;
    const own = { encrypted: true, tags: { Name: "data" } };
    assert.deepEqual(await inputs(), { ...own, throughputMode: "elastic" });
    assert.deepEqual(await inputs({ throughputMibps: 512 }), {
      ...{ ...own, throughputMode: "provisioned", provisionedThroughputInMibps: 512 },
    });
    const { find } = await register(efs);
    assert.deepEqual(find("MountTarget data-1").inputs, {
      ...{ fileSystemId: "data-id", subnetId: "subnet-b", securityGroups: ["sg-of-flux"] },
    });
  });

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
      () => efs({ pool: poolIn("us-east-1c") }),
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

describe("a file system of Google Cloud or Azure", function () {
  this.timeout(30_000);

  const cases: [name: string, make: () => Storage, id: string, inputs: object][] = [
    [
      "Filestore",
      () => filestore({ tags: { team: "physics" } }),
      "Instance data",
      {
        ...{ location: "us-central1-a", tier: "ZONAL", fileShares: { name: "data", capacityGb: 1024 } },
        networks: [{ network: "projects/physics/global/networks/default", modes: ["MODE_IPV4"] }],
        labels: { team: "physics" },
      },
    ],
    [
      "Managed Lustre of Azure",
      () => aksLustre({ pool: poolIn("2"), tags: { team: "physics" } }),
      "AmlFilesystem data",
      {
        ...{ resourceGroupName: "physics", filesystemSubnet: "/subnets/storage", zones: ["2"] },
        ...{ sku: { name: "AMLFS-Durable-Premium-500" }, storageCapacityTiB: 4, tags: { team: "physics" } },
        maintenanceWindow: { dayOfWeek: "Sunday", timeOfDayUTC: "03:00" },
      },
    ],
    [
      "the account of a share",
      files,
      "StorageAccount data",
      {
        ...{ resourceGroupName: "physics", kind: "FileStorage", sku: { name: "Premium_LRS" } },
        ...{ enableHttpsTrafficOnly: false, allowSharedKeyAccess: false },
        networkRuleSet: {
          // The SDK's own default.
          bypass: "AzureServices",
          defaultAction: "Deny",
          virtualNetworkRules: [{ virtualNetworkResourceId: "/subnets/nodes" }],
        },
      },
    ],
    [
      "a share",
      files,
      "FileShare data",
      {
        ...{ resourceGroupName: "physics", accountName: "data1234", shareName: "data" },
        ...{ enabledProtocols: "NFS", shareQuota: 100 },
      },
    ],
  ];
  for (const [name, make, id, want] of cases)
    it(`is made of its arguments: ${name}`, async () => assert.deepEqual((await register(make)).find(id).inputs, want));
});

describe("a cluster with shared storage", function () {
  this.timeout(30_000);

  it("mounts it by one line, and its Job waits for the claim", async () => {
    const seen = await mockEngine({ answers, state });
    const storage = fsx();
    const cluster = new MiniCluster(
      "demo",
      aMiniClusterArgs({
        containers: [aContainer({ volumes: { data: { path: "/data", claimName: storage.claimName } } })],
      }),
    );
    await valueOf(cluster.jobName);
    const job = seen.find(({ type }) => type === "Job") ?? assert.fail("no Job");
    const { volumes } = (job.inputs as { spec: { template: { spec: { volumes: object[] } } } }).spec.template.spec;
    assert.deepEqual(volumes.at(-1), {
      name: "data",
      persistentVolumeClaim: { claimName: "PersistentVolumeClaim-of-data", readOnly: false },
    });
    assert.ok(job.dependsOn.includes("PersistentVolumeClaim data"));
  });
});
