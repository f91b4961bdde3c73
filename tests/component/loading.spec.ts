import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../..");

const steps = {
  "a MiniCluster": `
    const containers = [{ image: "ubuntu:noble", command: "hostname" }];
    await valueOf(new MiniCluster("demo", { containers }).jobName);`,
  "an EksNodePool": `
    const eksPlace = { clusterName: "flux", nodeRoleArn: "arn", subnetIds: ["subnet-a"] };
    await valueOf(new EksNodePool("eks", { ...eksPlace, machineTypes: ["m7i.large"], size: 1 }).nodeGroupName);`,
  lookupEksMachine: `
    await lookupEksMachine("m99.large");`,
  "a GkeNodePool": `
    const gkePlace = { clusterName: "flux", location: "us-a" };
    const gke = { ...gkePlace, machineType: "c4-standard-8", maxSize: 1 };
    await valueOf(new GkeNodePool("gke", gke).nodePoolName);`,
  "an AksNodePool": `
    const aksPlace = { clusterName: "flux", resourceGroupName: "group" };
    await valueOf(new AksNodePool("aks", { ...aksPlace, machineType: "Standard_D8s_v5", size: 1 }).agentPoolName);`,
  "an EksSharedStorage": `
    const fsx = { fileSystemId: "fs-1", dnsName: "fs-1.fsx", mountName: "abc" };
    await valueOf(new EksSharedStorage("fsx", { kind: "fsxLustre", existing: fsx }).claimName);`,
  "a GkeSharedStorage": `
    const filestore = { instance: "old", location: "us-central1-a", ipAddress: "10.0.0.2", fileSystem: "vol1" };
    await valueOf(new GkeSharedStorage("filestore", { kind: "filestore", existing: filestore }).claimName);`,
  "an AksSharedStorage": `
    await valueOf(new AksSharedStorage("amlfs", { kind: "lustre", existing: { mgsAddress: "10.0.0.4" } }).claimName);`,
};
type Step = keyof typeof steps;

/** Files of the clouds' SDKs that each step of one program loads beside those of the steps before it. */
function loadedByEach(): Record<Step, string[]> {
  const program = Object.entries(steps).map(([step, text]) => `{ ${text} } report(${JSON.stringify(step)});`);
  const text = `
    const { AksNodePool, EksNodePool, GkeNodePool, lookupEksMachine, MiniCluster } = require("./provider");
    const { AksSharedStorage, EksSharedStorage, GkeSharedStorage } = require("./provider");
    const { mockEngine, valueOf } = require("./tests/support/mocks");
    const known = new Set(), loaded = {};
    const report = (step) => {
      loaded[step] = Object.keys(require.cache).filter((file) => !known.has(file));
      loaded[step].forEach((file) => known.add(file));
    };
    const machine = { supportedArchitectures: [], gpuses: [], neuronDevices: [] };
    const answers = { "aws:ec2/getInstanceType:getInstanceType": () => machine };
    (async () => {
      await mockEngine({ answers });
      ${program.join("\n")}
      console.log(JSON.stringify(loaded));
    })();
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", "tsx/cjs", "--eval", text], {
    cwd: root,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  const files = Object.entries(JSON.parse(stdout) as Record<Step, string[]>);
  const ofClouds = /node_modules\/@pulumi\/((aws|gcp|azure-native)\/.*)$/;
  return Object.fromEntries(
    files.map(([step, each]) => [step, each.flatMap((file) => ofClouds.exec(file)?.[1] ?? [])]),
  ) as Record<Step, string[]>;
}

describe("the SDKs of the clouds", function () {
  this.timeout(60_000);

  let loaded: ReturnType<typeof loadedByEach>;
  before(() => (loaded = loadedByEach()));

  it("are not loaded by a program that makes only a MiniCluster", () => assert.deepEqual(loaded["a MiniCluster"], []));

  /** What would load a service of a cloud as a whole, or all of them. */
  const whole =
    /^[^/]+\/((eks|ec2|fsx|efs|container|filestore|lustre|containerservice|storage|storagecache)\/)?index\.js$/;
  const components: [step: Step, cloud: string, main: string][] = [
    ["an EksNodePool", "aws", "eks/nodeGroup.js"],
    ["a GkeNodePool", "gcp", "container/nodePool.js"],
    ["an AksNodePool", "azure-native", "containerservice/agentPool.js"],
    ["an EksSharedStorage", "aws", "fsx/lustreFileSystem.js"],
    ["a GkeSharedStorage", "gcp", "filestore/instance.js"],
    ["an AksSharedStorage", "azure-native", "storage/fileShare.js"],
  ];
  for (const [step, cloud, main] of components)
    it(`are that of ${cloud} alone for ${step}, and not all of it`, () => {
      assert.ok(loaded[step].includes(`${cloud}/${main}`));
      const superfluous = loaded[step].filter((file) => !file.startsWith(`${cloud}/`) || whole.test(file));
      assert.deepEqual(superfluous, []);
    });

  it("are loaded by one that looks up an instance type in EC2", () =>
    assert.deepEqual(loaded.lookupEksMachine, ["aws/ec2/getInstanceType.js"]));
});
