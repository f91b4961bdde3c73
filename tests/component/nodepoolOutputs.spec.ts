import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AksNodePool, EksNodePool, GkeNodePool, KarpenterNodePool } from "../../provider";
import { parseAksNodePoolArgs } from "../../provider/clouds/aks/nodes/parse";
import { isWireSecret, mockEngine, uncaughtIn, unknownOnTheWire, unknownOutput, valueOf } from "../support/mocks";
import { answers, efa, eks, ids, karpenterEfa, type Make, register } from "../support/pools";
import {
  aGkePoolArgs,
  aKarpenterEfaArgs,
  aksArgs,
  anEfaPoolArgs,
  anEksPoolArgs,
  hb as hbArgs,
} from "../unit/clouds/nodes/fixtures";

const own = ["EC2NodeClass hpc-class", "NodePool hpc"];
const plugins = ["DaemonSet hpc-efa-device-plugin", "DaemonSet hpc-nvidia-device-plugin"];

describe("the subnets of an EksNodePool", function () {
  this.timeout(60_000);

  const subnets = [
    { name: "without zones", make: eks(), want: ["subnet-a", "subnet-b"] },
    { name: "with EFA in one zone", make: efa({ subnetIds: ["subnet-a", "subnet-b"] }), want: ["subnet-a"] },
    { name: "in two zones", make: eks({ zones: ["us-east-1b", "us-east-1a"] }), want: ["subnet-a", "subnet-b"] },
    {
      name: "that is public, with one interface",
      make: eks({ zones: ["us-east-1a"], subnetIds: ["subnet-public-a"] }),
      want: ["subnet-public-a"],
    },
    {
      name: "that is public, with EFA on one interface",
      make: efa({ machineTypes: ["hpc7g.16xlarge"], efaLayout: "combined", subnetIds: ["subnet-public-a"] }),
      want: ["subnet-public-a"],
    },
  ];
  for (const { name, make, want } of subnets)
    it(`are ${want.join(" and ")} for a pool ${name}`, async () => {
      const { inputsOf } = await register(make);
      assert.deepEqual(inputsOf<{ subnetIds: object }>("NodeGroup hpc").subnetIds, want);
    });

  it("may be known later", async () => {
    const late = eks(anEfaPoolArgs("p5.48xlarge", { subnetIds: [unknownOutput()] }));
    const { inputsOf } = await register(late, { preview: true });
    assert.equal(inputsOf<{ subnetIds: unknown }>("NodeGroup hpc").subnetIds, unknownOnTheWire);
  });

  const refused: [name: string, make: Make, message: RegExp][] = [
    [
      "a zone without a subnet",
      efa({ zones: ["us-east-1c"] }),
      /no subnet is in us-east-1c \(subnet-a in us-east-1a, subnet-b in us-east-1b\); correct/,
    ],
    [
      "EFA on many interfaces in a public subnet",
      efa({ subnetIds: ["subnet-public-a"] }),
      /subnet-public-a is a public subnet, and machines with 33 network interfaces get .*; use private/,
    ],
  ];
  for (const [name, make, want] of refused)
    // The error ends the engine's own process; here it is caught on its way there.
    it(`are an error, and there is no node group, where they cannot be used: ${name}`, async () => {
      const seen = await mockEngine({ answers });
      const [message = ""] = await uncaughtIn(() => Promise.resolve(void make()));
      assert.match(message, want);
      assert.ok(!ids(seen).includes("NodeGroup hpc"));
    });
});

describe("the outputs of a pool", function () {
  this.timeout(60_000);

  const isKnown = (output: pulumi.Output<unknown>) => (output as unknown as { isKnown: Promise<boolean> }).isKnown;

  it("have in a preview the scheduling and the capacity, with any later values", async () => {
    await mockEngine({ answers, preview: true });
    const late = { clusterName: unknownOutput(), nodeRoleArn: unknownOutput(), subnetIds: [unknownOutput()] };
    const paired = { ...late, size: 2, maxSize: 4 };
    const pool = new EksNodePool("hpc", anEfaPoolArgs("p5.48xlarge", paired));
    assert.deepEqual(await Promise.all([pool.scheduling, pool.capacity, pool.nodeGroupName].map(isKnown)), [
      true,
      true,
      false,
    ]);
    assert.equal((await valueOf(pool.scheduling)).maxNodes, 4);
    assert.deepEqual(await valueOf(pool.capacity), {
      nodes: 4,
      vcpus: 768,
      cores: 384,
      gpus: 32,
      fabricInterfaces: 128,
    });
    const aks = new AksNodePool("hb", aksArgs(hbArgs));
    assert.deepEqual(await valueOf(aks.scheduling), parseAksNodePoolArgs("hb", aksArgs(hbArgs)).scheduling);
  });

  it("have the names that the cloud gives, and an empty text without a placement group", async () => {
    await mockEngine({ answers, state: () => ({ name: "named", nodeGroupName: "named" }) });
    const gke = new GkeNodePool("gke", aGkePoolArgs());
    const aks = (name: string, args = {}) => new AksNodePool(name, aksArgs(args));
    const [plain, placed] = [aks("plain"), aks("placed", { placement: "proximity" })];
    const [alone, grouped] = [anEksPoolArgs(), anEfaPoolArgs("hpc7g.16xlarge")].map(
      (args, index) => new EksNodePool(`eks-${index}`, args),
    );
    const outputs = [
      gke.nodePoolName,
      plain.agentPoolName,
      plain.proximityPlacementGroupId,
      placed.proximityPlacementGroupId,
      alone?.launchTemplateId,
      alone?.placementGroupName,
      grouped?.placementGroupName,
    ];
    const want = ["named", "named", "", "placed-id", "eks-0-id", "", "named"];
    assert.deepEqual(await valueOf(pulumi.all(outputs)), want);
  });
});

describe("the objects of a KarpenterNodePool", function () {
  this.timeout(30_000);

  it("have fixed names, so an old object is deleted before its successor is created", async () => {
    const { pool, find, inputsOf } = await register(karpenterEfa({ name: "fast" }), { preview: true });
    for (const id of [...own, ...plugins]) assert.equal(find(id).deleteBeforeReplace, true, id);
    const names = own.map((id) => inputsOf<{ metadata: { name: string } }>(id).metadata.name);
    assert.deepEqual(names, ["fast", "fast"]);
    assert.equal(await valueOf((pool as KarpenterNodePool).nodePoolName), "fast");
  });

  it("are a NodeClass of EKS and a NodePool in EKS Auto Mode, without plugins", async () => {
    const { seen } = await register(karpenterEfa({ autoMode: true }));
    const made = ids(seen);
    for (const id of ["NodeClass hpc-class", "NodePool hpc"]) assert.ok(made.includes(id), made.join());
    for (const id of [...plugins, "EC2NodeClass hpc-class"]) assert.ok(!made.includes(id), id);
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

  it("are created in order: the class, the pool that names it, the plugins, and then the pods", async () => {
    const { find } = await register(karpenterEfa(), {}, true);
    assert.deepEqual(find("NodePool hpc").dependsOn, ["EC2NodeClass hpc-class"]);
    for (const id of plugins) assert.deepEqual(find(id).dependsOn, ["NodePool hpc"], id);
    const { dependsOn } = find("Job demo");
    for (const id of ["NodePool hpc", ...plugins]) assert.ok(dependsOn.includes(id), `${id} in ${dependsOn.join()}`);
  });
});
