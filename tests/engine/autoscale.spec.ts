import assert from "node:assert/strict";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Kube, patchTypes } from "../sandbox/kube";
import type { ApiError } from "../sandbox/standIns/kubernetes/api";
import { waitFor } from "../sandbox/waiting";
import { agentToken, type RunningAgent, startAgent, withAgent } from "../support/agent";
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
import type { StandInLead } from "../support/lead";
import { sharedCluster } from "../support/sandboxHooks";

const autoscale = { min: 1, max: 4, idleSeconds: 3, cooldownSeconds: 0 };
const args = { interactive: true, autoscale };

/** A way to a server that can be closed and opened again. */
async function startWay(server: string) {
  const { hostname, port, protocol } = new URL(server);
  const open = new Set<Socket>();
  let goers = 0;
  const way = createServer((near) => {
    goers += 1;
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => way.listen(at, "127.0.0.1", resolve));
  await listen(0);
  const own = (way.address() as AddressInfo).port;
  return {
    url: `${protocol}//127.0.0.1:${own}`,
    /** How often somebody has gone there. */
    goers: () => goers,
    open: () => listen(own),
    close: () => {
      way.close();
      for (const socket of open) socket.destroy();
    },
  };
}

describe("A cluster whose size follows its queue", () => {
  const sizeOf = async (cluster: ClusterUnderTest) => (await cluster.job()).spec.parallelism;
  const becomes = (cluster: ClusterUnderTest, size: number) =>
    waitFor(`a size of ${size}`, async () => (await sizeOf(cluster)) === size, 60_000, 200);

  it("grows and shrinks by its agent, which keeps the pods that stay, and no preview or refresh shows it", () =>
    withCluster(args, async (cluster) => {
      await cluster.stack.up();
      assert.equal(await sizeOf(cluster), 1);
      await withAgent(cluster, async ({ tell, log }) => {
        const [lead] = await cluster.pods();
        tell({ allocated: 0, pending: [{ id: "f1", hosts: 3 }] });
        await becomes(cluster, 3);
        assert.match(log(), /^size 1 => 3: 0 running on 0 hosts, 1 pending for 3$/m);
        await waitFor("three pods", async () => readyIn(await cluster.pods()) === 3, 20_000);

        assert.deepEqual(changes(await cluster.stack.preview()), []);
        await cluster.stack.refresh();
        assert.deepEqual(differences(await cluster.stack.preview()), []);
        await cluster.stack.up();
        assert.equal(await sizeOf(cluster), 3);

        tell({ allocated: 0, pending: [] });
        await becomes(cluster, 1);
        await waitFor("one pod", async () => staying(await cluster.pods()).length === 1, 20_000);
        assert.deepEqual(uids(staying(await cluster.pods())), uids(lead ? [lead] : []));
      });
    }));

  it("keeps the agent's size through a change of the Job, and through a suspension", () =>
    withCluster(args, async (cluster) => {
      await cluster.stack.up();
      await withAgent(cluster, async ({ tell }) => {
        tell({ allocated: 2, pending: [] });
        await becomes(cluster, 2);
        cluster.change({ ...args, jobLabels: { team: "physics" } });
        const preview = await cluster.stack.preview();
        assert.deepEqual(diffOf(preview, "Job"), ["metadata.labels.team: undefined => physics"]);
        await cluster.stack.up();
        assert.equal(await sizeOf(cluster), 2);
        cluster.change({ ...args, suspend: true });
        await cluster.stack.up();
        tell({ allocated: 4, pending: [] });
        cluster.change(args);
        await cluster.stack.up();
        await becomes(cluster, 4);
      });
    }));

  it("gives its agent the right to get and patch one Job, and no other", () =>
    withCluster(args, async (cluster) => {
      await cluster.stack.up();
      const { kube } = sharedCluster();
      const asAgent = new Kube({ server: kube.server, ca: kube.ca, token: await agentToken(cluster) });
      const jobs = `/apis/batch/v1/namespaces/${cluster.namespace}/jobs`;
      const statusOf = (verb: "GET" | "DELETE" | "PATCH", url: string) =>
        asAgent.request(verb, url, ...(verb === "PATCH" ? [{}, patchTypes.merge] : [])).then(
          () => 200,
          (error: unknown) => (error as ApiError).status,
        );
      for (const verb of ["GET", "PATCH"] as const) assert.equal(await statusOf(verb, `${jobs}/demo`), 200, verb);
      const core = `/api/v1/namespaces/${cluster.namespace}`;
      const rights = `/apis/rbac.authorization.k8s.io/v1/namespaces/${cluster.namespace}`;
      const refused: ["GET" | "DELETE" | "PATCH", string][] = [
        ["GET", jobs],
        ["GET", `${jobs}/other`],
        ["DELETE", `${jobs}/demo`],
        ["PATCH", `${jobs}/other`],
        ["PATCH", `${jobs}/demo/status`],
        ["PATCH", `${core}/configmaps/demo-programs`],
        ["PATCH", `${core}/pods/demo-0`],
        ["PATCH", `/apis/apps/v1/namespaces/${cluster.namespace}/deployments/demo-autoscale`],
        ["PATCH", `${rights}/roles/demo-autoscale`],
        ["GET", `${core}/secrets/demo-curve`],
        ["GET", `${core}/pods`],
      ];
      for (const [verb, url] of refused) assert.equal(await statusOf(verb, url), 403, `${verb} ${url}`);
    }));

  it("is resized by two agents as by one, by the other one when one is killed, and when its Job is made anew", () =>
    withCluster(args, async (cluster) => {
      await cluster.stack.up();
      await withAgent(cluster, async ({ tell, url, ...one }) => {
        const other = await startAgent(cluster, url);
        try {
          tell({ pending: [{ id: "f1", hosts: 3 }] });
          await becomes(cluster, 3);
          one.stop();
          tell({ allocated: 2 });
          await becomes(cluster, 2);
          cluster.change({ ...args, containers: [{ image: "rockylinux:9" }] });
          await cluster.stack.up();
          await becomes(cluster, 2);
          const resizes = [one, other].flatMap(({ log }) => log().match(/=> \d+/g) ?? []);
          assert.deepEqual([...new Set(resizes)].sort(), ["=> 2", "=> 3"]);
          tell({ allocated: 4 });
          await becomes(cluster, 4);
        } finally {
          other.stop();
        }
      });
    }));

  it(
    "keeps its size while its agent cannot reach the API server or has lost its right, and follows again when it " +
      "can",
    () =>
      withCluster(args, async (cluster) => {
        await cluster.stack.up();
        const { kube } = sharedCluster();
        const way = await startWay(kube.server);
        const test = async ({ tell, asked, log }: StandInLead & RunningAgent) => {
          const words = (reason: RegExp) => log().match(reason) ?? [];
          await waitFor("a look", () => asked.length > 0, 20_000);
          way.close();
          tell({ allocated: 3 });
          await waitFor("a word on it", () => words(/^skipped this round: .*refused/m).length > 0, 20_000);
          assert.equal(await sizeOf(cluster), 1);
          await way.open();
          await becomes(cluster, 3);

          const name = "demo-autoscale";
          const kind = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding" };
          const { roleRef, subjects } = (await cluster.object("RoleBinding", name)) as Record<string, unknown>;
          await kube.delete({ ...kind, name, namespace: cluster.namespace });
          tell({ allocated: 4 });
          const forbidden = /^skipped this round: .*Forbidden$/gm;
          await waitFor("a word on it", () => words(forbidden).length > 0, 20_000);
          const before = way.goers();
          await waitFor("further looks", () => way.goers() > before + 3, 20_000);
          assert.deepEqual([words(forbidden).length, await sizeOf(cluster)], [1, 3]);
          const metadata = { name, namespace: cluster.namespace };
          await kube.create({ ...kind, metadata, roleRef, subjects });
          await becomes(cluster, 4);
        };
        await withAgent(cluster, test, { server: way.url }).finally(way.close);
      }),
  );

  it("begins and ends to follow its queue while its pods run, and its size comes back in one visible step", () =>
    withCluster({ interactive: true, size: 3, maxSize: 4 }, async (cluster) => {
      await cluster.stack.up();
      const before = await cluster.pods();
      cluster.change({ ...args, maxSize: 4 });
      const begin = await cluster.stack.preview();
      assert.deepEqual(
        changes(begin).filter((step) => /replace/.test(step)),
        [],
      );
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
