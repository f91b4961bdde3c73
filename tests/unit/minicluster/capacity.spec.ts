import * as assert from "node:assert/strict";
import type { MiniClusterArgs, NodePoolNode } from "../../../provider";
import { capacityOf, describeChange, resizeRemarks } from "../../../provider/minicluster/capacity";
import type { Inputs } from "../../../provider/shared/changes";
import { aGpuPool, aMiniCluster, aPool } from "../../support/fixtures";
import { manifestsOf } from "../../support/manifests";

const nodeOf = (node: Partial<NodePoolNode>) => aMiniCluster({ pool: aPool({}, node) }).pool!.node;
const gpuNode = aMiniCluster({ pool: aGpuPool() }).pool!.node;

describe("what some nodes have together", () => {
  it("is what each of them has, so many times", () =>
    assert.deepEqual(capacityOf(3, gpuNode), { nodes: 3, vcpus: 288, cores: 144, gpus: 24, fabricInterfaces: 12 }));

  it("is nothing where there is none", () =>
    assert.deepEqual(capacityOf(0, gpuNode), { nodes: 0, vcpus: 0, cores: 0, gpus: 0, fabricInterfaces: 0 }));
});

describe("a change of a number of nodes", () => {
  it("names everything that comes with them", () =>
    assert.equal(
      describeChange(4, 8, gpuNode),
      "nodes 4 => 8, GPUs 32 => 64, EFA interfaces 16 => 32, vCPUs 384 => 768",
    ));

  it("names everything that goes with them, to the last", () =>
    assert.equal(describeChange(2, 0, gpuNode), "nodes 2 => 0, GPUs 16 => 0, EFA interfaces 8 => 0, vCPUs 192 => 0"));

  it("names nothing that they do not have", () =>
    assert.equal(describeChange(0, 2, nodeOf({})), "nodes 0 => 2, vCPUs 0 => 192"));

  for (const [fabric, name] of [
    ["efa", "EFA"],
    ["tier1", "Tier_1"],
    ["rdma", "RDMA"],
    ["infiniband", "InfiniBand"],
  ] as const)
    it(`calls the interfaces of ${fabric} by their name`, () =>
      assert.match(
        describeChange(1, 2, nodeOf({ fabric, fabricInterfaces: 2 })),
        new RegExp(`, ${name} interfaces 2 => 4,`),
      ));

  it("calls those of a network without a name interfaces", () =>
    assert.match(describeChange(1, 2, nodeOf({ fabricInterfaces: 2 })), /, interfaces 2 => 4,/));
});

describe("the remark on a resize", () => {
  const remarksIn = (args: Partial<MiniClusterArgs>, before: object, after: object) =>
    resizeRemarks(aMiniCluster(args), before as Inputs, after as Inputs);
  const sized = (size: number) => manifestsOf({ size, maxSize: 8, pool: aPool() }).jobScale;

  it("says what comes with the pods", () =>
    assert.deepEqual(remarksIn({ pool: aPool() }, sized(2), sized(4)), [
      { severity: "info", text: "resize on pool hpc: nodes 2 => 4, vCPUs 192 => 384" },
    ]));

  it("is none where the size stays, or is not known", () => {
    for (const [before, after] of [
      [sized(2), sized(2)] as const,
      [{}, sized(2)] as const,
      [sized(2), { spec: {} }] as const,
    ])
      assert.deepEqual(remarksIn({ pool: aPool() }, before, after), []);
  });

  it("is none where no node comes with a pod", () => {
    assert.deepEqual(remarksIn({}, sized(2), sized(4)), []);
    assert.deepEqual(remarksIn({ pool: aPool(), network: { affinity: "preferred" } }, sized(2), sized(4)), []);
  });
});
