import * as assert from "node:assert/strict";
import type { GkeNodePoolArgs } from "../../../../provider";
import { buildNodePool } from "../../../../provider/nodepools/gke/pool";
import { factsIn } from "../../../../provider/nodepools/gke/remarks";
import { resizeRemarks } from "../../../../provider/nodepools/remarks";
import type { Inputs } from "../../../../provider/shared/changes";
import { aFalconPoolArgs, aGkePool, x1 } from "./fixtures";

const zones = ["us-central1-a", "us-central1-b"];

describe("the nodes in the inputs of a GKE node pool", () => {
  const counts = (args: Partial<GkeNodePoolArgs>) => {
    const spec = aGkePool(args);
    const { fixed, max } = factsIn(spec)(buildNodePool(spec) as unknown as Inputs);
    return { fixed, max };
  };

  it("are those of all zones, or the limit wherever the pool started", () => {
    assert.deepEqual(counts({ zones, size: 6 }), { fixed: 6, max: undefined });
    assert.deepEqual(counts({ zones, pairedWith: { size: 4, maxSize: 9 } }), { fixed: undefined, max: 9 });
  });

  it("are not counted while a part of them is not known", () => {
    for (const inputs of [{}, { nodeCount: 2 }, { nodeLocations: zones }])
      assert.deepEqual(factsIn(aGkePool())(inputs), {});
    assert.deepEqual(factsIn(aGkePool())({ nodeCount: 2, nodeLocations: zones }), { fixed: 4 });
  });
});

describe("what is said of another size of a GKE node pool", () => {
  const inputsOf = (args: Partial<GkeNodePoolArgs>) => buildNodePool(aGkePool(args)) as unknown as Inputs;
  const remarksFrom = (before: Inputs, after: Partial<GkeNodePoolArgs>) => {
    const spec = aGkePool(after);
    return resizeRemarks(spec.scheduling, factsIn(spec)(before), factsIn(spec)(inputsOf(after)));
  };
  const textsOf = (before: Partial<GkeNodePoolArgs>, after: Partial<GkeNodePoolArgs>) =>
    remarksFrom(inputsOf(before), after).map(({ text }) => text);

  it("is nothing where neither the nodes nor their machine type change", () =>
    assert.deepEqual(textsOf({ size: 2 }, { size: 2, tags: { team: "hpc" } }), []));

  const machines: [name: string, before: Partial<GkeNodePoolArgs>, after: Partial<GkeNodePoolArgs>, text: string][] = [
    [
      "of the machine type that there was, where it alone changes",
      { machineType: "n4-standard-8" },
      { machineType: "n4-standard-16" },
      "pool hpc: machines n4-standard-8 => n4-standard-16, nodes 2 => 2, vCPUs 16 => 32",
    ],
    [
      "of the GPUs that were added to it",
      { machineType: "n1-standard-32", gpus: { type: "nvidia-tesla-v100", count: 4 } },
      { machineType: "g2-standard-96", size: 4 },
      "pool hpc: machines n1-standard-32 => g2-standard-96, nodes 2 => 4, GPUs 8 => 32, vCPUs 64 => 384",
    ],
    [
      "of the threads that its cores had",
      { machineType: "c2d-standard-112", threadsPerCore: 1 },
      { machineType: "c2d-standard-56" },
      "pool hpc: machines c2d-standard-112 => c2d-standard-56, nodes 2 => 2, vCPUs 112 => 112",
    ],
    [
      "of its interfaces for RDMA",
      aFalconPoolArgs({ machineType: "h4d-standard-192" }),
      aFalconPoolArgs({ size: 4 }),
      "pool hpc: machines h4d-standard-192 => h4d-highmem-192-lssd, nodes 2 => 4, RDMA interfaces 2 => 4, vCPUs 384 => 768",
    ],
  ];
  for (const [name, before, after, text] of machines)
    it(`is ${name}`, () => assert.deepEqual(textsOf(before, after), [text]));

  it("counts only the nodes of a machine type that nobody knows any more", () => {
    const [remark] = remarksFrom(
      { ...inputsOf({ size: 2 }), nodeConfig: { machineType: "x1-standard-8" } },
      { size: 4 },
    );
    assert.match(remark?.text ?? "", /machines x1-standard-8 => n4-standard-16, nodes 2 => 4/);
    assert.doesNotMatch(remark?.text ?? "", /vCPUs 32/);
  });

  it("knows the type that the pool keeps, even where only its user does", () =>
    assert.deepEqual(textsOf({ ...x1, size: 2 }, { ...x1, size: 4 }), ["pool hpc: nodes 2 => 4, vCPUs 16 => 32"]));
});
