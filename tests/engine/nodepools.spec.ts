import assert from "node:assert/strict";
import { EksNodePool, type EksNodePoolArgs, MiniCluster, type MiniClusterArgs } from "../../provider";
import { changes, diffOf, failure, messages, uids } from "../support/clusters";
import { cloudOfSuite, withCloudStack } from "../support/clouds";

const poolArgs: EksNodePoolArgs = {
  clusterName: "research",
  nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
  subnetIds: ["subnet-a1", "subnet-b1"],
  zones: ["us-east-1a"],
  machineTypes: ["p5.48xlarge"],
  fabric: "efa",
  taints: [{ key: "dedicated", value: "hpc", effect: "NoSchedule" }],
};

/** A pool and, on request, a cluster on it. */
const program = (pool: Partial<EksNodePoolArgs>, cluster?: Partial<MiniClusterArgs>) => (namespace: string) => () => {
  const { scheduling, capacity } = new EksNodePool("p5", { ...poolArgs, ...pool });
  if (cluster)
    new MiniCluster("demo", {
      namespace,
      waitTimeoutSeconds: 30,
      pool: scheduling,
      containers: [{ image: "ubuntu:noble", command: "sleep 600" }],
      ...cluster,
    });
  return { scheduling, capacity };
};

describe("A pool of nodes under the engine", () => {
  const cloud = cloudOfSuite();

  it("changes all limits together where the size is fixed, keeps the pods, and warns before nodes are lost", () =>
    withCloudStack(cloud, program({ size: 4 }, { size: 2, maxSize: 8 }), async (it) => {
      const pods = async () => uids(await cloud.kube.podsOfJob(it.namespace, "demo"));
      await it.addNodes(await it.stack.preview(), 4);
      await it.stack.up();
      const before = await pods();
      it.stack.program = program({ size: 6 }, { size: 4, maxSize: 8 })(it.namespace);
      const growing = await it.stack.preview();
      assert.deepEqual(changes(growing), ["update ConfigMapPatch", "update JobPatch", "update NodeGroup"]);
      assert.deepEqual(diffOf(growing, "NodeGroup"), [
        "scalingConfig.desiredSize: 4 => 6",
        "scalingConfig.maxSize: 4 => 6",
        "scalingConfig.minSize: 4 => 6",
      ]);
      assert.match(messages(growing, "info").join("\n"), /^pool p5: nodes 4 => 6, GPUs 32 => 48, EFA .* 128 => 192, /m);
      assert.doesNotMatch(messages(growing).join(), /loses/);
      await it.stack.up();
      const after = await pods();
      assert.deepEqual([after.length, after.slice(0, 2)], [4, before]);

      it.stack.program = program({ size: 4 }, { size: 4, maxSize: 8 })(it.namespace);
      const shrinking = await it.stack.preview();
      assert.match(messages(shrinking).join(), /pool p5 loses 2 of 6 nodes; the cloud chooses which/);
      assert.deepEqual((await it.stack.up()).summary, { same: shrinking.summary.same, update: 1 });
    }));

  it("warns of a zone in which EC2 does not offer its machines, and names those in which it does", () =>
    withCloudStack(cloud, program({ zones: ["us-east-1b"], size: 1 }), async ({ stack }) => {
      const missing =
        /^pool p5: EC2 does not offer p5\.48xlarge in us-east-1b \(it does in us-east-1a\), .* correct zones/m;
      assert.match(messages(await stack.preview()).join("\n"), missing);
      stack.program = program({ size: 1 })("");
      assert.doesNotMatch(messages(await stack.preview()).join("\n"), /does not offer/);
    }));

  it("stops a preview of limits that leave out the number of nodes on record, and goes on once it is set", () =>
    withCloudStack(cloud, program({ maxSize: 8 }), async (it) => {
      const stopped = async (pool: Partial<EksNodePoolArgs>, reason: RegExp) => {
        it.stack.program = program(pool)(it.namespace);
        const { message, result } = await failure(it.stack.preview());
        assert.match(messages(result, "error").join("\n"), reason);
        assert.doesNotMatch(message, /at .*\.ts/);
      };
      await it.stack.up();
      it.stack.program = program({ size: 3, maxSize: 16 })(it.namespace);
      assert.deepEqual(diffOf(await it.stack.preview(), "NodeGroup"), ["scalingConfig.maxSize: 8 => 16"]);
      await stopped(
        { minSize: 2, maxSize: 8 },
        /minSize 2 is above the 0 nodes.*--cluster-name research --nodegroup-name p5-\w+ .*minSize=2,maxSize=8,/,
      );
      it.stack.program = program({ size: 8 })(it.namespace);
      await it.stack.up();
      await stopped({ maxSize: 4 }, /maxSize 4 is below the 8 nodes.*minSize=0,maxSize=4,desiredSize=4,/);
      it.stack.program = program({ size: 4 })(it.namespace);
      await it.stack.up();
      it.stack.program = program({ maxSize: 4 })(it.namespace);
      await it.stack.up();
    }));
});
