import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { aksArgs, aksProblems, itRefuses, unknownHardware } from "./fixtures";
import type { RuleCase } from "../../../support/problems";

const hb = { machineType: "Standard_HB120rs_v3", fabric: "infiniband" };
const groupId = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/proximityPlacementGroups/p";

const onlyWith = (what: string) => new RegExp(`^only means something beside ${what}; `);

const joined: RuleCase[] = [
  {
    rule: "InfiniBand on a size without it",
    args: { fabric: "infiniband" },
    path: "fabric",
    says: 'Standard_D8ds_v5 has no InfiniBand; choose an HB, HC, HX or ND size with an "r", or remove fabric',
  },
  {
    rule: "InfiniBand on hardware without it",
    args: { machineType: "Standard_X1", hardware: unknownHardware, fabric: "infiniband" },
    path: "fabric",
    says: /^Standard_X1 has no InfiniBand; /,
  },
  {
    rule: "InfiniBand on Azure Linux",
    args: { ...hb, osSku: "azureLinux" },
    path: "osSku",
    says: 'the InfiniBand driver is made for Ubuntu; use "ubuntu"',
  },
  {
    rule: "several zones with InfiniBand",
    args: { ...hb, zones: ["1", "2"] },
    path: "zones",
    says: "InfiniBand does not leave a data center, and these are 2; name one, or none",
  },
  {
    rule: "several zones with proximity placement",
    args: { placement: "proximity", zones: ["1", "2", "3"] },
    path: "zones",
    says: "a proximity placement group lies in one zone, and these are 3; name one, or none",
  },
  {
    rule: "a placement group without its placement",
    args: { proximityPlacementGroupId: groupId },
    path: "proximityPlacementGroupId",
    says: onlyWith('placement "proximity"'),
  },
  {
    rule: "a location without a placement group",
    args: { location: "eastus" },
    path: "location",
    says: "is that of a proximity placement group to be made, and none is made here; remove it",
  },
  {
    rule: "a location beside a placement group that exists",
    args: { placement: "proximity", proximityPlacementGroupId: groupId, location: "eastus" },
    path: "location",
    says: /none is made here/,
  },
  {
    rule: "a reservation without its group",
    args: { capacity: "reservation" },
    path: "capacityReservationGroupId",
    says: 'capacity "reservation" needs the id of the group; add it',
  },
  {
    rule: "a reservation group on demand",
    args: { capacityReservationGroupId: "g" },
    path: "capacityReservationGroupId",
    says: onlyWith('capacity "reservation"'),
  },
  {
    rule: "a reservation group with spot machines",
    args: { capacity: "spot", capacityReservationGroupId: "g" },
    path: "capacityReservationGroupId",
    says: onlyWith('capacity "reservation"'),
  },
  {
    rule: "a reservation with proximity placement",
    args: { capacity: "reservation", capacityReservationGroupId: "g", placement: "proximity" },
    path: "placement",
    says: "Azure reserves nothing in a proximity placement group; remove placement or capacity",
  },
  {
    rule: "a reservation of a size with InfiniBand, even if it is not used",
    args: { machineType: "Standard_HB120rs_v3", capacity: "reservation", capacityReservationGroupId: "g" },
    path: "capacity",
    says: 'Azure reserves no sizes with InfiniBand such as Standard_HB120rs_v3; use "onDemand" or "spot"',
  },
  {
    rule: "a price on demand",
    args: { spotMaxPrice: 1 },
    path: "spotMaxPrice",
    says: onlyWith('capacity "spot"'),
  },
  {
    rule: "threads of a core, which Azure does not set",
    args: { threadsPerCore: 1 },
    path: "threadsPerCore",
    says: "Azure has no setting for it, and sizes for HPC come with one thread to a core; remove it",
  },
  {
    rule: "a label of AKS",
    args: { labels: { "kubernetes.azure.com/mode": "user" } },
    path: 'labels["kubernetes.azure.com/mode"]',
    says: "AKS keeps the prefix of kubernetes.azure.com/mode to itself; use a prefix of your own",
  },
  {
    rule: "a label of Kubernetes",
    args: { labels: { "kubernetes.io/team": "a" } },
    path: 'labels["kubernetes.io/team"]',
    says: /^AKS keeps the prefix /,
  },
  {
    rule: "the label of this package",
    args: { labels: { "minicluster/pool": "a" } },
    path: 'labels["minicluster/pool"]',
    says: "is the label of this package; set name",
  },
  {
    rule: "the taint of AKS",
    args: {
      capacity: "spot",
      taints: [{ key: "kubernetes.azure.com/scalesetpriority", value: "spot", effect: "NoSchedule" }],
    },
    path: "taints[0].key",
    says: /^AKS keeps the prefix of kubernetes\.azure\.com\/scalesetpriority to itself/,
  },
  {
    rule: "a taint that stands twice",
    args: {
      taints: [
        { key: "sku", value: "gpu", effect: "NoSchedule" },
        { key: "sku", value: "hpc", effect: "NoSchedule" },
      ],
    },
    path: "taints[1]",
    says: /stands twice/,
  },
  {
    rule: "more nodes than a pool may have",
    args: { size: 1001 },
    path: "size",
    says: "1001 is above the 1000 nodes that an AKS node pool may have; lower it",
  },
  {
    rule: "more nodes than a pool may grow to",
    args: { autoscale: { max: 1001 } },
    path: "autoscale.max",
    says: /^1001 is above the 1000 nodes /,
  },
  {
    rule: "a larger cluster than a pool can be for",
    args: { pairedWith: { maxSize: 1001 } },
    path: "pairedWith.maxSize",
    says: /^1001 is above the 1000 nodes /,
  },
  {
    rule: "a larger cluster than a pool can be for, from the beginning",
    args: { pairedWith: { size: 1001 } },
    path: "pairedWith.size",
    says: /^1001 is above the 1000 nodes /,
  },
  {
    rule: "a fixed size that grows",
    args: { size: 1, autoscale: { max: 2 } },
    path: "size",
    says: /^a pool has a fixed/,
  },
  {
    rule: "fewer nodes than the paired cluster may need",
    args: { autoscale: { max: 2 }, pairedWith: { maxSize: 4 } },
    path: "autoscale.max",
    says: /^max 2 is below the 4 nodes /,
  },
];

describe("the rules of an AKS node pool", () => {
  itRefuses(joined);

  it("speak of everything at once", () => {
    const args = {
      name: "HPC",
      machineType: "Standard_D8ds_v5",
      fabric: "infiniband",
      zones: ["1", "2"],
      capacity: "reservation",
      osSku: "azureLinux",
      spotMaxPrice: 1,
      arch: "arm64",
      sise: 2,
    };
    assert.deepEqual(
      aksProblems(args)
        .map(({ propertyPath }) => propertyPath)
        .sort(),
      [
        ...[
          "arch",
          "capacityReservationGroupId",
          "clusterName",
          "fabric",
          "name",
          "osSku",
          "resourceGroupName",
          "sise",
        ],
        ...["size", "spotMaxPrice", "zones"],
      ],
    );
  });

  const accepted: Record<string, object> = {
    "a size in lower case": { machineType: "standard_hb120-96rs_v3" },
    "InfiniBand in one zone": { ...hb, zones: ["2"] },
    "InfiniBand in a proximity placement group": { ...hb, placement: "proximity" },
    "InfiniBand on spot machines": { ...hb, capacity: "spot" },
    "InfiniBand on hardware that has it": {
      machineType: "Standard_X1",
      hardware: { ...unknownHardware, infinibandDevices: 1 },
      fabric: "infiniband",
    },
    "one zone with a placement group": { placement: "proximity", zones: ["1"] },
    "several zones without either": { zones: ["1", "2", "3"] },
    "the location of a placement group": { placement: "proximity", location: "eastus" },
    "a reservation of what can be reserved": { capacity: "reservation", capacityReservationGroupId: "g" },
    "labels and taints of another prefix": {
      labels: { "example.com/team": "a", app: "b" },
      taints: [{ key: "sku", value: "gpu", effect: "NoSchedule" }],
    },
    "as many nodes as a pool may have": { size: 1000 },
    "no nodes": { size: 0 },
    "a price that is only known later": { capacity: "spot", spotMaxPrice: pulumi.output(0.5) },
    "names that are only known later": { clusterName: pulumi.output("c"), resourceGroupName: pulumi.output("g") },
  };
  for (const [name, args] of Object.entries(accepted))
    it(`accept ${name}`, () => assert.deepEqual(aksProblems(aksArgs(args)), []));
});
