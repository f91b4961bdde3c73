import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { isWireSecret, unknownOnTheWire, unknownOutput, valueOf } from "../support/mocks";
import { poolIn, register } from "../support/pools";
import { KarpenterNodePool } from "../../provider";
import { aKarpenterEfaArgs } from "../unit/nodepools/fixtures";

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
