import assert from "node:assert/strict";
import { changes, diffOf } from "../support/clusters";
import { type Cloud, startCloud, withCloudStack } from "../support/clouds";
import {
  channel,
  installComputeDomains,
  installDeviceClasses,
  makeChannelTemplate,
  publishDevices,
  rdmaOn,
} from "../support/devices";
import { installKarpenter } from "../support/karpenter";
import { matchPreview } from "../support/previews";
import { installDriver } from "../support/storage";
import { exampleProgram } from "../support/programs";

const eks = {
  clusterName: "research",
  nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
  subnetIds: JSON.stringify(["subnet-a1", "subnet-b1"]),
  "aws:region": "us-east-1",
};
const karpenter = {
  nodeRoleName: "nodes",
  subnetIds: JSON.stringify(["subnet-0a1"]),
  securityGroupIds: JSON.stringify(["sg-0c1"]),
  zone: "us-east-1a",
};
const gke = { clusterName: "research", location: "us-central1", zone: "us-central1-a", "gcp:project": "physics" };
const aks = { clusterName: "research", resourceGroupName: "physics" };

/** Each example: the configuration that its user provides, and the cluster on its pool. */
const examples: [name: string, cluster: string, config: Record<string, string>][] = [
  ["eks-gpu", "gpus", eks],
  ["eks-efa", "fabric", { ...eks, zone: "us-east-1a" }],
  [
    "eks-p5",
    "training",
    { ...eks, zone: "us-east-1a", capacityType: "capacityBlock", reservationId: "cr-0123456789abcdef0" },
  ],
  ["eks-storage", "writers", { ...eks, zone: "us-east-1b" }],
  ["eks-karpenter", "training", karpenter],
  ["eks-gb200", "training", { ...eks, zone: "us-east-1b", reservationId: "cr-0123456789abcdef0" }],
  ["gke-arm", "cores", gke],
  ["gke-gpu", "gpus", gke],
  ["gke-dranet", "training", { ...gke, reservationName: "h200" }],
  ["aks-infiniband", "osu", aks],
];

/** What the DRA drivers of a cluster publish on each node of an example. */
const devices: Record<string, Parameters<typeof publishDevices>[2]> = {
  "eks-gb200": [channel],
  "gke-dranet": [rdmaOn(8)],
};

describe("The example", () => {
  let cloud: Cloud;
  before(async function () {
    // Karpenter's definitions are built on first use.
    this.timeout(600_000);
    cloud = await startCloud();
    await installKarpenter(cloud.kube);
    await installDeviceClasses(cloud.kube);
    await installComputeDomains(cloud.kube);
    await installDriver(cloud.kube, "fsx.csi.aws.com");
  });
  after(() => cloud.cluster.stop());

  for (const [name, cluster, config] of examples)
    it(`${name} previews as reviewed, comes up on its pool, grows in place and leaves nothing`, () =>
      withCloudStack(
        cloud,
        () => exampleProgram(name),
        async ({ stack, namespace, addNodes }) => {
          const preview = await stack.preview();
          matchPreview(name, preview);

          const nodes = await addNodes(preview, 5);
          for (const node of nodes) await publishDevices(cloud.kube, node, devices[name] ?? []);
          if (name === "eks-gb200") await makeChannelTemplate(cloud.kube, namespace, cluster);
          await stack.up();
          const pods = await cloud.kube.podsOfJob(namespace, cluster);
          assert.equal(pods.length, Number((await stack.outputs())["size"]?.value));
          for (const { pod, ready } of pods) {
            assert.ok(ready);
            assert.ok(nodes.includes((pod as { spec?: { nodeName: string } }).spec?.nodeName ?? ""));
          }

          const size = pods.length === 2 ? 3 : 5;
          await stack.setConfig("size", String(size));
          const resize = await stack.preview();
          assert.deepEqual(changes(resize), ["update ConfigMapPatch", "update JobPatch"]);
          assert.deepEqual(diffOf(resize, "JobPatch"), [
            `spec.completions: ${pods.length} => ${size}`,
            `spec.parallelism: ${pods.length} => ${size}`,
          ]);
        },
        { config, namespace: name },
      ));

  it("eks-autoscale previews as reviewed, rests as its lead broker alone, and leaves nothing", () =>
    withCloudStack(
      cloud,
      () => exampleProgram("eks-autoscale"),
      async ({ stack, namespace }) => {
        matchPreview("eks-autoscale", await stack.preview());
        const [node = ""] = await cloud.cluster.addNodes(1);
        await stack.up();
        const pods = await Promise.all(
          ["elastic", "elastic-cpu", "elastic-gpu"].map((job) => cloud.kube.podsOfJob(namespace, job)),
        );
        assert.deepEqual(
          pods.map((of) => of.length),
          [1, 0, 0],
        );
        assert.deepEqual(changes(await stack.preview()), []);
        await cloud.kube.delete({ apiVersion: "v1", kind: "Node", name: node });
      },
      { config: eks, namespace: "eks-autoscale" },
    ));
});
