import * as assert from "node:assert/strict";
import { type Obj, secret, unknown } from "../rpc/values";
import { backendOf, BackendDouble, changesIn, urnOf } from "./backendDouble";
import { type CloudName, clouds } from "./clouds";
import {
  agentPoolType,
  aNodeGroup,
  aNodePool,
  anAgentPool,
  launchTemplateType,
  nodeGroupType,
  nodePoolType,
} from "./fixtures";
import { cloudDeclarations } from ".";

const engineFor = async (type: string) => new BackendDouble(await backendOf(type.split(":")[0] as CloudName));

const changes: { name: string; type: string; before: Obj; after: Obj; expected: string[] }[] = [
  {
    name: "updates the size of a node group",
    type: nodeGroupType,
    before: aNodeGroup(),
    after: aNodeGroup({ scalingConfig: { desiredSize: 8, maxSize: 8, minSize: 0 } }),
    expected: ["scalingConfig.desiredSize: update"],
  },
  {
    name: "replaces a node group for its subnets and its instance types",
    type: nodeGroupType,
    before: aNodeGroup(),
    after: aNodeGroup({ subnetIds: ["subnet-b1", "subnet-c1"], instanceTypes: ["hpc7a.96xlarge"] }),
    expected: [
      "instanceTypes[0]: update and replace",
      "subnetIds[0]: update and replace",
      "subnetIds[1]: add and replace",
    ],
  },
  {
    name: "updates a node group for another version of its template",
    type: nodeGroupType,
    before: aNodeGroup({ launchTemplate: { id: "lt-1", version: "1" } }),
    after: aNodeGroup({ launchTemplate: { id: "lt-1", version: "2" } }),
    expected: ["launchTemplate.version: update"],
  },
  {
    name: "replaces a node group for a template, which brings its ID",
    type: nodeGroupType,
    before: aNodeGroup(),
    after: aNodeGroup({ launchTemplate: { id: "lt-1", version: "1" } }),
    expected: ["launchTemplate: add and replace"],
  },
  {
    name: "updates labels and tags",
    type: nodeGroupType,
    before: aNodeGroup({ tags: { a: "1" } }),
    after: aNodeGroup({ labels: { pool: "hpc", "example.com/x": "1" } }),
    expected: ['labels["example.com/x"]: add', "tags: delete"],
  },
  {
    name: "updates the machine type of a GKE pool, and replaces it for Spot",
    type: nodePoolType,
    before: aNodePool(),
    after: aNodePool({ nodeConfig: { machineType: "h4d-highmem-192-lssd", labels: { pool: "hpc" }, spot: true } }),
    expected: ["nodeConfig.machineType: update", "nodeConfig.spot: add and replace"],
  },
  {
    name: "replaces an AKS pool for its VM size only",
    type: agentPoolType,
    before: anAgentPool(),
    after: anAgentPool({ vmSize: "Standard_HB176rs_v4", osDiskType: "Managed", count: 8 }),
    expected: ["count: update", "osDiskType: update", "vmSize: update and replace"],
  },
  {
    name: "sees no change in the same inputs",
    type: nodePoolType,
    before: aNodePool(),
    after: aNodePool(),
    expected: [],
  },
  {
    name: "does not take a secret for a change",
    type: nodePoolType,
    before: aNodePool(),
    after: aNodePool({ cluster: secret("hpc") }),
    expected: [],
  },
  {
    name: "replaces for a value that is not known yet",
    type: nodeGroupType,
    before: aNodeGroup(),
    after: aNodeGroup({ nodeRoleArn: unknown }),
    expected: ["nodeRoleArn: update and replace"],
  },
];

describe("a cloud's stand-in", () => {
  for (const { name, type, before, after, expected } of changes)
    it(name, async () => {
      const engine = await engineFor(type);
      assert.deepEqual(changesIn(await engine.diff(await engine.create(type, before), after)), expected);
    });

  it("makes a name up, and keeps it", async () => {
    const engine = await engineFor(nodePoolType);
    const pool = await engine.create(nodePoolType, aNodePool());
    const name = pool.inputs.name as string;
    assert.match(name, /^demo-[0-9a-f]{7}$/);
    assert.equal(pool.id, `projects/test-project/locations/us-central1-a/clusters/hpc/nodePools/${name}`);
    assert.equal((await engine.diff(pool, aNodePool())).changed, false);
  });

  it("takes the name that the project proposes", async () => {
    const engine = await engineFor(nodePoolType);
    const { name } = await engine.check(urnOf(nodePoolType), aNodePool(), {}, "proposed");
    assert.equal(name, "proposed");
  });

  it("deletes first only what would have the same name", async () => {
    const engine = await engineFor(nodePoolType);
    for (const [inputs, expected] of [
      [{}, false],
      [{ name: "chosen" }, true],
    ] as const) {
      const pool = await engine.create(nodePoolType, aNodePool(inputs));
      const { deleteBeforeReplace } = await engine.diff(pool, aNodePool({ ...inputs, location: "us-central1-b" }));
      assert.equal(deleteBeforeReplace, expected);
    }
  });

  it("does not know in a preview what the cloud will say", async () => {
    const outputs = await (await engineFor(launchTemplateType)).previewCreate(launchTemplateType, { imageId: "ami-1" });
    assert.deepEqual([outputs.latestVersion, outputs.arn, outputs.imageId], [unknown, unknown, "ami-1"]);
  });

  it("gives a launch template another version with each change that machines can see", async () => {
    const engine = await engineFor(launchTemplateType);
    const first = await engine.create(launchTemplateType, { imageId: "ami-1" });
    assert.equal(first.state.latestVersion, 1);
    const changed = { imageId: "ami-2", updateDefaultVersion: true };
    const preview = await engine.update(first, changed, true);
    assert.deepEqual([preview.state.latestVersion, preview.state.defaultVersion], [unknown, unknown]);
    const second = await engine.update(first, changed);
    assert.deepEqual([second.state.latestVersion, second.state.defaultVersion], [2, 2]);
    const described = await engine.update(second, { ...changed, description: "new" });
    assert.equal(described.state.latestVersion, 2);
    assert.equal(second.state.id ?? first.id, first.id);
  });

  it("says of a resource only what the SDK declares, and all that it promises", async () => {
    for (const type of Object.values(clouds).flatMap(({ resources }) => Object.keys(resources))) {
      const name = type.split(":")[0] as CloudName;
      const outputs = (await cloudDeclarations(name)).resources[type]?.outputs ?? {};
      const inputs = allRequired[type] ?? assert.fail(`no inputs for ${type}`);
      const { state } = await (await engineFor(type)).create(type, inputs);
      const promised = Object.keys(outputs).filter((key) => outputs[key]?.required);
      assert.deepEqual(
        [...promised.filter((key) => !(key in state)), ...Object.keys(state).filter((k) => !(k in outputs))],
        [],
      );
    }
  });

  it("fails as AKS does at the change of what it cannot change, though not in a preview", async () => {
    const engine = await engineFor(agentPoolType);
    const pool = await engine.create(agentPoolType, anAgentPool());
    const changed = anAgentPool({ osDiskType: "Managed" });
    await engine.update(pool, changed, true);
    await assert.rejects(engine.update(pool, changed), /PropertyChangeNotAllowed.*properties\.osDiskType/);
  });

  it("fails as EKS does at a number of nodes outside of its limits, though not in a preview", async () => {
    const sized = (minSize: number, desiredSize: number, maxSize: number) =>
      aNodeGroup({ scalingConfig: { minSize, desiredSize, maxSize } });
    const engine = await engineFor(nodeGroupType);
    const cases: [group: Obj, reason: RegExp][] = [
      [sized(2, 1, 8), /Minimum capacity 2 can't be greater than desired size 1/],
      [sized(0, 8, 4), /desired capacity 8 can't be greater than max size 4/],
    ];
    const group = await engine.create(nodeGroupType, sized(1, 1, 1));
    for (const [inputs, reason] of cases) {
      await engine.previewCreate(nodeGroupType, inputs);
      await assert.rejects(engine.create(nodeGroupType, inputs), reason);
      await engine.update(group, inputs, true);
      await assert.rejects(engine.update(group, inputs), reason);
    }
    await engine.update(group, sized(2, 2, 2));
  });

  it("gives back on a refresh what it was given, and knows of nothing else", async () => {
    const { backend } = await engineFor(nodePoolType);
    const [urn, id] = [urnOf(nodePoolType), "x"];
    const known = { urn, id, properties: { cluster: "hpc" }, inputs: aNodePool() };
    assert.deepEqual(await backend.read(known), { id, properties: known.properties, inputs: known.inputs });
    await assert.rejects(backend.read({ ...known, properties: {} }), /cannot look up x/);
  });

  it("refuses a type that it does not know", async () => {
    const engine = await engineFor(nodeGroupType);
    await assert.rejects(engine.create("aws:s3/bucket:Bucket", {}), /does not know aws:s3\/bucket:Bucket/);
  });
});

const rule = { ipProtocol: "-1", securityGroupId: "sg-1" };

const allRequired: Record<string, Obj> = {
  [launchTemplateType]: { namePrefix: "demo-" },
  [nodeGroupType]: aNodeGroup(),
  [nodePoolType]: aNodePool(),
  [agentPoolType]: anAgentPool(),
  "aws:ec2/placementGroup:PlacementGroup": { strategy: "cluster" },
  "aws:ec2/securityGroup:SecurityGroup": {},
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": rule,
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": rule,
  "gcp:compute/resourcePolicy:ResourcePolicy": { workloadPolicy: { type: "HIGH_THROUGHPUT" } },
  "azure-native:compute:ProximityPlacementGroup": { resourceGroupName: "group" },
  "azure-native:features:SubscriptionFeatureRegistration": { providerNamespace: "Microsoft.ContainerService" },
};
