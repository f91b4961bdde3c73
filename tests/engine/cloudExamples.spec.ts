import assert from "node:assert/strict";
import { changes, diffOf } from "../support/clusters";
import { type Cloud, previewOf, startCloud, withCloudStack } from "../support/clouds";
import { matchGolden } from "../support/golden";
import { exampleProgram } from "../support/programs";

const eks = {
  clusterName: "research",
  nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
  subnetIds: JSON.stringify(["subnet-a1", "subnet-b1"]),
  "aws:region": "us-east-1",
};
const gke = { clusterName: "research", location: "us-central1", zone: "us-central1-a", "gcp:project": "physics" };
const aks = { clusterName: "research", resourceGroupName: "physics" };

/** Each example: what only its user knows, and the cluster on its pool. */
const examples: [name: string, cluster: string, config: Record<string, string>][] = [
  ["eks-gpu", "gpus", eks],
  ["eks-efa", "fabric", { ...eks, zone: "us-east-1a" }],
  [
    "eks-p5",
    "training",
    { ...eks, zone: "us-east-1b", capacity: "capacityBlock", reservationId: "cr-0123456789abcdef0" },
  ],
  ["gke-arm", "cores", gke],
  ["gke-gpu", "gpus", gke],
  ["aks-infiniband", "osu", aks],
];

describe("The example", () => {
  let cloud: Cloud;
  before(async () => (cloud = await startCloud()));
  after(() => cloud.cluster.stop());

  for (const [name, cluster, config] of examples)
    it(`${name} previews as reviewed, comes up on its pool, grows in place and leaves nothing`, () =>
      withCloudStack(
        cloud,
        () => exampleProgram(name),
        async ({ stack, namespace, addNodes }) => {
          const preview = await stack.preview();
          matchGolden(`previews/${name}.yaml`, previewOf(preview));

          const nodes = await addNodes(preview, 5);
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
});
