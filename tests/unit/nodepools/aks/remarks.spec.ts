import type { AksNodePoolArgs } from "../../../../provider";
import { buildAgentPool } from "../../../../provider/nodepools/aks/pool";
import { aksRemarks, factsIn, staleCountRemarks } from "../../../../provider/nodepools/aks/remarks";
import { resizeRemarks } from "../../../../provider/nodepools/remarks";
import { asInputs, itRemarks } from "../tables";
import { aksPool, aksTags } from "../fixtures";

type Args = Partial<AksNodePoolArgs>;

const needs =
  "info: pool hpc: InfiniBand requires, once per subscription, its feature flag (az feature register --namespace " +
  "Microsoft.ContainerService --name AKSInfinibandSupport; when that is registered, az provider register --namespace " +
  "Microsoft.ContainerService), and on the nodes its driver, which the NVIDIA Network Operator installs; without it, pods " +
  "wait for rdma/shared_ib";
const empty = "may scale to zero nodes, and then the cluster autoscaler does not know that its nodes have";
const pending = "pods that request it may stay Pending; set autoscale with min 1 or more";

describe("what is said of a new AKS node pool", () => {
  itRemarks(
    `
{}
machineType: Standard_HB120rs_v3
!hb {size: 100}
  ${needs}
!hb {autoscale: {min: 1, max: 101}}
  ${needs}
  warning: pool hpc may have 101 nodes, and Azure connects at most 100 by InfiniBand; ask Azure support to raise the limit, up to 300
size: 500
!hb {autoscale: {max: 8}}
  ${needs}
  warning: pool hpc ${empty} rdma/shared_ib: ${pending}
!hb {size: 0}
  ${needs}
{machineType: Standard_ND96isr_MI300X_v5, autoscale: {max: 8}}
  warning: pool hpc ${empty} amd.com/gpu: ${pending}
{machineType: Standard_NC4as_T4_v3, autoscale: {max: 8}}
{machineType: Standard_ND96isr_H100_v5, autoscale: {max: 8}}
{machineType: Standard_ND96isr_H100_v5, gpuPartition: 1g, autoscale: {max: 8}}
  warning: pool hpc ${empty} nvidia.com/gpu: ${pending}
`,
    (args: Args) => aksRemarks(aksPool(args)),
    aksTags,
  );
});

describe("what is said of a change of an AKS node pool", () => {
  const inputsOf = (args: Args) => asInputs(buildAgentPool(aksPool(args), undefined));

  itRemarks(
    `
[{size: 2}, {size: 2, tags: {team: hpc}}]
[!hb {size: 2}, !hb {size: 4}]
  info: pool hpc: nodes 2 => 4, InfiniBand interfaces 2 => 4, vCPUs 240 => 480, GiB of memory 896 => 1792
[{autoscale: {max: 8}}, {size: 8}]
[{autoscale: {max: 8}}, {size: 9}]
  info: pool hpc (maximum): nodes 8 => 9, vCPUs 64 => 72, GiB of memory 256 => 288
[{size: 2}, {autoscale: {max: 4}}]
  info: pool hpc (maximum): nodes 2 => 4, vCPUs 16 => 32, GiB of memory 64 => 128
[!hb {size: 2, machineType: Standard_ND96isr_H100_v5}, !hb {size: 2}]
  info: pool hpc: machines Standard_ND96isr_H100_v5 => Standard_HB120rs_v3, nodes 2 => 2, GPUs 16 => 0, InfiniBand interfaces 16 => 2, vCPUs 192 => 240, GiB of memory 3800 => 896
# a size that is not known any more, and one that only the user knows
[!x1 {size: 2}, !hb {size: 4}]
  info: pool hpc: machines Standard_X1 => Standard_HB120rs_v3, nodes 2 => 4
[!x1 {size: 2}, !x1 {size: 4}]
  info: pool hpc: nodes 2 => 4, vCPUs 16 => 32, GiB of memory 8 => 16
[{pairedWith: {size: 2, maxSize: 8}}, {pairedWith: {size: 2, maxSize: 8}, tags: {team: hpc}}]
  info: pool hpc: the update sends the 2 nodes that the stack has on record; if there are more or fewer now, Azure may refuse it or go back to that number; run pulumi refresh first
`,
    ([before, after]: [Args, Args]) => {
      const spec = aksPool(after);
      const [old, changed] = [inputsOf(before), inputsOf(after)];
      const resize = resizeRemarks(spec.scheduling, factsIn(spec)(old), factsIn(spec)(changed));
      return [...resize, ...staleCountRemarks(spec)(old, changed)];
    },
    aksTags,
  );
});
