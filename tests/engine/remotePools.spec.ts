import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { NodePoolScheduling } from "../../provider";
import { type Cloud, startCloud, withCloudStack } from "../support/clouds";
import { ownPlugin } from "../support/plugin";

/** What a generated SDK does in any language: it leaves the making of the component to the plugin. */
class RemotePool extends pulumi.ComponentResource {
  declare readonly scheduling: pulumi.Output<NodePoolScheduling>;

  constructor(name: string, args: pulumi.Inputs) {
    super("minicluster:index:EksNodePool", name, { scheduling: undefined, ...args }, {}, true);
  }
}

class RemoteCluster extends pulumi.ComponentResource {
  constructor(name: string, args: pulumi.Inputs) {
    super("minicluster:index:MiniCluster", name, args, {}, true);
  }
}

/** A pool of a type that the package does not know, and a cluster on it. */
const program =
  (machineType: string, pool: (scheduling: pulumi.Output<NodePoolScheduling>) => unknown) =>
  (namespace: string) =>
  () => {
    const { scheduling } = new RemotePool("gn", {
      ...{ clusterName: "research", nodeRoleArn: "arn:aws:iam::123456789012:role/nodes", subnetIds: ["subnet-a1"] },
      ...{ zones: ["us-east-1a"], machineTypes: [machineType], fabric: "efa", pairedWith: { size: 2 } },
    });
    const containers = [{ image: "ubuntu:noble", command: "sleep 600" }];
    new RemoteCluster("demo", { namespace, size: 2, waitTimeoutSeconds: 30, containers, pool: pool(scheduling) });
    return Promise.resolve({ scheduling });
  };

describe("A pool from a program in any language", () => {
  let cloud: Cloud;
  before(async () => (cloud = await startCloud()));
  after(() => cloud.cluster.stop());

  it("is looked up where the package does not know its machines, and takes a cluster by its scheduling output", () =>
    withCloudStack(
      cloud,
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
        assert.equal((await cloud.kube.podsOfJob(namespace, "demo")).length, nodes.length);
        const position = (kind: RegExp) => order.findIndex((type) => kind.test(type));
        assert.ok(position(/:NodeGroup$/) < position(/:Job$/), order.join());
      },
      { plugins: ownPlugin() },
    ));

  it("is refused where EC2 does not know its machines either, and where a cluster's pool is only known later", () =>
    withCloudStack(
      cloud,
      program("c9gn.49xlarge", (scheduling) => scheduling),
      async ({ stack, namespace }) => {
        await assert.rejects(stack.preview(), /machineTypes.*EC2 says of "c9gn\.49xlarge"/s);
        stack.program = program("c9gn.48xlarge", () => pulumi.output(pulumi.unknown))(namespace);
        await assert.rejects(
          stack.preview(),
          /\n +pool: must be the scheduling output of a node pool itself, known before anything is created/,
        );
      },
      { plugins: ownPlugin() },
    ));
});

interface Job {
  spec: {
    template: {
      spec: { nodeSelector: unknown; containers: { resources: { limits: Record<string, string> } }[] };
    };
  };
}
