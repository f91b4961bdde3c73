import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { BurstCluster, MiniCluster, readBurstRoot } from "../../provider";
import { cloudArgs, homeArgs } from "../support/bursts";
import { type Cloud, cloudOfSuite } from "../support/clouds";
import { changes, readyIn, withStack } from "../support/clusters";
import { createStack } from "../support/engine";
import { needlesOf } from "../support/needles";

/** A stack with the cluster to join. */
const homeStack = (namespace: string, size: number) => () => {
  const { bursting, ...args } = homeArgs({ namespace });
  const clusters = [{ name: "cloud", size, maxSize: 8 }];
  const home = new MiniCluster("home", { ...args, ...(bursting && { bursting: { ...bursting, clusters } }) });
  return { burst: home.burst };
};

/** Another stack, whose cluster joins. */
const cloudStack = (reference: string, cloud: Cloud) => async () => {
  const provider = new k8s.Provider("far", { kubeconfig: cloud.cluster.kubeconfigPath });
  const root = await readBurstRoot(new pulumi.StackReference(reference));
  const { size } = new BurstCluster("cloud", { root, ...cloudArgs() }, { provider });
  return { size };
};

describe("Two stacks, of which one joins the other", () => {
  const far = cloudOfSuite({ nodes: 4 });

  it("are joined by one output, which no log and no preview shows", () =>
    withStack(async (home, namespace) => {
      home.program = homeStack(namespace, 0);
      await home.up();
      const reference = `organization/minicluster-tests/${home.name}`;
      const cloud = await createStack({ program: cloudStack(reference, far), beside: home });
      try {
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
        assert.equal(readyIn(await far.kube.podsOfJob("default", "cloud")), 3);
      } finally {
        await cloud.destroy();
        cloud.dispose();
      }
    }));
});
