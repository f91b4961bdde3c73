import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { changes, diffOf, leftIn, withStack } from "../support/clusters";
import { createStack, OperationError } from "../support/engine";
import { ownPlugin } from "../support/plugin";
import { sharedCluster } from "../support/sandboxHooks";

/** What a generated SDK does in any language: it leaves the making of the component to the plugin. */
class RemoteMiniCluster extends pulumi.ComponentResource {
  declare readonly hostlist: pulumi.Output<string>;
  declare readonly size: pulumi.Output<number>;

  constructor(name: string, args: pulumi.Inputs) {
    super("minicluster:index:MiniCluster", name, { hostlist: undefined, ...args }, {}, true);
  }
}

class RemoteManifest extends pulumi.ComponentResource {
  declare readonly sizes: pulumi.Output<Record<string, number>>;

  constructor(name: string, text: string) {
    super("minicluster:index:MiniClusterManifest", name, { sizes: undefined, text }, {}, true);
  }
}

describe("The component provider", () => {
  it("makes a cluster for a program in any language, resizes it in place, and refuses what is wrong", async () => {
    const { kubeconfigPath, newNamespace, kube } = sharedCluster();
    const namespace = await newNamespace();
    const containers = [{ image: pulumi.output("ubuntu:noble"), command: "echo hello" }];
    const program = (args: pulumi.Inputs) => () => {
      const { hostlist, size } = new RemoteMiniCluster("demo", { namespace, maxSize: 4, containers, ...args });
      return Promise.resolve({ hostlist, size });
    };
    const stack = await createStack({ program: program({ size: 2 }), kubeconfigPath, plugins: ownPlugin() });
    try {
      await stack.up();
      assert.equal((await stack.outputs())["hostlist"]?.value, "demo-[0-3]");
      assert.equal((await kube.podsOfJob(namespace, "demo")).length, 2);

      stack.program = program({ size: 3 });
      const preview = await stack.preview();
      assert.deepEqual(changes(preview), ["update ConfigMapPatch", "update JobPatch"]);
      assert.deepEqual(diffOf(preview, "JobPatch"), ["spec.completions: 2 => 3", "spec.parallelism: 2 => 3"]);

      stack.program = program({ size: 9, tasks: -1 });
      const error: unknown = await stack.preview().catch((reason: unknown) => reason);
      assert.ok(error instanceof OperationError);
      assert.match(error.message, /size 9 is above maxSize 4; raise maxSize or lower size/);
      assert.match(error.message, /\n +tasks: -1 must be/);
    } finally {
      await stack.destroy();
      assert.deepEqual(await leftIn(namespace), []);
      stack.dispose();
    }
  });

  it("reads the operator's manifest for a program in any language", () =>
    withStack(
      async (stack, namespace) => {
        const manifest = (image: string) =>
          [
            "apiVersion: flux-framework.org/v1alpha2",
            "kind: MiniCluster",
            `metadata: { name: hello, namespace: ${namespace} }`,
            `spec: { size: 2, containers: [{ ${image}: ubuntu, command: echo hello }] }`,
          ].join("\n");
        stack.program = () => Promise.resolve({ sizes: new RemoteManifest("demo", manifest("image")).sizes });
        await stack.up();
        assert.deepEqual((await stack.outputs())["sizes"]?.value, { hello: 2 });
        stack.program = () => Promise.resolve({ sizes: new RemoteManifest("demo", manifest("imago")).sizes });
        await assert.rejects(
          stack.preview(),
          /demo:4:33: spec\.containers\[0\]\.imago: unknown field; did you mean image/,
        );
      },
      { plugins: ownPlugin() },
    ));
});
