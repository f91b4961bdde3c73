import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AksNodePool, EksNodePool, GkeNodePool, KarpenterNodePool } from "../../provider";
import { settledAtCreation } from "../../provider/clouds/aks/nodes/objects";
import { parseAksNodePoolArgs } from "../../provider/clouds/aks/nodes/parse";
import { casesOf, valueIn } from "../support/cases";
import { isWireSecret, mockEngine, uncaughtIn, unknownOnTheWire, unknownOutput, valueOf } from "../support/mocks";
import { answers, eks, ids, poolIn, register } from "../support/pools";
import {
  aGkePoolArgs,
  aKarpenterEfaArgs,
  aksArgs,
  anEfaPoolArgs,
  anEksPoolArgs,
  hb,
} from "../unit/clouds/nodes/fixtures";

describe("what a pool registers", function () {
  this.timeout(60_000);

  const table = `
!eks {}
  LaunchTemplate hpc, NodeGroup hpc
!efa {}
  DaemonSet hpc-efa-device-plugin, DaemonSet hpc-nvidia-device-plugin, LaunchTemplate hpc, NodeGroup hpc, PlacementGroup hpc, SecurityGroup hpc-efa, SecurityGroupEgressRule hpc-efa, SecurityGroupIngressRule hpc-efa
!efa {placementGroupName: mine, efaSecurityGroup: false}
  DaemonSet hpc-efa-device-plugin, DaemonSet hpc-nvidia-device-plugin, LaunchTemplate hpc, NodeGroup hpc
!karpenter {}
  EC2NodeClass hpc-class, NodePool hpc
!karpenterEfa {fabricBy: claim, gpuBy: claim}
  EC2NodeClass hpc-class, NodePool hpc
!karpenterEfa {}
  DaemonSet hpc-efa-device-plugin, DaemonSet hpc-nvidia-device-plugin, EC2NodeClass hpc-class, NodePool hpc
!gke {machineType: g2-standard-96}
  NodePool hpc
!gke {machineType: a4x-highgpu-4g}
  NodePool hpc, ResourcePolicy hpc
!aks {}
  AgentPool hpc
!aks {machineType: Standard_ND96isr_H100_v5, fabric: infiniband, placement: proximity}
  AgentPool hpc, DaemonSet hpc-nvidia-device-plugin, DaemonSet hpc-rdma-device-plugin, ProximityPlacementGroup hpc
`;
  for (const { title, given, want } of casesOf(table))
    for (const preview of [false, true])
      it(`is, for ${title}${preview ? " in a preview" : ""}, ${want.join()}`, async () => {
        const { seen } = await register(poolIn(given), { preview });
        const [component = assert.fail(), ...others] = seen.filter(({ parent }) => parent === "");
        assert.deepEqual(others, []);
        assert.deepEqual(ids(seen.filter(({ parent }) => parent === component.id)), want.join().split(", "));
      });

  it("is nothing where the arguments are wrong, not even the component", async () => {
    const wrong = ["!efa {zones: []}", "!karpenter {subnetIds: []}", "!roce {zones: []}", "!hb {zones: ['1', '2']}"];
    for (const make of wrong.map(poolIn)) {
      const seen = await mockEngine({ answers });
      assert.throws(make, (error) => pulumi.InputPropertiesError.isInstance(error) && error.errors.length === 1);
      assert.deepEqual(seen, []);
    }
  });

  it("is by the providers that the caller names", async () => {
    class Provider extends pulumi.ProviderResource {}
    const seen = await mockEngine({ answers });
    const names = ["aws", "gcp", "azure-native", "kubernetes"];
    const providers = names.map((name) => new Provider(name, "other", {}));
    for (const text of ["!efa {}", "!roce {}", "!hb {}"]) await valueOf(poolIn(text)({ providers }).scheduling);
    await valueOf(pulumi.output(providers.map(({ urn }) => urn)));
    const children = seen.filter(({ parent }) => parent !== "");
    assert.ok(children.length > 8);
    for (const { id, type, provider } of children)
      assert.match(provider, type === "DaemonSet" ? /:kubernetes::other$/ : /:(aws|gcp|azure-native)::other$/, id);
  });

  const disks = "nodeConfig.ephemeralStorageLocalSsdConfig, nodeConfig.localNvmeSsdBlockConfig";
  const left = `
!eks {}
!eks {autoscale: {max: 4}}
  scalingConfig.desiredSize
!gke {}
  ${disks}
!gke {autoscale: {max: 4}}
  ${disks}, nodeCount
!aks {}
!aks {pairedWith: {size: 2}}
  count
`;
  for (const { title, given, want } of casesOf(left))
    it(`leaves to others, for ${title}, ${want.join() || "nothing"}`, async () => {
      const nodes = (await register(poolIn(given))).seen.find(({ type }) =>
        /^(NodeGroup|NodePool|AgentPool)$/.test(type),
      );
      assert.equal(nodes?.ignoreChanges.join(", "), want.join());
    });

  it("goes before its successor of the same name, and is replaced for what Azure does not change", async () => {
    const { seen, find } = await register(poolIn("!hb {placement: proximity}"));
    const removedFirst = seen.filter(({ deleteBeforeReplace }) => deleteBeforeReplace);
    assert.deepEqual(ids(removedFirst), ["AgentPool hpc", "DaemonSet hpc-rdma-device-plugin"]);
    assert.deepEqual(find("AgentPool hpc").replaceOnChanges, settledAtCreation);
    assert.deepEqual(find("ProximityPlacementGroup hpc").replaceOnChanges, ["intent", "zones"]);
  });

  it("speaks before it is made, and before it gets another size", async () => {
    await mockEngine({ answers });
    const monitor = pulumi.runtime.getMonitor() as { registerResourceHook?: unknown };
    const names: string[] = [];
    monitor.registerResourceHook = (hook: { getName(): string }, done: (error: null, reply: object) => void) => {
      names.push(hook.getName());
      done(null, {});
    };
    const pools = ["!hb {}", "!aks {pairedWith: {size: 2}}", "!eks {}", "!gke {}"].map((text) => poolIn(text)());
    await valueOf(pulumi.output(pools.map(({ urn, scheduling }) => ({ urn, scheduling }))));
    const kinds = ["count", "create", "nodes", "nodes", "nodes", "nodes", "template"];
    assert.deepEqual(
      names.map((name) => name.replace(/:\d+$/, "")).sort(),
      kinds.map((kind) => `minicluster:hpc:${kind}`),
    );
  });
});

describe("how the resources of a pool hang together", function () {
  this.timeout(60_000);

  const state = ({ type }: pulumi.runtime.MockResourceArgs) =>
    /:(PlacementGroup|AgentPool|NodePool|NodeGroup)$/.test(type)
      ? { name: "new", nodeGroupName: "new" }
      : { latestVersion: 7 };

  it("is that nodes with EFA wait for the rules of their security group, which is open to itself", async () => {
    const { find, inputsOf } = await register(poolIn("!efa {securityGroupIds: [sg-mine], tags: {team: physics}}"));
    const ends = { securityGroupId: "hpc-efa-id", referencedSecurityGroupId: "hpc-efa-id" };
    for (const id of ["SecurityGroupIngressRule hpc-efa", "SecurityGroupEgressRule hpc-efa"]) {
      assert.deepEqual(inputsOf(id), { ...ends, ipProtocol: "-1", tags: { team: "physics" } });
      assert.ok(find("NodeGroup hpc").dependsOn.includes(id), id);
    }
    const description = "EFA between the nodes of the minicluster pool hpc";
    assert.deepEqual(inputsOf("SecurityGroup hpc-efa"), { description, vpcId: "vpc-1", tags: { team: "physics" } });
    const template = inputsOf<{ networkInterfaces: { securityGroups: string[] }[] }>("LaunchTemplate hpc");
    assert.equal(template.networkInterfaces.length, 33);
    for (const { securityGroups } of template.networkInterfaces)
      assert.deepEqual(securityGroups, ["sg-cluster", "hpc-efa-id", "sg-mine"]);
  });

  it("is that nodes are in their placement group, of the newest template, or in the policy of their domain", async () => {
    const efa = await register(poolIn("!efa {}"), { state });
    const { placement } = efa.inputsOf<{ placement: object }>("LaunchTemplate hpc");
    assert.deepEqual(placement, { groupName: "new", availabilityZone: "us-east-1a" });
    const { launchTemplate } = efa.inputsOf<{ launchTemplate: object }>("NodeGroup hpc");
    assert.deepEqual(launchTemplate, { id: "hpc-id", version: "7" });
    const aks = await register(poolIn("!hb {placement: proximity}"));
    assert.equal(aks.inputsOf<Record<string, unknown>>("AgentPool hpc")["proximityPlacementGroupID"], "hpc-id");
    assert.deepEqual(aks.find("AgentPool hpc").dependsOn, ["ProximityPlacementGroup hpc"]);
    const gke = await register(poolIn("!gke {machineType: a4x-highgpu-4g}"));
    assert.deepEqual(gke.find("NodePool hpc").dependsOn, ["ResourcePolicy hpc"]);
  });

  it("is that a value which is secret or not known hides no other", async () => {
    const late = { clusterName: unknownOutput(), serviceAccount: pulumi.secret("me@p.example") };
    const { inputsOf } = await register((options) => new GkeNodePool("hpc", aGkePoolArgs(late), options), {
      preview: true,
    });
    const { cluster, nodeLocations, nodeConfig } = inputsOf<{
      cluster: string;
      nodeLocations: string[];
      nodeConfig: { machineType: string; serviceAccount: unknown };
    }>("NodePool hpc");
    assert.deepEqual([cluster, nodeLocations], [unknownOnTheWire, ["us-central1-a"]]);
    assert.equal(nodeConfig.machineType, "n4-standard-16");
    assert.ok(isWireSecret(nodeConfig.serviceAccount));
  });
});

describe("the subnets of an EksNodePool", function () {
  this.timeout(60_000);

  const table = `
!eks {}
  [subnet-a, subnet-b]
!efa {subnetIds: [subnet-a, subnet-b]}
  [subnet-a]
!eks {zones: [us-east-1b, us-east-1a]}
  [subnet-a, subnet-b]
# one that is public, for machines with one interface
!eks {zones: [us-east-1a], subnetIds: [subnet-public-a]}
  [subnet-public-a]
!efa {machineTypes: [hpc7g.16xlarge], efaLayout: combined, subnetIds: [subnet-public-a]}
  [subnet-public-a]
`;
  for (const { title, given, want } of casesOf(table))
    it(`are ${want.join()} for ${title}`, async () => {
      const { inputsOf } = await register(poolIn(given));
      assert.deepEqual(inputsOf<{ subnetIds: object }>("NodeGroup hpc").subnetIds, valueIn(want.join()));
    });

  it("may be known later", async () => {
    const late = eks(anEfaPoolArgs("p5.48xlarge", { subnetIds: [unknownOutput()] }));
    const { inputsOf } = await register(late, { preview: true });
    assert.equal(inputsOf<{ subnetIds: unknown }>("NodeGroup hpc").subnetIds, unknownOnTheWire);
  });

  const refused: [pool: string, message: RegExp][] = [
    [
      "!efa {zones: [us-east-1c]}",
      /no subnet is in us-east-1c \(subnet-a in us-east-1a, subnet-b in us-east-1b\); correct/,
    ],
    [
      "!efa {subnetIds: [subnet-public-a]}",
      /subnet-public-a is a public subnet, and machines with 33 network interfaces get no public address: .*; use private/,
    ],
  ];
  for (const [text, want] of refused)
    // The error ends the engine's own process; here it is caught on its way there.
    it(`are an error, and there is no node group, where they cannot be those of ${text}`, async () => {
      const seen = await mockEngine({ answers });
      const [message = ""] = await uncaughtIn(() => Promise.resolve(void poolIn(text)()));
      assert.match(message, want);
      assert.ok(!ids(seen).includes("NodeGroup hpc"));
    });
});

describe("the outputs of a pool", function () {
  this.timeout(60_000);

  const isKnown = (output: pulumi.Output<unknown>) => (output as unknown as { isKnown: Promise<boolean> }).isKnown;

  it("say in a preview what is scheduled and how much there is, whatever is known only later", async () => {
    await mockEngine({ answers, preview: true });
    const late = { clusterName: unknownOutput(), nodeRoleArn: unknownOutput(), subnetIds: [unknownOutput()] };
    const paired = { ...late, pairedWith: { size: 2, maxSize: 4 } };
    const pool = new EksNodePool("hpc", anEfaPoolArgs("p5.48xlarge", paired));
    assert.deepEqual(await Promise.all([pool.scheduling, pool.capacity, pool.nodeGroupName].map(isKnown)), [
      ...[true, true, false],
    ]);
    assert.equal((await valueOf(pool.scheduling)).maxNodes, 4);
    assert.deepEqual(await valueOf(pool.capacity), {
      ...{ nodes: 4, vcpus: 768, cores: 384, gpus: 32, fabricInterfaces: 128 },
    });
    const aks = new AksNodePool("hb", aksArgs(hb));
    assert.deepEqual(await valueOf(aks.scheduling), parseAksNodePoolArgs("hb", aksArgs(hb)).scheduling);
  });

  it("have the names that the cloud gives, and an empty text for a placement group that is none", async () => {
    await mockEngine({ answers, state: () => ({ name: "named", nodeGroupName: "named" }) });
    const gke = new GkeNodePool("gke", aGkePoolArgs());
    const aks = (name: string, args = {}) => new AksNodePool(name, aksArgs(args));
    const [plain, placed] = [aks("plain"), aks("placed", { placement: "proximity" })];
    const [alone, grouped] = [anEksPoolArgs(), anEfaPoolArgs("hpc7g.16xlarge")].map(
      (args, index) => new EksNodePool(`eks-${index}`, args),
    );
    const outputs = [
      ...[gke.nodePoolName, plain.agentPoolName, plain.proximityPlacementGroupId, placed.proximityPlacementGroupId],
      ...[alone?.launchTemplateId, alone?.placementGroupName, grouped?.placementGroupName],
    ];
    const want = ["named", "named", "", "placed-id", "eks-0-id", "", "named"];
    assert.deepEqual(await valueOf(pulumi.all(outputs)), want);
  });
});

const own = ["EC2NodeClass hpc-class", "NodePool hpc"];
const plugins = ["DaemonSet hpc-efa-device-plugin", "DaemonSet hpc-nvidia-device-plugin"];

describe("the objects of a KarpenterNodePool", function () {
  this.timeout(30_000);

  it("have fixed names, so what is old goes before what is new comes", async () => {
    const { pool, find, inputsOf } = await register(poolIn("!karpenterEfa {name: fast}"), { preview: true });
    for (const id of [...own, ...plugins]) assert.equal(find(id).deleteBeforeReplace, true, id);
    const names = own.map((id) => inputsOf<{ metadata: { name: string } }>(id).metadata.name);
    assert.deepEqual(names, ["fast", "fast"]);
    assert.equal(await valueOf((pool as KarpenterNodePool).nodePoolName), "fast");
  });

  it("hide and wait for no more than the one value that is secret or not known", async () => {
    const late = { nodeRoleName: unknownOutput(), userData: pulumi.secret("a") };
    const { inputsOf } = await register(
      (options) => new KarpenterNodePool("hpc", aKarpenterEfaArgs("p5.48xlarge", late), options),
      { preview: true },
    );
    const { spec } = inputsOf<{ spec: Record<string, unknown> }>("EC2NodeClass hpc-class");
    assert.equal(spec["role"], unknownOnTheWire);
    assert.ok(isWireSecret(spec["userData"]));
    assert.equal(spec["amiFamily"], "AL2023");
  });

  it("come in order: the class, the pool that names it, the plugins, and then the pods of a cluster", async () => {
    const { find } = await register(poolIn("!karpenterEfa {}"), {}, true);
    assert.deepEqual(find("NodePool hpc").dependsOn, ["EC2NodeClass hpc-class"]);
    for (const id of plugins) assert.deepEqual(find(id).dependsOn, ["NodePool hpc"], id);
    const { dependsOn } = find("Job demo");
    for (const id of ["NodePool hpc", ...plugins]) assert.ok(dependsOn.includes(id), `${id} in ${dependsOn.join()}`);
  });
});
