import type { AksKarpenterNodePoolArgs } from "../../../../../provider";
import { factsIn, infinibandNotices } from "../../../../../provider/clouds/aks/karpenter/diagnostics";
import { buildAksKarpenterPool, buildAksNodeClass } from "../../../../../provider/clouds/aks/karpenter/objects";
import { sizingErrors } from "../../../../../provider/clouds/karpenter/diagnostics";
import { resizeDiagnostics } from "../../../../../provider/clouds/nodes/diagnostics";
import { anAksKarpenterPool } from "../../nodes/fixtures";
import { asInputs, itMakes, diagnosing, ofAnyCloud } from "../../nodes/tables";

type Args = Partial<AksKarpenterNodePoolArgs>;

const fixed = { size: 3, maxSize: undefined };

const pools: Record<string, Args> = {
  "a plain pool": {},
  "sizes of which Karpenter selects the cheapest, in the spelling of the user": {
    machineTypes: ["standard_d16s_v6", "Standard_D16ds_v6"],
    zones: ["westus3-1", "westus3-2"],
    arch: "amd64",
  },
  "spot machines with labels, taints and tags": {
    capacityType: "spot",
    maxSize: 8,
    labels: { tier: "cheap" },
    taints: [{ key: "a", effect: "NoSchedule" }],
    tags: { team: "a" },
    emptyForSeconds: 60,
  },
  "GPUs with their plugin, and images that are streamed": {
    machineTypes: ["Standard_NC40ads_H100_v5"],
    artifactStreaming: true,
    diskGib: 512,
  },
  "GPUs with the driver of an operator": { machineTypes: ["Standard_NC4as_T4_v3"], gpuDriver: "none" },
  "GPUs of AMD, whose driver is the user's": { machineTypes: ["Standard_ND96isr_MI300X_v5"] },
  "Azure Linux in a subnet, with whole CPUs of one NUMA node": {
    imageFamily: "azureLinux",
    vnetSubnetId: "/subscriptions/1/resourceGroups/a/providers/Microsoft.Network/virtualNetworks/b/subnets/c",
    staticCpu: true,
    topologyManagerPolicy: "single-numa-node",
  },
  "nodes in a fixed number": fixed,
};

function made(args: Args) {
  const spec = anAksKarpenterPool(args);
  return { nodeClass: buildAksNodeClass(spec), nodePool: buildAksKarpenterPool(spec), ...ofAnyCloud(spec) };
}

describe("an AksKarpenterNodePool", () => {
  itMakes("aksKarpenter", pools, made);
});

describe("the diagnostics of a change of an AksKarpenterNodePool", () => {
  const inputsOf = (args: Args) => asInputs(buildAksKarpenterPool(anAksKarpenterPool(args)));
  const { says, saysNothing } = diagnosing(([before, after]: (Args | undefined)[]) => {
    const spec = anAksKarpenterPool(after);
    const facts = factsIn(spec);
    return [
      ...resizeDiagnostics(spec.scheduling, facts(before ? inputsOf(before) : {}), facts(inputsOf(after ?? {}))),
      ...(before ? sizingErrors(spec)(inputsOf(before), inputsOf(after ?? {})) : []),
    ];
  });
  says({
    "info: pool hpc (maximum): nodes 4 => 8, vCPUs 64 => 128, GiB of memory…": [{}, { maxSize: 8 }],
    "info: pool hpc (maximum): machines Standard_D16s_v6 => Standard_NC40ads_H100_v5, nodes 4 => 4, GPUs 0 => 4…": [
      {},
      { machineTypes: ["Standard_NC40ads_H100_v5"] },
    ],
    "error: pool hpc: Karpenter cannot change a NodePool between a fixed size and autoscaling; set another name…": [
      { ...fixed, size: 4 },
      {},
    ],
  });
  saysNothing({
    "no inputs before": [undefined, {}],
    "the same size in another spelling": [{ machineTypes: ["standard_d16s_v6"] }, {}],
  });
});

describe("the notices of an AksKarpenterNodePool", () => {
  const { says, saysNothing } = diagnosing((args: Args) => infinibandNotices(anAksKarpenterPool(args)));
  says({
    "info: pool hpc: the InfiniBand of Standard_HB120rs_v3 is not used, because Karpenter launches separate…": {
      machineTypes: ["Standard_HB120rs_v3"],
    },
  });
  saysNothing({ "machines without InfiniBand": {} });
});
