import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as minicluster from "../../provider";
import { fences, runProgram } from "../support/fences";
import { mockEngine } from "../support/mocks";

/** What the programs on the pages read from the configuration of their stack. */
const config = {
  clusterName: "research",
  nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
  subnetIds: '["subnet-1"]',
  zone: "us-east-1a",
  licence: "secret",
};

/** What AWS says of the cluster and the subnet of that configuration. */
const answers = {
  "aws:eks/getCluster:getCluster": () => ({ vpcConfig: { clusterSecurityGroupId: "sg-1", vpcId: "vpc-1" } }),
  "aws:ec2/getSubnet:getSubnet": () => ({ id: "subnet-1", availabilityZone: config.zone }),
};

// eslint-disable-next-line @typescript-eslint/no-require-imports
const load = (name: string): unknown => (name === "pulumi-minicluster" ? minicluster : require(name));

describe("The programs on the pages", () => {
  // A file beside the program, another stack, and a certificate in the configuration are not at hand.
  const elsewhere = /minicluster\.yaml|StackReference|requireSecret\("curveCert"\)/;
  const programs = fences().filter(({ language, text }) => language === "ts" && !elsewhere.test(text));

  it("are many", () => assert.ok(programs.length > 20));

  for (const program of programs)
    it(`are accepted, and make resources: ${program.place}`, async () => {
      const seen = await mockEngine({ preview: true, answers });
      pulumi.runtime.setAllConfig(
        Object.fromEntries(Object.entries(config).map(([key, value]) => [`project:${key}`, value])),
      );
      runProgram(program.text, load);
      await pulumi.runtime.disconnect();
      assert.ok(
        seen.some(({ type }) => type === "Job"),
        seen.map(({ id }) => id).join(),
      );
    });
});
