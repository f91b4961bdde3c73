import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { Kube, type NewObject, patchTypes } from "../sandbox/kube";
import type { ApiError } from "../sandbox/standIns/kubernetes/api";
import { waitFor } from "../sandbox/waiting";
import { agentToken } from "../support/agent";
import { withCluster } from "../support/clusters";
import { fences } from "../support/fences";
import { sharedCluster } from "../support/sandboxHooks";

/** The policy of the page on security, for the cluster "demo" of a namespace with sizes from 1 to 4. */
function policyFor(namespace: string): NewObject[] {
  const fence = fences().find(
    ({ place, text }) => place.startsWith("docs/security.md") && /AdmissionPolicy/.test(text),
  );
  assert.ok(fence);
  const text = fence.text
    .replaceAll("default:elastic-autoscale", `${namespace}:demo-autoscale`)
    .replaceAll("elastic-autoscale", `policy-${namespace}`)
    .replace("<= 16", "<= 4");
  return parseAllDocuments(text).map((document) => document.toJS() as NewObject);
}

describe("The policy for the agent's token", () => {
  it("lets it set both counts within the bounds, and change nothing else", () =>
    withCluster({ interactive: true, autoscale: { min: 1, max: 4 } }, async (cluster) => {
      await cluster.stack.up();
      const { kube } = sharedCluster();
      const asAgent = new Kube({ server: kube.server, ca: kube.ca, token: await agentToken(cluster) });
      const job = `/apis/batch/v1/namespaces/${cluster.namespace}/jobs/demo`;
      const patch = (body: object) =>
        asAgent.request("PATCH", job, body, patchTypes.merge).then(
          () => 200,
          (error: unknown) => (error as ApiError).status,
        );
      const sized = (parallelism: number, completions = parallelism) => ({ spec: { parallelism, completions } });
      const policy = policyFor(cluster.namespace);
      for (const object of policy) await kube.create(object);
      try {
        // A new policy is in force after a while. Until then a label is set, and setting it again would change nothing.
        let tries = 0;
        const refuses = async () => (await patch({ metadata: { labels: { tries: String(tries++) } } })) === 422;
        await waitFor("the policy to be in force", refuses, 30_000, 200);
        assert.equal(await patch(sized(3)), 200);
        const refused: object[] = [
          ...[sized(5), sized(0)],
          ...[{ suspend: true }, { activeDeadlineSeconds: 1 }, { ttlSecondsAfterFinished: 0 }].map((spec) => ({
            spec,
          })),
          ...[{ annotations: { a: "b" } }, { finalizers: ["example.com/never"] }].map((metadata) => ({ metadata })),
        ];
        for (const body of refused) assert.equal(await patch(body), 422, JSON.stringify(body));
        assert.equal(await patch(sized(1)), 200);
      } finally {
        for (const object of [...policy].reverse()) {
          const { apiVersion, kind, metadata } = object;
          await kube.delete({ apiVersion, kind, name: metadata.name ?? "" });
        }
      }
    }));
});
