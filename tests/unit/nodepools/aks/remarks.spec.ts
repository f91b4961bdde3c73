import * as assert from "node:assert/strict";
import type { AksNodePoolArgs } from "../../../../provider";
import { buildAgentPool } from "../../../../provider/nodepools/aks/pool";
import { aksRemarks, factsIn, staleCountRemarks } from "../../../../provider/nodepools/aks/remarks";
import { resizeRemarks } from "../../../../provider/nodepools/remarks";
import { aksPool, hb, x1 } from "./fixtures";

const remarksOn = (args: Partial<AksNodePoolArgs>) =>
  aksRemarks(aksPool(args)).map(({ severity, text }) => `${severity}: ${text}`);

const needs =
  "info: pool hpc: InfiniBand requires, once per subscription, its feature flag (az feature register --namespace " +
  "Microsoft.ContainerService --name AKSInfinibandSupport; when that is registered, az provider register --namespace " +
  "Microsoft.ContainerService), and on the nodes its driver, which the NVIDIA Network Operator installs; without it, pods " +
  "wait for rdma/shared_ib";

const many = (nodes: number) =>
  `warning: pool hpc may have ${nodes} nodes, and Azure connects at most 100 by InfiniBand; ask Azure support to raise the ` +
  "limit, up to 300";

const empty = (resource: string) =>
  `warning: pool hpc may scale to zero nodes, and then the cluster autoscaler does not know that its nodes have ${resource}: ` +
  "pods that request it may stay Pending; set autoscale with min 1 or more";

describe("what is said of a new AKS node pool", () => {
  const cases: [name: string, args: Partial<AksNodePoolArgs>, want: string[]][] = [
    ["nothing of a plain one", {}, []],
    ["nothing of InfiniBand that is not used", { machineType: hb.machineType }, []],
    ["what InfiniBand needs", { ...hb, size: 100 }, [needs]],
    ["that many nodes are a matter for Azure's support", { ...hb, size: 101 }, [needs, many(101)]],
    ["that many nodes may be one, too", { ...hb, autoscale: { min: 1, max: 128 } }, [needs, many(128)]],
    ["nothing of many nodes without InfiniBand", { size: 500 }, []],
    ["that an empty pool has no InfiniBand", { ...hb, autoscale: { max: 8 } }, [needs, empty("rdma/shared_ib")]],
    ["nothing of a pool that is never empty", { ...hb, autoscale: { min: 1, max: 8 } }, [needs]],
    ["nothing of a fixed pool that is empty", { ...hb, size: 0 }, [needs]],
    [
      "that an empty pool has no accelerators of AMD",
      { machineType: "Standard_ND96isr_MI300X_v5", autoscale: { max: 8 } },
      [empty("amd.com/gpu")],
    ],
    ["nothing of GPUs that the autoscaler knows", { machineType: "Standard_NC4as_T4_v3", autoscale: { max: 8 } }, []],
  ];
  for (const [name, args, want] of cases) it(`is ${name}`, () => assert.deepEqual(remarksOn(args), want));
});

describe("what is said of another size of an AKS node pool", () => {
  const inputsOf = (args: Partial<AksNodePoolArgs>) =>
    buildAgentPool(aksPool({ ...hb, ...args }), undefined) as unknown as Record<string, unknown>;
  const remarksFrom = (before: Record<string, unknown>, after: Partial<AksNodePoolArgs>) => {
    const spec = aksPool({ ...hb, ...after });
    const facts = factsIn(spec);
    return resizeRemarks(spec.scheduling, facts(before), facts(inputsOf(after)));
  };
  const textsOf = (before: Partial<AksNodePoolArgs>, after: Partial<AksNodePoolArgs>) =>
    remarksFrom(inputsOf(before), after).map(({ text }) => text);

  it("comes from the number of nodes of a fixed pool", () =>
    assert.deepEqual(textsOf({ size: 2 }, { size: 4 }), [
      "pool hpc: nodes 2 => 4, InfiniBand interfaces 2 => 4, vCPUs 240 => 480",
    ]));

  it("comes from the limit of a pool that is autoscaled, before or after", () => {
    for (const [before, after] of [
      [{ size: 8 }, { autoscale: { max: 2 } }],
      [{ autoscale: { max: 8 } }, { size: 2 }],
    ] as const)
      assert.equal(
        textsOf(before, after)[0],
        "pool hpc (maximum): nodes 8 => 2, InfiniBand interfaces 8 => 2, vCPUs 960 => 240",
      );
  });

  it("is nothing where neither the nodes nor their machines change", () =>
    assert.deepEqual(textsOf({ size: 2 }, { size: 2, tags: { team: "hpc" } }), []));

  it("counts what there was by the size of machine that there was", () =>
    assert.deepEqual(textsOf({ size: 2, machineType: "Standard_ND96isr_H100_v5" }, { size: 2 }), [
      "pool hpc: machines Standard_ND96isr_H100_v5 => Standard_HB120rs_v3, nodes 2 => 2, GPUs 16 => 0, " +
        "InfiniBand interfaces 16 => 2, vCPUs 192 => 240",
    ]));

  it("counts only the nodes of a size that is not known any more", () => {
    const [remark] = remarksFrom({ ...inputsOf({ size: 2 }), vmSize: "Standard_X2" }, { size: 4 });
    assert.equal(remark?.text, "pool hpc: machines Standard_X2 => Standard_HB120rs_v3, nodes 2 => 4");
  });

  it("knows the size that the pool keeps, even where only its user does", () => {
    const known = { ...x1, fabric: "none" } as const;
    assert.deepEqual(textsOf({ ...known, size: 2 }, { ...known, size: 4 }), ["pool hpc: nodes 2 => 4, vCPUs 16 => 32"]);
  });
});

describe("what is said of any change of an AKS node pool that is scaled by need", () => {
  const inputsOf = (args: Partial<AksNodePoolArgs>) =>
    buildAgentPool(aksPool(args), undefined) as unknown as Record<string, unknown>;
  const said = (before: Record<string, unknown>, after: Partial<AksNodePoolArgs>) =>
    staleCountRemarks(aksPool(after))(before, inputsOf(after)).map(({ severity, text }) => `${severity}: ${text}`);
  const scaled = { pairedWith: { size: 2, maxSize: 8 } };

  it("is that the number of nodes on record is sent, too", () =>
    assert.deepEqual(said(inputsOf(scaled), { ...scaled, tags: { team: "hpc" } }), [
      "info: pool hpc: the update sends the 2 nodes that the stack has on record; if there are more or fewer now, Azure may " +
        "refuse it or go back to that number; run pulumi refresh first",
    ]));

  it("is nothing of a pool whose number of nodes was or is fixed, or is not known", () => {
    assert.deepEqual(said(inputsOf({ size: 2 }), scaled), []);
    assert.deepEqual(said(inputsOf(scaled), { size: 2 }), []);
    assert.deepEqual(said({ enableAutoScaling: true }, scaled), []);
  });
});
