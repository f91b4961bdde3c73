import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { changes, diffOf, failure, withStack } from "../support/clusters";
import { ownPlugin } from "../support/plugin";
import { remote } from "../support/remote";
import { sharedCluster } from "../support/sandboxHooks";

describe("The component provider", () => {
  it("makes a cluster for a program in any language, resizes it in place, and refuses what is wrong", () =>
    withStack(
      async (stack, namespace) => {
        const containers = [{ image: pulumi.output("ubuntu:noble"), command: "echo hello" }];
        const program = (args: pulumi.Inputs) => () => {
          const all = { namespace, maxSize: 4, containers, ...args };
          return { hostlist: remote("MiniCluster", "demo", all, ["hostlist"]).hostlist };
        };
        stack.program = program({ size: 2 });
        await stack.up();
        assert.equal((await stack.outputs())["hostlist"]?.value, "demo-[0-3]");
        assert.equal((await sharedCluster().kube.podsOfJob(namespace, "demo")).length, 2);

        stack.program = program({ size: 3 });
        const preview = await stack.preview();
        assert.deepEqual(changes(preview), ["update ConfigMapPatch", "update JobPatch"]);
        assert.deepEqual(diffOf(preview, "JobPatch"), ["spec.completions: 2 => 3", "spec.parallelism: 2 => 3"]);

        stack.program = program({ size: 9, tasks: -1 });
        const { message } = await failure(stack.preview());
        assert.match(message, /size 9 is above maxSize 4; raise maxSize or lower size/);
        assert.match(message, /\n +tasks: -1 must be/);
      },
      { plugins: ownPlugin() },
    ));

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
        const program = (text: string) => () => ({
          sizes: remote("MiniClusterManifest", "demo", { text }, ["sizes"]).sizes,
        });
        stack.program = program(manifest("image"));
        await stack.up();
        assert.deepEqual((await stack.outputs())["sizes"]?.value, { hello: 2 });
        stack.program = program(manifest("imago"));
        await assert.rejects(
          stack.preview(),
          /demo:4:33: spec\.containers\[0\]\.imago: unknown field; did you mean image/,
        );
      },
      { plugins: ownPlugin() },
    ));
});
