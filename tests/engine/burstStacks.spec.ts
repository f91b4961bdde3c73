import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { BurstCluster, MiniCluster, readBurstRoot } from "../../provider";
import { cloudArgs, homeArgs } from "../support/bursts";
import { type Cloud, startCloud } from "../support/clouds";
import { changes, withStack } from "../support/clusters";
import { createStack, type TestStack } from "../support/engine";
import { needlesOf } from "../support/needles";

/** A stack with the cluster to join. */
const homeStack = (namespace: string, size: number) => () => {
  const { bursting, ...args } = homeArgs({ namespace });
  const clusters = [{ name: "cloud", size, maxSize: 8 }];
  const home = new MiniCluster("home", { ...args, ...(bursting && { bursting: { ...bursting, clusters } }) });
  return Promise.resolve({ burst: home.burst, other: home.jobName, old: { plan: { version: 0 } } });
};

/** Another stack, whose cluster joins. */
const cloudStack = (reference: string, cloud: Cloud, output?: string) => async () => {
  const provider = new k8s.Provider("far", { kubeconfig: cloud.cluster.kubeconfigPath });
  const root = await readBurstRoot(new pulumi.StackReference(reference), output);
  const { size } = new BurstCluster("cloud", { root, ...cloudArgs() }, { provider });
  return { size };
};

describe("Two stacks, of which one joins the other", () => {
  let far: Cloud;
  before(async () => {
    far = await startCloud();
    await far.cluster.addNodes(4);
  });
  after(() => far.cluster.stop());

  /** Runs a test with a stack that has a cluster to join, and another stack beside it. */
  const withTwo = (body: (stacks: { home: TestStack; cloud: TestStack; namespace: string }) => Promise<void>) =>
    withStack(async (home, namespace) => {
      home.program = homeStack(namespace, 0);
      const cloud = await createStack({ program: () => Promise.resolve({}), beside: home });
      try {
        await body({ home, cloud, namespace });
      } finally {
        await cloud.destroy();
        cloud.dispose();
      }
    });

  it("are joined by one output, which no log and no preview shows", () =>
    withTwo(async ({ home, cloud, namespace }) => {
      await home.up();
      cloud.program = cloudStack(referenceTo(home), far);
      const up = await cloud.up();
      const { value } = (await home.outputs())["burst"] as { value: { certificate: string } };
      const texts = [JSON.stringify(up), ...[home, cloud].map((stack) => fs.readFileSync(stack.statePath, "utf8"))];
      for (const needle of needlesOf(value.certificate))
        assert.ok(!texts.some((text) => text.includes(needle)), "the certificate is shown");
      assert.deepEqual(await far.kube.podsOfJob("default", "cloud"), []);

      home.program = homeStack(namespace, 3);
      assert.deepEqual(changes(await home.preview()), []);
      await home.up();
      const read = "read StackReference";
      assert.deepEqual(changes(await cloud.preview()), [read, "update ConfigMapPatch", "update JobPatch"]);
      await cloud.up();
      assert.equal((await far.kube.podsOfJob("default", "cloud")).filter(({ ready }) => ready).length, 3);
    }));

  it("are told what to do where the output is none to join by", () =>
    withTwo(async ({ home, cloud }) => {
      await home.up();
      const reference = referenceTo(home);
      for (const [output, want] of [
        [
          "missing",
          /has no output "missing" of a MiniCluster with bursting; export the output burst of that one there/,
        ],
        ["other", /the output "other" of the stack .* is not what a MiniCluster with bursting gives/],
        ["old", /plan\.version: is 0, and this package reads version 1/],
      ] as const) {
        cloud.program = cloudStack(reference, far, output);
        await assert.rejects(cloud.preview(), want);
      }
    }));
});

const referenceTo = ({ name }: TestStack) => `organization/minicluster-tests/${name}`;
