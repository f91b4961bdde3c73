import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { AksNodePoolArgs } from "../../../../../provider";
import {
  buildAgentPool,
  buildDeviceClass,
  buildPlacementGroup,
  buildStorageClass,
  needsPlacementGroup,
  immutableInputs,
} from "../../../../../provider/clouds/aks/nodes/objects";
import { aksDiagnostics, factsIn, staleCountNotices } from "../../../../../provider/clouds/aks/nodes/diagnostics";
import { resizeDiagnostics } from "../../../../../provider/clouds/nodes/diagnostics";
import { aksPool, hb } from "../../nodes/fixtures";
import { asInputs, itMakes, diagnosing, ofAnyCloud } from "../../nodes/tables";

const pools: Record<string, Partial<AksNodePoolArgs>> = {
  "a plain pool": {},
  "InfiniBand in a new proximity placement group, with whole CPUs": {
    machineType: "Standard_HB120rs_v3",
    fabric: "infiniband",
    placement: "proximity",
    zones: ["1"],
    location: "westus2",
    size: 4,
    staticCpu: true,
    vnetSubnetId: "subnet",
    tags: { team: "hpc" },
  },
  "InfiniBand that is not used": { machineType: "Standard_HB120rs_v3" },
  "InfiniBand by several devices, without the plugin": {
    machineType: "Standard_HB368rs_v5",
    fabric: "infiniband",
    rdmaPlugin: { skip: true },
  },
  "GPUs and InfiniBand": {
    machineType: "Standard_ND96isr_H100_v5",
    fabric: "infiniband",
    diskGib: 1024,
    diskType: "ephemeral",
    labels: { team: "ml" },
    taints: [
      { key: "sku", value: "gpu", effect: "NoSchedule" },
      { key: "example.com/hpc", effect: "NoExecute" },
    ],
  },
  "GPUs of AMD, whose driver is the user's, and InfiniBand": {
    machineType: "Standard_ND96isr_MI300X_v5",
    fabric: "infiniband",
  },
  "GPUs with the driver of an operator": { machineType: "Standard_NC4as_T4_v3", gpuDriver: "none" },
  "GPUs without the plugin": { machineType: "Standard_NC4as_T4_v3", nvidiaPlugin: { skip: true } },
  "GPUs and InfiniBand, of which pods claim the GPUs": {
    machineType: "Standard_ND96isr_H100_v5",
    fabric: "infiniband",
    gpuBy: "claim",
  },
  "InfiniBand that pods claim": { ...hb, fabricBy: "claim" },
  "GPUs and InfiniBand, both claimed": {
    machineType: "Standard_ND96isr_H100_v5",
    fabric: "infiniband",
    fabricBy: "claim",
    gpuBy: "claim",
  },
  "GPUs and InfiniBand, claimed together on one NUMA node": {
    machineType: "Standard_ND96isr_H100_v5",
    fabric: "infiniband",
    fabricBy: "claim",
    gpuBy: "claim",
    deviceAlignment: "numaNode",
  },
  "pods that need one NUMA node": { staticCpu: true, topologyManagerPolicy: "single-numa-node" },
  "an alignment of devices without exclusive cores": { topologyManagerPolicy: "restricted" },
  "GPUs and InfiniBand with the driver of an operator, and modules that are loaded otherwise": {
    machineType: "Standard_ND40rs_v2",
    fabric: "infiniband",
    gpuDriver: "none",
    moduleLoader: { skip: true },
  },
  "a reservation of machines with InfiniBand": {
    ...hb,
    capacityType: "reservation",
    capacityReservationGroupId: "reserved",
  },
  "superchips with InfiniBand, whose image has the modules and the plugin": {
    machineType: "Standard_ND128isr_NDR_GB200_v6",
    fabric: "infiniband",
  },
  "superchips with a plugin that is requested": { machineType: "Standard_ND128isr_GB300_v6", nvidiaPlugin: {} },
  "GPUs divided by Azure, whose parts the plugin counts": {
    machineType: "Standard_ND96isr_H100_v5",
    gpuPartition: "3g",
  },
  "superchips in one NVLink domain": { machineType: "Standard_ND128isr_GB300_v6" },
  "ARM processors, Azure Linux and a version": {
    machineType: "Standard_D64ps_v5",
    osSku: "azureLinux",
    version: "1.34",
    diskType: "managed",
    applicationSecurityGroupIds: ["asg"],
  },
  "spot machines, which have a label and a taint of AKS": {
    capacityType: "spot",
    spotMaxPrice: 0.5,
    taints: [{ key: "sku", value: "hpc", effect: "NoSchedule" }],
  },
  "InfiniBand on spot machines, whose upgrades are AKS's own": {
    machineType: "Standard_HB120rs_v3",
    fabric: "infiniband",
    capacityType: "spot",
  },
  "a proximity placement group that exists": { placement: "proximity", proximityPlacementGroupId: "group-id" },
  "a reservation in two zones": {
    capacityType: "reservation",
    capacityReservationGroupId: "reserved",
    zones: ["1", "2"],
  },
  limits: { minSize: 1, maxSize: 8 },
  "the size of a cluster": { size: 3, maxSize: 6 },
  "described devices and accelerators": {
    machineType: "Standard_X1",
    fabric: "infiniband",
    hardware: {
      arch: "amd64",
      vcpus: 8,
      threadsPerCore: 2,
      memoryMib: 4096,
      infinibandDevices: 2,
      accelerator: { kind: "nvidia", model: "Z1", count: 4 },
    },
  },
  "a temporary disk for images and for the volumes of pods": { localDisks: "raid0" },
  "NVMe disks that a driver stripes for each pod": { machineType: "Standard_HB176rs_v4", localDisks: "raid0" },
  "NVMe disks that the image of AKS stripes": { machineType: "Standard_ND128isr_NDR_GB200_v6" },
};

function made(args: Partial<AksNodePoolArgs>) {
  const spec = aksPool(args);
  const placementGroup = needsPlacementGroup(spec) ? buildPlacementGroup(spec) : undefined;
  const agentPool = buildAgentPool(spec, placementGroup ? "new" : spec.proximityPlacementGroupId);
  const { localDisk } = spec;
  const storageClass = localDisk?.storageClass === undefined ? undefined : buildStorageClass(localDisk.storageClass);
  const { claims: [claim] = [] } = spec.scheduling;
  const isClaimed = claim?.name === "infiniband";
  return {
    placementGroup,
    agentPool,
    ...(isClaimed && { deviceClass: buildDeviceClass(claim.deviceClass) }),
    ...(storageClass && { storageClass }),
    ...ofAnyCloud(spec),
  };
}

describe("an AksNodePool", () => {
  itMakes("aks", pools, made);

  it("is replaced for everything that it says and Azure changes no more", () => {
    const declared = readFileSync(require.resolve("@pulumi/azure-native/containerservice/agentPool.d.ts"), "utf8");
    for (const property of immutableInputs) assert.match(declared, new RegExp(`^ {4}${property}\\?: pulumi`, "m"));
    const all = Object.values(pools);
    const said = new Set(all.flatMap((args) => Object.keys(made(args).agentPool)));
    // By the provider itself: the name, its place and the size of machine. In place: the rest.
    const others = (
      "agentPoolName resourceGroupName resourceName vmSize count enableAutoScaling minCount maxCount nodeLabels " +
      "nodeTaints tags upgradeSettings networkProfile orchestratorVersion osSKU mode osType type"
    ).split(" ");
    assert.deepEqual([...immutableInputs, ...others].sort(), [...said].sort());
  });
});

type Args = Partial<AksNodePoolArgs>;

const flag =
  "info: pool hpc: InfiniBand requires, once per subscription, its feature flag (az feature register --namespace " +
  "Microsoft.ContainerService --name AKSInfinibandSupport; when that is registered, az provider register --namespace " +
  "Microsoft.ContainerService)";
const operator = "also need its driver, which the NVIDIA Network Operator installs; without it, pods";
const dranet =
  ", and DRANET, the driver dra.net: kubernetes-sigs/dranet, or the managed DRANET of AKS (az aks nodepool update " +
  "--enable-managed-dranet)";
const needs = `${flag}; nodes before Kubernetes 1.35 (Ubuntu 22.04) ${operator} wait for rdma/shared_ib`;
const direct = "pool hpc: GPUs reach InfiniBand directly (GPUDirect RDMA) by the kernel module nvidia-peermem";
const loaded = `info: ${direct}, which hpc-kernel-modules loads`;
const superchip =
  "warning: pool hpc: the image of GB200 runs NVIDIA's device plugin (service nvidia-device-plugin), and";
const h100 = { machineType: "Standard_ND96isr_H100_v5", fabric: "infiniband" } as const;
const gb200 = { machineType: "Standard_ND128isr_NDR_GB200_v6" } as const;
const empty = "may scale to zero nodes, from which the cluster autoscaler cannot detect that its nodes have";
const pending = "pods that request it may stay Pending; set minSize to 1 or more";

describe("the diagnostics of a new AKS node pool", () => {
  const { says, saysAll, saysNothing } = diagnosing((args: Args) => aksDiagnostics(aksPool(args)));
  says({
    [needs]: { ...hb, size: 100 },
    [`${flag}; the nodes (Ubuntu 22.04) ${operator} wait for rdma/shared_ib`]: { ...hb, version: "1.34.4" },
    [`${flag}${dranet}`]: { ...hb, fabricBy: "claim", version: "1.35" },
    [`${superchip} pods claim GPUs from a DRA driver: one GPU may be allocated twice; stop one of the two`]: {
      ...gb200,
      gpuBy: "claim",
    },
    [`${superchip} nvidiaPlugin runs another: one GPU may be allocated twice; stop one of the two`]: {
      ...gb200,
      nvidiaPlugin: {},
    },
    [`warning: pool hpc ${empty} amd.com/gpu: ${pending}`]: {
      machineType: "Standard_ND96isr_MI300X_v5",
      maxSize: 8,
    },
    [`warning: pool hpc ${empty} nvidia.com/gpu: ${pending}`]: {
      machineType: "Standard_ND96isr_H100_v5",
      gpuPartition: "1g",
      maxSize: 8,
    },
  });
  // The image has the driver of InfiniBand, or Ubuntu 24.04 has it.
  saysAll({ ...gb200, fabric: "infiniband", size: 4 }, [flag]);
  for (const version of ["1.35", "1.36.2"]) saysAll({ ...hb, version }, [flag]);
  saysAll({ ...hb, fabricBy: "claim" }, [
    `${flag}${dranet}; nodes before Kubernetes 1.35 (Ubuntu 22.04) also need its driver, which the managed DRANET or ` +
      "the NVIDIA Network Operator installs; without it, pods stay Pending",
  ]);
  saysAll({ ...hb, capacityType: "reservation", capacityReservationGroupId: "g" }, [
    needs,
    "warning: pool hpc: Azure reserves Standard_HB120rs_v3 only where the capability CapacityReservationSupported " +
      "of the size is " +
      'true: az vm list-skus --size Standard_HB120rs_v3 --query "[].capabilities"',
  ]);
  saysAll(h100, [needs, `${loaded}, or by DMA-BUF on Ubuntu 24.04`]);
  // V100 has no open kernel modules, which DMA-BUF needs.
  saysAll({ ...h100, machineType: "Standard_ND40rs_v2" }, [needs, loaded]);
  saysAll({ ...h100, moduleLoader: { skip: true } }, [
    needs,
    `warning: ${direct}, or by DMA-BUF on Ubuntu 24.04; AKS does not load the module: ` +
      "load it, or remove moduleLoader.skip",
  ]);
  saysAll({ ...h100, gpuDriver: "none" }, [
    needs,
    `info: ${direct}: set driver.rdma.enabled=true in the values of the GPU Operator`,
  ]);
  saysAll({ ...h100, machineType: "Standard_ND96isr_MI300X_v5" }, [needs]);
  saysAll({ ...hb, minSize: 1, maxSize: 101 }, [
    needs,
    "warning: pool hpc may have 101 nodes, and Azure connects at most 100 by InfiniBand…",
  ]);
  saysAll({ ...hb, size: 0 }, [needs]);
  saysAll({ ...hb, maxSize: 8 }, [needs, `warning: pool hpc ${empty} rdma/shared_ib: ${pending}`]);
  saysNothing({
    "a plain pool": {},
    "InfiniBand that is not used": { machineType: "Standard_HB120rs_v3" },
    "many nodes without InfiniBand": { size: 500 },
    "one GPU in a node from zero nodes": { machineType: "Standard_NC4as_T4_v3", maxSize: 8 },
    "eight GPUs in a node from zero nodes": { machineType: "Standard_ND96isr_H100_v5", maxSize: 8 },
  });
});

describe("the diagnostics of a change of an AKS node pool", () => {
  const inputsOf = (args: Args) => asInputs(buildAgentPool(aksPool(args), undefined));

  const { says, saysNothing } = diagnosing(([before, after]: [Args, Args]) => {
    const spec = aksPool(after);
    const [old, changed] = [inputsOf(before), inputsOf(after)];
    const resize = resizeDiagnostics(spec.scheduling, factsIn(spec)(old), factsIn(spec)(changed));
    return [...resize, ...staleCountNotices(spec)(old, changed)];
  });
  says({
    "info: pool hpc: nodes 2 => 4, InfiniBand interfaces 2 => 4, vCPUs 240…": [
      { ...hb, size: 2 },
      { ...hb, size: 4 },
    ],
    "info: pool hpc (maximum): nodes 8 => 9, vCPUs 64 => 72, GiB of memory…": [{ maxSize: 8 }, { size: 9 }],
    ["info: pool hpc: machines Standard_ND96isr_H100_v5 => Standard_HB120rs_v3, nodes 2 => 2, GPUs 16 => 0, " +
    "InfiniBand interfaces 16 => 2, vCPUs 192 => 240, GiB of memory 3800 => 896"]: [
      { ...hb, size: 2, machineType: "Standard_ND96isr_H100_v5" },
      { ...hb, size: 2 },
    ],
    ["info: pool hpc: the update sends the 2 nodes that the stack has recorded; if there are more or fewer " +
    "now, Azure may reject the update or restore that number; run pulumi refresh first"]: [
      { size: 2, maxSize: 8 },
      { size: 2, maxSize: 8, tags: { team: "hpc" } },
    ],
  });

  saysNothing({
    "other tags": [{ size: 2 }, { size: 2, tags: { team: "hpc" } }],
    "a fixed size at the former maximum": [{ maxSize: 8 }, { size: 8 }],
  });
});
