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
  const change = (before: number, after: number, node: typeof gpuNode) =>
    describeChange({ count: before, node }, { count: after, node });

  it("names everything that comes with them", () =>
    assert.equal(change(4, 8, gpuNode), "nodes 4 => 8, GPUs 32 => 64, EFA interfaces 16 => 32, vCPUs 384 => 768"));

  it("names everything that goes with them, to the last", () =>
    assert.equal(change(2, 0, gpuNode), "nodes 2 => 0, GPUs 16 => 0, EFA interfaces 8 => 0, vCPUs 192 => 0"));

  it("names nothing that they do not have", () =>
    assert.equal(change(0, 2, nodeOf({})), "nodes 0 => 2, vCPUs 0 => 192"));

  for (const [fabric, name] of [
    ["efa", "EFA"],
    ["tier1", "Tier_1"],
    ["rdma", "RDMA"],
    ["infiniband", "InfiniBand"],
  ] as const)
    it(`calls the interfaces of ${fabric} by their name`, () =>
      assert.match(change(1, 2, nodeOf({ fabric, fabricInterfaces: 2 })), new RegExp(`, ${name} interfaces 2 => 4,`)));

  it("calls those of a network without a name interfaces", () =>
    assert.match(change(1, 2, nodeOf({ fabricInterfaces: 2 })), /, interfaces 2 => 4,/));
});

describe("a change of a machine", () => {
  it("counts the old nodes by the old machine, and the new ones by the new", () => {
    const small = nodeOf({ vcpus: 64, fabric: "efa", fabricInterfaces: 1 });
    assert.equal(
      describeChange({ count: 4, node: small }, { count: 2, node: gpuNode }),
      "nodes 4 => 2, GPUs 0 => 16, EFA interfaces 4 => 8, vCPUs 256 => 192",
    );
  });

  it("tells the interfaces of two networks apart", () => {
    const infiniBand = nodeOf({ fabric: "infiniband", fabricInterfaces: 1 });
    assert.equal(
      describeChange({ count: 2, node: infiniBand }, { count: 2, node: gpuNode }),
      "nodes 2 => 2, GPUs 0 => 16, InfiniBand interfaces 2 => 0, EFA interfaces 0 => 8, vCPUs 192 => 192",
    );
    assert.match(
      describeChange({ count: 1, node: nodeOf({}) }, { count: 1, node: infiniBand }),
      /1, InfiniBand .* 0 => 1,/,
    );
  });

  it("compares the nodes alone where nobody knows the old machine", () =>
    assert.equal(describeChange({ count: 4, node: undefined }, { count: 2, node: gpuNode }), "nodes 4 => 2"));
});

describe("the remark on a resize", () => {
  type Case = Partial<MiniClusterArgs>;
  const patchOf = (args: Case) => manifestsOf({ maxSize: 8, ...args }).jobScale as unknown as Inputs;
  /** What is said of a change of some arguments, which the engine finds in the inputs of the patch. */
  const textsOf = (before: Case | Inputs, after: Case, isPatch = false) =>
    resizeRemarks(
      aMiniCluster({ maxSize: 8, ...after }),
      isPatch ? (before as Inputs) : patchOf(before as Case),
      patchOf(after),
    ).map(({ severity, text }) => `${severity}: ${text}`);
  const hpc = aPool();
  const p5 = aGpuPool({ pool: "p5" });

  it("says what comes with the pods", () =>
    assert.deepEqual(textsOf({ size: 2, pool: hpc }, { size: 4, pool: hpc }), [
      "info: resize on pool hpc: nodes 2 => 4, vCPUs 192 => 384",
    ]));

  it("says what another machine of the pool brings, with another size or without", () => {
    const gpus = aGpuPool();
    assert.deepEqual(textsOf({ size: 4, pool: hpc }, { size: 2, pool: gpus }), [
      "info: resize on pool hpc: nodes 4 => 2, GPUs 0 => 16, EFA interfaces 0 => 8, vCPUs 384 => 192",
    ]);
    assert.deepEqual(textsOf({ size: 2, pool: hpc }, { size: 2, pool: gpus }), [
      "info: resize on pool hpc: nodes 2 => 2, GPUs 0 => 16, EFA interfaces 0 => 8, vCPUs 192 => 192",
    ]);
  });

  it("names both pools of a cluster that moves, if only by name", () => {
    assert.deepEqual(textsOf({ size: 4, pool: hpc }, { size: 2, pool: p5 }), [
      "info: move from pool hpc to pool p5: nodes 4 => 2, GPUs 0 => 16, EFA interfaces 0 => 8, vCPUs 384 => 192",
    ]);
    assert.deepEqual(textsOf({ size: 2, pool: hpc }, { size: 2, pool: aPool({ pool: "b" }) }), [
      "info: move from pool hpc to pool b: nodes 2 => 2, vCPUs 192 => 192",
    ]);
  });

  it("compares the nodes alone with a cluster of which nobody has noted the pool, or not in a form that is known", () => {
    const noted = (note: unknown) => ({
      spec: { completions: 2 },
      metadata: { annotations: { "minicluster/pool-node": note } },
    });
    for (const before of [patchOf({ size: 2 }), noted("{"), noted("{}"), noted("null"), noted(5), noted(undefined)]) {
      assert.deepEqual(textsOf(before, { size: 4, pool: hpc }, true), ["info: resize on pool hpc: nodes 2 => 4"]);
      assert.deepEqual(textsOf(before, { size: 2, pool: hpc }, true), []);
    }
  });

  it("is none where size, pool and machine stay, or the size is not known", () => {
    const at = { size: 2, pool: p5 };
    assert.deepEqual(textsOf(at, at), []);
    assert.deepEqual(textsOf({}, at, true), []);
    assert.deepEqual(resizeRemarks(aMiniCluster(at), patchOf(at), { spec: {} }), []);
  });

  it("is none where no node comes with a pod", () => {
    assert.deepEqual(textsOf({ size: 2 }, { size: 4 }), []);
    const shared = { pool: hpc, network: { affinity: "preferred" } } as const;
    assert.deepEqual(textsOf({ size: 2, ...shared }, { size: 4, ...shared }), []);
  });
});
