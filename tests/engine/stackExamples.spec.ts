import assert from "node:assert/strict";
import * as path from "node:path";
import { namedChanges } from "../support/clusters";
import { type Cloud, cloudOfSuite, runningClouds, withCloudStack } from "../support/clouds";
import { componentPlugins } from "../sandbox/standIns/components";
import { succeeded } from "../support/languages/exampleTests";
import { go } from "../support/languages/go";
import { python } from "../support/languages/python";
import { withProgram } from "../support/languages/harness";
import { readText, shownChanges } from "../support/languages/previewText";
import type { OperationResult } from "../support/engine";
import { exampleProgram } from "../support/programs";

const folderOf = (name: string) => path.resolve(__dirname, "../../examples", name);

const pythonOptions = async ({ cluster }: Cloud, config: Record<string, string>) => ({
  kubeconfigPath: cluster.kubeconfigPath,
  config,
  running: await runningClouds(),
});

/** Each resource of the parts of a stack, as `Kind name`, is created. */
function assertMade(made: string[], parts: Record<string, string[]>): void {
  const missing = Object.values(parts).flat().filter((each) => !made.includes(`create ${each}`)); // prettier-ignore
  assert.deepEqual(missing, [], made.join());
}

const messagesOf = ({ diagnostics }: OperationResult) => diagnostics.map(({ message }) => message).join("\n");

const eks = {
  clusterName: "research",
  nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
  subnetIds: JSON.stringify(["subnet-a1"]),
  "aws:region": "us-east-1",
};

describe("The preview of a whole stack", () => {
  const cloud = cloudOfSuite();

  it("aks-stack makes network, cluster, pools, drivers, storage and elastic cluster in one step", () =>
    withCloudStack(
      cloud,
      () => exampleProgram("aks-stack"),
      async ({ stack }) => {
        const preview = await stack.preview();
        assertMade(namedChanges(preview), {
          network: ["VirtualNetwork flux", "Subnet nodes", "RoleAssignment join"],
          cluster: ["ResourceGroup flux", "ManagedCluster flux"],
          pools: ["AgentPool gpu", "AgentPool mpi"],
          drivers: ["Release network-operator", "NodeFeatureRule adapters", "NicClusterPolicy driver"],
          plugins: ["gpu-nvidia-device-plugin", "mpi-rdma-device-plugin"].map((name) => `DaemonSet ${name}`),
          storage: ["FileShare data", "PersistentVolumeClaim data"],
          jobs: ["Job lab", "Job lab-gpu", "Job lab-mpi"],
        });
        for (const line of [
          /^pool gpu \(maximum\): nodes 4, GPUs 4, .* price per hour 40; it starts with nodes 0, price per hour 0$/m,
          /^lab-gpu on pool gpu .*: at rest nodes 0, price per hour 0; at most nodes 4, GPUs 4, .* price per hour 40$/m,
          /^pool mpi: nodes 0, price per hour 0$/m,
        ])
          assert.match(messagesOf(preview), line);
        await stack.setConfig("mpiNodes", "2");
        const grown = messagesOf(await stack.preview());
        assert.match(grown, /^pool mpi: nodes 2, InfiniBand interfaces 2, .* price per hour 7.20?$/m);
      },
      { config: { "azure-native:location": "eastus", gpuPricePerHour: "10" } },
    ));

  it("eks-stack-python makes network, autoscaler, pools, storage and elastic cluster in one step", async function () {
    this.timeout(900_000);
    const config = { "aws:region": "us-east-1", "zones[0]": "us-east-1a", "zones[1]": "us-east-1b" };
    const options = { ...(await pythonOptions(cloud, config)), plugins: await componentPlugins() };
    await withProgram(python, folderOf("eks-stack-python"), options, async ({ run }) => {
      const { text, messages = "" } = succeeded(await run({ kind: "preview" }));
      assertMade(shownChanges(readText(text)), {
        network: ["Vpc flux"],
        cluster: ["Cluster flux", "NodeGroup system"],
        autoscaler: ["RolePolicy", "PodIdentityAssociation", "Release"].map((kind) => `${kind} cluster-autoscaler`),
        pools: ["NodeGroup cpu", "NodeGroup gpu", "PlacementGroup gpu"],
        drivers: ["DaemonSet gpu-nvidia-device-plugin", "DaemonSet gpu-efa-device-plugin", "Addon fsx-driver"],
        storage: ["LustreFileSystem data", "PersistentVolumeClaim data"],
        jobs: ["Job lab", "Job lab-cpu", "Job lab-gpu"],
      });
      const list = String.raw`\(AWS Price List, us-east-1, on demand, [\d-]+\)`;
      for (const line of [
        `pool gpu .maximum.: nodes 2, GPUs 16, EFA interfaces 64, .* price per hour 110.08 USD; .* 0 USD ${list}`,
        `pool cpu .maximum.: nodes 4, .* price per hour 17.14 USD; .* 0 USD ${list}`,
        "lab-gpu on pool gpu .*: at rest nodes 0, price per hour 0 USD; at most nodes 2, GPUs 16",
      ])
        assert.match(messages, new RegExp(line));
      assert.doesNotMatch(messages, /warning|no list price|Pending/);
    });
  });

  it("gke-stack-python makes network, cluster, pool, storage and elastic cluster in one step", async function () {
    this.timeout(900_000);
    const options = await pythonOptions(cloud, {
      "gcp:project": "physics",
      zone: "us-central1-b",
      pricePerHour: "10.5",
    });
    await withProgram(python, folderOf("gke-stack-python"), options, async ({ run }) => {
      const { text, messages = "" } = succeeded(await run({ kind: "preview" }));
      assertMade(shownChanges(readText(text)), {
        network: ["Network flux", "Subnetwork flux"],
        cluster: ["Cluster flux"],
        pool: ["NodePool h200"],
        drivers: ["DaemonSet h200-gib-installer", "ResourceClaimTemplate lab-gpu-devices"],
        storage: ["Instance data", "PersistentVolumeClaim data"],
        jobs: ["Job lab", "Job lab-gpu"],
      });
      const shown =
        readText(text)
          .steps.find(({ urn }) => urn.endsWith("NodePool::h200"))
          ?.lines.join("\n") ?? "";
      assert.match(shown, /totalMaxNodeCount: 2\ntotalMinNodeCount: 0\n[^]*flexStart +: true/);
      for (const line of [
        "pool h200 .maximum.: nodes 2, GPUs 16, RDMA interfaces 16, .* price per hour 21; it starts with nodes 0",
        "lab-gpu on pool h200 .*: at rest nodes 0, price per hour 0; at most nodes 2, GPUs 16, RDMA interfaces 16",
      ])
        assert.match(messages, new RegExp(line));
      assert.doesNotMatch(messages, /warning|Pending/);
    });
  });

  it("spot-workers-go has its lead on demand, and workers that drain within the notice", async function () {
    // The first time on a machine, it compiles Pulumi's SDKs.
    this.timeout(900_000);
    const options = { kubeconfigPath: cloud.cluster.kubeconfigPath, config: eks, running: await runningClouds() };
    await withProgram(go, path.resolve(__dirname, "../../examples/spot-workers-go"), options, async ({ run }) => {
      const preview = readText(succeeded(await run({ kind: "preview" })).text);
      const made = shownChanges(preview);
      for (const each of ["NodeGroup lead", "NodeGroup spot", "Job lead", "Job spot", "PodDisruptionBudget lead"])
        assert.ok(made.includes(`create ${each}`), made.join());
      assert.ok(!made.includes("create PodDisruptionBudget spot"), made.join());
      const seconds = preview.steps
        .filter(({ urn }) => urn.includes("batch/v1:Job::"))
        .flatMap(({ lines }) => lines.filter((line) => line.startsWith("terminationGracePeriodSeconds")));
      assert.deepEqual(seconds.map((line) => line.replace(/\s+/g, "")).sort(), [
        "terminationGracePeriodSeconds:120",
        "terminationGracePeriodSeconds:60",
      ]);
    });
  });
});
