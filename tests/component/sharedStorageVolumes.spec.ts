import * as assert from "node:assert/strict";
import { MiniCluster } from "../../provider";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, valueOf } from "../support/mocks";
import { valueAt } from "../support/propertyPaths";
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
  register,
  s3,
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

  /** What the driver reads, by each driver's own documents. */
  const volume = (driver: string, volumeHandle: string, capacity: string, volumeAttributes?: object) => [
    { driver, volumeHandle, ...(volumeAttributes && { volumeAttributes }) },
    capacity,
  ];
  const [fsxDriver, efsDriver] = ["fsx.csi.aws.com", "efs.csi.aws.com"];
  const [filestoreDriver, shareDriver] = ["filestore.csi.storage.gke.io", "file.csi.azure.com"];
  const dns = { dnsname: "fs.fsx.us-east-1.amazonaws.com", mountname: "abc" };
  const ip = "10.0.0.2";
  const share = { resourceGroup: "physics", protocol: "nfs" };
  const azure = "azurelustre.csi.azure.com";
  const volumes: Record<string, [make: () => Storage, want: unknown[]]> = {
    FSx: [fsx, volume(fsxDriver, "data-id", "2400Gi", dns)],
    "existing FSx": [
      existing.fsx,
      volume(fsxDriver, "fs-1", "1Gi", { ...dns, dnsname: "fs-1.fsx.us-east-1.amazonaws.com" }),
    ],
    EFS: [efs, volume(efsDriver, "data-id", "1Gi")],
    "existing EFS": [existing.efs, volume(efsDriver, "fs-1", "1Gi")],
    Filestore: [
      filestore,
      volume(filestoreDriver, "modeInstance/us-central1-a/data-1/data", "1024Gi", { ip, volume: "data" }),
    ],
    "regional Filestore": [
      () => filestore({ tier: "regional" }),
      volume(filestoreDriver, "modeInstance/us-central1/data-1/data", "1024Gi", { ip, volume: "data" }),
    ],
    "existing Filestore": [
      existing.filestore,
      volume(filestoreDriver, "modeInstance/us-central1-a/old/vol1", "1Gi", { ip, volume: "vol1" }),
    ],
    "existing Managed Lustre of Google": [
      existing.gkeLustre,
      volume("lustre.csi.storage.gke.io", "physics/us-central1-a/old", "1Gi", { ip: "10.0.0.3", filesystem: "fs" }),
    ],
    "Managed Lustre of Azure": [aksLustre, volume(azure, "data_10.0.0.4", "4096Gi", { "mgs-ip-address": "10.0.0.4" })],
    "Azure Files": [
      files,
      volume(shareDriver, "data1234_data", "100Gi", { ...share, storageAccount: "data1234", shareName: "data" }),
    ],
    "existing Azure Files": [
      existing.files,
      volume(shareDriver, "physics1_old", "1Gi", { ...share, storageAccount: "physics1", shareName: "old" }),
    ],
  };
  const [blobDriver, byNfs] = ["blob.csi.azure.com", { resourceGroup: "physics", protocol: "nfs" }];
  Object.assign(volumes, {
    "Mountpoint for S3": [s3, volume("s3.csi.aws.com", "data-genomes", "1Gi", { bucketName: "genomes" })],
    "Cloud Storage FUSE": [gcs, volume("gcsfuse.csi.storage.gke.io", "genomes", "1Gi")],
    "Azure Blob": [
      blob,
      volume(blobDriver, "data1234_data", "1Gi", { ...byNfs, storageAccount: "data1234", containerName: "data" }),
    ],
    "existing Azure Blob": [
      existing.blob,
      volume(blobDriver, "physics1_old", "1Gi", { ...byNfs, storageAccount: "physics1", containerName: "old" }),
    ],
  });
  for (const [name, [make, want]] of Object.entries(volumes))
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
        driver: "lustre.csi.storage.gke.io",
        volumeHandle: `physics/us-central1-a/${instanceId}`,
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
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { namespace: "physics" },
      spec: {
        accessModes: ["ReadWriteMany"],
        storageClassName: "minicluster-shared",
        volumeName: "PersistentVolume-of-data",
        resources: { requests: { storage: "1Gi" } },
      },
    });
    assert.deepEqual(outputs, ["PersistentVolumeClaim-of-data", "PersistentVolume-of-data", "data-id"]);
  });

  it("is created after everything by which pods reach it", async () => {
    assert.deepEqual((await register(efs)).find("PersistentVolume data").dependsOn.sort(), [
      "FileSystem data",
      "MountTarget data-0",
      "MountTarget data-1",
    ]);
    const { find } = await register(() => fsx({ installDriver: true }));
    assert.ok(find("PersistentVolume data").dependsOn.includes("Addon data-driver"));
    assert.deepEqual(find("Addon data-driver").inputs, { addonName: "aws-fsx-csi-driver", clusterName: "flux" });
  });
});
