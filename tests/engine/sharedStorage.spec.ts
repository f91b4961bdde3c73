import assert from "node:assert/strict";
import { AksSharedStorage, EksSharedStorage, GkeSharedStorage } from "../../provider";
import { cloudOfSuite, withCloudStack } from "../support/clouds";
import { failure, messages } from "../support/clusters";
import { installDriver } from "../support/storage";
import { aFilestore, aGkeLustre, anAksLustre, anEfs, anFsx, aShare } from "../unit/clouds/storage/fixtures";

const config = { "aws:region": "us-east-1", "gcp:project": "physics" };
const subnetIds = ["subnet-a1", "subnet-b1"];

type SharedStorage = EksSharedStorage | GkeSharedStorage | AksSharedStorage;

/** Storage of each kind by its cloud, and the drivers that mount it. */
const clouds: [name: string, storages: (namespace: string) => SharedStorage[], drivers: string[]][] = [
  [
    "AWS",
    (namespace) => [
      new EksSharedStorage("fsx", { ...anFsx, subnetIds, namespace }),
      new EksSharedStorage("efs", { ...anEfs, subnetIds, namespace }),
    ],
    ["fsx.csi.aws.com", "efs.csi.aws.com"],
  ],
  [
    "Google Cloud",
    (namespace) => [
      new GkeSharedStorage("lustre", { ...aGkeLustre, namespace }),
      new GkeSharedStorage("filestore", { ...aFilestore, namespace }),
    ],
    ["lustre.csi.storage.gke.io", "filestore.csi.storage.gke.io"],
  ],
  [
    "Azure",
    (namespace) => [
      new AksSharedStorage("amlfs", { ...anAksLustre, namespace }),
      new AksSharedStorage("azure-files", { ...aShare, namespace }),
    ],
    ["azurelustre.csi.azure.com", "file.csi.azure.com"],
  ],
];

describe("Shared storage under the engine", () => {
  const cloud = cloudOfSuite();

  const missing =
    "the Kubernetes cluster has no CSI driver fsx.csi.aws.com: install the EKS add-on aws-fsx-csi-driver first, or " +
    "set installDriver: true";

  it("is refused on a cluster without its driver, and a preview warns of that", () =>
    withCloudStack(
      cloud,
      (namespace) => () => ({ claim: new EksSharedStorage("data", { ...anFsx, subnetIds, namespace }).claimName }),
      async ({ stack }) => {
        const preview = await stack.preview();
        assert.deepEqual(messages(preview), [missing]);
        assert.deepEqual(messages(preview, "info"), [
          "storage data: FSx for Lustre (persistent2) in us-east-1a, 2400 GiB, 293 MB/s (125 per TiB); pulumi " +
            "destroy keeps it and its data in the cloud (retainOnDelete)",
        ]);
        assert.ok((await failure(stack.up())).message.includes(missing));
      },
      { config, reads: true },
    ));

  for (const [name, storages, drivers] of clouds)
    it(`of ${name} takes what its SDK declares, and has its claims bound`, async () => {
      await Promise.all(drivers.map((driver) => installDriver(cloud.kube, driver)));
      await withCloudStack(
        cloud,
        (namespace) => () => Object.fromEntries(storages(namespace).map(({ claimName }, index) => [index, claimName])),
        async ({ stack, namespace }) => {
          await stack.up();
          const claims = await cloud.kube.list({ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace });
          for (const { status } of claims) assert.equal((status as { phase: string }).phase, "Bound");
          const names = Object.values(await stack.outputs()).map(({ value }) => value as string);
          assert.deepEqual(names.sort(), claims.map(({ metadata }) => metadata.name).sort());
        },
        { config },
      );
    });
});
