import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { EksNodePool, type EksNodePoolArgs } from "../../provider";
import { preparations } from "../../provider/server/caller";
import type { InputProblem } from "../../provider/shared/errors";
import { described } from "../support/problems";
import { mockEngine, valueOf } from "../support/mocks";

/** EC2's answer on an instance type whose name has its number of CPUs; one whose name ends in "none" does not exist. */
function getInstanceType({ instanceType }: Record<string, unknown>) {
  const name = String(instanceType);
  if (name.endsWith("none")) throw new Error(`api error InvalidInstanceType: ${name}`);
  return {
    supportedArchitectures: ["x86_64"],
    defaultThreadsPerCore: 2,
    memorySize: 1024 * Number(/\d+/.exec(name)?.[0]),
    defaultVcpus: name.endsWith("large") ? 8 : 16,
    gpuses: [],
    neuronDevices: [],
    maximumNetworkCards: 1,
    efaSupported: false,
    efaMaximumInterfaces: 0,
  };
}

const args: Omit<EksNodePoolArgs, "machineTypes"> = {
  clusterName: "flux",
  nodeRoleArn: "arn:aws:iam::1:role/nodes",
  subnetIds: ["subnet-a"],
  size: 2,
};

/** A pool as the server makes it for a program in another language, and the types that EC2 is asked about. */
async function construct(machineTypes: string[], more: Partial<EksNodePoolArgs> = {}) {
  const asked: unknown[] = [];
  const answer = (inputs: Record<string, unknown>) => {
    asked.push(inputs["instanceType"]);
    return getInstanceType(inputs);
  };
  await mockEngine({ answers: { "aws:ec2/getInstanceType:getInstanceType": answer } });
  const prepare = preparations["minicluster:index:EksNodePool"] ?? assert.fail();
  const inputs = await prepare("hpc", { ...args, machineTypes, ...more }, {});
  const { scheduling, urn } = new EksNodePool("hpc", inputs as EksNodePoolArgs);
  await valueOf(urn);
  return { asked, node: (await valueOf(scheduling)).node };
}

/** Everything that is wrong with a pool as the server makes it. */
async function problemsOf(...given: Parameters<typeof construct>): Promise<InputProblem[]> {
  const error: unknown = await construct(...given).catch((reason: unknown) => reason);
  return pulumi.InputPropertiesError.isInstance(error) ? error.errors : assert.fail(String(error));
}

const hardware = { arch: "amd64", vcpus: 4, threadsPerCore: 2, memoryMib: 2048 } as const;

describe("instance types that the package does not list, from a program in another language", function () {
  this.timeout(30_000);

  it("are all looked up, and have what all of them have", async () => {
    const { asked, node } = await construct(["x90.large", "x80.large", "m7i.2xlarge"]);
    assert.deepEqual(asked.sort(), ["x80.large", "x90.large"]);
    assert.deepEqual([node.vcpus, node.memoryMib], [8, 32_768]);
    assert.equal((await construct(["x90.large", "x9.large"])).node.memoryMib, 9 * 1024);
  });

  const refused: [types: string[], more: Partial<EksNodePoolArgs>, says: RegExp[]][] = [
    [
      ["x91.large", "x91.huge"],
      {},
      [/^machineTypes\[1\]: x91.huge and x91.large differ in CPUs; use a pool for each$/],
    ],
    [
      ["x1.none", "x92.large", "x2.none"],
      {},
      ["x1", "x2"].map(
        (type) => new RegExp(`^machineTypes: EC2 has no instance type "${type}.none" in this region; correct `),
      ),
    ],
    [["x93.large", "x94.large"], { hardware }, [/describes one instance type/]],
  ];
  for (const [types, more, says] of refused)
    it(`are refused where they are not alike, not known, or more than are described: ${types.join()}`, async () => {
      const problems = described(await problemsOf(types, more));
      assert.equal(problems.length, says.length);
      for (const [index, pattern] of says.entries()) assert.match(problems[index] ?? "", pattern);
    });

  it("are not looked up where the program describes one, nor in a pool of types that the package lists", async () => {
    const { asked, node } = await construct(["x93.large"], { hardware });
    assert.deepEqual([asked, node.vcpus], [[], 4]);
    assert.deepEqual((await construct(["m7i.large"])).asked, []);
  });
});
