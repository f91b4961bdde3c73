import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { AksNodePoolArgs } from "../../../../provider";
import {
  buildAgentPool,
  buildPlacementGroup,
  needsPlacementGroup,
  settledAtCreation,
} from "../../../../provider/nodepools/aks/pool";
import { valueIn } from "../../../support/cases";
import { itMakes, ofAnyCloud } from "../tables";
import { aksPool } from "../fixtures";

const pools = `
a plain pool: {}
InfiniBand in a new proximity placement group, with whole CPUs:
  machineType: Standard_HB120rs_v3
  fabric: infiniband
  placement: proximity
  zones: ["1"]
  location: westus2
  size: 4
  staticCpu: true
  vnetSubnetId: subnet
  tags: {team: hpc}
InfiniBand that is not used: {machineType: Standard_HB120rs_v3}
InfiniBand by several devices, without the plugin: {machineType: Standard_HB368rs_v5, fabric: infiniband, rdmaPlugin: {skip: true}}
GPUs and InfiniBand:
  machineType: Standard_ND96isr_H100_v5
  fabric: infiniband
  diskGib: 1024
  diskType: ephemeral
  labels: {team: ml}
  taints: [{key: sku, value: gpu, effect: NoSchedule}, {key: example.com/hpc, effect: NoExecute}]
GPUs of AMD, whose driver is the user's, and InfiniBand: {machineType: Standard_ND96isr_MI300X_v5, fabric: infiniband}
GPUs with the driver of an operator: {machineType: Standard_NC4as_T4_v3, gpuDriver: none}
GPUs without the plugin: {machineType: Standard_NC4as_T4_v3, nvidiaPlugin: {skip: true}}
ARM processors, Azure Linux and a version:
  machineType: Standard_D64ps_v5
  osSku: azureLinux
  version: "1.34"
  diskType: managed
  applicationSecurityGroupIds: [asg]
spot machines, which have a label and a taint of AKS:
  capacity: spot
  spotMaxPrice: 0.5
  taints: [{key: sku, value: hpc, effect: NoSchedule}]
InfiniBand on spot machines, whose upgrades are AKS's own: {machineType: Standard_HB120rs_v3, fabric: infiniband, capacity: spot}
a proximity placement group that exists: {placement: proximity, proximityPlacementGroupId: group-id}
a reservation in two zones: {capacity: reservation, capacityReservationGroupId: reserved, zones: ["1", "2"]}
limits: {autoscale: {min: 1, max: 8}}
the size of a cluster: {pairedWith: {size: 3, maxSize: 6}}
described devices and accelerators:
  machineType: Standard_X1
  fabric: infiniband
  hardware: {arch: amd64, vcpus: 8, threadsPerCore: 2, memoryMib: 4096, infinibandDevices: 2, accelerator: {kind: nvidia, model: Z1, count: 4}}
`;

function made(args: Partial<AksNodePoolArgs>) {
  const spec = aksPool(args);
  const placementGroup = needsPlacementGroup(spec) ? buildPlacementGroup(spec) : undefined;
  const agentPool = buildAgentPool(spec, placementGroup ? "new" : spec.proximityPlacementGroupId);
  return { placementGroup, agentPool, ...ofAnyCloud(spec) };
}

describe("an AksNodePool", () => {
  itMakes("aks", pools, made);

  it("is replaced for everything that it says and Azure changes no more", () => {
    const declared = readFileSync(require.resolve("@pulumi/azure-native/containerservice/agentPool.d.ts"), "utf8");
    for (const property of settledAtCreation) assert.match(declared, new RegExp(`^ {4}${property}\\?: pulumi`, "m"));
    const all = Object.values(valueIn(pools) as Record<string, Partial<AksNodePoolArgs>>);
    const said = new Set(all.flatMap((args) => Object.keys(made(args).agentPool)));
    // By the provider itself: the name, its place and the size of machine. In place: the rest.
    const others = [
      ...["agentPoolName", "resourceGroupName", "resourceName", "vmSize"],
      ...["count", "enableAutoScaling", "minCount", "maxCount", "nodeLabels", "nodeTaints", "tags", "upgradeSettings"],
      ...["networkProfile", "orchestratorVersion", "osSKU", "mode", "osType", "type"],
    ];
    assert.deepEqual([...settledAtCreation, ...others].sort(), [...said].sort());
  });
});
