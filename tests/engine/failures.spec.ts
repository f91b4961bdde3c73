import assert from "node:assert/strict";
import { changes, failure, leftIn, withCluster } from "../support/clusters";
import { aContainer } from "../support/fixtures";
import { denyIn } from "../support/policies";
import { sharedCluster } from "../support/sandboxHooks";
import { waitFor } from "../sandbox/waiting";

/** A cluster with an object of each kind. */
const everyKind = {
  size: undefined,
  interactive: true,
  containers: [aContainer({ command: undefined, environment: { PLAIN: "value" } })],
  services: [aContainer({ name: "web" })],
  network: { policy: "brokerPort" },
  disruptionBudget: true,
  prepull: true,
  console: { admins: ["alice"] },
  groups: { workers: { autoscale: { min: 1, max: 2 } } },
  waitTimeoutSeconds: 5,
} as object;

/** The longest time of an update whose waits end after 5 s each. */
const longest = 90_000;

const workloads = "Pod Job Deployment DaemonSet PodDisruptionBudget".split(" ");
const others = "Secret ConfigMap Service NetworkPolicy ServiceAccount Role RoleBinding".split(" ");
const created = [...workloads, ...others].map((kind) => ({ kind, operation: "CREATE" }));

describe("An update in which the API server rejects a resource", () => {
  for (const { kind, operation } of [...created, { kind: "Job", operation: "UPDATE" }])
    it(`ends with the reason, and the next update completes the cluster: ${operation} of a ${kind}`, () =>
      withCluster(everyKind, async ({ stack, namespace, change }) => {
        const accept = await reject(namespace, kind, operation);
        try {
          const began = performance.now();
          const { result, message } = await failure(stack.up());
          assert.ok(performance.now() - began < longest, "the update outlived the waits of its resources");
          const said = [message, ...result.diagnostics.map((each) => each.message)].join("\n");
          assert.match(said, new RegExp(`rejected by this test: ${kind}`));
        } finally {
          await accept();
        }
        // A busy machine has the time that it needs to complete the cluster.
        change({ ...everyKind, namespace, waitTimeoutSeconds: 60 });
        await stack.up({ refresh: true });
        assert.deepEqual(changes(await stack.preview()), []);
        await stack.destroy();
        assert.deepEqual(await leftIn(namespace), []);
      })).timeout(300_000);
});

/** Has the API server reject an operation on a kind in a namespace, and returns what ends this. */
async function reject(namespace: string, kind: string, operation: string): Promise<() => Promise<void>> {
  const { kube } = sharedCluster();
  const probe = { apiVersion: "v1", kind: "ConfigMap", name: "failures-probe", namespace };
  const end = await denyIn(namespace, {
    apiGroups: ["*"],
    operations: [operation],
    resources: ["*"],
    expression: `!(object.kind == "${kind}" || object.metadata.name == "${probe.name}")`,
    message: `rejected by this test: ${kind}`,
  });
  // A policy is in force, and ends, a while after its object.
  const isRejected = async () => {
    try {
      await kube.create({ ...probe, metadata: { name: probe.name, namespace } });
      if (operation === "UPDATE") await kube.patch(probe, { data: { at: String(Date.now()) } });
      await kube.delete(probe);
      return false;
    } catch {
      if (operation === "UPDATE") await kube.delete(probe);
      return true;
    }
  };
  await waitFor("the policy to be in force", isRejected, 30_000, 200);
  return async () => {
    await end();
    await waitFor("the policy to end", async () => !(await isRejected()), 30_000, 200);
  };
}
