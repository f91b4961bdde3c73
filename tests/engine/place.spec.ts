import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { parseDocument } from "yaml";
import { contextName } from "../sandbox/controlPlane/credentials";
import { failure, leftIn, messages, withStack } from "../support/clusters";
import { type WatchedPlugin, watchedPlugin } from "../support/plugin";
import { type RemoteMiniCluster, smallArgs, ways } from "../support/remote";
import { sharedCluster } from "../support/sandboxHooks";

describe("The preview of a new cluster", () => {
  let plugin: WatchedPlugin;
  before(() => (plugin = watchedPlugin()));
  after(() => plugin.remove());
  const withPlugin = (body: Parameters<typeof withStack>[0]) =>
    withStack(body, { plugins: { minicluster: plugin.directory }, reads: true });

  for (const { way, make } of ways) {
    it(`refuses the name of another one in the same namespace alone, where it was ${way}`, () =>
      withPlugin(async (stack, namespace) => {
        const { newNamespace } = sharedCluster();
        const elsewhere = await newNamespace();
        stack.program = () => {
          make("one", smallArgs({ name: "demo", namespace }));
          make("two", smallArgs({ name: "demo", namespace: elsewhere }));
          const provider = new kubernetes.Provider("another");
          make("three", smallArgs({ name: "demo", namespace }), { provider });
        };
        await stack.preview();
        stack.program = () => {
          for (const name of ["one", "two"]) make(name, smallArgs({ name: "demo", namespace }));
        };
        for (const operation of ["preview", "up"] as const) {
          const { message } = await failure(stack[operation]());
          const text = `another cluster of this program has the name "demo" in the namespace "${namespace}"`;
          assert.ok(message.includes(text), message);
          assert.deepEqual(await leftIn(namespace), []);
        }
        await stack.destroy();
      }));

    it(`refuses a name that is derived from that of another one, also one that is there, where it was ${way}`, () =>
      withPlugin(async (stack, namespace) => {
        const exposed = { bursting: { clusters: [{ name: "cloud", maxSize: 2, cores: 1 }] } };
        const nodePort = { address: "lead.example.com", port: 30_850 };
        const first = smallArgs({ name: "one", namespace });
        const clash =
          `conflicts with the Service one-lead of the cluster "one(-lead)?" of this program in the namespace ` +
          `"${namespace}"`;
        const both = (args: object) => () => {
          make("one", { ...first, ...args });
          make("two", smallArgs({ name: "one-lead", namespace }));
        };
        stack.program = both({ bursting: { ...exposed.bursting, expose: { nodePort } } });
        for (const operation of ["preview", "up"] as const)
          assert.match((await failure(stack[operation]())).message, new RegExp(clash));
        stack.program = both({});
        await stack.up();
        stack.program = both({ bursting: { ...exposed.bursting, expose: { nodePort } } });
        assert.match((await failure(stack.preview())).message, new RegExp(clash));
      }));

    it(`warns of a missing namespace and a silent API server, and prints commands to that of a provider, ${way}`, () =>
      withPlugin(async (stack, namespace) => {
        const missing = `${namespace}-missing`;
        stack.program = () => {
          for (const name of ["demo", "other"]) make(name, smallArgs({ namespace: missing }));
        };
        const text = `the namespace "${missing}" does not exist yet; create it first`;
        assert.equal(messages(await stack.preview()).filter((warning) => warning.startsWith(text)).length, 2);

        const kubeconfig = fs.readFileSync(sharedCluster().kubeconfigPath, "utf8");
        const silent = parseDocument(kubeconfig);
        silent.setIn(["clusters", 0, "cluster", "server"], "https://127.0.0.1:1");
        stack.program = () => {
          const provider = new kubernetes.Provider("away", { kubeconfig: String(silent) });
          make("demo", smallArgs({ namespace }), { provider });
        };
        const said = messages(await stack.preview()).join("\n");
        assert.match(said, /the API server does not respond: connect ECONNREFUSED/);

        const given = { context: contextName, kubeconfig: pulumi.secret(kubeconfig) };
        stack.program = () => {
          const made = new kubernetes.core.v1.Namespace("made", { metadata: { name: missing } });
          make("demo", smallArgs({ namespace: missing }), { dependsOn: made });
          const provider = new kubernetes.Provider("explicit", given);
          const { connectCommand } = make("explicit", smallArgs({ namespace }), { provider }) as RemoteMiniCluster;
          return { connectCommand };
        };
        assert.deepEqual(messages(await stack.preview()), []);
        await stack.up();
        const command = String((await stack.outputs())["connectCommand"]?.value);
        assert.match(command, /kubectl --kubeconfig "\$\{MINICLUSTER_KUBECONFIG:\?[^}]*\}" --context/);
      }));
  }
});
