import * as assert from "node:assert/strict";
import type { MiniClusterArgs, NodePoolNode } from "../../../provider";
import { describeChange, resizeRemarks } from "../../../provider/minicluster/capacity";
import type { Inputs } from "../../../provider/shared/changes";
import { aGpuPool, aMiniCluster, aPool } from "../../support/fixtures";
import { manifestsOf } from "../../support/manifests";

const nodeOf = (node: Partial<NodePoolNode>) => aMiniCluster({ pool: aPool({}, node) }).pool!.node;
const gpus = aMiniCluster({ pool: aGpuPool() }).pool!.node;
const infiniBand = nodeOf({ fabric: "infiniband", fabricInterfaces: 1 });

describe("a change of nodes", () => {
  type Some = [count: number, node?: typeof gpus];
  const cases: [name: string, before: Some, after: [count: number, node: typeof gpus], want: string][] = [
    [
      "names everything that comes with them",
      [4, gpus],
      [8, gpus],
      "nodes 4 => 8, GPUs 32 => 64, EFA interfaces 16 => 32, vCPUs 384 => 768, GiB of memory 1536 => 3072",
    ],
    [
      "names nothing that they do not have",
      [0, nodeOf({})],
      [2, nodeOf({})],
      "nodes 0 => 2, vCPUs 0 => 192, GiB of memory 0 => 768",
    ],
    [
      "counts the old nodes by the old machine, and the new ones by the new",
      [4, nodeOf({ vcpus: 64, fabric: "efa", fabricInterfaces: 1 })],
      [2, gpus],
      "nodes 4 => 2, GPUs 0 => 16, EFA interfaces 4 => 8, vCPUs 256 => 192, GiB of memory 1536 => 768",
    ],
    [
      "tells the interfaces of two networks apart",
      [2, infiniBand],
      [2, gpus],
      "nodes 2 => 2, GPUs 0 => 16, InfiniBand interfaces 2 => 0, EFA interfaces 0 => 8, vCPUs 192 => 192, GiB of memory 768 => 768",
    ],
    [
      "calls the interfaces of a network without a name so",
      [1, nodeOf({ fabricInterfaces: 2 })],
      [2, nodeOf({ fabricInterfaces: 2 })],
      "nodes 1 => 2, interfaces 2 => 4, vCPUs 96 => 192, GiB of memory 384 => 768",
    ],
    ["compares the nodes alone where nobody knows the old machine", [4], [2, gpus], "nodes 4 => 2"],
  ];
  for (const [name, [before, old], [after, node], want] of cases)
    it(name, () => assert.equal(describeChange({ count: before, node: old }, { count: after, node }), want));
});

describe("the remark on a resize", () => {
  type Case = Partial<MiniClusterArgs>;
  const patchOf = (args: Case) => manifestsOf({ maxSize: 8, ...args }).jobScale as unknown as Inputs;
  /** What is said of a change to some arguments, from the inputs of the patch before. */
  const textsFrom = (before: Inputs, after: Case) =>
    resizeRemarks(aMiniCluster({ maxSize: 8, ...after }), before, patchOf(after)).map(
      ({ severity, text }) => `${severity}: ${text}`,
    );
  const hpc = aPool();
  const p5 = aGpuPool({ pool: "p5" });
  const shared: Case = { pool: hpc, network: { affinity: "preferred" } };

  const cases: [name: string, before: Case, after: Case, want?: string][] = [
    ["says what comes with the pods", { size: 2, pool: hpc }, { size: 4, pool: hpc }, "resize on pool hpc: nodes 2 => 4, vCPUs 192 => 384"],
    ["says what another machine of the pool brings", { size: 2, pool: hpc }, { size: 2, pool: aGpuPool() }, "resize on pool hpc: nodes 2 => 2, GPUs 0 => 16, EFA interfaces 0 => 8, vCPUs 192 => 192"],
    ["names both pools of a cluster that moves, if only by name", { size: 2, pool: hpc }, { size: 2, pool: aPool({ pool: "b" }) }, "move from pool hpc to pool b: nodes 2 => 2, vCPUs 192 => 192"],
    ["is none where size, pool and machine stay", { size: 2, pool: p5 }, { size: 2, pool: p5 }],
    ["is none without a pool", { size: 2 }, { size: 4 }],
    ["is none where no node comes with a pod", { size: 2, ...shared }, { size: 4, ...shared }],
  ]; // prettier-ignore
  for (const [name, before, after, want] of cases)
    it(name, () => assert.deepEqual(textsFrom(patchOf(before), after), want === undefined ? [] : [`info: ${want}`]));

  it("compares the nodes alone with a cluster of which nobody has noted the pool in a form that is known", () => {
    const noted = (note: unknown) => ({
      spec: { completions: 2 },
      metadata: { annotations: { "minicluster/pool-node": note } },
    });
    for (const before of [patchOf({ size: 2 }), noted("{"), noted("{}"), noted("null"), noted(5), noted(undefined)]) {
      assert.deepEqual(textsFrom(before, { size: 4, pool: hpc }), ["info: resize on pool hpc: nodes 2 => 4"]);
      assert.deepEqual(textsFrom(before, { size: 2, pool: hpc }), []);
    }
    assert.deepEqual(textsFrom({}, { size: 2, pool: hpc }), []);
  });
});
