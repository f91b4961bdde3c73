import * as assert from "node:assert/strict";
import { type Obj, secret, unknown, withoutSecrets } from "../rpc/values";
import { agentPoolType, aNodeGroup, aNodePool, anAgentPool, nodeGroupType, nodePoolType } from "./fixtures";
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
    name: "one value in the place of a list",
    type: nodeGroupType,
    inputs: aNodeGroup({ instanceTypes: "hpc7g.16xlarge" }),
    problems: [/^instanceTypes: the SDK declares a value of type array, and this is of type string$/],
  },
  {
    name: "null",
    type: nodePoolType,
    inputs: aNodePool({ nodeCount: null }),
    problems: [/^nodeCount: .* and this is null$/],
  },
  {
    name: "a value that an enum does not have, although the SDK takes any string",
    type: agentPoolType,
    inputs: anAgentPool({ mode: "Users" }),
    problems: [/^mode: the SDK declares one of "System", "User", .*, and this is "Users"$/],
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
  {
    name: "an unknown value inside an object and a list",
    type: nodeGroupType,
    inputs: aNodeGroup({ scalingConfig: { ...sizes, desiredSize: unknown }, subnetIds: [unknown] }),
  },
  { name: "an unknown value for an enum", type: agentPoolType, inputs: anAgentPool({ mode: unknown }) },
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
