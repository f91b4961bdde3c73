import * as assert from "node:assert/strict";
import { NodePoolAcceleratorKind, type NodePoolScheduling } from "../../../provider";
import { pool as poolFields } from "../../../provider/minicluster/parse/pool/fields";
import type { MachineType } from "../../../provider/nodepools/machineType";
import { buildScheduling, type FabricUse, type SettledPool } from "../../../provider/nodepools/scheduling";

const machine: MachineType = { arch: "amd64", vcpus: 96, threadsPerCore: 2, memoryMib: 1_179_648 };
const fixed = (size: number) => ({ isFixed: true, initial: size, min: size, max: size });

const aPool = (pool: Partial<SettledPool> = {}): SettledPool => ({
  ...{ name: "hpc", machine, sizing: fixed(4), staticCpu: false, taints: [] },
  ...pool,
});

/** The scheduling of a pool with nothing special. */
const plain: NodePoolScheduling = {
  pool: "hpc",
  nodeSelector: { "minicluster/pool": "hpc" },
  taints: [],
  node: { arch: "amd64", vcpus: 96, cores: 48, memoryMib: 1_179_648, gpus: 0, fabricInterfaces: 0 },
  ...{ nodes: 4, maxNodes: 4, resources: {}, environment: {}, annotations: {}, hostPaths: {} },
  ...{ lockMemory: false, staticCpu: false },
};
const scaled = { ...plain };
delete scaled.nodes;

const use: FabricUse = {
  ...{ fabric: "rdma" as const, interfaces: 8, resources: { "networking.gke.io/rdma": "8" } },
  ...{ environment: { FI_PROVIDER: "verbs" }, annotations: { "networking.gke.io/interfaces": "[]" } },
  ...{ hostPaths: { "/usr/local/gib": "/home/kubernetes/bin/gib" }, lockMemory: true },
};
const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" }] as const;

describe("the scheduling of a pool", () => {
  const cases: [name: string, pool: Partial<SettledPool>, want: NodePoolScheduling][] = [
    ["a pool of fixed size", {}, plain],
    [
      "a pool of no nodes, which says so, and whose most is still a number of nodes",
      { sizing: fixed(0) },
      { ...plain, nodes: 0, maxNodes: 1 },
    ],
    [
      "a pool that is scaled by need",
      { sizing: { isFixed: false, initial: 2, min: 1, max: 8 } },
      { ...scaled, maxNodes: 8 },
    ],
    ["a pool with one thread on each core", { threadsPerCore: 1 }, { ...plain, node: { ...plain.node, vcpus: 48 } }],
    ["a pool with taints", { taints: [...taints] }, { ...plain, taints: [...taints] }],
    ["a pool that gives whole CPUs to pods", { staticCpu: true }, { ...plain, staticCpu: true }],
    [
      "a pool with a fast network",
      { fabric: use },
      {
        ...plain,
        node: { ...plain.node, fabric: "rdma", fabricInterfaces: 8 },
        ...{ resources: use.resources, environment: use.environment, annotations: use.annotations },
        ...{ hostPaths: use.hostPaths, lockMemory: true },
      },
    ],
    [
      "a pool with a fast network that asks nothing of its pods",
      { fabric: { fabric: "tier1", interfaces: 1 } },
      { ...plain, node: { ...plain.node, fabric: "tier1", fabricInterfaces: 1 } },
    ],
  ];
  for (const [name, pool, want] of cases)
    it(`is this for ${name}`, () => assert.deepEqual(buildScheduling(aPool(pool)), want));

  const resources: [kind: NodePoolAcceleratorKind, name: string][] = [
    [NodePoolAcceleratorKind.Nvidia, "nvidia.com/gpu"],
    [NodePoolAcceleratorKind.Amd, "amd.com/gpu"],
    [NodePoolAcceleratorKind.Neuron, "aws.amazon.com/neuron"],
  ];
  for (const [kind, name] of resources)
    it(`names the accelerators ${name} where they are of kind ${kind}`, () => {
      const accelerator = { kind, model: "Fast", count: 8 };
      const scheduling = buildScheduling(aPool({ machine: { ...machine, accelerator }, fabric: use }));
      assert.deepEqual(scheduling.resources, { [name]: "8", ...use.resources });
      assert.deepEqual([scheduling.node.gpus, scheduling.node.gpuModel], [8, "Fast"]);
    });

  it("is understood by a MiniCluster, word for word", () => {
    for (const [, pool] of cases) {
      const scheduling = buildScheduling(aPool(pool));
      assert.deepEqual(poolFields.parse(scheduling), scheduling);
    }
  });
});
