import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { aksArgs, aksProblems, itRefuses, unknownHardware } from "./fixtures";
import type { RuleCase } from "../../../support/problems";

const cases: RuleCase[] = [
  ...["Hpc", "my-pool", "1a", "abcdefghijklm", ""].map((name) => ({
    rule: `the name "${name}"`,
    args: { name },
    path: "name",
    says: `"${name}" must be a name of AKS: at most 12 lowercase letters and digits, starting with a letter; set name`,
  })),
  {
    rule: "an empty cluster",
    args: { clusterName: "" },
    path: "clusterName",
    says: /must be a string that is not empty/,
  },
  { rule: "an empty group", args: { resourceGroupName: "" }, path: "resourceGroupName", says: /not empty/ },
  {
    rule: "a size that is only known later",
    args: { machineType: pulumi.output("Standard_D8ds_v5") },
    path: "machineType",
    says: /known before anything is created/,
  },
  { rule: "another fabric", args: { fabric: "efa" }, path: "fabric", says: 'must be one of "none", "infiniband"' },
  { rule: "another placement", args: { placement: "cluster" }, path: "placement", says: /"none", "proximity"/ },
  { rule: "another capacity", args: { capacity: "flex" }, path: "capacity", says: /"onDemand", "spot", "reservation"/ },
  { rule: "another system", args: { osSku: "windows" }, path: "osSku", says: /"ubuntu", "azureLinux"/ },
  {
    rule: "another driver",
    args: { machineType: "Standard_NC4as_T4_v3", gpuDriver: "latest" },
    path: "gpuDriver",
    says: /"install", "none"/,
  },
  { rule: "another disk", args: { diskType: "gp3" }, path: "diskType", says: /"managed", "ephemeral"/ },
  {
    rule: "a disk that is too small",
    args: { diskGib: 29 },
    path: "diskGib",
    says: "29 must be an integer from 30 to 2048",
  },
  { rule: "a disk that is too large", args: { diskGib: 2049 }, path: "diskGib", says: /from 30 to 2048/ },
  { rule: "the name of a zone", args: { zones: ["eastus-1"] }, path: "zones[0]", says: 'must be one of "1", "2", "3"' },
  {
    rule: "a price of nothing",
    args: { capacity: "spot", spotMaxPrice: 0 },
    path: "spotMaxPrice",
    says: "must be above 0, or -1 for the price on demand",
  },
  {
    rule: "a price in words",
    args: { capacity: "spot", spotMaxPrice: "cheap" },
    path: "spotMaxPrice",
    says: "must be a number of US dollars",
  },
  { rule: "an empty id of a subnet", args: { vnetSubnetId: "" }, path: "vnetSubnetId", says: /not empty/ },
  {
    rule: "an empty id of a security group",
    args: { applicationSecurityGroupIds: [""] },
    path: "applicationSecurityGroupIds[0]",
    says: /not empty/,
  },
  {
    rule: "too many InfiniBand devices",
    args: { machineType: "Standard_X1", hardware: { ...unknownHardware, infinibandDevices: 65 } },
    path: "hardware.infinibandDevices",
    says: /from 0 to 64/,
  },
  { rule: "an unknown property", args: { sise: 2 }, path: "sise", says: /^unknown property/ },
];

describe("the arguments of an AKS node pool", () => {
  itRefuses(cases);

  it("refuse a Pulumi resource name that is no name of a pool", () => {
    const args = aksArgs({ name: undefined });
    assert.deepEqual(aksProblems(args, "infiniband-pool"), [
      {
        propertyPath: "name",
        reason:
          '"infiniband-pool" must be a name of AKS: at most 12 lowercase letters and digits, starting with a letter; set name',
      },
    ]);
    assert.deepEqual(aksProblems(args, "hpc"), []);
  });
});
