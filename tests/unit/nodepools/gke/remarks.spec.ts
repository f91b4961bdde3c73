import * as assert from "node:assert/strict";
import type { GkeNodePoolArgs } from "../../../../provider";
import { buildNodePool } from "../../../../provider/nodepools/gke/pool";
import { factsIn } from "../../../../provider/nodepools/gke/remarks";
import { resizeRemarks } from "../../../../provider/nodepools/remarks";
import { asInputs, itRemarks } from "../tables";
import { aGkePool, gkeTags } from "../fixtures";

type Args = Partial<GkeNodePoolArgs>;

describe("what is said of a change of a GKE node pool", () => {
  const inputsOf = (args: Args) => asInputs(buildNodePool(aGkePool(args)));

  itRemarks(
    `
[{size: 2}, {size: 2, tags: {team: hpc}}]
[{zones: [us-central1-a, us-central1-b], size: 6}, {zones: [us-central1-a, us-central1-b], size: 8}]
  info: pool hpc: nodes 6 => 8, vCPUs 96 => 128, GiB of memory 384 => 512
[{pairedWith: {size: 4, maxSize: 9}}, {autoscale: {max: 10}}]
  info: pool hpc (maximum): nodes 9 => 10, vCPUs 144 => 160, GiB of memory 576 => 640
[{machineType: n4-standard-8}, {machineType: n4-standard-16}]
  info: pool hpc: machines n4-standard-8 => n4-standard-16, nodes 2 => 2, vCPUs 16 => 32, GiB of memory 64 => 128
[{machineType: n1-standard-32, gpus: {type: nvidia-tesla-v100, count: 4}}, {machineType: g2-standard-96, size: 4}]
  info: pool hpc: machines n1-standard-32 => g2-standard-96, nodes 2 => 4, GPUs 8 => 32, vCPUs 64 => 384, GiB of memory 240 => 1536
[{machineType: c2d-standard-112, threadsPerCore: 1}, {machineType: c2d-standard-56}]
  info: pool hpc: machines c2d-standard-112 => c2d-standard-56, nodes 2 => 2, vCPUs 112 => 112, GiB of memory 896 => 448
[!falcon {machineType: h4d-standard-192}, !falcon {size: 4}]
  info: pool hpc: machines h4d-standard-192 => h4d-highmem-192-lssd, nodes 2 => 4, RDMA interfaces 2 => 4, vCPUs 384 => 768, GiB of memory 1440 => 5952
# a type that is not known any more, and one that only the user knows
[!x1 {size: 2}, {size: 4}]
  info: pool hpc: machines x1-standard-8 => n4-standard-16, nodes 2 => 4
[!x1 {size: 2}, !x1 {size: 4}]
  info: pool hpc: nodes 2 => 4, vCPUs 16 => 32, GiB of memory 2 => 4
`,
    ([before, after]: [Args, Args]) => {
      const spec = aGkePool(after);
      return resizeRemarks(spec.scheduling, factsIn(spec)(inputsOf(before)), factsIn(spec)(inputsOf(after)));
    },
    gkeTags,
  );

  it("is nothing while a part of the nodes is not known", () => {
    for (const inputs of [{}, { nodeCount: 2 }, { nodeLocations: ["us-central1-a"] }])
      assert.deepEqual(factsIn(aGkePool())(inputs), {});
  });
});
