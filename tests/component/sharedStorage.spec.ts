import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniCluster } from "../../provider";
import { casesOf, valueIn } from "../support/cases";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type Registration, uncaughtIn, valueOf } from "../support/mocks";
import { valueAt } from "../support/propertyPaths";
import {
  answers,
  aksLustre,
  efs,
  files,
  filestore,
  fsx,
  gkeLustre,
  ids,
  register,
  state,
  type Storage,
  storageIn,
} from "../support/sharedStorage";
import { poolIn } from "../unit/clouds/storage/fixtures";

describe("what shared storage registers", function () {
  this.timeout(30_000);

  const table = `
!fsx {}
  LustreFileSystem data
!fsx {installDriver: true}
  Addon data-driver, LustreFileSystem data
!efs {}
  FileSystem data, MountTarget data-0, MountTarget data-1
!gkeLustre {}
  Instance data
!filestore {}
  Instance data
!aksLustre {}
  AmlFilesystem data
!files {}
  FileShare data, StorageAccount data
!existing fsx
!existing efs
!existing gkeLustre
!existing filestore
!existing aksLustre
!existing files
`;
  for (const { title, given, want } of casesOf(table))
    it(`is this for ${title}, in a preview too`, async () => {
      const objects = ["PersistentVolume data", "PersistentVolumeClaim data"];
      for (const preview of [false, true]) {
        const { seen } = await register(storageIn(given), { preview });
        const [component] = ids(seen).filter((id) => id.includes("SharedStorage"));
        const others = want.flatMap((line) => line.split(", "));
        assert.deepEqual(ids(seen), [component, ...objects, ...others].sort());
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

describe("a file system", function () {
  this.timeout(30_000);

  const table = `
# is in the subnet of its zone, and open to the nodes of the cluster
!fsx {throughputPerTib: 250, tags: {team: physics}}
  LustreFileSystem data
  {subnetIds: subnet-a, securityGroupIds: [sg-of-flux], deploymentType: PERSISTENT_2, storageCapacity: 2400, perUnitStorageThroughput: 250,
  fileSystemTypeVersion: "2.15", tags: {Name: data, team: physics}}
# takes the zone of a pool that keeps to one, and the security groups that it is given
!fsx {zone: !unset , pool: !pool {zones: [us-east-1b]}, clusterName: !unset , securityGroupIds: [sg-mine]}
  LustreFileSystem data
  {subnetIds: subnet-b, securityGroupIds: [sg-mine], deploymentType: PERSISTENT_2, storageCapacity: 2400, perUnitStorageThroughput: 125,
  fileSystemTypeVersion: "2.15", tags: {Name: data}}
# has throughput by use, or that which it is given
!efs {}
  FileSystem data
  {encrypted: true, tags: {Name: data}, throughputMode: elastic}
!efs {throughputMibps: 512}
  FileSystem data
  {encrypted: true, tags: {Name: data}, throughputMode: provisioned, provisionedThroughputInMibps: 512}
!efs {}
  MountTarget data-1
  {fileSystemId: data-id, subnetId: subnet-b, securityGroups: [sg-of-flux]}
# is made of its arguments
!filestore {tags: {team: physics}}
  Instance data
  {location: us-central1-a, tier: ZONAL, fileShares: {name: data, capacityGb: 1024}, labels: {team: physics},
  networks: [{network: projects/physics/global/networks/default, modes: [MODE_IPV4]}]}
!aksLustre {pool: !pool {zones: ["2"]}, tags: {team: physics}}
  AmlFilesystem data
  {resourceGroupName: physics, filesystemSubnet: /subnets/storage, zones: ["2"], sku: {name: AMLFS-Durable-Premium-500},
  storageCapacityTiB: 4, tags: {team: physics}, maintenanceWindow: {dayOfWeek: Sunday, timeOfDayUTC: "03:00"}}
# is in an account that lets the subnet in; the bypass is the SDK's own default
!files {}
  StorageAccount data
  {resourceGroupName: physics, kind: FileStorage, sku: {name: Premium_LRS}, enableHttpsTrafficOnly: false, allowSharedKeyAccess: false,
  networkRuleSet: {bypass: AzureServices, defaultAction: Deny, virtualNetworkRules: [{virtualNetworkResourceId: /subnets/nodes}]}}
!files {}
  FileShare data
  {resourceGroupName: physics, accountName: data1234, shareName: data, enabledProtocols: NFS, shareQuota: 100}
`;
  for (const { title, given, want } of casesOf(table)) {
    const [id = "", ...inputs] = want;
    it(`${title}: ${id}`, async () => {
      const { find } = await register(storageIn(given));
      assert.deepEqual(find(id).inputs, valueIn(inputs.join(" ")));
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

describe("the volume of shared storage", function () {
  this.timeout(30_000);

  /** What the driver is told, by each driver's own documents. */
  const table = `
!fsx {}
  {driver: fsx.csi.aws.com, volumeHandle: data-id, volumeAttributes: {dnsname: fs.fsx.us-east-1.amazonaws.com, mountname: abc}}
  2400Gi
!existing fsx
  {driver: fsx.csi.aws.com, volumeHandle: fs-1, volumeAttributes: {dnsname: fs-1.fsx.us-east-1.amazonaws.com, mountname: abc}}
  1Gi
!efs {}
  {driver: efs.csi.aws.com, volumeHandle: data-id}
  1Gi
!existing efs
  {driver: efs.csi.aws.com, volumeHandle: fs-1}
  1Gi
!filestore {}
  {driver: filestore.csi.storage.gke.io, volumeHandle: modeInstance/us-central1-a/data-1/data, volumeAttributes: {ip: 10.0.0.2, volume: data}}
  1024Gi
!filestore {tier: regional}
  {driver: filestore.csi.storage.gke.io, volumeHandle: modeInstance/us-central1/data-1/data, volumeAttributes: {ip: 10.0.0.2, volume: data}}
  1024Gi
!existing filestore
  {driver: filestore.csi.storage.gke.io, volumeHandle: modeInstance/us-central1-a/old/vol1, volumeAttributes: {ip: 10.0.0.2, volume: vol1}}
  1Gi
!existing gkeLustre
  {driver: lustre.csi.storage.gke.io, volumeHandle: physics/us-central1-a/old, volumeAttributes: {ip: 10.0.0.3, filesystem: fs}}
  1Gi
!aksLustre {}
  {driver: azurelustre.csi.azure.com, volumeHandle: data_10.0.0.4, volumeAttributes: {mgs-ip-address: 10.0.0.4}}
  4096Gi
!files {}
  {driver: file.csi.azure.com, volumeHandle: data1234_data, volumeAttributes: {resourceGroup: physics, storageAccount: data1234, shareName: data, protocol: nfs}}
  100Gi
!existing files
  {driver: file.csi.azure.com, volumeHandle: physics1_old, volumeAttributes: {resourceGroup: physics, storageAccount: physics1, shareName: old, protocol: nfs}}
  1Gi
`;
  for (const { title, given, want } of casesOf(table))
    it(`is mounted as its driver documents it: ${title}`, async () => {
      const { inputs } = (await register(storageIn(given))).find("PersistentVolume data");
      assert.deepEqual([valueAt(inputs, "spec.csi"), valueAt(inputs, "spec.capacity.storage")], want.map((text) => valueIn(text))); // prettier-ignore
    });

  it("names Managed Lustre of Google by its instance, and never two file systems alike on a node", async () => {
    const inputsOf = async (make: () => Storage) => {
      const { find } = await register(make);
      const { instanceId, filesystem } = find("Instance data").inputs as { instanceId: string; filesystem: string };
      assert.match(instanceId, /^data-[0-9a-f]{7}$/);
      assert.match(filesystem, /^fs[0-9a-f]{6}$/);
      const { csi } = (find("PersistentVolume data").inputs as { spec: { csi: object } }).spec;
      assert.deepEqual(csi, {
        ...{ driver: "lustre.csi.storage.gke.io", volumeHandle: `physics/us-central1-a/${instanceId}` },
        volumeAttributes: { ip: "10.0.0.3", filesystem },
      });
      return filesystem;
    };
    const names = [
      await inputsOf(gkeLustre),
      await inputsOf(() => gkeLustre({ capacityGib: 36_000, throughputPerTib: 250 })),
    ];
    assert.notEqual(names[0], names[1]);
  });

  it("is claimed by one claim in the namespace of the clusters", async () => {
    const { find, outputs } = await register(() => fsx({ namespace: "physics" }));
    assert.deepEqual(find("PersistentVolumeClaim data").inputs, {
      ...{ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { namespace: "physics" } },
      spec: {
        accessModes: ["ReadWriteMany"],
        storageClassName: "minicluster-shared",
        volumeName: "PersistentVolume-of-data",
        resources: { requests: { storage: "1Gi" } },
      },
    });
    assert.deepEqual(outputs, ["PersistentVolumeClaim-of-data", "PersistentVolume-of-data", "data-id"]);
  });

  it("comes after all by which pods reach it", async () => {
    assert.deepEqual((await register(efs)).find("PersistentVolume data").dependsOn.sort(), [
      ...["FileSystem data", "MountTarget data-0", "MountTarget data-1"],
    ]);
    const { find } = await register(() => fsx({ installDriver: true }));
    assert.ok(find("PersistentVolume data").dependsOn.includes("Addon data-driver"));
    assert.deepEqual(find("Addon data-driver").inputs, { addonName: "aws-fsx-csi-driver", clusterName: "flux" });
  });
});
