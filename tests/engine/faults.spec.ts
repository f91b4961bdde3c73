import assert from "node:assert/strict";
import type { MiniCluster } from "../../provider";
import {
  changes,
  type ClusterUnderTest,
  completing,
  failure,
  type JobObject,
  neverReady,
  readyIn,
  withCluster,
  withStack,
} from "../support/clusters";
import { createStack } from "../support/engine";
import { aMiniClusterArgs } from "../support/fixtures";
import { Kube, type KubeObject } from "../sandbox/kube";
import { waitFor } from "../sandbox/waiting";
import { type WatchedPlugin, watchedPlugin } from "../support/plugin";
import { clusterProgram } from "../support/programs";
import { smallArgs, ways } from "../support/remote";
import { sharedCluster } from "../support/sandboxHooks";
import { startCluster } from "../sandbox/cluster";
import { createNodes } from "../sandbox/nodes/simulated";

const job = (namespace: string) => ({ apiVersion: "batch/v1", kind: "Job", name: "demo", namespace });

describe("When something goes wrong", () => {
  it("creates a Job again after a refresh that was deleted by hand, at the present size", () =>
    withCluster({ size: 2, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 3, maxSize: 4 });
      await cluster.stack.up();
      const { kube } = sharedCluster();
      await kube.delete(job(cluster.namespace));
      await waitFor("the Job to go", async () => (await kube.find(job(cluster.namespace))) === undefined);

      await cluster.stack.refresh();
      assert.deepEqual(changes(await cluster.stack.preview()), ["create Job", "create JobPatch"]);
      await cluster.stack.up();
      assert.equal((await cluster.job()).spec.completions, 3);
      assert.equal(readyIn(await cluster.pods()), 3);
    }));

  it("lets a cluster that has not all its pods be given another size after a refresh", async () => {
    const labels = { "minicluster-tests/few": "yes" };
    await createNodes(sharedCluster().kube, 0, 4, { namePrefix: "few", labels });
    const few = { maxSize: 8, pod: { nodeSelector: labels } };
    await withCluster({ size: 2, ...few }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 6, ...few, waitTimeoutSeconds: 4 });
      await failure(cluster.stack.up());
      await cluster.stack.refresh();

      cluster.change({ size: 3, ...few });
      // The refresh has marked the Job and its patch as unhealthy, and nothing but the size is to change.
      assert.deepEqual(changes(await cluster.stack.preview()), [
        "update ConfigMapPatch",
        "update Job",
        "update JobPatch",
      ]);
      await cluster.stack.up();
      assert.equal((await cluster.job()).spec.completions, 3);
      assert.deepEqual(changes(await cluster.stack.preview()), []);
      assert.equal(readyIn(await cluster.pods()), 3);
    });
  });

  it("has no lead broker that waits for more brokers than pods when it is killed between two patches", async () => {
    const labels = { "minicluster-tests/two": "yes" };
    await createNodes(sharedCluster().kube, 0, 2, { namePrefix: "two", labels });
    const two = { maxSize: 8, pod: { nodeSelector: labels } };
    await withCluster({ size: 2, ...two }, async (cluster) => {
      // The Job at the last change of the ConfigMap: a later read would also see a patch that came too late.
      const sizes = async () => {
        const config = await cluster.object("ConfigMap", "demo-entrypoint");
        const ref = { apiVersion: "batch/v1", kind: "Job", namespace: cluster.namespace };
        const [job] = (await sharedCluster().kube.listWhen(ref, config)) as JobObject[];
        const { size } = (config as { data?: { size?: string } }).data ?? {};
        return { pods: job?.spec.parallelism, awaited: Number(size) };
      };
      // The program looks at the Job by what the stack says of the provider.
      await cluster.stack.setConfig("kubernetes:kubeconfig", sharedCluster().kubeconfigPath);
      await cluster.stack.up();
      cluster.change({ size: 4, ...two });
      const up = cluster.stack.start("up");
      up.result.catch(() => undefined);
      const begun = async () => (await cluster.job()).spec.parallelism !== 2 || (await sizes()).awaited !== 2;
      await waitFor("the first patch", begun, 60_000, 5);
      await up.kill();
      const { awaited, pods } = await sizes();
      // None: the ConfigMap is as it was before the Job was created.
      assert.ok(pods === undefined || awaited <= pods, `${awaited} of ${pods}`);

      await createNodes(sharedCluster().kube, 2, 2, { namePrefix: "two", labels });
      await cluster.stack.up();
      assert.deepEqual(await sizes(), { awaited: 4, pods: 4 });
    });
  });

  it("rejects a resize of a Job that has ended by the state, and warns of one that has ended since", () =>
    withCluster({ size: 1, maxSize: 4, ...completing }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 2, maxSize: 4, ...completing });
      for (const operation of ["preview", "up"] as const)
        assert.match(
          (await failure(cluster.stack[operation]())).message,
          /has ended, and a resize does not restart it/,
        );
      // A Job that is created again runs at the new size.
      await cluster.stack.up({ replace: ["**batch/v1:Job::demo"] });
      assert.equal((await cluster.job()).spec.completions, 2);
    }));

  it("shows how many brokers have joined, and what keeps a pod, where it can read from the API server", async () => {
    const labels = { "minicluster-tests/one": "yes" };
    await createNodes(sharedCluster().kube, 0, 1, { namePrefix: "one", labels });
    const args = { size: 3, minSize: 1, pod: { nodeSelector: labels }, waitTimeoutSeconds: 12 };
    await withCluster(
      args,
      async (cluster) => {
        const { result } = await failure(cluster.stack.up());
        const said = result.diagnostics.filter(({ message }) => message.includes("1 of 3 brokers have joined"));
        const seen =
          /pod demo-\d-\w+ and 1 more: Unschedulable: .*nodes are available.*to see more, run: kubectl .*describe/;
        for (const [severity, begins] of [
          ["warning", /^still waiting for the pods of demo: 1 of 3/],
          ["error", /^the pods of demo have not all become Ready in time: 1 of 3/],
        ] as const) {
          const [{ message } = { message: "" }] = said.filter((diagnostic) => diagnostic.severity === severity);
          assert.match(message, begins);
          assert.match(message, seen);
        }
        assert.match(result.stdout.split("Diagnostics:")[1] ?? "", /kubectl (?:--kubeconfig \S+ )?describe job,pod/);
      },
      { config: { "kubernetes:kubeconfig": sharedCluster().kubeconfigPath } },
    );
  });

  it("reports how many brokers have joined, and the running one that has not, without their logs", async () => {
    const body = async (cluster: ClusterUnderTest) => {
      const { result } = await failure(cluster.stack.up());
      const said = result.diagnostics.map(({ message }) => message);
      const reason =
        /: 0 of 2 brokers have joined; pod demo-1-\w+: has not joined the lead broker at demo-0\.\S+; to see/;
      for (const begins of [
        /^still waiting for the pods of demo/,
        /^the pods of demo have not all become Ready in time/,
      ])
        assert.ok(said.some((message) => begins.test(message) && reason.test(message)));
    };
    const config = { "kubernetes:kubeconfig": sharedCluster().kubeconfigPath };
    await withCluster({ size: 2, ...neverReady, waitTimeoutSeconds: 8 }, body, { config });
  });

  describe("begins the error of a failed Job with what has happened", () => {
    let plugin: WatchedPlugin;
    before(() => (plugin = watchedPlugin()));
    after(() => plugin.remove());

    for (const { way, make } of ways)
      for (const isExported of [true, false])
        it(`where the cluster was ${way}, and its name ${isExported ? "is" : "is no"} output of the stack`, () =>
          withStack(
            async (stack, namespace) => {
              stack.program = () => {
                const args = smallArgs({ namespace, ...neverReady, deadlineSeconds: 1 });
                const { jobName } = make("demo", args) as MiniCluster;
                return isExported ? { jobName } : {};
              };
              const { message, result } = await failure(stack.up());
              const errors = result.diagnostics.filter(({ severity }) => severity === "error");
              // Where the plugin gets the interrupt before its answer is due, the engine names the resource.
              const begin =
                /^(minicluster:\S+ resource 'demo' has a problem: )?the Job \S+\/demo has failed \(DeadlineExceeded/;
              assert.ok(errors.some((error) => begin.test(error.message)));
              assert.doesNotMatch(message, /error serializing/);
              assert.doesNotMatch(message, /^\s+at \S+pulumi-resource-minicluster/m);
              // A preview warns of it, so that the mending change can be seen.
              const reason = /the Job .*\/demo has failed \(DeadlineExceeded: .*kubectl describe job,pod/s;
              const { diagnostics } = await stack.preview();
              assert.ok(diagnostics.some((one) => one.severity === "warning" && reason.test(one.message)));
            },
            { plugins: { minicluster: plugin.directory } },
          ));
  });

  it("waits for the end of the command, or for nothing, on request", () =>
    withCluster({ wait: "complete", ...completing }, async (cluster) => {
      await cluster.stack.up();
      assert.ok((await cluster.job()).status["completionTime"]);
      cluster.change({ wait: "none", ...neverReady });
      await cluster.stack.up();
      assert.equal((await cluster.job()).status["completionTime"], undefined);
    }));

  it("waits until terminating pods are gone, on request", () =>
    withCluster({ size: 3, maxSize: 4, wait: "settled" }, async (cluster) => {
      await cluster.stack.up();
      cluster.change({ size: 1, maxSize: 4, wait: "settled" });
      await cluster.stack.up();
      assert.equal((await cluster.pods()).length, 1);
      assert.deepEqual(changes(await cluster.stack.preview()), []);
    }));

  it("ends with a clear error when the API server goes away, and the next up completes", async () => {
    const own = await startCluster({ nodes: 2 });
    try {
      const kube = Kube.fromKubeconfig(own.kubeconfigPath);
      const args = aMiniClusterArgs({ size: 2, waitTimeoutSeconds: 60 });
      const stack = await createStack({
        // The plugin looks for the pods until this time is over, whether there is an API server or not.
        program: clusterProgram({ ...args, ...neverReady, waitTimeoutSeconds: 10 }),
        kubeconfigPath: own.kubeconfigPath,
      });
      let ended = false;
      const up = failure(stack.up()).finally(() => (ended = true));
      // Before that the API server would go away under the patch itself, or under the pods: another fault each time.
      await waitFor("the patch to be applied", async () => isPatched(await kube.find(job("default"))), 60_000);
      await waitFor("two pods", async () => (await kube.podsOfJob("default", "demo")).length === 2);
      await own.pauseApiServer();
      assert.equal(ended, false);
      assert.match(
        (await up).message,
        /demo-size.* (ECONNRE(SET|FUSED)|socket hang up|connection re(set|fused)|EOF|timed out)/s,
      );
      await own.resumeApiServer();

      stack.program = clusterProgram(args);
      await stack.up({ refresh: true });
      assert.equal(readyIn(await kube.podsOfJob("default", "demo")), 2);
      await stack.destroy();
      stack.dispose();
    } finally {
      await own.stop();
    }
  });
});

/** Whether a patch has been applied to an object, which is created without one. */
function isPatched(object: KubeObject | undefined): boolean {
  const managers = (object?.metadata["managedFields"] ?? []) as { operation: string }[];
  return managers.some(({ operation }) => operation === "Apply");
}
