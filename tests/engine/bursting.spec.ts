import assert from "node:assert/strict";
import { type BurstUnderTest, withBurst } from "../support/bursts";
import { cloudOfSuite } from "../support/clouds";
import { diffOf, failure, namedChanges, readyIn, staying, uids } from "../support/clusters";
import { inputPaths, isUnknown } from "../support/engineResult";

const ready = async (side: BurstUnderTest["home"]) => readyIn(await side.pods());

/** The certificates that both sides have. */
const certificates = ({ home, cloud }: Pick<BurstUnderTest, "home" | "cloud">) =>
  Promise.all(
    Object.entries({ home, cloud }).map(async ([name, { kube, namespace }]) => {
      const { data } = await kube.get({ apiVersion: "v1", kind: "Secret", name: `${name}-curve`, namespace });
      return (data as Record<string, string>)["curve.cert"] ?? "";
    }),
  );

const onlyCounts = ["update ConfigMapPatch cloud-entrypoint-size", "update JobPatch cloud-size"];

describe("A cluster that another one joins", () => {
  const far = cloudOfSuite({ nodes: 8 });

  it("is reached by a load balancer, whose address alone is unknown in a preview of the cluster that joins", () =>
    withBurst(far, { home: withLoadBalancer(["198.51.100.0/24"]), cloud: { size: 1 } }, async (it) => {
      const { stack, home, cloud, change } = it;
      const preview = await stack.preview();
      const template = "Job.spec.template.spec.";
      assert.deepEqual(
        inputPaths(preview, isUnknown).filter((path) => path.startsWith(template)),
        [`${template}containers.0.env.1.value`],
      );

      const up = stack.start("up");
      await home.giveAddress("home-lead", { hostname: "lead.example.com" });
      await up.result;
      const [pod] = await cloud.pods();
      const { env } = (pod?.pod as unknown as PodTemplate).spec.containers[0];
      assert.deepEqual(env[1], { name: "MINICLUSTER_LEAD", value: "lead.example.com:8050" });
      const service = await home.kube.get({
        apiVersion: "v1",
        kind: "Service",
        name: "home-lead",
        namespace: home.namespace,
      });
      assert.deepEqual((service["spec"] as Record<string, unknown>)["loadBalancerSourceRanges"], ["198.51.100.0/24"]);

      change({ home: withLoadBalancer(["198.51.100.0/24", "203.0.113.0/24"]), cloud: { size: 1 } });
      assert.deepEqual(namedChanges(await stack.preview()), ["update Service home-lead"]);
    }));

  it("keeps every pod when one joins with no pods, grows to 4, shrinks to 0 and leaves", () =>
    withBurst(far, { cloud: {} }, async ({ stack, home, cloud, change }) => {
      const first = await stack.preview();
      assert.equal(first.summary.create, namedChanges(first).length);
      await stack.up();
      const lead = uids(await home.pods());
      assert.deepEqual(await cloud.pods(), []);

      change({ cloud: { size: 4 } });
      const growing = await stack.preview();
      assert.deepEqual(namedChanges(growing), onlyCounts);
      assert.deepEqual(diffOf(growing, "JobPatch"), [
        "spec.completions: 1 => 4",
        "spec.parallelism: 1 => 4",
        "spec.suspend: true => false",
      ]);
      assert.deepEqual(diffOf(growing, "ConfigMapPatch"), ["data.size: 0 => 4"]);
      await stack.up();
      assert.equal(await ready(cloud), 4);
      const joined = uids(await cloud.pods());

      change({ cloud: { size: 6 } });
      assert.deepEqual(diffOf(await stack.preview(), "JobPatch"), [
        "spec.completions: 4 => 6",
        "spec.parallelism: 4 => 6",
      ]);
      await stack.up();
      assert.equal(await ready(cloud), 6);
      assert.deepEqual(uids(await cloud.pods()).slice(0, 4), joined);

      change({ cloud: { size: 0 } });
      assert.deepEqual(namedChanges(await stack.preview()), onlyCounts);
      await stack.up();
      assert.deepEqual(staying(await cloud.pods()), []);
      assert.deepEqual(namedChanges(await stack.preview()), []);

      change({});
      const leaving = await stack.preview();
      assert.deepEqual(
        leaving.changedSteps.map(({ op }) => op),
        leaving.changedSteps.map(() => "delete"),
      );
      await stack.up();
      assert.deepEqual(await cloud.left(), []);
      assert.deepEqual(uids(await home.pods()), lead);
    }));

  it("has the number of pods of the other in one field, and is replaced with it for more hosts", () =>
    withBurst(far, { home: withSize(0), cloud: {} }, async ({ stack, home, cloud, change }) => {
      await stack.up();
      const before = uids(await home.pods());
      change({ home: withSize(1), cloud: {} });
      assert.deepEqual(namedChanges(await stack.preview()), onlyCounts);
      await stack.up();
      assert.equal(await ready(cloud), 1);
      assert.deepEqual(uids(await home.pods()), before);

      change({ home: withSize(1, 16), cloud: {} });
      const preview = await stack.preview();
      assert.deepEqual(
        [...new Set(namedChanges(preview).filter((step) => /replace (Job|ConfigMap) /.test(step)))],
        [
          "replace ConfigMap cloud-entrypoint",
          "replace ConfigMap home-entrypoint",
          "replace Job cloud",
          "replace Job home",
        ],
      );
      await stack.up();
      assert.deepEqual([await ready(home), await ready(cloud)], [2, 1]);
    }));

  it("restarts with another certificate before the one that has joined does", () =>
    withBurst(far, { cloud: { size: 2 } }, async ({ stack, home, cloud }) => {
      const first = await stack.up();
      const key = first.steps.find(({ type }) => type.endsWith(":RandomPassword"))?.urn ?? "";
      const before = [...uids(await home.pods()), ...uids(await cloud.pods())];
      const old = await certificates({ home, cloud });
      const order: string[] = [];
      await stack.up({
        replace: [key],
        onEvent: ({ resOutputsEvent: event }) => {
          if (event && event.metadata.op !== "same") order.push(`${event.metadata.op} ${event.metadata.urn}`);
        },
      });
      const created = (name: string) =>
        order.findIndex((step) => /^create/.test(step) && step.endsWith(`Job::${name}`));
      assert.ok(created("home") >= 0 && created("home") < created("cloud"), order.join("\n"));
      assert.deepEqual([await ready(home), await ready(cloud)], [2, 2]);
      const after = uids(staying([...(await home.pods()), ...(await cloud.pods())]));
      assert.deepEqual(
        after.filter((uid) => before.includes(uid)),
        [],
      );
      const renewed = await certificates({ home, cloud });
      assert.equal(renewed[0], renewed[1]);
      assert.notEqual(renewed[0], old[0]);
      assert.deepEqual(namedChanges(await stack.preview()), []);
    }));

  it("stays up to date when the other one cannot be reached, and the error names that one", () =>
    withBurst(far, { cloud: { size: 1 } }, async ({ stack, home, cloud, change }) => {
      await stack.up();
      change({ home: { size: 3 }, cloud: { size: 2 } });
      await far.cluster.pauseApiServer();
      try {
        const { message, result } = await failure(stack.up());
        const failed = result.diagnostics.filter(({ severity }) => severity === "error");
        assert.ok(
          failed.some(({ urn }) => urn?.includes("BurstCluster") && urn.includes("::cloud")),
          message,
        );
        assert.equal(await ready(home), 3);
      } finally {
        await far.cluster.resumeApiServer();
      }
      await stack.up();
      assert.deepEqual([await ready(home), await ready(cloud)], [3, 2]);
    })).timeout(240_000);
});

const withSize = (size: number, maxSize = 8) => ({
  bursting: { clusters: [{ name: "cloud", size, maxSize }], expose: { nodePort: { address: "203.0.113.7" } } },
});

const withLoadBalancer = (sourceRanges: string[]) => ({
  bursting: {
    clusters: [{ name: "cloud", maxSize: 8 }],
    expose: { loadBalancer: { cloud: "aws" as const, sourceRanges } },
  },
});

interface PodTemplate {
  spec: { containers: [{ env: [object, { name: string; value: string }] }] };
}
