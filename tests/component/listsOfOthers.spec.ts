import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { AksNodePool, EksNodePool, GkeNodePool, KarpenterNodePool } from "../../provider";
import { unknownOnTheWire, unknownOutput } from "../support/mocks";
import { register } from "../support/pools";
import * as storage from "../support/sharedStorage";
import { aGkePoolArgs, aKarpenterPoolArgs, aksArgs, anEfaPoolArgs, anEksPoolArgs } from "../unit/clouds/nodes/fixtures";

/** A list as another component returns it, such as `vpc.privateSubnetIds` of awsx. */
const outputOf = (...items: string[]) => pulumi.output(items);

/** The same in the first preview of a stack that also makes the network. */
const unknownList = () => unknownOutput() as unknown as pulumi.Output<string[]>;

const eks = (args: object) => () => new EksNodePool("hpc", anEksPoolArgs(args));
const efa = (args: object) => () => new EksNodePool("hpc", anEfaPoolArgs("p5.48xlarge", args));
const karpenter = (args: object) => () => new KarpenterNodePool("hpc", aKarpenterPoolArgs(args));
const gke = (args: object) => () => new GkeNodePool("hpc", aGkePoolArgs(args));
const aks = (args: object) => () => new AksNodePool("hpc", aksArgs(args));

describe("A list that is the output of another resource", function () {
  this.timeout(60_000);

  it("names the subnets of an EksNodePool, of which those in its zones are chosen", async () => {
    const subnetIds = outputOf("subnet-a", "subnet-b");
    const all = await register(eks({ subnetIds }));
    assert.deepEqual(all.inputsOf<{ subnetIds: unknown }>("NodeGroup hpc").subnetIds, ["subnet-a", "subnet-b"]);
    const inZone = await register(efa({ subnetIds }));
    assert.deepEqual(inZone.inputsOf<{ subnetIds: unknown }>("NodeGroup hpc").subnetIds, ["subnet-a"]);
  });

  it("adds security groups to those of an EksNodePool", async () => {
    const { inputsOf } = await register(efa({ securityGroupIds: outputOf("sg-1", "sg-2") }));
    const { networkInterfaces } = inputsOf<{ networkInterfaces: { securityGroups: string[] }[] }>("LaunchTemplate hpc");
    assert.deepEqual(networkInterfaces[0]?.securityGroups, ["sg-cluster", "hpc-efa-id", "sg-1", "sg-2"]);
  });

  it("names subnets, security groups and images of a KarpenterNodePool", async () => {
    const { inputsOf } = await register(
      karpenter({ subnetIds: outputOf("subnet-a"), securityGroupIds: outputOf("sg-1"), amiIds: outputOf("ami-1") }),
    );
    const { spec } = inputsOf<{ spec: Record<string, unknown> }>("EC2NodeClass hpc-class");
    assert.deepEqual(
      [spec["subnetSelectorTerms"], spec["securityGroupSelectorTerms"], spec["amiSelectorTerms"]],
      [[{ id: "subnet-a" }], [{ id: "sg-1" }], [{ id: "ami-1" }]],
    );
  });

  it("is placed in the pools of GKE and AKS", async () => {
    const { nodeConfig } = (await register(gke({ networkTags: outputOf("flux") }))).inputsOf<{
      nodeConfig: { tags: unknown };
    }>("NodePool hpc");
    assert.deepEqual(nodeConfig.tags, ["flux"]);
    const { networkProfile } = (await register(aks({ applicationSecurityGroupIds: outputOf("/asg/1") }))).inputsOf<{
      networkProfile: unknown;
    }>("AgentPool hpc");
    assert.deepEqual(networkProfile, { applicationSecurityGroups: ["/asg/1"] });
  });

  it("hides only its own field while it is unknown in a preview", async () => {
    const node = await register(efa({ subnetIds: unknownList() }), { preview: true });
    const group = node.inputsOf<{ subnetIds: unknown; clusterName: string }>("NodeGroup hpc");
    assert.deepEqual([group.subnetIds, group.clusterName], [unknownOnTheWire, "flux"]);
    const made = await register(karpenter({ subnetIds: unknownList() }), { preview: true });
    const { spec } = made.inputsOf<{ spec: Record<string, unknown> }>("EC2NodeClass hpc-class");
    assert.deepEqual([spec["subnetSelectorTerms"], spec["role"]], [unknownOnTheWire, "nodes"]);
  });

  it("names the subnets of FSx for Lustre, and is refused for EFS, whose targets depend on its length", async () => {
    const { find } = await storage.register(() => storage.fsx({ subnetIds: outputOf("subnet-b", "subnet-a") }));
    assert.equal((find("LustreFileSystem data").inputs as { subnetIds: unknown }).subnetIds, "subnet-a");
    assert.throws(
      () => storage.efs({ subnetIds: outputOf("subnet-a") }),
      (error) =>
        pulumi.InputPropertiesError.isInstance(error) &&
        error.errors.map(({ propertyPath }) => propertyPath).join() === "subnetIds" &&
        /pass a list of outputs/.test(error.errors[0]?.reason ?? ""),
    );
  });

  it("requires the zone of a capacity reservation, because the number of subnets is not known", () => {
    const reserved = { capacityType: "reservation", reservationId: "cr-1", subnetIds: outputOf("subnet-a") };
    assert.throws(
      () => eks({ ...reserved, size: 2, maxSize: 4 })(),
      (error) =>
        pulumi.InputPropertiesError.isInstance(error) &&
        error.errors.some(({ propertyPath }) => propertyPath === "zones"),
    );
  });
});
