import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as minicluster from "../../provider";
import { standInCertificate } from "../support/everything";
import { fences, runProgram } from "../support/fences";
import { aRoot } from "../support/fixtures";
import { mockEngine } from "../support/mocks";

/** What the programs on the pages read from the configuration of their stack. */
const config = { licence: "secret", curveCert: standInCertificate };

/** What AWS reports of the cluster and the subnet of that configuration, and of an instance type. */
const answers = {
  "aws:eks/getCluster:getCluster": () => ({ vpcConfig: { clusterSecurityGroupId: "sg-1", vpcId: "vpc-1" } }),
  "aws:ec2/getSubnet:getSubnet": () => ({ id: "subnet-1", availabilityZone: "us-east-1a" }),
  "aws:ec2/getInstanceType:getInstanceType": () => ({
    supportedArchitectures: ["arm64"],
    defaultVcpus: 192,
    defaultThreadsPerCore: 1,
    memorySize: 393_216,
    gpuses: [],
    neuronDevices: [],
    maximumNetworkCards: 1,
    efaSupported: false,
    efaMaximumInterfaces: 0,
  }),
};

/** Outputs of the stacks that the programs refer to. */
const stacks: Record<string, object> = { "acme/home/prod": { burst: { ...aRoot() } } };

function state({ type, name, inputs }: pulumi.runtime.MockResourceArgs): object {
  if (type === "pulumi:pulumi:StackReference") return { outputs: stacks[name], secretOutputNames: [] };
  const { spec } = inputs as { spec?: { type?: string } };
  // Kubernetes chooses the port of each node.
  return spec?.type === "NodePort" ? { spec: { ...spec, ports: [{ nodePort: 30_850 }] } } : {};
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const load = (name: string): unknown => (name === "pulumi-minicluster" ? minicluster : require(name));

describe("The programs on the pages", () => {
  const all = fences();
  const programs = all.filter(({ language }) => language === "ts");
  const manifest = all.find(({ language, text }) => language === "yaml" && text.includes("kind: MiniCluster"));
  const workingDirectory = process.cwd();
  let directory: string;

  before(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-pages-"));
    fs.writeFileSync(path.join(directory, "minicluster.yaml"), manifest?.text ?? "");
    process.chdir(directory);
  });
  after(() => {
    process.chdir(workingDirectory);
    fs.rmSync(directory, { recursive: true });
  });

  it("are many", () => assert.ok(programs.length > 30));

  for (const program of programs)
    it(`are accepted, and make resources: ${program.place}`, async () => {
      const seen = await mockEngine({ preview: true, answers, state });
      pulumi.runtime.setAllConfig(
        Object.fromEntries(Object.entries(config).map(([key, value]) => [`project:${key}`, value])),
      );
      await runProgram(program.text, load);
      await pulumi.runtime.disconnect();
      assert.ok(
        seen.some(({ type }) => type === "Job" || type === "PersistentVolumeClaim"),
        seen.map(({ id }) => id).join(),
      );
    });
});
