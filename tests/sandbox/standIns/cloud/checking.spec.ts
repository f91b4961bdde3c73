import * as assert from "node:assert/strict";
import { type Obj, secret, unknown, withoutSecrets } from "../rpc/values";
import {
  agentPoolType,
  aNodeGroup,
  aNodePool,
  anAgentPool,
  launchTemplateType,
  nodeGroupType,
  nodePoolType,
} from "./fixtures";
import { inputProblems } from ".";

interface Case {
  name: string;
  type: string;
  inputs: Obj;
  problems: RegExp[];
}

const sizes = { desiredSize: 4, maxSize: 8, minSize: 0 };

const refused: Case[] = [
  {
    name: "an invented property",
    type: nodeGroupType,
    inputs: aNodeGroup({ nodeCount: 4 }),
    problems: [/^nodeCount: aws:eks\/nodeGroup:NodeGroup has no such property; the SDK declares amiType, /],
  },
  {
    name: "an invented property of an object, which then lacks the right one",
    type: nodeGroupType,
    inputs: aNodeGroup({ scalingConfig: { desired: 4, maxSize: 8, minSize: 0 } }),
    problems: [
      /^scalingConfig\.desired: inputs\.eks\.NodeGroupScalingConfig has .* declares desiredSize, maxSize, minSize$/,
      /^scalingConfig\.desiredSize: inputs\.eks\.NodeGroupScalingConfig requires this property, and it is missing$/,
    ],
  },
  {
    name: "an invented property of an object in a list",
    type: launchTemplateType,
    inputs: { networkInterfaces: [{ networkCardIndex: 0 }, { networkCardIndex: 1, efa: true }] },
    problems: [/^networkInterfaces\[1\]\.efa: inputs\.ec2\.LaunchTemplateNetworkInterface has no such property/],
  },
  {
    name: "an invented property four levels down",
    type: nodePoolType,
    inputs: aNodePool({
      nodeConfig: { guestAccelerators: [{ type: "t", count: 1, gpuDriverInstallationConfig: { version: "LATEST" } }] },
    }),
    problems: [
      /^nodeConfig\.guestAccelerators\[0\]\.gpuDriverInstallationConfig\.version: .* declares gpuDriverVersion$/,
      /^nodeConfig\.guestAccelerators\[0\]\.gpuDriverInstallationConfig\.gpuDriverVersion: .* missing$/,
    ],
  },
  {
    name: "a missing property",
    type: nodeGroupType,
    inputs: { clusterName: "hpc", nodeRoleArn: "arn", scalingConfig: sizes },
    problems: [/^subnetIds: .* requires this property, and it is missing$/],
  },
  {
    name: "a string in the place of a number",
    type: nodePoolType,
    inputs: aNodePool({ nodeCount: "4" }),
    problems: [/^nodeCount: the SDK declares a value of type number, and this is of type string$/],
  },
  {
    name: "a number in the place of a string",
    type: nodeGroupType,
    inputs: aNodeGroup({ launchTemplate: { id: "lt-1", version: 1 } }),
    problems: [/^launchTemplate\.version: the SDK declares a value of type string, and this is of type number$/],
  },
  {
    name: "a boolean in the place of a string",
    type: launchTemplateType,
    inputs: { ebsOptimized: true },
    problems: [/^ebsOptimized: the SDK declares a value of type string, and this is of type boolean$/],
  },
  {
    name: "one value in the place of a list",
    type: nodeGroupType,
    inputs: aNodeGroup({ instanceTypes: "hpc7g.16xlarge" }),
    problems: [/^instanceTypes: the SDK declares a value of type array, and this is of type string$/],
  },
  {
    name: "a list in the place of an object",
    type: nodeGroupType,
    inputs: aNodeGroup({ scalingConfig: [sizes] }),
    problems: [/^scalingConfig: the SDK declares inputs\.eks\.NodeGroupScalingConfig, and this is an array$/],
  },
  {
    name: "a wrong value in a list",
    type: nodeGroupType,
    inputs: aNodeGroup({ subnetIds: ["subnet-a1", 2] }),
    problems: [/^subnetIds\[1\]: the SDK declares a value of type string/],
  },
  {
    name: "a wrong value in a map",
    type: nodeGroupType,
    inputs: aNodeGroup({ labels: { "example.com/pool": 1 } }),
    problems: [/^labels\["example\.com\/pool"\]: the SDK declares a value of type string/],
  },
  {
    name: "null",
    type: nodePoolType,
    inputs: aNodePool({ nodeCount: null }),
    problems: [/^nodeCount: .* and this is null$/],
  },
  {
    name: "null in the place of an object",
    type: nodeGroupType,
    inputs: aNodeGroup({ scalingConfig: null }),
    problems: [/^scalingConfig: the SDK declares inputs\.eks\.NodeGroupScalingConfig, and this is null$/],
  },
  {
    name: "a value that an enum does not have, although the SDK takes any string",
    type: agentPoolType,
    inputs: anAgentPool({ mode: "Users" }),
    problems: [/^mode: the SDK declares one of "System", "User", .*, and this is "Users"$/],
  },
  {
    name: "a value that an enum of AWS does not have",
    type: "aws:ec2/placementGroup:PlacementGroup",
    inputs: { strategy: "compact" },
    problems: [/^strategy: the SDK declares one of .*"cluster".*, and this is "compact"$/],
  },
  {
    name: "a wrong value inside a secret",
    type: nodeGroupType,
    inputs: withoutSecrets(aNodeGroup({ tags: secret({ owner: 1 }) })),
    problems: [/^tags\.owner: /],
  },
];

const accepted: Omit<Case, "problems">[] = [
  { name: "a node group", type: nodeGroupType, inputs: aNodeGroup() },
  { name: "a node pool", type: nodePoolType, inputs: aNodePool() },
  { name: "an agent pool", type: agentPoolType, inputs: anAgentPool() },
  { name: "an unknown value in any place", type: nodeGroupType, inputs: aNodeGroup({ scalingConfig: unknown }) },
  {
    name: "an unknown value inside an object and a list",
    type: nodeGroupType,
    inputs: aNodeGroup({ scalingConfig: { ...sizes, desiredSize: unknown }, subnetIds: [unknown] }),
  },
  { name: "an unknown value for an enum", type: agentPoolType, inputs: anAgentPool({ mode: unknown }) },
  { name: "a list of objects", type: agentPoolType, inputs: anAgentPool({ nodeTaints: ["sku=gpu:NoSchedule"] }) },
];

describe("the inputs of a cloud's resource", () => {
  for (const { name, type, inputs, problems } of refused)
    it(`must not have ${name}`, async () => {
      const found = await inputProblems(type, inputs);
      assert.equal(found.length, problems.length, found.join("\n"));
      problems.forEach((problem, i) => assert.match(found[i] ?? "", problem));
    });

  for (const { name, type, inputs } of accepted)
    it(`may be ${name}`, async () => assert.deepEqual(await inputProblems(type, inputs), []));

  it("cannot be checked for a type that the stand-ins do not have", () =>
    assert.rejects(inputProblems("aws:s3/bucket:Bucket", {}), /do not know aws:s3\/bucket:Bucket/));
});
