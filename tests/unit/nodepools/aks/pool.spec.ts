import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { AksNodePoolArgs } from "../../../../provider";
import {
  buildAgentPool,
  buildPlacementGroup,
  needsPlacementGroup,
  settledAtCreation,
} from "../../../../provider/nodepools/aks/pool";
import { aksPool } from "./fixtures";

const common = {
  resourceGroupName: "group",
  resourceName: "cluster",
  agentPoolName: "hpc",
  mode: "User",
  type: "VirtualMachineScaleSets",
  osType: "Linux",
  osSKU: "Ubuntu",
  nodeLabels: { "minicluster/pool": "hpc" },
  tags: {},
};

const fixed = (count: number) => ({ count, enableAutoScaling: false });
const oneByOne = { upgradeSettings: { maxSurge: "0", maxUnavailable: "1" } };

interface Case {
  name: string;
  args: Partial<AksNodePoolArgs>;
  placementGroupId?: string;
  want: object;
}

const cases: Case[] = [
  {
    name: "with nothing but a size",
    args: {},
    want: { ...common, ...fixed(2), vmSize: "Standard_D8ds_v5" },
  },
  {
    name: "with InfiniBand in a proximity placement group",
    args: {
      machineType: "Standard_HB120rs_v3",
      fabric: "infiniband",
      placement: "proximity",
      zones: ["1"],
      size: 4,
      staticCpu: true,
      vnetSubnetId: "subnet",
      tags: { team: "hpc" },
    },
    placementGroupId: "group-id",
    want: {
      ...common,
      ...fixed(4),
      vmSize: "Standard_HB120rs_v3",
      availabilityZones: ["1"],
      proximityPlacementGroupID: "group-id",
      vnetSubnetID: "subnet",
      kubeletConfig: { cpuManagerPolicy: "static", topologyManagerPolicy: "best-effort" },
      ...oneByOne,
      tags: { team: "hpc" },
    },
  },
  {
    name: "with GPUs and InfiniBand",
    args: {
      machineType: "Standard_ND96isr_H100_v5",
      fabric: "infiniband",
      size: 2,
      diskGib: 1024,
      diskType: "ephemeral",
      labels: { team: "ml" },
      taints: [
        { key: "sku", value: "gpu", effect: "NoSchedule" },
        { key: "example.com/hpc", effect: "NoExecute" },
      ],
    },
    want: {
      ...common,
      ...fixed(2),
      vmSize: "Standard_ND96isr_H100_v5",
      gpuProfile: { driver: "Install" },
      osDiskSizeGB: 1024,
      osDiskType: "Ephemeral",
      nodeLabels: { team: "ml", "minicluster/pool": "hpc" },
      nodeTaints: ["sku=gpu:NoSchedule", "example.com/hpc:NoExecute"],
      ...oneByOne,
    },
  },
  {
    name: "with ARM processors, Azure Linux and a version",
    args: {
      machineType: "Standard_D64ps_v5",
      osSku: "azureLinux",
      version: "1.34",
      diskType: "managed",
      applicationSecurityGroupIds: ["asg"],
    },
    want: {
      ...common,
      ...fixed(2),
      osSKU: "AzureLinux",
      vmSize: "Standard_D64ps_v5",
      orchestratorVersion: "1.34",
      osDiskType: "Managed",
      networkProfile: { applicationSecurityGroups: ["asg"] },
    },
  },
  {
    name: "with spot machines, which have a label and a taint of AKS",
    args: { capacity: "spot", spotMaxPrice: 0.5, taints: [{ key: "sku", value: "hpc", effect: "NoSchedule" }] },
    want: {
      ...common,
      ...fixed(2),
      vmSize: "Standard_D8ds_v5",
      scaleSetPriority: "Spot",
      scaleSetEvictionPolicy: "Delete",
      spotMaxPrice: 0.5,
      nodeLabels: { "kubernetes.azure.com/scalesetpriority": "spot", "minicluster/pool": "hpc" },
      nodeTaints: ["sku=hpc:NoSchedule", "kubernetes.azure.com/scalesetpriority=spot:NoSchedule"],
    },
  },
  {
    name: "with InfiniBand on spot machines, whose upgrades are AKS's own",
    args: { machineType: "Standard_HB120rs_v3", fabric: "infiniband", capacity: "spot" },
    want: {
      ...common,
      ...fixed(2),
      vmSize: "Standard_HB120rs_v3",
      scaleSetPriority: "Spot",
      scaleSetEvictionPolicy: "Delete",
      spotMaxPrice: -1,
      nodeLabels: { "kubernetes.azure.com/scalesetpriority": "spot", "minicluster/pool": "hpc" },
      nodeTaints: ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"],
    },
  },
  {
    name: "in a proximity placement group that holds no node more",
    args: { placement: "proximity", proximityPlacementGroupId: "group-id" },
    placementGroupId: "group-id",
    want: {
      ...common,
      ...fixed(2),
      vmSize: "Standard_D8ds_v5",
      proximityPlacementGroupID: "group-id",
      ...oneByOne,
    },
  },
  {
    name: "from a reservation",
    args: { capacity: "reservation", capacityReservationGroupId: "reserved", zones: ["1", "2"] },
    want: {
      ...common,
      ...fixed(2),
      vmSize: "Standard_D8ds_v5",
      availabilityZones: ["1", "2"],
      capacityReservationGroupID: "reserved",
      ...oneByOne,
    },
  },
  {
    name: "within limits",
    args: { autoscale: { min: 1, max: 8 } },
    want: { ...common, vmSize: "Standard_D8ds_v5", count: 1, enableAutoScaling: true, minCount: 1, maxCount: 8 },
  },
  {
    name: "paired with a cluster",
    args: { pairedWith: { size: 3, maxSize: 6 } },
    want: { ...common, vmSize: "Standard_D8ds_v5", count: 3, enableAutoScaling: true, minCount: 0, maxCount: 6 },
  },
];

describe("the agent pool", () => {
  for (const { name, args, placementGroupId, want } of cases)
    it(`is complete ${name}`, () => assert.deepEqual(buildAgentPool(aksPool(args), placementGroupId), want));

  it("is replaced for everything that it says and Azure changes no more", () => {
    const declared = readFileSync(require.resolve("@pulumi/azure-native/containerservice/agentPool.d.ts"), "utf8");
    for (const property of settledAtCreation) assert.match(declared, new RegExp(`^ {4}${property}\\?: pulumi`, "m"));
    const said = new Set(cases.flatMap(({ want }) => Object.keys(want)));
    // By the provider itself: the name, its place and the size of machine. In place: the rest.
    const others = [
      ...["agentPoolName", "resourceGroupName", "resourceName", "vmSize"],
      ...["count", "enableAutoScaling", "minCount", "maxCount", "nodeLabels", "nodeTaints", "tags", "upgradeSettings"],
      ...["networkProfile", "orchestratorVersion", "osSKU", "mode", "osType", "type"],
    ];
    assert.deepEqual([...settledAtCreation, ...others].sort(), [...said].sort());
  });
});

describe("the proximity placement group", () => {
  it("is made where one is wanted and none is named", () => {
    assert.equal(needsPlacementGroup(aksPool()), false);
    assert.equal(needsPlacementGroup(aksPool({ placement: "proximity" })), true);
    assert.equal(needsPlacementGroup(aksPool({ placement: "proximity", proximityPlacementGroupId: "id" })), false);
  });

  it("has the zone of the pool, a region and tags", () =>
    assert.deepEqual(
      buildPlacementGroup(aksPool({ placement: "proximity", zones: ["2"], location: "westus2", tags: { a: "b" } })),
      {
        resourceGroupName: "group",
        location: "westus2",
        proximityPlacementGroupType: "Standard",
        intent: { vmSizes: ["Standard_D8ds_v5"] },
        zones: ["2"],
        tags: { a: "b" },
      },
    ));
});
