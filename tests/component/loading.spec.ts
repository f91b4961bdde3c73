import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../..");

/** What a program in a process of its own has loaded of the clouds' SDKs when it is done. */
function loadedBy(program: string): string[] {
  const text = `
    const { AksNodePool, EksNodePool, GkeNodePool, lookupEksMachine, MiniCluster } = require("./provider");
    const { mockEngine, valueOf } = require("./tests/support/mocks");
    const answers = { "aws:ec2/getInstanceType:getInstanceType": () => ({ supportedArchitectures: [], gpuses: [], neuronDevices: [] }) };
    (async () => {
      await mockEngine({ answers });
      ${program}
      console.log(JSON.stringify(Object.keys(require.cache)));
    })();
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", "tsx/cjs", "--eval", text], {
    ...{ cwd: root, encoding: "utf8" },
  });
  assert.equal(status, 0, stderr);
  const files = JSON.parse(stdout) as string[];
  return files.filter((file) => /node_modules\/@pulumi\/(aws|gcp|azure-native)\//.test(file));
}

const makeCluster = `
  const cluster = new MiniCluster("demo", { containers: [{ image: "ubuntu:noble", command: "hostname" }] });
  await valueOf(cluster.jobName);
`;
const makePool = `
  const machine = { machineTypes: ["m7i.large"], size: 1 };
  const pool = new EksNodePool("hpc", { clusterName: "flux", nodeRoleArn: "arn", subnetIds: ["subnet-a"], ...machine });
  await valueOf(pool.nodeGroupName);
`;

const makeGkePool = `
  const pool = new GkeNodePool("hpc", { clusterName: "flux", location: "us-a", machineType: "c4-standard-8", autoscale: { max: 1 } });
  await valueOf(pool.nodePoolName);
`;
const makeAksPool = `
  const size = { machineType: "Standard_D8s_v5", size: 1 };
  const pool = new AksNodePool("hpc", { clusterName: "flux", resourceGroupName: "group", ...size });
  await valueOf(pool.agentPoolName);
`;

describe("the SDKs of the clouds", function () {
  this.timeout(60_000);

  it("are not loaded by a program that makes only a MiniCluster", () => assert.deepEqual(loadedBy(makeCluster), []));

  it("are loaded by one that makes a pool, and only that of its cloud, and not all of it", () => {
    const files = loadedBy(makePool);
    assert.ok(files.some((file) => file.endsWith("@pulumi/aws/eks/nodeGroup.js")));
    assert.deepEqual(
      files.filter((file) => !file.includes("/@pulumi/aws/")),
      [],
    );
    assert.deepEqual(
      files.filter((file) => /@pulumi\/aws\/(index|eks\/index|ec2\/index)\.js$/.test(file)),
      [],
    );
  });

  for (const [cloud, program, main, index] of [
    ["gcp", makeGkePool, "container/nodePool.js", /@pulumi\/gcp\/(container\/)?index\.js$/],
    [
      "azure-native",
      makeAksPool,
      "containerservice/agentPool.js",
      /@pulumi\/azure-native\/(containerservice\/)?index\.js$/,
    ],
  ] as const)
    it(`are that of ${cloud} alone for a pool there, and not all of it`, () => {
      const files = loadedBy(program);
      assert.ok(files.some((file) => file.endsWith(`@pulumi/${cloud}/${main}`)));
      const superfluous = files.filter((file) => !file.includes(`/@pulumi/${cloud}/`) || index.test(file));
      assert.deepEqual(superfluous, []);
    });

  it("are loaded by one that asks EC2 for an instance type", () => {
    const files = loadedBy('await lookupEksMachine("m99.large");');
    assert.ok(files.some((file) => file.endsWith("@pulumi/aws/ec2/getInstanceType.js")));
  });
});
