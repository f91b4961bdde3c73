import * as assert from "node:assert/strict";
import { MiniCluster } from "../../provider";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf } from "../support/mocks";
import { valueAt } from "../support/propertyPaths";
import {
  aksLustre,
  answers,
  efs,
  existing,
  files,
  filestore,
  fsx,
  gkeLustre,
  register,
  state,
  type Storage,
} from "../support/sharedStorage";

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
  const volumes = [
    {
      name: "FSx",
      make: () => fsx(),
      want: [
        {
          driver: "fsx.csi.aws.com",
          volumeHandle: "data-id",
          volumeAttributes: { dnsname: "fs.fsx.us-east-1.amazonaws.com", mountname: "abc" },
        },
        "2400Gi",
      ],
    },
    {
      name: "existing FSx",
      make: existing.fsx,
      want: [
        {
          driver: "fsx.csi.aws.com",
          volumeHandle: "fs-1",
          volumeAttributes: { dnsname: "fs-1.fsx.us-east-1.amazonaws.com", mountname: "abc" },
        },
        "1Gi",
      ],
    },
    { name: "EFS", make: () => efs(), want: [{ driver: "efs.csi.aws.com", volumeHandle: "data-id" }, "1Gi"] },
    { name: "existing EFS", make: existing.efs, want: [{ driver: "efs.csi.aws.com", volumeHandle: "fs-1" }, "1Gi"] },
    {
      name: "Filestore",
      make: () => filestore(),
      want: [
        {
          driver: "filestore.csi.storage.gke.io",
          volumeHandle: "modeInstance/us-central1-a/data-1/data",
          volumeAttributes: { ip: "10.0.0.2", volume: "data" },
        },
        "1024Gi",
      ],
    },
    {
      name: "regional Filestore",
      make: () => filestore({ tier: "regional" }),
      want: [
        {
          driver: "filestore.csi.storage.gke.io",
          volumeHandle: "modeInstance/us-central1/data-1/data",
          volumeAttributes: { ip: "10.0.0.2", volume: "data" },
        },
        "1024Gi",
      ],
    },
    {
      name: "existing Filestore",
      make: existing.filestore,
      want: [
        {
          driver: "filestore.csi.storage.gke.io",
          volumeHandle: "modeInstance/us-central1-a/old/vol1",
          volumeAttributes: { ip: "10.0.0.2", volume: "vol1" },
        },
        "1Gi",
      ],
    },
    {
      name: "existing Managed Lustre of Google",
      make: existing.gkeLustre,
      want: [
        {
          driver: "lustre.csi.storage.gke.io",
          volumeHandle: "physics/us-central1-a/old",
          volumeAttributes: { ip: "10.0.0.3", filesystem: "fs" },
        },
        "1Gi",
      ],
    },
    {
      name: "Managed Lustre of Azure",
      make: () => aksLustre(),
      want: [
        {
          driver: "azurelustre.csi.azure.com",
          volumeHandle: "data_10.0.0.4",
          volumeAttributes: { "mgs-ip-address": "10.0.0.4" },
        },
        "4096Gi",
      ],
    },
    {
      name: "Azure Files",
      make: () => files(),
      want: [
        {
          driver: "file.csi.azure.com",
          volumeHandle: "data1234_data",
          volumeAttributes: {
            resourceGroup: "physics",
            storageAccount: "data1234",
            shareName: "data",
            protocol: "nfs",
          },
        },
        "100Gi",
      ],
    },
    {
      name: "existing Azure Files",
      make: existing.files,
      want: [
        {
          driver: "file.csi.azure.com",
          volumeHandle: "physics1_old",
          volumeAttributes: { resourceGroup: "physics", storageAccount: "physics1", shareName: "old", protocol: "nfs" },
        },
        "1Gi",
      ],
    },
  ];
  for (const { name, make, want } of volumes)
    it(`is mounted as its driver documents it: ${name}`, async () => {
      const { inputs } = (await register(make)).find("PersistentVolume data");
      assert.deepEqual([valueAt(inputs, "spec.csi"), valueAt(inputs, "spec.capacity.storage")], want);
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
