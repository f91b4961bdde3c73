import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { changes, failure, leftIn, uids, withStack } from "../support/clusters";
import type { TestStack } from "../support/engine";
import { ownPlugin } from "../support/plugin";
import { childrenAmong, RemoteMiniCluster, resourcesOf, smallArgs, Team, typesIn, ways } from "../support/remote";
import { sharedCluster } from "../support/sandboxHooks";

const component = "minicluster:index:MiniCluster";
const kinds = ["Job", "JobPatch", "ConfigMap", "ConfigMapPatch", "Secret", "Service", "RandomPassword"].sort();
const kindOf = (type: string) => type.split(":").at(-1) as string;

describe("A cluster that the plugin makes", () => {
  const inStack = (body: (stack: TestStack, namespace: string) => Promise<void>) =>
    withStack(body, { plugins: ownPlugin() });
  const podsOf = async (namespace: string, name = "demo") =>
    uids(await sharedCluster().kube.podsOfJob(namespace, name));

  it("waits for what it depends on, and all of it is there for what depends on it, until that is gone", () =>
    inStack(async (stack, namespace) => {
      stack.program = () => {
        const first = new k8s.core.v1.ConfigMap("first", { metadata: { namespace } });
        const demo = new RemoteMiniCluster("demo", smallArgs({ namespace }), { dependsOn: first });
        new k8s.core.v1.ConfigMap("last", { metadata: { namespace } }, { dependsOn: demo });
      };
      const made = await orderOf((onEvent) => stack.up({ onEvent }));
      assert.ok(made.every("starts", (position) => position > made.of("ends", "first")));
      assert.ok(made.every("ends", (position) => position < made.of("starts", "last")));
      const gone = await orderOf((onEvent) => stack.destroy({ onEvent }));
      assert.ok(gone.every("starts", (position) => position > gone.of("ends", "last")));
      assert.ok(gone.every("ends", (position) => position < gone.of("starts", "first")));
    }));

  const without = (namespace: string) => ({ ...smallArgs({ namespace }), namespace: undefined });

  it("is refused without a namespace if an explicit provider has one, and is created in a given namespace", () =>
    inStack(async (stack, namespace) => {
      const program = (given: object) => () =>
        new RemoteMiniCluster(
          "demo",
          { ...without(namespace), ...given },
          { providers: [new k8s.Provider("given", { kubeconfig: sharedCluster().kubeconfigPath, namespace })] },
        );
      stack.program = program({});
      const reason = new RegExp(
        `would be "default", .* namespace "${namespace}"; set namespace: "${namespace}", or namespace: "default"`,
      );
      for (const operation of ["preview", "up"] as const)
        assert.match((await failure(stack[operation]())).message, reason);
      assert.deepEqual(await leftIn(namespace), []);
      stack.program = program({ namespace });
      await stack.up();
      assert.equal((await podsOf(namespace)).length, 2);
    }));

  const kubeconfigOf = (namespace: string) => {
    const config = parse(readFileSync(sharedCluster().kubeconfigPath, "utf8")) as { contexts: { context: object }[] };
    for (const entry of config.contexts) entry.context = { ...entry.context, namespace };
    return stringify(config);
  };
  const settings: Record<string, (stack: TestStack, namespace: string) => Promise<void>> = {
    "the configuration kubernetes:namespace": (stack, namespace) => stack.setConfig("kubernetes:namespace", namespace),
    'the context ".*" of the kubeconfig': (stack, namespace) =>
      stack.setConfig("kubernetes:kubeconfig", kubeconfigOf(namespace)),
  };
  for (const [setting, set] of Object.entries(settings))
    it(`is created in the namespace of ${setting}, and the preview names both`, () =>
      inStack(async (stack, namespace) => {
        await set(stack, namespace);
        stack.program = () => new RemoteMiniCluster("demo", without(namespace));
        const messages: string[] = [];
        await stack.preview({ onEvent: ({ diagnosticEvent }) => messages.push(diagnosticEvent?.message ?? "") });
        assert.match(messages.join("\n"), new RegExp(`the namespace is "${namespace}", from ${setting}`));
        await stack.up();
        assert.equal((await podsOf(namespace)).length, 2);
      }));

  it("is inside its parent with all of its children, and takes the parent's provider and protection", () =>
    inStack(async (stack, namespace) => {
      const program = (protect: boolean) => () => {
        const given = new k8s.Provider("given", { kubeconfig: sharedCluster().kubeconfigPath });
        const parent = new Team("team", { providers: [given], protect });
        new RemoteMiniCluster("demo", smallArgs({ namespace }), { parent });
      };
      stack.program = program(true);
      await stack.up();
      const resources = await resourcesOf(stack);
      const prefix = `my:index:Team$${component}`;
      assert.equal(resources.filter((resource) => typesIn(resource) === prefix).length, 1);
      const children = childrenAmong(resources);
      assert.deepEqual(children.map(typesIn).sort(), children.map(({ type }) => `${prefix}$${type}`).sort());
      assert.deepEqual(children.map(({ type }) => kindOf(type)).sort(), kinds);
      for (const { type, provider = "", protect } of children) {
        assert.equal(protect, true, type);
        if (type.startsWith("kubernetes:")) assert.match(provider, /::given::/, type);
      }

      const before = await podsOf(namespace);
      await assert.rejects(stack.destroy(), /cannot be deleted\s+because it is protected/);
      assert.equal(childrenAmong(await resourcesOf(stack)).length, kinds.length);
      assert.deepEqual([before.length, await podsOf(namespace)], [2, before]);
      stack.program = program(false);
      assert.deepEqual(changes(await stack.up()), []);
    }));
});

describe("The name of a resource", () => {
  for (const { way, make } of ways)
    it(`changes by an alias without a change of a cluster ${way}, and so does its parent`, () =>
      withStack(
        async (stack, namespace) => {
          const args = smallArgs({ namespace, name: "fixed" });
          const rename = () => make("new", args, { aliases: [{ name: "old" }] });
          const steps: [program: () => void, made: string[]][] = [
            [rename, []],
            [
              () => make("new", args, { parent: new Team("team"), aliases: [{ parent: pulumi.rootStackResource }] }),
              ["create Team"],
            ],
            [
              () => {
                const parent = new Team("renamed", { aliases: [{ name: "team" }] });
                make("newer", args, { parent, aliases: [{ name: "new" }] });
              },
              [],
            ],
            [
              () => {
                const parent = new Team("renamed");
                make("newest", args, { parent, aliases: [pulumi.createUrn("newer", component, parent)] });
              },
              [],
            ],
          ];
          stack.program = () => make("old", args);
          await stack.up();
          const pods = async () => uids(await sharedCluster().kube.podsOfJob(namespace, "fixed"));
          const before = await pods();
          for (const [program, made] of steps) {
            stack.program = program;
            if (program === rename) assert.deepEqual(changes(await stack.preview()), made);
            assert.deepEqual(changes(await stack.up()), made);
          }
          assert.deepEqual([before.length, await pods()], [2, before]);
          const names = childrenAmong(await resourcesOf(stack)).map(({ urn }) => urn.split("::")[3] ?? "");
          assert.deepEqual([names.length, names.every((name) => name.startsWith("newest"))], [kinds.length, true]);
        },
        { plugins: ownPlugin() },
      ));
});

/** When each resource of an operation starts and ends, by the order of the events. */
async function orderOf(operation: (onEvent: (event: EngineEvent) => void) => Promise<unknown>) {
  const events: string[] = [];
  await operation(({ resourcePreEvent, resOutputsEvent }) => {
    if (resourcePreEvent) events.push(`starts ${resourcePreEvent.metadata.urn}`);
    if (resOutputsEvent) events.push(`ends ${resOutputsEvent.metadata.urn}`);
  });
  const positions = (matches: (event: string) => boolean) =>
    events.flatMap((event, position) => (matches(event) ? [position] : []));
  return {
    of: (when: string, name: string) =>
      positions((event) => event.startsWith(`${when} `) && event.endsWith(`ConfigMap::${name}`))[0] ?? NaN,
    every: (when: string, holds: (position: number) => boolean) => {
      const children = positions((event) => event.startsWith(`${when} `) && event.includes(`${component}$`));
      return children.length === kinds.length && children.every(holds);
    },
  };
}
