import * as assert from "node:assert/strict";
import { clouds } from "../clouds";
import { cloudDeclarations } from "../index";
import { readDeclarations } from "./read";
import type { Properties, Shape } from "./shapes";

describe("the declarations of an SDK", () => {
  it("are read with all types that they refer to", async () => {
    for (const name of Object.keys(clouds) as (keyof typeof clouds)[]) {
      const { objects, resources, functions } = await cloudDeclarations(name);
      const shapes = [
        ...Object.values(resources).flatMap(({ inputs, outputs }) => [inputs, outputs]),
        ...Object.values(functions).flatMap(({ args, result }) => [args, result]),
        ...Object.values(objects),
      ].flatMap((properties: Properties) => Object.values(properties).map(({ shape }) => shape));
      const missing = shapes.flatMap(referred).filter((referredName) => !(referredName in objects));
      assert.deepEqual(missing, []);
      assert.deepEqual(Object.keys(resources), Object.keys(clouds[name].resources));
    }
  });

  it("say what is required, of inputs and of outputs", async () => {
    const { resources } = await cloudDeclarations("aws");
    const { inputs, outputs } = resources["aws:ec2/launchTemplate:LaunchTemplate"] ?? {};
    assert.deepEqual(
      [inputs?.name?.required, outputs?.name?.required, outputs?.imageId?.required],
      [false, true, false],
    );
  });

  it("are not there for a type that the SDK does not have", () => {
    const read = (token: string) => readDeclarations("azure-native", [token], []);
    assert.throws(() => read("azure-native:containerservice:NodePool"), /azure-native has no .*NodePool/);
    assert.throws(() => read("azure-native:containerservice/agentPool:AgentPool"), /azure-native has no .*AgentPool/);
  });

  it("are refused where they have a type that cannot be checked", () => {
    const read = () => readDeclarations("aws", ["aws:iam/rolePolicyAttachment:RolePolicyAttachment"], []);
    assert.throws(read, /rolePolicyAttachment\.d\.ts: a type that this reader does not understand: Role$/);
  });
});

/** The names of the objects in a shape. */
function referred(shape: Shape): string[] {
  if (shape.kind === "object") return [shape.name];
  if (shape.kind === "array") return referred(shape.items);
  if (shape.kind === "map") return referred(shape.values);
  return shape.kind === "union" ? shape.members.flatMap(referred) : [];
}
