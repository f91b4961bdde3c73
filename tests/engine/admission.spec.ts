import assert from "node:assert/strict";
import { Namespace } from "@pulumi/kubernetes/core/v1/namespace";
import * as pulumi from "@pulumi/pulumi";
import { RandomString } from "@pulumi/random/randomString";
import { MiniCluster, type MiniClusterContainerArgs } from "../../provider";
import { type ClusterUnderTest, failure, leftIn, messages, withCluster, withStack } from "../support/clusters";
import { aContainer, aMiniClusterArgs } from "../support/fixtures";
import { judgedArgs } from "../support/judged";
import { denyIn } from "../support/policies";
import { sharedCluster } from "../support/sandboxHooks";
import { waitFor } from "../sandbox/waiting";

const withContainer = (container: Partial<MiniClusterContainerArgs>) => ({ containers: [aContainer(container)] });
const withResources = (resources: MiniClusterContainerArgs["resources"]) => withContainer({ resources });

describe("An update whose objects the API server rejects", () => {
  const reading = { reads: true };

  /** Checks that a preview and an update end with one error that says so, and that nothing exists. */
  async function isRejected({ stack, namespace }: Pick<ClusterUnderTest, "stack" | "namespace">, said: RegExp) {
    for (const operation of [stack.preview(), stack.up()]) {
      const errors = messages((await failure(operation)).result, "error").filter(
        (text) => !/^(preview|update) failed/.test(text),
      );
      assert.equal(errors.length, 1, errors.join("\n---\n"));
      assert.match(errors[0] ?? "", said);
    }
    assert.deepEqual(await leftIn(namespace), []);
  }

  it("changes nothing, and shows every cause at its argument", () =>
    withCluster(
      {
        ...withResources({ limits: { cpu: "1" }, requests: { cpu: "2" } }),
        pod: { dnsPolicy: "None" },
        services: [aContainer({ name: "web", image: " web" })],
        console: { admins: ["alice"] },
        interactive: true,
      } as object,
      async (it) => {
        await isRejected(it, /MiniCluster demo: the API server rejects it, nothing was changed\n {2}/);
        const { result } = await failure(it.stack.preview());
        const text = messages(result, "error").join("\n");
        for (const path of ["containers[0].resources.requests", "pod.dnsPolicy", "services[0].image"])
          assert.ok(text.includes(`  ${path}: `), text);
        it.change({});
        await it.stack.up();
        // An update of a cluster that exists.
        it.change(withContainer({ image: " later" }));
        const pods = (await it.pods()).map(({ uid }) => uid);
        for (const operation of [it.stack.preview(), it.stack.up()])
          assert.match((await failure(operation)).message, /containers\[0\]\.image: Invalid value: " later"/);
        assert.deepEqual(
          (await it.pods()).map(({ uid }) => uid),
          pods,
        );
      },
      reading,
    ));

  it("changes nothing where a policy of the cluster rejects one object", () =>
    withCluster(
      { size: 4 },
      async (it) => {
        const end = await denying(
          it.namespace,
          "!has(object.spec.parallelism) || object.spec.parallelism < 3",
          "at most 2 pods",
        );
        try {
          await isRejected(it, /Job demo: .*denied request: at most 2 pods/);
        } finally {
          await end();
        }
      },
      reading,
    ));

  it("changes nothing where a quota is exceeded, and a quota does not count a cluster twice", () =>
    withCluster(
      { size: 1 },
      async (it) => {
        const { kube } = sharedCluster();
        const setQuota = (hard: object, name: string) =>
          kube.create({
            apiVersion: "v1",
            kind: "ResourceQuota",
            metadata: { name, namespace: it.namespace },
            spec: { hard },
          });
        await setQuota({ "count/jobs.batch": "0" }, "none");
        await waitForQuota(it.namespace, "none");
        await isRejected(it, /Job demo: exceeded quota: none, requested: count\/jobs.batch=1/);
        await kube.delete({ apiVersion: "v1", kind: "ResourceQuota", name: "none", namespace: it.namespace });
        await setQuota({ "count/jobs.batch": "1", pods: "1" }, "one");
        await waitForQuota(it.namespace, "one");
        await it.stack.up();
        it.change({ size: 1, ...withContainer({ image: "ubuntu:jammy" }) });
        await it.stack.up();
        await kube.delete({ apiVersion: "v1", kind: "ResourceQuota", name: "one", namespace: it.namespace });
      },
      reading,
    ));

  it("changes nothing where Pod Security rejects the pods", () =>
    withCluster({}, (it) => isRejected(it, /podSecurity: violates PodSecurity "restricted:latest"/), {
      ...reading,
      labels: { "pod-security.kubernetes.io/enforce": "restricted" },
    }));

  it("creates only the namespace where a value is known later, and the preview says what it did not check", () =>
    withStack(async (stack, namespace) => {
      const own = `${namespace}-own`;
      stack.program = () => {
        const { result } = new RandomString("image", { length: 8 });
        const image = result.apply((name) => pulumi.secret(` ${name}`));
        const place = new Namespace("own", { metadata: { name: own } });
        const args = aMiniClusterArgs({ namespace: own, containers: [aContainer({ image })] });
        new MiniCluster("demo", args, { dependsOn: [place] });
      };
      const asked = messages(await stack.preview(), "info").join("\n");
      assert.match(
        asked,
        /not every object was checked by the API server: .*known only later.*pulumi up checks them before/,
      );
      assert.match(asked, new RegExp(`namespaces "${own}" not found`));
      const { message } = await failure(stack.up());
      assert.match(message, /containers\[0\]\.image: Invalid value: "\[secret\]": must not have leading/);
      assert.deepEqual(await leftIn(own), []);
    }, reading));
});

async function waitForQuota(namespace: string, name: string): Promise<void> {
  const { kube } = sharedCluster();
  const hasStatus = async () => {
    const { status } = await kube.get({ apiVersion: "v1", kind: "ResourceQuota", name, namespace });
    return Object.keys((status as { used?: object } | undefined)?.used ?? {}).length > 0;
  };
  await waitFor("the quota to be in force", hasStatus, 30_000, 200);
}

/** Has a policy of the cluster reject new Jobs in a namespace, and returns what ends it. */
async function denying(namespace: string, expression: string, message: string): Promise<() => Promise<void>> {
  const jobs = { apiGroups: ["batch"], operations: ["CREATE"], resources: ["jobs"] };
  const end = await denyIn(namespace, { ...jobs, expression, message });
  const isInForce = async () => {
    const lines = await judgedArgs(sharedCluster().kubeconfigPath, namespace, { size: 4 });
    return lines.some((line) => line.includes(message));
  };
  await waitFor("the policy to be in force", isInForce, 30_000, 200);
  return end;
}
