import * as assert from "node:assert/strict";
import { LaunchTemplate } from "@pulumi/aws/ec2/launchTemplate";
import { getInstanceTypeOutput } from "@pulumi/aws/ec2/getInstanceType";
import { NodeGroup } from "@pulumi/aws/eks/nodeGroup";
import { AgentPool } from "@pulumi/azure-native/containerservice/agentPool";
import { NodePool } from "@pulumi/gcp/container/nodePool";
import { changes, diffOf } from "../../../support/clusters";
import { createStack, OperationError, type TestStack } from "../../../support/engine";
import { cloudPlugins } from "./index";

/** What a test changes in the program. */
interface Settings {
  size: number;
  image: string;
  /** Go into the node group and its scaling as they are. */
  invented?: object;
  inventedSize?: object;
  diskType?: string;
}

const aProgram =
  ({ size, image, invented, inventedSize, diskType = "Ephemeral" }: Settings) =>
  () => {
    const instanceType = getInstanceTypeOutput({ instanceType: "hpc7g.16xlarge" });
    const template = new LaunchTemplate("template", {
      imageId: image,
      cpuOptions: { coreCount: instanceType.defaultCores },
    });
    const group = new NodeGroup("group", {
      clusterName: "hpc",
      nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
      scalingConfig: { desiredSize: size, maxSize: 16, minSize: 0, ...inventedSize },
      subnetIds: ["subnet-a1"],
      ...invented,
      launchTemplate: { id: template.id, version: template.latestVersion.apply(String) },
    });
    const pool = new NodePool("pool", { cluster: "hpc", location: "us-central1-a", nodeCount: size });
    const azure = new AgentPool("azure", {
      ...{ resourceGroupName: "group", resourceName: "hpc", agentPoolName: "pool", count: size, osDiskType: diskType },
    });
    return Promise.resolve({
      ...{ version: template.latestVersion, cores: template.cpuOptions.apply((options) => options?.coreCount) },
      ...{ group: group.nodeGroupName, status: group.status, pool: pool.name, azure: azure.name },
    });
  };

describe("stacks with cloud resources and no cloud", function () {
  this.timeout(120_000);
  let stack: TestStack;
  const before4 = { size: 4, image: "ami-1" };

  before(async () => {
    const config = { "aws:region": "eu-west-1", "gcp:project": "hpc-project" };
    stack = await createStack({ program: aProgram(before4), plugins: await cloudPlugins(), config });
    await stack.up();
  });
  after(() => stack.dispose());

  const preview = (settings: Settings) => {
    stack.program = aProgram(settings);
    return stack.preview();
  };

  it("are created, with names and outputs", async () => {
    const outputs = await stack.outputs();
    const { version, cores, group, status, pool, azure } = outputs;
    assert.deepEqual([version?.value, cores?.value, status?.value, azure?.value], [1, 64, "ACTIVE", "pool"]);
    assert.match(String(group?.value), /^group-[0-9a-f]{7}$/);
    assert.match(String(pool?.value), /^pool-[0-9a-f]{7}$/);
    const { resources = [] } = await stack.exportState();
    const states = resources as { type: string; outputs?: Record<string, unknown> }[];
    const outputsOf = (type: string) => states.find((resource) => resource.type === type)?.outputs;
    assert.equal(outputsOf("aws:eks/nodeGroup:NodeGroup")?.region, "eu-west-1");
    assert.equal(outputsOf("gcp:container/nodePool:NodePool")?.project, "hpc-project");
  });

  it("show of another size exactly that", async () => {
    const result = await preview({ ...before4, size: 8 });
    assert.deepEqual(changes(result), ["update AgentPool", "update NodeGroup", "update NodePool"]);
    assert.deepEqual(diffOf(result, "NodeGroup"), ["scalingConfig.desiredSize: 4 => 8"]);
    assert.deepEqual(diffOf(result, "NodePool"), ["nodeCount: 4 => 8"]);
    assert.deepEqual(diffOf(result, "AgentPool"), ["count: 4 => 8"]);
  });

  it("show that another launch template brings another version, which is not known before", async () => {
    const result = await preview({ ...before4, image: "ami-2" });
    assert.deepEqual(changes(result), ["update LaunchTemplate", "update NodeGroup"]);
    assert.deepEqual(diffOf(result, "LaunchTemplate"), ["imageId: ami-1 => ami-2"]);
    assert.match(diffOf(result, "NodeGroup").join(), /^launchTemplate\.version: 1 => /);
  });

  it("do not preview with a property that nobody declared", async () => {
    const failed = await rejection(preview({ ...before4, inventedSize: { desired: 4 } }));
    assert.match(failed.message, /scalingConfig\.desired.*NodeGroupScalingConfig has no such property/);
    assert.match(failed.message, /the SDK declares desiredSize, maxSize, minSize/);
  });

  it("do not preview with one that the SDK would have dropped", async () => {
    const failed = await rejection(preview({ ...before4, invented: { nodeCount: 4 } }));
    assert.match(failed.message, /NodeGroup 'group' has no property nodeCount; the SDK declares amiType, /);
  });

  it("fail at what Azure does not change", async () => {
    stack.program = aProgram({ ...before4, diskType: "Managed" });
    const failed = await rejection(stack.up());
    assert.match(failed.message, /PropertyChangeNotAllowed.*properties\.osDiskType/);
  });

  it("are the same after a refresh, and come up changed", async () => {
    stack.program = aProgram({ ...before4, image: "ami-2" });
    assert.deepEqual(changes(await stack.refresh()), []);
    assert.deepEqual(changes(await stack.up()), ["update LaunchTemplate", "update NodeGroup"]);
    assert.equal((await stack.outputs()).version?.value, 2);
  });

  it("are destroyed", async () => {
    await stack.destroy();
    assert.deepEqual((await stack.exportState()).resources ?? [], []);
  });
});

async function rejection(operation: Promise<unknown>): Promise<OperationError> {
  const error: unknown = await operation.then(
    () => assert.fail("it was accepted"),
    (e: unknown) => e,
  );
  assert.ok(error instanceof OperationError, String(error));
  return error;
}
