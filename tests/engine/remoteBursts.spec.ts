import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { type Burst, burstProgram, cloudArgs, homeArgs, withBurst } from "../support/bursts";
import { changes } from "../support/clusters";
import { type Cloud, startCloud } from "../support/clouds";
import { needlesOf } from "../support/needles";
import { ownPlugin } from "../support/plugin";

const parts = ["burst", "burstPlan", "burstAddress", "burstPort", "burstCertificate"] as const;

/** What a generated SDK does in any language: it leaves the making of the component to the plugin. */
class RemoteHome extends pulumi.ComponentResource {
  declare readonly burst: pulumi.Output<unknown>;
  declare readonly burstPlan: pulumi.Output<unknown>;
  declare readonly burstAddress: pulumi.Output<unknown>;
  declare readonly burstPort: pulumi.Output<unknown>;
  declare readonly burstCertificate: pulumi.Output<unknown>;

  constructor(name: string, args: pulumi.Inputs) {
    const outputs = Object.fromEntries(parts.map((part) => [part, undefined]));
    super("minicluster:index:MiniCluster", name, { ...outputs, ...args }, {}, true);
  }
}

class RemoteBurst extends pulumi.ComponentResource {
  constructor(name: string, args: pulumi.Inputs, provider: pulumi.ProviderResource) {
    super("minicluster:index:BurstCluster", name, args, { providers: { kubernetes: provider } }, true);
  }
}

type Root = (home: RemoteHome) => unknown;

/** The program of other bursts, by the plugin alone. */
const remote =
  (root: Root): typeof burstProgram =>
  ({ home, cloud }: Burst, { namespace, cloudKubeconfig }) =>
  () => {
    const made = new RemoteHome("home", homeArgs({ namespace, ...home }));
    const provider = new k8s.Provider("far", { kubeconfig: cloudKubeconfig });
    if (cloud) new RemoteBurst("cloud", { root: root(made), ...cloudArgs({ namespace, ...cloud }) }, provider);
    return Promise.resolve({ burst: made.burst });
  };

const byParts: Root = ({ burstPlan, burstAddress, burstPort, burstCertificate }) => ({
  ...{ plan: burstPlan, address: burstAddress, port: burstPort, certificate: burstCertificate },
});
const asAWhole: Root = ({ burst }) => burst;

describe("A cluster that joins another one, from a program in any language", () => {
  let far: Cloud;
  before(async () => {
    far = await startCloud();
    await far.cluster.addNodes(4);
  });
  after(() => far.cluster.stop());

  it("takes the parts of what to join in the first preview, and goes to its own cluster", () =>
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
        assert.deepEqual(changes(await stack.preview()), ["update ConfigMapPatch", "update JobPatch"]);
        await stack.up();
        assert.equal((await cloud.pods()).length, 2);
        assert.deepEqual((await stack.outputs())["burst"]?.secret, true);
      },
      { makeProgram: remote(byParts), plugins: ownPlugin() },
    ));

  it("takes it as a whole once it is there, and is told what to do before", () =>
    withBurst(
      far,
      { cloud: { size: 1 } },
      async ({ stack, cloud, change }) => {
        await assert.rejects(stack.preview(), /\n +root: must be the output burst of a MiniCluster itself/);
        change({});
        await stack.up();
        change({ cloud: { size: 1 } });
        await stack.up();
        assert.equal((await cloud.pods()).length, 1);
      },
      { makeProgram: remote(asAWhole), plugins: ownPlugin() },
    ));

  it("is refused with the paths of all that is wrong", () =>
    withBurst(
      far,
      {},
      async ({ stack, change }) => {
        await stack.up();
        change({ cloud: { size: 99, name: "nowhere" } });
        await assert.rejects(stack.preview(), /\n +name: .*knows no "nowhere", only: cloud/);
      },
      { makeProgram: remote(byParts), plugins: ownPlugin() },
    ));
});
