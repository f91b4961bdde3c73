import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { renderCurveCertificate } from "../../provider/minicluster/flux/curve";
import { type Cloud, startCloud, withCloudStack } from "../support/clouds";
import { diffOf, withStack } from "../support/clusters";
import type { OperationResult, TestStack } from "../support/engine";
import { needlesOf } from "../support/needles";
import { ownPlugin } from "../support/plugin";
import { type RemoteMiniCluster, resourcesOf, smallArgs, ways } from "../support/remote";
import { sharedCluster } from "../support/sandboxHooks";

const kindOf = (type: string) => type.split(":").at(-1) as string;

/** The time limits of each child that has any, in seconds. */
async function timeoutsOf(stack: TestStack) {
  const children = (await resourcesOf(stack)).filter(({ parent }) => parent && !parent.includes("pulumi:pulumi:Stack"));
  return Object.fromEntries(children.map(({ type, customTimeouts }) => [kindOf(type), customTimeouts]));
}

describe("The time limits that a program gives a component", () => {
  for (const { way, make } of ways) {
    it(`are those of its children, each before the default, when it was ${way}`, () =>
      withStack(
        async (stack, namespace) => {
          stack.program = () => {
            make("demo", smallArgs({ namespace }), { customTimeouts: { create: "45s", delete: "7m" } });
            return Promise.resolve({});
          };
          await stack.up();
          const given = { create: 45, delete: 420 };
          const waiting = { ...given, update: 30 };
          assert.deepEqual(await timeoutsOf(stack), {
            ...{ Job: waiting, JobPatch: waiting },
            ...{ ConfigMap: given, ConfigMapPatch: given, Secret: given, Service: given },
            RandomPassword: undefined,
          });
        },
        { plugins: ownPlugin() },
      ));

    it(`end the wait for pods that do not come up when it was ${way}`, () =>
      withStack(
        async (stack, namespace) => {
          const pod = { labels: { "sandbox.minicluster/ready": "never" } };
          stack.program = () => {
            make("demo", smallArgs({ namespace, pod, waitTimeoutSeconds: 600 }), { customTimeouts: { create: "2s" } });
            return Promise.resolve({});
          };
          await assert.rejects(stack.up(), /failed to fully initialize or become live|timed out/i);
          assert.equal((await sharedCluster().kube.podsOfJob(namespace, "demo")).length, 2);
        },
        { plugins: ownPlugin() },
      ));
  }

  it("reach the clusters of a manifest", () =>
    withStack(
      async (stack, namespace) => {
        const text = [
          "apiVersion: flux-framework.org/v1alpha2",
          "kind: MiniCluster",
          `metadata: { name: hello, namespace: ${namespace} }`,
          "spec: { size: 2, containers: [{ image: ubuntu, command: sleep 600 }] }",
        ].join("\n");
        stack.program = () => {
          new RemoteOf("MiniClusterManifest", "demo", { text }, { customTimeouts: { update: "3m" } });
          return Promise.resolve({});
        };
        await stack.up();
        const { Job, Service } = await timeoutsOf(stack);
        assert.deepEqual([Job, Service], [{ create: 600, update: 180 }, { update: 180 }]);
      },
      { plugins: ownPlugin() },
    ));

  describe("of a node pool", () => {
    let cloud: Cloud;
    before(async () => (cloud = await startCloud()));
    after(() => cloud.cluster.stop());

    it("reach the nodes and their plugins", () =>
      withCloudStack(
        cloud,
        () => () => {
          const args = {
            ...{ clusterName: "research", nodeRoleArn: "arn:aws:iam::123456789012:role/nodes", size: 2 },
            ...{ subnetIds: ["subnet-a1"], zones: ["us-east-1a"], machineTypes: ["hpc7g.16xlarge"], fabric: "efa" },
          };
          new RemoteOf("EksNodePool", "gn", args, { customTimeouts: { create: "40m", delete: "50m" } });
          return Promise.resolve({});
        },
        async ({ stack }) => {
          await stack.up();
          const timeouts = await timeoutsOf(stack);
          assert.deepEqual(Object.keys(timeouts).filter((kind) => /NodeGroup|DaemonSet/.test(kind)).length, 2);
          for (const [kind, limits] of Object.entries(timeouts))
            assert.deepEqual(limits, { create: 2400, delete: 3000 }, kind);
        },
        { plugins: ownPlugin() },
      ));
  });
});

describe("A secret of a cluster", () => {
  const certificates = [11, 12].map((byte) => renderCurveCertificate("elsewhere", Buffer.alloc(32, byte)));
  const bursting = {
    clusters: [{ name: "cloud", size: 0, maxSize: 4 }],
    expose: { nodePort: { address: "203.0.113.7" } },
  };

  for (const { way, make } of ways)
    it(`stays one in the state, in all that is shown, and in what comes of it, when it was ${way}`, () =>
      withStack(
        async (stack, namespace) => {
          const [before = "", after = ""] = certificates;
          const program = (word: string, certificate: string) => () => {
            const image = pulumi.secret(`registry.example/${word}-image`);
            const environment = { PLAIN: "plain", TOKEN: pulumi.secret(`${word}-token`) };
            const containers = [{ image, command: "sleep 600", environment }];
            const services = [{ name: "web", image, environment }];
            const flux = { curveCert: pulumi.secret(certificate) };
            const jobLabels = { label: pulumi.secret(`${word}-label`) };
            const pod = { annotations: { annotation: pulumi.secret(`${word}-annotation`) } };
            const made = make("demo", smallArgs({ namespace, containers, services, flux, bursting, jobLabels, pod }));
            const { burstCertificate, jobName } = made as RemoteMiniCluster;
            return Promise.resolve({ burstCertificate, jobName });
          };
          const results: OperationResult[] = [];
          stack.program = program("horse", before);
          results.push(await stack.preview({ diff: true }), await stack.up({ diff: true }));
          stack.program = program("staple", after);
          results.push(await stack.preview({ diff: true }), await stack.up({ diff: true }));
          results.push(await stack.refresh({ diff: true }));

          const pods = await sharedCluster().kube.podsOfJob(namespace, "demo");
          assert.match(JSON.stringify(pods), /staple-image/);
          const texts = [...results.map((result) => JSON.stringify(result)), fs.readFileSync(stack.statePath, "utf8")];
          const needles = ["horse", "staple"].flatMap((word) =>
            ["image", "token", "label", "annotation"].map((what) => `${word}-${what}`),
          );
          for (const needle of [...needles, ...certificates.flatMap(needlesOf)])
            assert.deepEqual(
              texts.flatMap((text, index) => (text.includes(needle) ? [index] : [])),
              [],
              needle,
            );
          const outputs = await stack.outputs();
          assert.deepEqual([outputs["burstCertificate"]?.secret, outputs["jobName"]?.secret], [true, false]);
          assert.equal(outputs["burstCertificate"]?.value, after);
        },
        { plugins: ownPlugin() },
      ));

  it("does not hide a resize", () =>
    withStack(
      async (stack, namespace) => {
        const program = (size: number) => () => {
          const environment = { TOKEN: pulumi.secret("token") };
          ways[0]?.make("demo", smallArgs({ namespace, size, containers: [{ image: "ubuntu:noble", environment }] }));
          return Promise.resolve({});
        };
        stack.program = program(2);
        await stack.up();
        stack.program = program(3);
        const preview = await stack.preview();
        assert.deepEqual(diffOf(preview, "JobPatch"), ["spec.completions: 2 => 3", "spec.parallelism: 2 => 3"]);
      },
      { plugins: ownPlugin() },
    ));
});

/** What a generated SDK has of any component. */
class RemoteOf extends pulumi.ComponentResource {
  constructor(component: string, name: string, args: pulumi.Inputs, options: pulumi.ComponentResourceOptions) {
    super(`minicluster:index:${component}`, name, args, options, true);
  }
}
