import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { MiniCluster, MiniClusterWait } from "../../provider";
import { changes, differences, leftIn, messages, neverReady, readyIn, withStack } from "../support/clusters";
import type { RunningOperation } from "../support/engine";
import { aContainer } from "../support/fixtures";
import { waitFor } from "../sandbox/waiting";
import { type WatchedPlugin, watchedPlugin } from "../support/plugin";
import { isPending } from "../support/engineResult";
import { RemoteMiniCluster, resourcesOf, smallArgs, Team, ways } from "../support/remote";
import { sharedCluster } from "../support/sandboxHooks";

describe("The end of a cluster", () => {
  let plugin: WatchedPlugin;
  let plugins: Record<string, string>;
  before(() => {
    plugin = watchedPlugin();
    plugins = { minicluster: plugin.directory };
  });
  after(() => plugin.remove());

  for (const { way, make } of ways)
    it(`leaves all of its objects by its parent's retainOnDelete when it was ${way}`, () =>
      withStack(
        async (stack, namespace) => {
          stack.program = () =>
            make("demo", everyObject(namespace), { parent: new Team("team", { retainOnDelete: true }) });
          await stack.up();
          const before = await leftIn(namespace);
          assert.equal(before.filter((name) => name.startsWith("Pod ")).length, 3);
          stack.program = () => ({});
          assert.ok(changes(await stack.up()).includes("delete Job"));
          assert.deepEqual(await resourcesOf(stack), []);
          assert.deepEqual(await leftIn(namespace), before);
          await removeByHand(namespace, before);
        },
        { plugins },
      ));

  it("is waited for by its namespace, and the preview of a cluster there says what the namespace waits for", () =>
    withStack(
      async (stack, namespace) => {
        const { kube } = sharedCluster();
        const held = { apiVersion: "v1", kind: "ConfigMap", name: "held", namespace };
        await kube.create({ ...held, metadata: { name: "held", namespace, finalizers: ["example.com/held"] } });
        await kube.delete({ apiVersion: "v1", kind: "Namespace", name: namespace });
        const left = /finalizers remaining: example\.com\/held/;
        const waits = async () =>
          left.test(JSON.stringify(await kube.get({ apiVersion: "v1", kind: "Namespace", name: namespace })));
        await waitFor("the namespace to wait", waits, 60_000);

        stack.program = () => new MiniCluster("demo", smallArgs({ namespace }));
        const said = messages(await stack.preview()).join("\n");
        assert.match(
          said,
          new RegExp(`the namespace "${namespace}" is being deleted and accepts no objects: .*${left.source}`),
        );
        assert.match(said, new RegExp(`delete their Jobs: kubectl delete job --all --namespace ${namespace}`));
        await kube.patch(held, { metadata: { finalizers: null } });
      },
      { reads: true },
    ));

  it("lets its namespace go, which failed pods keep, once its Job is deleted as the preview says", () =>
    withStack(async (stack, namespace) => {
      const { kube } = sharedCluster();
      const labels = { "sandbox.minicluster/complete": "failed" };
      const failing = { pod: { labels }, retryCommand: true, wait: MiniClusterWait.None };
      stack.program = () => new MiniCluster("demo", smallArgs({ namespace, ...failing }));
      await stack.up();
      const failed = async () =>
        (await kube.list({ apiVersion: "v1", kind: "Pod", namespace })).filter(
          ({ metadata, status }) =>
            (status as { phase?: string }).phase === "Failed" && JSON.stringify(metadata).includes("job-tracking"),
        );
      await waitFor("failed pods with the finalizer", async () => (await failed()).length > 0, 30_000);
      const ref = { apiVersion: "v1", kind: "Namespace", name: namespace };
      await kube.delete(ref);
      const deleted = async () => (await failed()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
      await waitFor("the pods to be deleted", async () => (await deleted()).length > 0, 30_000);
      // Kubernetes reports that all content is removed, and waits.
      await sleep(10_000);
      assert.ok((await deleted()).length > 0, "no pod keeps the namespace");
      await kube.delete({ apiVersion: "batch/v1", kind: "Job", name: "demo", namespace });
      const isGone = () =>
        kube.get(ref).then(
          () => false,
          () => true,
        );
      await waitFor("the namespace to go", isGone, 60_000);
    })).timeout(200_000);

  it("has a preview that names the pod of a lost node, and the node", () =>
    withStack(
      async (stack, namespace) => {
        const { kube } = sharedCluster();
        stack.program = () => new MiniCluster("demo", smallArgs({ namespace }));
        await stack.up();
        const [, last] = await kube.podsOfJob(namespace, "demo");
        const pod = { apiVersion: "v1", kind: "Pod", name: last?.name ?? "", namespace };
        const label = (value: string | null) =>
          kube.patch(pod, { metadata: { labels: { "sandbox.minicluster/lost": value } } });
        await label("true");
        try {
          await kube.delete(pod);
          const node = last?.node;
          const said = new RegExp(
            `pod ${pod.name} has been terminating since \\S+ on node ${node}, .*kubectl delete node ${node}`,
          );
          const warned = async () => said.test(messages(await stack.preview()).join("\n"));
          await waitFor("the warning", warned, 150_000, 5_000);
        } finally {
          await label(null);
        }
      },
      { reads: true },
    )).timeout(240_000);

  for (const { name, end } of [
    { name: "interrupted", end: (up: RunningOperation) => up.interrupt() },
    { name: "killed", end: (up: RunningOperation) => up.kill() },
  ])
    it(`outlives no engine that was ${name} while the pods came up, and the next up and destroy are as any`, () =>
      withStack(
        async (stack, namespace) => {
          const program = (args: object) => () => new RemoteMiniCluster("demo", smallArgs({ namespace, ...args }));
          stack.program = program({ ...neverReady, waitTimeoutSeconds: 300 });
          const up = stack.start("up");
          up.result.catch(() => undefined);
          const isUnderWay = () => isPending(stack.statePath, "JobPatch");
          await waitFor("the patch to be under way", isUnderWay, 60_000);
          assert.equal(plugin.running().length, 1);
          await end(up);
          await waitFor("the plugin to end", () => plugin.running().length === 0, 10_000);

          stack.program = program({});
          await stack.up({ refresh: true });
          assert.equal(readyIn(await sharedCluster().kube.podsOfJob(namespace, "demo")), 2);
          assert.deepEqual(differences(await stack.preview()), []);
          await stack.destroy();
          assert.deepEqual(await leftIn(namespace), []);
          assert.deepEqual(plugin.running(), []);
        },
        { plugins },
      ));
});

/** A cluster with an object of most kinds. */
const everyObject = (namespace: string) =>
  smallArgs({ namespace, services: [aContainer({ name: "web" })], network: { policy: "brokerPort" } });

/** Removes what a stack has left on purpose. */
async function removeByHand(namespace: string, names: string[]): Promise<void> {
  const { kube } = sharedCluster();
  const apiVersions: Record<string, string> = { Job: "batch/v1", NetworkPolicy: "networking.k8s.io/v1" };
  const refs = names.map((each) => {
    const [kind = "", name = ""] = each.split(" ");
    return { apiVersion: apiVersions[kind] ?? "v1", kind, name, namespace };
  });
  // The Job first: it would create its pods again.
  for (const ref of refs.sort((one, other) => Number(other.kind === "Job") - Number(one.kind === "Job")))
    await kube.delete(ref);
  await waitFor("the namespace to be empty", async () => (await leftIn(namespace)).length === 0, 20_000);
}
