import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, type EksNodePoolArgs } from "../../provider";
import {
  mockEngine,
  type MockOptions,
  type Registration,
  unknownOnTheWire,
  unknownOutput,
  valueOf,
} from "../support/mocks";

/** What AWS says of the cluster, and of subnets whose zone is the end of their name. */
const answers: MockOptions["answers"] = {
  "aws:eks/getCluster:getCluster": ({ name }) => ({
    vpcConfig: { clusterSecurityGroupId: `sg-of-${String(name)}`, vpcId: "vpc-1" },
  }),
  "aws:ec2/getSubnet:getSubnet": ({ id }) => ({ id, availabilityZone: `us-east-1${String(id).at(-1)}` }),
};

const required = { clusterName: "flux", nodeRoleArn: "arn:aws:iam::1:role/nodes", subnetIds: ["subnet-a", "subnet-b"] };
const plain: EksNodePoolArgs = { ...required, machineTypes: ["m7i.large"], size: 2 };
const efa: EksNodePoolArgs = {
  ...{ ...required, machineTypes: ["p5.48xlarge"], fabric: "efa", zones: ["us-east-1a"] },
  ...{ pairedWith: { size: 2, maxSize: 4 } },
};

/** The values of a pool's outputs, once it is there. */
const outputsOf = async (pool: EksNodePool) => ({
  nodeGroupName: await valueOf(pool.nodeGroupName),
  launchTemplateId: await valueOf(pool.launchTemplateId),
  placementGroupName: await valueOf(pool.placementGroupName),
  capacity: await valueOf(pool.capacity),
  urn: await valueOf(pulumi.all([pool.urn, pool.scheduling])),
});

/** Everything that is registered for a pool, and its outputs. */
async function register(args: EksNodePoolArgs, options: MockOptions = {}, opts?: pulumi.ComponentResourceOptions) {
  const seen = await mockEngine({ answers, ...options });
  const pool = new EksNodePool("hpc", args, opts);
  const outputs = await outputsOf(pool);
  return { seen, outputs, find: finder(seen) };
}

const finder = (seen: Registration[]) => (id: string) =>
  seen.find((each) => each.id === id) ?? assert.fail(`${id} is not registered: ${ids(seen).join(", ")}`);
const ids = (seen: Registration[]) => seen.map(({ id }) => id).sort();
const inputsOf = <T>({ inputs }: Registration) => inputs as T;

const component = "EksNodePool hpc";
const bare = [component, "LaunchTemplate hpc", "NodeGroup hpc"];
const forEfa = [
  ...["PlacementGroup hpc", "SecurityGroup hpc-efa"],
  ...["SecurityGroupEgressRule hpc-efa", "SecurityGroupIngressRule hpc-efa"],
];
const [nvidia, efaPlugin] = ["DaemonSet hpc-nvidia-device-plugin", "DaemonSet hpc-efa-device-plugin"];

describe("what an EksNodePool registers", function () {
  this.timeout(30_000);

  const all = [...bare, ...forEfa, nvidia, efaPlugin];
  const cases: [name: string, args: EksNodePoolArgs, want: string[]][] = [
    ["a plain pool", plain, bare],
    ["a pool with GPUs and EFA", efa, all],
    ["a pool without placement", { ...efa, placement: "none" }, all.filter((id) => !id.startsWith("Placement"))],
    [
      "a pool in a placement group that exists",
      { ...efa, placementGroupName: "mine" },
      all.filter((id) => !id.startsWith("Placement")),
    ],
    [
      "a pool with EFA by the cluster's own security group",
      { ...efa, efaSecurityGroup: false },
      all.filter((id) => !id.startsWith("Security")),
    ],
  ];
  for (const [name, args, want] of cases)
    it(`is this for ${name}, in a preview too`, async () => {
      for (const preview of [false, true])
        assert.deepEqual(ids((await register(args, { preview })).seen), [...want].sort());
    });

  it("is all inside the component", async () => {
    const { seen } = await register(efa);
    for (const { id, parent } of seen) assert.equal(parent, id === component ? "" : component, id);
  });

  it("is nothing when the arguments are wrong, not even the component", async () => {
    const seen = await mockEngine({ answers });
    assert.throws(
      () => new EksNodePool("hpc", { ...efa, zones: ["us-east-1a", "us-east-1b"] }),
      (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors[0]?.propertyPath === "zones",
    );
    assert.deepEqual(seen, []);
  });

  it("says nothing of tags where there are none, and has them everywhere else", async () => {
    const { seen } = await register(efa);
    for (const { id, inputs } of seen)
      assert.notDeepEqual((inputs as { tags?: object }).tags, {}, `${id} has tags that say nothing`);
    const tags = { team: "physics" };
    const tagged = (await register({ ...efa, tags })).seen.filter(({ id }) => id !== component);
    for (const { id, type, inputs } of tagged) {
      const own = (inputs as { tags?: Record<string, string> }).tags;
      assert.equal(own?.["team"], type === "DaemonSet" ? undefined : "physics", id);
    }
  });

  it("is by the providers that the caller names", async () => {
    class Provider extends pulumi.ProviderResource {}
    const seen = await mockEngine({ answers });
    const providers = [new Provider("aws", "other", {}), new Provider("kubernetes", "other", {})];
    await outputsOf(new EksNodePool("hpc", efa, { providers }));
    for (const { id, type, parent, provider } of seen.filter((each) => each.parent === component))
      assert.match(provider, type === "DaemonSet" ? /:kubernetes::other$/ : /:aws::other$/, `${id} in ${parent}`);
  });
});

describe("how the resources of an EksNodePool hang together", function () {
  this.timeout(30_000);

  it("is that nodes wait for the rules of their security group, which is open to itself", async () => {
    const { find } = await register(efa);
    const own = { securityGroupId: "hpc-efa-id", referencedSecurityGroupId: "hpc-efa-id", ipProtocol: "-1" };
    for (const id of ["SecurityGroupIngressRule hpc-efa", "SecurityGroupEgressRule hpc-efa"]) {
      assert.deepEqual(find(id).inputs, own);
      assert.ok(find("NodeGroup hpc").dependsOn.includes(id), id);
    }
    assert.deepEqual(find("SecurityGroup hpc-efa").inputs, {
      description: "EFA between the nodes of the minicluster pool hpc",
      vpcId: "vpc-1",
    });
  });

  interface Template {
    networkInterfaces?: { securityGroups: string[] }[];
    vpcSecurityGroupIds?: string[];
    placement?: { groupName: string };
  }

  it("is that every interface has the cluster's security group, that of EFA, and the user's", async () => {
    const { find } = await register({ ...efa, securityGroupIds: ["sg-mine"] });
    const { networkInterfaces = [], vpcSecurityGroupIds } = inputsOf<Template>(find("LaunchTemplate hpc"));
    assert.equal(networkInterfaces.length, 32);
    for (const { securityGroups } of networkInterfaces)
      assert.deepEqual(securityGroups, ["sg-of-flux", "hpc-efa-id", "sg-mine"]);
    assert.equal(vpcSecurityGroupIds, undefined);
  });

  it("is that the nodes are in the placement group, a new one or one that exists", async () => {
    const state = ({ type }: pulumi.runtime.MockResourceArgs) =>
      type.includes("PlacementGroup") ? { name: "new" } : {};
    for (const [args, groupName] of [
      [efa, "new"],
      [{ ...efa, placementGroupName: "mine" }, "mine"],
    ] as const) {
      const { find, outputs } = await register(args, { state });
      const { placement } = inputsOf<Template>(find("LaunchTemplate hpc"));
      assert.deepEqual(placement, { groupName, availabilityZone: "us-east-1a" });
      assert.equal(outputs.placementGroupName, groupName);
    }
    assert.equal((await register(plain)).outputs.placementGroupName, "");
  });

  it("is that the group has its own template, in its newest version", async () => {
    const state = ({ type }: pulumi.runtime.MockResourceArgs) =>
      type.includes("LaunchTemplate") ? { latestVersion: 7 } : {};
    const { find, outputs } = await register(plain, { state });
    const { launchTemplate } = inputsOf<{ launchTemplate: object }>(find("NodeGroup hpc"));
    assert.deepEqual(launchTemplate, { id: "hpc-id", version: "7" });
    assert.equal(outputs.launchTemplateId, "hpc-id");
  });

  it("is that an autoscaler has the last word on the number of nodes, where there is one", async () => {
    assert.deepEqual((await register(efa)).find("NodeGroup hpc").ignoreChanges, ["scalingConfig.desiredSize"]);
    assert.deepEqual((await register(plain)).find("NodeGroup hpc").ignoreChanges, []);
  });

  it("is that plugins are of this pool, and replaced in place", async () => {
    const plugin = (await register({ ...efa, name: "fast" })).find("DaemonSet hpc-efa-device-plugin");
    assert.equal(inputsOf<{ metadata: { name: string } }>(plugin).metadata.name, "fast-efa-device-plugin");
    assert.equal(plugin.deleteBeforeReplace, true);
  });
});

describe("the subnets of an EksNodePool", function () {
  this.timeout(30_000);

  const subnetsOf = async (args: EksNodePoolArgs, options?: MockOptions) =>
    inputsOf<{ subnetIds: unknown }>((await register(args, options)).find("NodeGroup hpc")).subnetIds;

  it("are all that are given where no zone is", async () =>
    assert.deepEqual(await subnetsOf(plain), ["subnet-a", "subnet-b"]));

  it("are those in the zones of the pool", async () => {
    assert.deepEqual(await subnetsOf(efa), ["subnet-a"]);
    assert.deepEqual(await subnetsOf({ ...plain, zones: ["us-east-1b", "us-east-1a"] }), ["subnet-a", "subnet-b"]);
  });

  it("may be known later", async () => {
    const subnetIds = [unknownOutput()];
    assert.deepEqual(await subnetsOf({ ...efa, subnetIds }, { preview: true }), unknownOnTheWire);
    assert.deepEqual(await subnetsOf({ ...plain, subnetIds }, { preview: true }), [unknownOnTheWire]);
  });

  it("are an error where none is in the zones, and there is no node group", async () => {
    // Such an error ends the engine's own process; here it is caught on its way there.
    const listeners = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    try {
      const seen = await mockEngine({ answers });
      const failure = new Promise<unknown>((resolve) => process.on("unhandledRejection", resolve));
      new EksNodePool("hpc", { ...efa, zones: ["us-east-1c"] });
      const { message } = (await failure) as Error;
      const places = "(subnet-a in us-east-1a, subnet-b in us-east-1b)";
      const words = `EksNodePool hpc: no subnet is in us-east-1c ${places}; correct zones or subnetIds`;
      assert.ok(message.endsWith(words), message);
      assert.ok(!ids(seen).includes("NodeGroup hpc"));
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const listener of listeners) process.on("unhandledRejection", listener);
    }
  });
});

describe("the outputs of an EksNodePool", function () {
  this.timeout(30_000);

  const later = { clusterName: unknownOutput(), nodeRoleArn: unknownOutput(), subnetIds: [unknownOutput()] };

  it("say in a preview what is scheduled and how much there is, whatever is known only later", async () => {
    await mockEngine({ answers, preview: true });
    const { scheduling, capacity, nodeGroupName } = new EksNodePool("hpc", { ...efa, ...later });
    const known = [scheduling, capacity, nodeGroupName].map(
      (output) => (output as unknown as { isKnown: Promise<boolean> }).isKnown,
    );
    assert.deepEqual(await Promise.all(known), [true, true, false]);
    assert.equal((await valueOf(scheduling)).maxNodes, 4);
    const want = { nodes: 4, vcpus: 768, cores: 384, gpus: 32, fabricInterfaces: 128 };
    assert.deepEqual(await valueOf(capacity), want);
  });

  it("count all nodes of a pool of fixed size", async () =>
    assert.deepEqual((await register(plain)).outputs.capacity, {
      ...{ nodes: 2, vcpus: 4, cores: 2, gpus: 0, fabricInterfaces: 0 },
    }));
});
