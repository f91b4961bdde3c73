import assert from "node:assert/strict";
import * as fs from "node:fs";
import { type BurstUnderTest, withBurst } from "../support/bursts";
import { type Cloud, startCloud } from "../support/clouds";
import { diffOf, uids } from "../support/clusters";
import { needlesOf } from "../support/needles";
import { OperationError, type OperationResult, unknownValue } from "../support/engine";

/** The steps that are more than "same", each as `op Kind name`. */
const steps = ({ changedSteps }: OperationResult) =>
  changedSteps.map(({ op, type, name }) => `${op} ${type.split(":").at(-1) ?? ""} ${name}`).sort();

const staying = async (side: BurstUnderTest["home"]) => (await side.pods()).filter(({ deleting }) => !deleting);

const ready = async (side: BurstUnderTest["home"]) => (await staying(side)).filter((pod) => pod.ready).length;

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
  let far: Cloud;
  before(async () => {
    far = await startCloud();
    await far.cluster.addNodes(8);
  });
  after(() => far.cluster.stop());

  it("runs alone, with the hosts of all that may join in its plan and a way to its lead broker alone", () =>
    withBurst(far, {}, async ({ stack, home, cloud }) => {
      await stack.up();
      assert.equal(await ready(home), 2);
      assert.deepEqual(await cloud.left(), []);
      const outputs = await stack.outputs();
      assert.deepEqual(outputs["plan"], {
        secret: false,
        value: {
          version: 1,
          clusters: [
            { name: "home", maxSize: 4, properties: ["home"] },
            { name: "cloud", maxSize: 8, size: 0, properties: ["cloud"] },
          ],
          spanClusters: false,
          mountPath: "/mnt/flux",
        },
      });
      assert.equal(outputs["burst"]?.secret, true);
      assert.equal(outputs["address"]?.value, "203.0.113.7");

      const service = await home.kube.get({
        ...{ apiVersion: "v1", kind: "Service", name: "home-lead", namespace: home.namespace },
      });
      const { ports, selector } = service["spec"] as { ports: { nodePort: number }[]; selector: object };
      assert.equal(ports[0]?.nodePort, outputs["port"]?.value);
      assert.deepEqual(selector, { "job-name": "home", "batch.kubernetes.io/job-completion-index": "0" });
    }));

  it("is reached by a load balancer, whose address is all that a preview of who joins does not know", () =>
    withBurst(far, { home: withLoadBalancer(["198.51.100.0/24"]), cloud: { size: 1 } }, async (it) => {
      const { stack, home, cloud, change } = it;
      const preview = await stack.preview();
      const [job] = preview.steps.filter(({ type, name }) => type.endsWith(":Job") && name === "cloud");
      const { template } = (job?.new?.inputs as { spec: { template: PodTemplate } }).spec;
      assert.deepEqual(unknownsIn(template.spec), ["containers[0].env[1].value"]);
      assert.equal(template.spec.containers[0].env[1].name, "MINICLUSTER_LEAD");

      const up = stack.start("up");
      await home.giveAddress("home-lead", { hostname: "lead.example.com" });
      await up.result;
      const [pod] = await cloud.pods();
      const { env } = (pod?.pod as unknown as PodTemplate).spec.containers[0];
      assert.equal(env[1].value, "lead.example.com:8050");
      const service = await home.kube.get({
        ...{ apiVersion: "v1", kind: "Service", name: "home-lead", namespace: home.namespace },
      });
      assert.deepEqual((service["spec"] as Record<string, unknown>)["loadBalancerSourceRanges"], ["198.51.100.0/24"]);

      change({ home: withLoadBalancer(["198.51.100.0/24", "203.0.113.0/24"]), cloud: { size: 1 } });
      assert.deepEqual(steps(await stack.preview()), ["update Service home-lead"]);
    }));

  it("keeps every pod when one joins with no pods, grows to 4, shrinks to 0 and leaves", () =>
    withBurst(far, { cloud: {} }, async ({ stack, home, cloud, change }) => {
      const first = await stack.preview();
      assert.equal(first.summary.create, steps(first).length);
      await stack.up();
      const lead = uids(await home.pods());
      assert.deepEqual(await cloud.pods(), []);

      change({ cloud: { size: 4 } });
      const growing = await stack.preview();
      assert.deepEqual(steps(growing), onlyCounts);
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
      assert.deepEqual(steps(await stack.preview()), onlyCounts);
      await stack.up();
      assert.deepEqual(await staying(cloud), []);
      assert.deepEqual(steps(await stack.preview()), []);

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

  it("says by one number how many pods of the other run", () =>
    withBurst(far, { home: withSize(0), cloud: {} }, async ({ stack, home, cloud, change }) => {
      await stack.up();
      const before = uids(await home.pods());
      change({ home: withSize(3), cloud: {} });
      const preview = await stack.preview();
      assert.deepEqual(steps(preview), onlyCounts);
      await stack.up();
      assert.equal(await ready(cloud), 3);
      assert.deepEqual(uids(await home.pods()), before);
    }));

  it("is replaced when it is to know more hosts, and so is the other", () =>
    withBurst(far, { home: withSize(1), cloud: {} }, async ({ stack, home, cloud, change }) => {
      await stack.up();
      change({ home: withSize(1, 16), cloud: {} });
      const preview = await stack.preview();
      assert.deepEqual(
        [...new Set(steps(preview).filter((step) => /replace (Job|ConfigMap) /.test(step)))],
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
      const up = await stack.up({
        replace: [key],
        onEvent: ({ resOutputsEvent: event }) => {
          if (event && event.metadata.op !== "same") order.push(`${event.metadata.op} ${event.metadata.urn}`);
        },
      });
      const created = (name: string) =>
        order.findIndex((step) => /^create/.test(step) && step.endsWith(`Job::${name}`));
      assert.ok(created("home") >= 0 && created("home") < created("cloud"), order.join("\n"));
      assert.deepEqual([await ready(home), await ready(cloud)], [2, 2]);
      const after = [...uids(await staying(home)), ...uids(await staying(cloud))];
      assert.deepEqual(
        after.filter((uid) => before.includes(uid)),
        [],
      );
      const renewed = await certificates({ home, cloud });
      assert.equal(renewed[0], renewed[1]);
      assert.notEqual(renewed[0], old[0]);
      const texts = [JSON.stringify(up), fs.readFileSync(stack.statePath, "utf8")];
      for (const text of [...old, ...renewed].flatMap((data) => needlesOf(Buffer.from(data, "base64").toString())))
        assert.ok(!texts.some((all) => all.includes(text)), "the certificate is shown");
      assert.deepEqual(steps(await stack.preview()), []);
    }));

  it("is found again by those who have joined when its lead broker restarts: nothing of theirs changes", () =>
    withBurst(far, { cloud: { size: 2 } }, async ({ stack, home, cloud }) => {
      await stack.up();
      const [lead] = await home.pods();
      const joined = uids(await cloud.pods());
      await home.kube.delete({ apiVersion: "v1", kind: "Pod", name: lead!.name, namespace: home.namespace });
      const successor = await home.successorOf(lead!);
      // Who has joined knows an address, and the service there leads to whichever pod has rank 0.
      assert.equal(successor.completionIndex, 0);
      const service = await home.kube.get({
        ...{ apiVersion: "v1", kind: "Service", name: "home-lead", namespace: home.namespace },
      });
      const { labels } = successor.pod.metadata as { labels: Record<string, string> };
      for (const [key, value] of Object.entries((service["spec"] as { selector: Record<string, string> }).selector))
        assert.equal(labels[key], value);
      assert.deepEqual(uids(await staying(cloud)), joined);
      assert.deepEqual(steps(await stack.preview()), []);
    }));

  it("keeps what up has done for it when the other cannot be reached, and the error names the side", () =>
    withBurst(far, { cloud: { size: 1 } }, async ({ stack, home, cloud, change }) => {
      await stack.up();
      change({ home: { size: 3 }, cloud: { size: 2 } });
      await far.cluster.pauseApiServer();
      try {
        const error = await stack.up().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof OperationError, "up has reached a cluster that is away");
        const failed = error.result.diagnostics.filter(({ severity }) => severity === "error");
        assert.ok(
          failed.some(({ urn }) => urn?.includes("BurstCluster") && urn.includes("::cloud")),
          error.message,
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

/** Places of what a preview cannot know. */
function unknownsIn(value: unknown, path = ""): string[] {
  if (value === unknownValue) return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownsIn(item, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => unknownsIn(item, path === "" ? key : `${path}.${key}`));
}
