import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { MiniClusterArgs } from "../../../../provider";
import { clusterIfAny, type SharedCluster } from "../../../support/sandboxHooks";
import { allClusters, everything, scenarios } from "../../../support/everything";
import { withBroker, withSidecar } from "../../../support/fixtures";
import { judgedArgs } from "../../../support/judged";

type Clusters = Record<string, Partial<MiniClusterArgs>>;

const services: Partial<MiniClusterArgs> = {
  services: [
    { image: "i", name: "store", command: "serve", ports: [1, 65_535] },
    { image: "i", name: "plain" },
  ],
};
const environment = { "a-b.c": "1", " !~": "2", "%d": pulumi.output("3"), ".e": pulumi.output("4") };
const imageVolume: Partial<MiniClusterArgs> = { flux: { container: { imageVolume: true }, mungeSecret: "munge" } };
const clusters: Clusters = {
  ...scenarios,
  ...allClusters,
  // The API server looks for these where pods are made.
  everything: { ...everything, pod: { ...everything.pod, serviceAccountName: undefined, runtimeClassName: undefined } },
  "services and a policy": { ...services, network: { policy: "brokerPort" } },
  "variables of any name": withBroker({ environment }),
  "a service without a script": { services: [{ image: "i", name: "plain" }] },
  "an image volume": imageVolume,
};
const restricted: Clusters = {
  "services and a sidecar": { ...services, ...withSidecar() },
  "an image volume": imageVolume,
  "no view": { flux: { container: { disable: true } } },
  autoscale: { interactive: true, autoscale: { max: 2 } },
  groups: { ...withBroker({ command: undefined }), groups: { cpu: { autoscale: { max: 2 } }, gpu: {} } },
  metrics: { metrics: { podMonitor: {} }, network: { policy: "pods" } },
  console: { interactive: true, console: { users: ["ann"] }, network: { policy: "pods" } },
};

describe("the API server", function () {
  this.timeout(30_000);

  let cluster: SharedCluster;
  before(function () {
    const found = clusterIfAny();
    if (!found) return this.skip();
    cluster = found;
  });

  describe("takes every manifest", () => {
    let namespace: string;
    before(async () => void (namespace = await cluster.newNamespace()));

    for (const [name, args] of Object.entries(clusters))
      it(`of a cluster with ${name}`, async () =>
        assert.deepEqual(await refusals(cluster, { ...args, namespace }), []));

    it("and rejects any other value", async () => {
      const podTemplate = { spec: { containers: [{ name: "demo", imagePullPolicy: "Perhaps" }] } };
      const [line, ...others] = await refusals(cluster, { namespace, podTemplate });
      assert.match(line ?? "", /^podTemplate\.spec\.containers\[0\]\.imagePullPolicy: Unsupported value/);
      assert.deepEqual(others, []);
    });
  });

  describe("creates restricted pods in a namespace that rejects all others", () => {
    let namespace: string;
    before(async () => {
      namespace = await cluster.newNamespace({ "pod-security.kubernetes.io/enforce": "restricted" });
    });

    for (const [name, args] of Object.entries(restricted)) {
      it(`with ${name}`, async () => {
        const found = await refusals(cluster, { ...args, namespace, podSecurity: "restricted" });
        assert.deepEqual(found, []);
      });
      it(`with ${name}, and none that is not restricted`, async () => {
        const found = await refusals(cluster, { ...args, namespace });
        assert.match(found.join("\n"), /^podSecurity: violates PodSecurity "restricted/m);
      });
    }
  });
});

/** Errors alone: users create the other objects that a pod needs. */
const refusals = async ({ kubeconfigPath }: SharedCluster, args: Partial<MiniClusterArgs> & { namespace: string }) =>
  (await judgedArgs(kubeconfigPath, args.namespace, args)).filter((line) => !line.startsWith("warning "));
