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

const offered = { filters: [{ name: "instance-type", values: ["hpc7g.16xlarge", "p4d.24xlarge"] }] };

const answers: {
  name: string;
  token: string;
  args: Obj;
  config?: Record<string, string>;
  has: Record<string, Json>;
}[] = [
  {
    name: "an instance type with EFA",
    token: tokens.instanceType,
    args: { instanceType: "p5.48xlarge" },
    has: { efaSupported: true, efaMaximumInterfaces: 32, maximumNetworkCards: 32, supportedArchitectures: ["x86_64"] },
  },
  {
    name: "an instance type that nobody can know",
    token: tokens.instanceType,
    args: { instanceType: "c9gn.48xlarge" },
    has: { supportedArchitectures: ["arm64"], defaultCores: 192, gpuses: [], hibernationSupported: false },
  },
  {
    name: "the zone of a subnet, by the last letter of its name",
    token: tokens.subnet,
    args: { id: "subnet-b12" },
    config: { "aws:config:region": "eu-west-1" },
    has: { availabilityZone: "eu-west-1b", vpcId: "vpc-1" },
  },
  {
    name: "an EKS cluster",
    token: tokens.eks,
    args: { name: "hpc" },
    has: { id: "hpc", version: "1.34" },
  },
  {
    name: "the zones of some instance types",
    token: tokens.offerings,
    args: { ...offered, locationType: "availability-zone" },
    has: {
      instanceTypes: ["hpc7g.16xlarge", "p4d.24xlarge", "p4d.24xlarge"],
      locations: ["us-east-1a", "us-east-1a", "us-east-1b"],
    },
  },
  {
    name: "regions of instance types",
    token: tokens.offerings,
    args: offered,
    has: { locationTypes: ["region", "region"] },
  },
  {
    name: "a GKE cluster",
    token: tokens.gke,
    args: { name: "hpc", location: "us-central1" },
    has: { id: "projects/test-project/locations/us-central1/clusters/hpc", nodeLocations: ["us-central1-a"] },
  },
  { name: "no machine type", token: tokens.machineTypes, args: { filter: 'name = "x1"' }, has: { machineTypes: [] } },
  {
    name: "an AKS cluster",
    token: tokens.aks,
    args: { resourceGroupName: "group", resourceName: "hpc" },
    has: { location: "eastus", nodeResourceGroup: "MC_group_hpc_eastus" },
  },
];

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
  for (const { name, token, args, config, has } of answers)
    it(`knows ${name}`, async () => {
      const { result, failures } = await ask(token, args, config);
      assert.equal(failures, undefined);
      assert.deepEqual({ ...result, ...has }, result);
    });

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
