import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { getInstanceType, getInstanceTypeOutput } from "@pulumi/aws/ec2/getInstanceType";
import { PlacementGroup } from "@pulumi/aws/ec2/placementGroup";
import { refuseInventedArguments } from ".";

describe("the SDK of a cloud, made strict", () => {
  before(async () => {
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
      call: ({ inputs }) => inputs as object,
    });
    await refuseInventedArguments();
  });

  const invented = { strategy: "cluster", zone: "a" };

  it("throws at an argument of a resource that it does not declare", () =>
    assert.throws(() => new PlacementGroup("group", invented), {
      message: /^aws:ec2\/placementGroup:PlacementGroup 'group' has no property zone; the SDK declares name, /,
    }));

  it("throws at an argument of a data source that it does not declare", () => {
    const args = { instanceType: "m7i.large", zone: "a" };
    for (const ask of [getInstanceType, getInstanceTypeOutput])
      assert.throws(() => ask(args), {
        message: /getInstanceType has no property zone; the SDK declares instanceType/,
      });
  });

  it("takes what it declares, and undefined", async () => {
    const undeclared = { zone: undefined };
    const group = new PlacementGroup("group", { strategy: "cluster", ...undeclared });
    assert.ok(group instanceof PlacementGroup && PlacementGroup.isInstance(group));
    assert.equal((await getInstanceType({ instanceType: "m7i.large" })).instanceType, "m7i.large");
  });
});
