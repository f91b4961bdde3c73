import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { casesOf, valueIn } from "../../../support/cases";
import { clusterIfAny, type SharedCluster } from "../../../support/sandboxHooks";
import { allClusters, everything } from "../../../support/everything";
import { aGpuPool } from "../../../support/fixtures";
import { sentManifests } from "../../../support/manifests";
import { scenarios } from "../../../support/scenarios";

/** What the objects are to the API server. */
const homes: Record<string, [apiVersion: string, kind: string]> = {
  ...{ secret: ["v1", "Secret"], environment: ["v1", "Secret"], account: ["v1", "ServiceAccount"], pod: ["v1", "Pod"] },
  ...{ configMap: ["v1", "ConfigMap"], programs: ["v1", "ConfigMap"], servicesPod: ["v1", "Pod"] },
  ...{ service: ["v1", "Service"], servicesService: ["v1", "Service"], leadService: ["v1", "Service"] },
  ...{ networkPolicy: ["networking.k8s.io/v1", "NetworkPolicy"], job: ["batch/v1", "Job"] },
  ...{
    disruptionBudget: ["policy/v1", "PodDisruptionBudget"],
    claimTemplate: ["resource.k8s.io/v1", "ResourceClaimTemplate"],
  },
  ...{ role: ["rbac.authorization.k8s.io/v1", "Role"], binding: ["rbac.authorization.k8s.io/v1", "RoleBinding"] },
  ...{ prepull: ["apps/v1", "DaemonSet"], deployment: ["apps/v1", "Deployment"] },
};

/** Where it takes them. */
const pathOf = (apiVersion: string, kind: string, namespace = "") =>
  `/${apiVersion === "v1" ? "api" : "apis"}/${apiVersion}/namespaces/${namespace}/${kind.toLowerCase().replace(/y$/, "ie")}s`;

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

const homeOf = (name: string) => homes[name.startsWith("service of ") ? "service" : name];

/** What the API server has against the objects of a cluster and against a pod of its Job, when it only tries them. */
async function refusals({ kube }: SharedCluster, args: Partial<MiniClusterArgs>): Promise<string[]> {
  const sent = await sentManifests(args);
  const { template } = (sent.job as { spec: { template: { metadata: object } } }).spec;
  const pod = { ...template, metadata: { ...template.metadata, name: "trial", namespace: args.namespace } };
  const found: string[] = [];
  const { sidecarServices = {}, metrics = {}, ...others } = sent as Record<string, object>;
  const agent = (sent.agent ?? {}) as { deployment?: { spec: { template: { spec: object } } } };
  // Its account is made with it.
  const agentSpec = { ...agent.deployment?.spec.template.spec, serviceAccountName: undefined };
  const agentPod = { spec: agentSpec, metadata: { name: "agent", namespace: args.namespace } };
  const fronts = Object.entries(sidecarServices).map(([name, front]) => [`service of ${name}`, front] as const);
  for (const [name, manifest] of [
    ...Object.entries({ ...others, pod }),
    ...Object.entries(agent),
    ...Object.entries(metrics),
    ...(agent.deployment ? ([["pod", agentPod]] as const) : []),
    ...fronts,
  ])
    if (homeOf(name)) {
      const [apiVersion, kind] = homeOf(name)!;
      const trial = `${pathOf(apiVersion, kind, args.namespace)}?dryRun=All&fieldValidation=Strict`;
      const request = kube.request("POST", trial, { apiVersion, kind, ...(manifest as object) });
      await request.catch(({ message }: Error) => found.push(`${name}: ${message}`));
    }
  // What a pod needs beside the cluster is for people to make.
  return found.filter((text) => !text.includes("no PriorityClass with name"));
}
