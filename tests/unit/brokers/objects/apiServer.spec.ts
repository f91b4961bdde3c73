import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { casesOf, valueIn } from "../../../support/cases";
import { clusterIfAny, type SharedCluster } from "../../../support/sandboxHooks";
import { allClusters, everything } from "../../../support/everything";
import { refusalsOf } from "../../../support/dryRun";
import { aGpuPool, aMiniCluster } from "../../../support/fixtures";
import { scenarios } from "../../../support/scenarios";

const services = "services: [{image: i, name: store, command: serve, ports: [1, 65535]}, {image: i, name: plain}]";
const clusters: Record<string, Partial<MiniClusterArgs>> = {
  ...scenarios,
  ...allClusters,
  // The API server looks for these where pods are made.
  everything: { ...everything, pod: { ...everything.pod, serviceAccountName: undefined, runtimeClassName: undefined } },
  ...argsOf(`
{${services}, network: {policy: brokerPort}}
containers: [{image: i, environment: {a-b.c: "1", " !~": "2", "%d": !later "3", .e: !later "4"}}]
services: [{image: i, name: plain}]
flux: {container: {imageVolume: true}, mungeSecret: munge}
`),
};
// What is derived from a pool meets what the user says, where Kubernetes has rules of its own on both.
const onPool = argsOf(`
{}
containers: [{image: i, resources: {requests: {nvidia.com/gpu: "4", hugepages-2Mi: 1Gi}}}]
containers: [{image: i, resources: {limits: {cpu: "4"}}}]
containers: [{image: i, resources: {requests: {memory: 4Gi}}}]
containers: [{image: i, resources: {limits: {nvidia.com/gpu: "0"}}}]
pod: {resources: {requests: {cpu: "8"}, limits: {cpu: "8"}}}
pod: {resources: {requests: {memory: 8Gi}}}
podTemplate: {spec: {containers: [{name: demo, resources: {limits: {cpu: "4"}}}]}}
network: {affinity: none}
{${services}, containers: [{image: i, name: side, resources: {limits: {nvidia.com/gpu: "1", cpu: "2"}}}, {image: i, runFlux: true}]}
`);
const restricted = argsOf(`
{${services}, containers: [!broker {}, !side {}]}
flux: {container: {imageVolume: true}, mungeSecret: munge}
flux: {container: {disable: true}}
{interactive: true, autoscale: {max: 2}}
{metrics: {podMonitor: {}}, network: {policy: pods}}
`);

/** Arguments of a table, by how they are written. */
function argsOf(table: string): Record<string, Partial<MiniClusterArgs>> {
  return Object.fromEntries(casesOf(table).map(({ title, given }) => [title, valueIn(given) as MiniClusterArgs]));
}

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

    for (const [name, args] of Object.entries(onPool))
      it(`of a cluster on a pool with ${name}`, async () => {
        const pool = aGpuPool({ lockMemory: true, hostPaths: { "/opt/driver": "/home/driver" } });
        assert.deepEqual(await refusals(cluster, { pool, ...args, namespace }), []);
      });

    it("and refuses what is none", async () => {
      const podTemplate = { spec: { containers: [{ name: "demo", imagePullPolicy: "Perhaps" }] } };
      assert.deepEqual(
        (await refusals(cluster, { namespace, podTemplate })).map((text) => text.split(":")[0]),
        ["job", "pod"],
      );
    });
  });

  describe("takes every restricted pod where no other may run", () => {
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
        assert.match(found.find((text) => text.startsWith("pod:")) ?? "", /violates PodSecurity "restricted/);
      });
    }
  });
});

const refusals = ({ kube }: SharedCluster, args: Partial<MiniClusterArgs>) => refusalsOf(kube, aMiniCluster(args));
