import * as assert from "node:assert/strict";
import type { AksNodePoolArgs } from "../../../../provider";
import { countsIn } from "../../../../provider/nodepools/aks/counts";
import { buildAgentPool } from "../../../../provider/nodepools/aks/pool";
import { aksRemarks } from "../../../../provider/nodepools/aks/remarks";
import { resizeRemarks } from "../../../../provider/nodepools/remarks";
import { aksPool } from "./fixtures";

const remarksOn = (args: Partial<AksNodePoolArgs>) =>
  aksRemarks(aksPool(args)).map(({ severity, text }) => `${severity}: ${text}`);

const hb = { machineType: "Standard_HB120rs_v3", fabric: "infiniband" } as const;

const needs =
  "info: pool hpc has InfiniBand, which needs two things beside it: the subscription's feature flag, once (az feature " +
  "register --namespace Microsoft.ContainerService --name AKSInfinibandSupport; when it is registered, az provider " +
  "register --namespace Microsoft.ContainerService), and the InfiniBand driver on the nodes, which the NVIDIA Network " +
  "Operator installs; until it is there, pods wait for rdma/shared_ib";

const many = (nodes: number) =>
  `warning: pool hpc may have ${nodes} nodes, and Azure joins at most 100 by InfiniBand; ask its support to raise the ` +
  "limit, which goes up to 300";

const empty = (resource: string) =>
  "warning: pool hpc may go down to no node, and then the cluster autoscaler does not know that its nodes would have " +
  `${resource}: pods that ask for it may wait for ever; give the pool autoscale with a min of 1 or more`;

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
  const textsOf = (before: Partial<AksNodePoolArgs>, after: Partial<AksNodePoolArgs>) => {
    const { scheduling, sizing } = aksPool({ ...hb, ...after });
    const counts = countsIn(sizing.isFixed);
    return resizeRemarks(scheduling, counts(inputsOf(before)), counts(inputsOf(after))).map(({ text }) => text);
  };

  it("comes from the number of nodes of a fixed pool", () =>
    assert.deepEqual(textsOf({ size: 2 }, { size: 4 }), [
      "pool hpc: nodes 2 => 4, InfiniBand interfaces 2 => 4, vCPUs 240 => 480",
    ]));

  it("comes from the most nodes of a pool that grows by need", () =>
    assert.deepEqual(textsOf({ pairedWith: { maxSize: 2 } }, { pairedWith: { maxSize: 4 } }), [
      "pool hpc grows to at most: nodes 2 => 4, InfiniBand interfaces 2 => 4, vCPUs 240 => 480",
    ]));

  it("is nothing where only the nodes change that an autoscaled pool begins with", () =>
    assert.deepEqual(textsOf({ pairedWith: { size: 1, maxSize: 4 } }, { pairedWith: { size: 2, maxSize: 4 } }), []));
});
