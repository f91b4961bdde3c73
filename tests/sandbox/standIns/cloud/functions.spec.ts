import * as assert from "node:assert/strict";
import { type Json, type Obj } from "../rpc/values";
import { backendOf } from "./backendDouble";
import type { CloudName } from "./clouds";
import { instanceTypes } from "./clouds/awsInstanceTypes";

const tokens = {
  instanceType: "aws:ec2/getInstanceType:getInstanceType",
  offerings: "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings",
  subnet: "aws:ec2/getSubnet:getSubnet",
  eks: "aws:eks/getCluster:getCluster",
  machineTypes: "gcp:compute/getMachineTypes:getMachineTypes",
  gke: "gcp:container/getCluster:getCluster",
  aks: "azure-native:containerservice:getManagedCluster",
};

const ask = async (token: string, args: Obj, config: Record<string, string> = {}) => {
  const backend = await backendOf(token.split(":")[0] as CloudName);
  await backend.configure(config);
  return backend.invoke({ token, args });
};

const refusals: { name: string; token: string; args: Obj; error: RegExp }[] = [
  {
    name: "an instance type that AWS does not have",
    token: tokens.instanceType,
    args: { instanceType: "x9.huge" },
    error: /reading EC2 Instance Type \(x9\.huge\): .* InvalidInstanceType: .* do not exist: \[x9\.huge\]/,
  },
  { name: "a subnet of no zone", token: tokens.subnet, args: { id: "subnet-1" }, error: /InvalidSubnetID\.NotFound/ },
  { name: "a missing EKS cluster", token: tokens.eks, args: { name: "missing" }, error: /couldn't find resource/ },
  { name: "a missing GKE cluster", token: tokens.gke, args: { name: "missing" }, error: /clusters\/missing not found/ },
  {
    name: "a missing AKS cluster",
    token: tokens.aks,
    args: { resourceGroupName: "group", resourceName: "missing" },
    error: /Code="ResourceNotFound"/,
  },
  { name: "a filter of its own", token: tokens.machineTypes, args: { filter: "cpus > 4" }, error: /cannot filter/ },
  {
    name: "another data source",
    token: "aws:ec2/getVpc:getVpc",
    args: {},
    error: /does not know aws:ec2\/getVpc:getVpc/,
  },
];

describe("a cloud's data source", () => {
  for (const { name, token, args, error } of refusals)
    it(`refuses ${name}`, () => assert.rejects(ask(token, args), { message: error }));

  // A wrong row is thrown by the stand-in itself, which holds each answer against the declarations.
  it("says of every type only what the SDK declares", async () => {
    for (const instanceType of Object.keys(instanceTypes)) await ask(tokens.instanceType, { instanceType });
    const { result } = await ask(tokens.machineTypes, {});
    assert.equal((result.machineTypes as Json[]).length, 9);
  });

  it("gives nothing for an argument that the SDK does not declare", async () => {
    const { failures = [] } = await ask(tokens.instanceType, { instanceType: "m7i.large", zone: "us-east-1a" });
    assert.deepEqual(
      failures.map(({ property, reason }) => `${property}: ${reason}`),
      [`zone: ${tokens.instanceType} has no such property; the SDK declares instanceType, region`],
    );
  });

  it("gives nothing without an argument that it needs", async () => {
    const { failures = [] } = await ask(tokens.instanceType, {});
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["instanceType"],
    );
  });
});
