import assert from "node:assert/strict";
import { parseAllDocuments } from "yaml";
import { reasons, stateIn } from "../../provider/autoscale/diagnostics/state";
import { Kube, type NewObject, patchTypes } from "../sandbox/kube";
import type { ApiError } from "../sandbox/apiClient";
import { waitFor } from "../sandbox/waiting";
import { agentToken, becomes, elastic, sizeOf, startAgent, withAgent } from "../support/agent";
import {
  changes,
  type ClusterUnderTest,
  differences,
  diffOf,
  readyIn,
  staying,
  uids,
  withCluster,
} from "../support/clusters";
import { fences } from "../support/fences";
import { sharedCluster } from "../support/sandboxHooks";

/** The state of the agent in the annotation of the Job. */
const stateOf = async ({ job }: ClusterUnderTest) =>
  stateIn((await job()).metadata.annotations?.["minicluster/autoscale-state"]);

/** The policy of the page on security, for the cluster "demo" of a namespace with sizes from 1 to 4. */
function policyFor(namespace: string): NewObject[] {
  const isPolicy = ({ place, text }: { place: string; text: string }) =>
    place.startsWith("docs/security.md") && /AdmissionPolicy/.test(text);
  const text = (fences().find(isPolicy)?.text ?? assert.fail())
    .replaceAll("default:elastic-autoscale", `${namespace}:demo-autoscale`)
    .replaceAll("elastic-autoscale", `policy-${namespace}`)
    .replace("<= 16", "<= 4");
  return parseAllDocuments(text).map((document) => document.toJS() as NewObject);
}

describe("A cluster whose size follows its queue", () => {
  it("grows and shrinks by its agent, whose size no preview, refresh, change of the Job or suspension touches", () =>
    withCluster(elastic, async (cluster) => {
      await cluster.stack.up();
      assert.equal(await sizeOf(cluster), 1);
      await withAgent(cluster, async ({ setDemand, log }) => {
        const [lead] = await cluster.pods();
        setDemand({ allocated: 0, pending: [{ id: "f1", hosts: 3 }] });
        await becomes(cluster, 3);
        assert.match(log(), /^size 1 => 3: 0 running on 0 hosts, 1 pending for 3$/m);
        await waitFor("three pods", async () => readyIn(await cluster.pods()) === 3, 20_000);

        assert.deepEqual(changes(await cluster.stack.preview()), []);
        await cluster.stack.refresh();
        assert.deepEqual(differences(await cluster.stack.preview()), []);
        await cluster.stack.up();
        assert.equal(await sizeOf(cluster), 3);
        assert.equal((await stateOf(cluster))?.size, 3);

        setDemand({ allocated: 0, pending: [] });
        await becomes(cluster, 1);
        await waitFor("one pod", async () => staying(await cluster.pods()).length === 1, 20_000);
        assert.deepEqual(uids(staying(await cluster.pods())), uids(lead ? [lead] : []));

        setDemand({ allocated: 2, pending: [] });
        await becomes(cluster, 2);
        cluster.change({ ...elastic, jobLabels: { team: "physics" } });
        const preview = await cluster.stack.preview();
        assert.deepEqual(diffOf(preview, "Job"), ["metadata.labels.team: undefined => physics"]);
        await cluster.stack.up();
        assert.equal(await sizeOf(cluster), 2);
        cluster.change({ ...elastic, suspend: true });
        await cluster.stack.up();
        setDemand({ allocated: 4, pending: [] });
        cluster.change(elastic);
        await cluster.stack.up();
        await becomes(cluster, 4);
      });
    }));

  it("has the state of its agent in an annotation, by which `up` reports hosts that cannot be used", () =>
    withCluster(
      elastic,
      async (cluster) => {
        await cluster.stack.up();
        await withAgent(cluster, async ({ setDemand, isReady }) => {
          const reaches = (reason: string) =>
            waitFor(`the reason ${reason}`, async () => (await stateOf(cluster))?.reason === reason, 20_000, 200);
          await reaches(reasons.hostsIdle);
          const versionOf = async () => (await cluster.job()).metadata.resourceVersion;
          const before = await versionOf();
          await new Promise((resolve) => setTimeout(resolve, 3_000));
          assert.equal(await versionOf(), before, "an idle agent changes the Job");
          assert.ok(isReady());

          const reason = "missing resources: core[4-7]";
          setDemand({ allocated: 1, unusable: 2, reason, pending: [] });
          await reaches(reasons.unusableHosts);
          const { stdout } = await cluster.stack.up();
          assert.ok(stdout.includes("the agent of demo adds no hosts: size 1: "), stdout);
          assert.ok(stdout.includes(`2 drained as they joined, and not replaced: ${reason}`), stdout);
          assert.deepEqual(changes(await cluster.stack.preview()), []);
          const { stdout: refreshed } = await cluster.stack.refresh();
          assert.doesNotMatch(refreshed, /autoscale-state/);
          assert.deepEqual(differences(await cluster.stack.preview()), []);
          assert.equal((await stateOf(cluster))?.reason, reasons.unusableHosts);
        });
      },
      { reads: true },
    ));

  it("lets its agent get and patch one Job, and with the policy on the page only its counts within the bounds", () =>
    withCluster(elastic, async (cluster) => {
      await cluster.stack.up();
      const { namespace } = cluster;
      const { kube } = sharedCluster();
      const asAgent = new Kube({ server: kube.server, ca: kube.ca, token: await agentToken(cluster) });
      const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
      const statusOf = (verb: "GET" | "DELETE" | "PATCH", url: string, body = {}) =>
        asAgent.request(verb, url, ...(verb === "PATCH" ? [body, patchTypes.merge] : [])).then(
          () => 200,
          (error: unknown) => (error as ApiError).status,
        );
      for (const verb of ["GET", "PATCH"] as const) assert.equal(await statusOf(verb, `${jobs}/demo`), 200, verb);
      const core = `/api/v1/namespaces/${namespace}`;
      const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
      const patched = [
        `${jobs}/other`,
        `${jobs}/demo/status`,
        `${core}/configmaps/demo-programs`,
        `${core}/pods/demo-0`,
      ];
      const further = [
        `/apis/apps/v1/namespaces/${namespace}/deployments/demo-autoscale`,
        `${rbac}/roles/demo-autoscale`,
      ];
      for (const url of [...patched, ...further]) assert.equal(await statusOf("PATCH", url), 403, url);
      for (const url of [jobs, `${jobs}/other`, `${core}/secrets/demo-curve`, `${core}/pods`])
        assert.equal(await statusOf("GET", url), 403, url);
      assert.equal(await statusOf("DELETE", `${jobs}/demo`), 403);

      const patch = (body: object) => statusOf("PATCH", `${jobs}/demo`, body);
      const sized = (parallelism: number) => ({ spec: { parallelism, completions: parallelism } });
      const policy = policyFor(namespace);
      for (const object of policy) await kube.create(object);
      try {
        // A new policy is in force after a while. Until then a label is set, and setting it again would change nothing.
        let tries = 0;
        const refuses = async () => (await patch({ metadata: { labels: { tries: String(tries++) } } })) === 422;
        await waitFor("the policy to be in force", refuses, 30_000, 200);
        assert.equal(await patch(sized(3)), 200);
        // The patches of an agent with a budget: the cost or the state alone, and both with a size.
        const spent = { "minicluster/spent": "{}" };
        const state = { "minicluster/autoscale-state": "{}" };
        for (const annotations of [spent, state]) assert.equal(await patch({ metadata: { annotations } }), 200);
        assert.equal(await patch({ ...sized(2), metadata: { annotations: { ...spent, ...state } } }), 200);
        const specs = [{ suspend: true }, { activeDeadlineSeconds: 1 }, { ttlSecondsAfterFinished: 0 }];
        const metadata = [
          { annotations: { a: "b" } },
          { annotations: { "minicluster/template-hash": null } },
          { annotations: { "minicluster/template-hash": "other", "minicluster/spent": "{}" } },
          { finalizers: ["example.com/never"] },
        ];
        const refused = [
          sized(5),
          sized(0),
          ...specs.map((spec) => ({ spec })),
          ...metadata.map((each) => ({ metadata: each })),
        ];
        for (const body of refused) assert.equal(await patch(body), 422, JSON.stringify(body));
        assert.equal(await patch(sized(1)), 200);
      } finally {
        for (const { apiVersion, kind, metadata } of [...policy].reverse())
          await kube.delete({ apiVersion, kind, name: metadata.name ?? "" });
      }
    }));

  it("is resized by two agents as by one, by the other one when one is killed, and when its Job is replaced", () =>
    withCluster(elastic, async (cluster) => {
      await cluster.stack.up();
      await withAgent(cluster, async ({ setDemand, url, ...one }) => {
        const other = await startAgent(cluster, url);
        try {
          setDemand({ pending: [{ id: "f1", hosts: 3 }] });
          await becomes(cluster, 3);
          one.stop();
          setDemand({ allocated: 2 });
          await becomes(cluster, 2);
          cluster.change({ ...elastic, containers: [{ image: "rockylinux:9" }] });
          await cluster.stack.up();
          await becomes(cluster, 2);
          const resizes = [one, other].flatMap(({ log }) => log().match(/=> \d+/g) ?? []);
          assert.deepEqual([...new Set(resizes)].sort(), ["=> 2", "=> 3"]);
          setDemand({ allocated: 4 });
          await becomes(cluster, 4);
        } finally {
          other.stop();
        }
      });
    }));

  it("begins and ends to follow its queue while its pods run, and its size comes back in one visible step", () =>
    withCluster({ interactive: true, size: 3, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      const before = await cluster.pods();
      cluster.change({ ...elastic, maxSize: 4 });
      assert.doesNotMatch(changes(await cluster.stack.preview()).join(), /replace/);
      await cluster.stack.up();
      assert.deepEqual(uids(await cluster.pods()).slice(0, 3), uids(before));
      cluster.change({ interactive: true, size: 2, maxSize: 4 });
      assert.ok(changes(await cluster.stack.preview()).includes("create JobPatch"));
      await cluster.stack.up();
      assert.equal(await sizeOf(cluster), 2);
      assert.deepEqual(uids(staying(await cluster.pods())), uids(before.slice(0, 2)));
      assert.deepEqual(changes(await cluster.stack.preview()), []);
    }));
});
