import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { type Burst, burstProgram, cloudArgs, homeArgs, withBurst } from "../support/bursts";
import { changes, onlyCounts } from "../support/clusters";
import { cloudOfSuite, withCloudStack } from "../support/clouds";
import { needlesOf } from "../support/needles";
import { ownPlugin } from "../support/plugin";
import { remote, smallArgs } from "../support/remote";

const parts = ["burst"] as const;

type Parts = Record<(typeof parts)[number], unknown>;
type Root = (home: Parts) => unknown;

/** The program of other bursts, by the plugin alone. */
const byPlugin =
  (root: Root): typeof burstProgram =>
  ({ home, cloud }: Burst, { namespace, cloudKubeconfig }) =>
  () => {
    const made = remote("MiniCluster", "home", { ...homeArgs({ namespace, ...home }) }, parts);
    const providers = { kubernetes: new k8s.Provider("far", { kubeconfig: cloudKubeconfig }) };
    const args = { root: root(made), ...cloudArgs({ namespace, ...cloud }) };
    if (cloud) remote("BurstCluster", "cloud", args, [], { providers });
    return { burst: made.burst };
  };

/** A pool of a type that the package does not list, and a cluster on it. */
const program = (machineType: string, pool: (scheduling: unknown) => unknown) => (namespace: string) => () => {
  const args = {
    clusterName: "research",
    nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
    subnetIds: ["subnet-a1"],
    zones: ["us-east-1a"],
    machineTypes: [machineType],
    fabric: "efa",
    size: 2,
    maxSize: 2,
  };
  const { scheduling } = remote("EksNodePool", "gn", args, ["scheduling"]);
  remote("MiniCluster", "demo", { ...smallArgs({ namespace }), maxSize: 2, pool: pool(scheduling) });
  return { scheduling };
};

describe("From a program in any language,", () => {
  const far = cloudOfSuite({ nodes: 4 });

  describe("a cluster that joins another one", () => {
    it("takes what to join in the first preview, and goes to its own cluster", () =>
      withBurst(
        far,
        { cloud: {} },
        async ({ stack, cloud, change }) => {
          const preview = await stack.preview();
          assert.equal(preview.summary.create, preview.changedSteps.length);
          const up = await stack.up();
          const { value } = (await stack.outputs())["burst"] as { value: { certificate: string } };
          const texts = [JSON.stringify(up), fs.readFileSync(stack.statePath, "utf8")];
          for (const needle of needlesOf(value.certificate))
            assert.ok(!texts.some((text) => text.includes(needle)), "the certificate is shown");
          assert.deepEqual(await cloud.pods(), []);
          change({ cloud: { size: 2 } });
          assert.deepEqual(changes(await stack.preview()), onlyCounts);
          await stack.up();
          assert.equal((await cloud.pods()).length, 2);
          assert.deepEqual((await stack.outputs())["burst"]?.secret, true);
        },
        { makeProgram: byPlugin(({ burst }) => burst), plugins: ownPlugin() },
      ));
  });

  describe("a pool", () => {
    it("is looked up where the package does not list its machines, and takes a cluster by its scheduling output", () =>
      withCloudStack(
        far,
        program("c9gn.48xlarge", (scheduling) => scheduling),
        async ({ stack, addNodes, namespace }) => {
          const preview = await stack.preview();
          const job = preview.steps.find(({ type }) => type.endsWith(":Job"))?.new?.inputs as Job;
          const { nodeSelector, containers } = job.spec.template.spec;
          assert.deepEqual(nodeSelector, { "kubernetes.io/arch": "arm64", "minicluster/pool": "gn" });
          assert.equal(containers[0]?.resources.limits["vpc.amazonaws.com/efa"], "2");

          const nodes = await addNodes(preview, 2);
          const order: string[] = [];
          await stack.up({ onEvent: ({ resOutputsEvent: event }) => event && order.push(event.metadata.type) });
          assert.equal((await far.kube.podsOfJob(namespace, "demo")).length, nodes.length);
          const position = (kind: RegExp) => order.findIndex((type) => kind.test(type));
          assert.ok(position(/:NodeGroup$/) < position(/:Job$/), order.join());
        },
        { plugins: ownPlugin() },
      ));

    it("is refused where EC2 does not offer its machines either, and where a cluster's pool is only known later", () =>
      withCloudStack(
        far,
        program("c9gn.49xlarge", (scheduling) => scheduling),
        async ({ stack, namespace }) => {
          await assert.rejects(stack.preview(), /machineTypes.*EC2 has no instance type "c9gn\.49xlarge"/s);
          stack.program = program("c9gn.48xlarge", () => pulumi.output(pulumi.unknown))(namespace);
          await assert.rejects(
            stack.preview(),
            /\n +pool: must be the scheduling output of a node pool itself, known before anything is created/,
          );
        },
        { plugins: ownPlugin() },
      ));
  });
});

interface Job {
  spec: {
    template: { spec: { nodeSelector: unknown; containers: { resources: { limits: Record<string, string> } }[] } };
  };
}
