import * as assert from "node:assert/strict";
import { mock } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../../../provider";
import { numberAt } from "../../../provider/shared/changes";
import { type NodeFacts, remarkOnResize, resizeRemarks } from "../../../provider/nodepools/remarks";
import { mockEngine, valueOf } from "../../support/mocks";

const plain: NodePoolScheduling["node"] = { arch: "amd64", vcpus: 96, cores: 96, memoryMib: 393_216 };
const gpus: NodePoolScheduling["node"] = {
  ...{ arch: "amd64", vcpus: 192, cores: 96, memoryMib: 2_097_152 },
  ...{ gpus: 8, gpuModel: "H100", fabric: "efa", fabricInterfaces: 32 },
};

const info = (text: string) => ({ severity: "info", text });
const warning = (text: string) => ({ severity: "warning", text });
const said = (node: NodePoolScheduling["node"], before: NodeFacts, after: NodeFacts) =>
  resizeRemarks({ pool: "hpc", node }, before, after);

const losing = (lost: number, all: number) =>
  `pool hpc loses ${lost} of ${all} nodes; the cloud chooses which, even where ranks run. Shrink the MiniCluster first, in ` +
  "an update of its own, and drain the nodes that it leaves, or use autoscale";
const mayLose = (before: number, after: number) =>
  `pool hpc may have at most ${after} nodes instead of ${before}; if more are running, the cloud chooses which go, even where ` +
  "ranks run. Shrink the MiniCluster first, in an update of its own";

describe("the remarks on a pool of another size", () => {
  const cases: [name: string, remarks: object[], want: object[]][] = [
    [
      "what a pool of fixed size gains",
      said(gpus, { fixed: 4 }, { fixed: 8 }),
      [info("pool hpc: nodes 4 => 8, GPUs 32 => 64, EFA interfaces 128 => 256, vCPUs 768 => 1536")],
    ],
    [
      "what a pool of fixed size loses, and warn of it",
      said(gpus, { fixed: 8 }, { fixed: 5 }),
      [
        info("pool hpc: nodes 8 => 5, GPUs 64 => 40, EFA interfaces 256 => 160, vCPUs 1536 => 960"),
        warning(losing(3, 8)),
      ],
    ],
    [
      "what a pool of fixed size loses with all its nodes",
      said(plain, { fixed: 2 }, { fixed: 0 }),
      [info("pool hpc: nodes 2 => 0, vCPUs 192 => 0"), warning(losing(2, 2))],
    ],
    [
      "how far a pool may grow that is scaled by need",
      said(gpus, { max: 4 }, { max: 8 }),
      [info("pool hpc (maximum): nodes 4 => 8, GPUs 32 => 64, EFA interfaces 128 => 256, vCPUs 768 => 1536")],
    ],
    [
      "how far a pool may no longer grow, and warn of it",
      said(plain, { max: 8 }, { max: 4 }),
      [info("pool hpc (maximum): nodes 8 => 4, vCPUs 768 => 384"), warning(mayLose(8, 4))],
    ],
    [
      "a pool of fixed size that is now scaled by need",
      said(plain, { fixed: 4 }, { max: 8 }),
      [info("pool hpc (maximum): nodes 4 => 8, vCPUs 384 => 768")],
    ],
    [
      "a fixed size of a pool that may have had more, and warn of it",
      said(plain, { max: 8 }, { fixed: 2 }),
      [info("pool hpc (maximum): nodes 8 => 2, vCPUs 768 => 192"), warning(mayLose(8, 2))],
    ],
    [
      "other machines, each counted by its own",
      said(gpus, { fixed: 4, machineType: "small", node: plain }, { fixed: 4, machineType: "big" }),
      [info("pool hpc: machines small => big, nodes 4 => 4, GPUs 0 => 32, EFA interfaces 0 => 128, vCPUs 384 => 768")],
    ],
    [
      "only the nodes of machines that nobody knows any more",
      said(gpus, { fixed: 4, machineType: "small" }, { fixed: 2, machineType: "big" }),
      [info("pool hpc: machines small => big, nodes 4 => 2"), warning(losing(2, 4))],
    ],
    [
      "machines of one name that have something else",
      said(plain, { max: 4, machineType: "big", node: { ...plain, vcpus: 192 } }, { max: 4, machineType: "big" }),
      [info("pool hpc (maximum): nodes 4 => 4, vCPUs 768 => 384")],
    ],
    [
      "nothing of machines that stay, however much of them is said",
      said(plain, { fixed: 4, node: { ...plain, gpus: 0, fabricInterfaces: 0 } }, { fixed: 4 }),
      [],
    ],
    ["nothing where nothing changes", said(gpus, { fixed: 4 }, { fixed: 4 }), []],
    ["nothing of what was not known before", said(gpus, {}, { fixed: 4 }), []],
    ["nothing of what is not known yet", said(gpus, { max: 4 }, {}), []],
  ];
  for (const [name, remarks, want] of cases) it(`say ${name}`, () => assert.deepEqual(remarks, want));

  it("call the fast network by the name that its cloud gives it", () => {
    const names = { tier1: "Tier_1", rdma: "RDMA", infiniband: "InfiniBand" } as const;
    for (const [fabric, name] of Object.entries(names) as [keyof typeof names, string][]) {
      const node = { ...plain, fabric, fabricInterfaces: 1 };
      const text = `pool hpc: nodes 1 => 2, ${name} interfaces 1 => 2, vCPUs 96 => 192`;
      assert.deepEqual(said(node, { fixed: 1 }, { fixed: 2 }), [info(text)]);
    }
  });
});

/** Inputs that say how many nodes there are. */
const factsIn = (inputs: object): NodeFacts => ({ fixed: numberAt(inputs, "nodes") });

describe("the hook that makes the remarks", () => {
  it("is none under mocks, which would never call it", async () => {
    await mockEngine();
    const component = new pulumi.ComponentResource("test:index:Pool", "pool");
    assert.deepEqual(remarkOnResize({ pool: "hpc", node: plain }, component, factsIn), {});
    await valueOf(component.urn);
  });

  it("speaks of an update before it happens, in a preview too", async () => {
    await mockEngine();
    const component = new pulumi.ComponentResource("test:index:Pool", "pool");
    const monitor = pulumi.runtime.getMonitor() as { registerResourceHook?: unknown };
    monitor.registerResourceHook = (_: unknown, done: (error: null, reply: object) => void) => done(null, {});
    const logged = [mock.method(pulumi.log, "info"), mock.method(pulumi.log, "warn")];
    for (const { mock: each } of logged) each.mockImplementation(() => Promise.resolve());
    try {
      const { beforeUpdate } = remarkOnResize({ pool: "hpc", node: plain }, component, factsIn);
      const [hook] = (beforeUpdate ?? []) as pulumi.ResourceHook[];
      assert.ok(hook);
      assert.deepEqual([hook.name, hook.opts], ["minicluster:hpc:nodes", { onDryRun: true }]);
      const change = { oldInputs: { nodes: 4 }, newInputs: { nodes: 3 } };
      await hook.callback({ urn: "urn", id: "id", name: "n", type: "t", ...change });
      const calls = logged.map((each) => each.mock.calls.map((call) => call.arguments as unknown[]));
      await valueOf(component.urn);
      assert.deepEqual(calls, [[["pool hpc: nodes 4 => 3, vCPUs 384 => 288", component]], [[losing(1, 4), component]]]);
    } finally {
      for (const each of logged) each.mock.restore();
    }
  });
});
