import assert from "node:assert/strict";
import { diffOf } from "../support/clusters";
import { type Cloud, startCloud } from "../support/clouds";
import type { OperationResult } from "../support/engine";
import type { Kube } from "../sandbox/kube";
import { matchPreview } from "../support/previews";
import { contexts, type TwoSides, withBothSides } from "../support/twoSides";

const eks = {
  clusterName: "research",
  nodeRoleArn: "arn:aws:iam::123456789012:role/nodes",
  subnetIds: JSON.stringify(["subnet-a1", "subnet-b1"]),
  zone: "us-east-1a",
  "aws:region": "us-east-1",
};

/** The steps that are more than "same", each as `op Kind name`. */
const steps = ({ changedSteps }: OperationResult) =>
  changedSteps.map(({ op, type, name }) => `${op} ${type.split(":").at(-1)} ${name}`).sort();

const onlyCounts = ["update ConfigMapPatch cloud-entrypoint-size", "update JobPatch cloud-size"];

const fromZeroToFour = ["spec.completions: 1 => 4", "spec.parallelism: 1 => 4", "spec.suspend: true => false"];

const hosts = (stem: string, count: number) => Array.from({ length: count }, (_, index) => `${stem}-${index}`);

/** Names of the pods that are Ready. None of the others may stay. */
async function ready(kube: Kube, namespace: string, name: string): Promise<string[]> {
  const pods = (await kube.podsOfJob(namespace, name)).filter(({ deleting }) => !deleting);
  assert.ok(pods.every((pod) => pod.ready));
  return pods.map(({ pod }) => (pod as { spec?: { hostname?: string } }).spec?.hostname ?? "");
}

/** What the scripts of the burst put in place of the endpoint. */
async function leadOf({ cloud, namespace }: TwoSides): Promise<string | undefined> {
  const job = await cloud.get({ apiVersion: "batch/v1", kind: "Job", name: "cloud", namespace });
  const { spec } = job as unknown as { spec: { template: { spec: { containers: { env: EnvVar[] }[] } } } };
  return spec.template.spec.containers[0]?.env.find(({ name }) => name === "MINICLUSTER_LEAD")?.value;
}

interface EnvVar {
  name: string;
  value?: string;
}

describe("The example of a burst", () => {
  let cloud: Cloud;
  before(async () => (cloud = await startCloud()));
  after(() => cloud.cluster.stop());

  it("burst starts at home, grows in the cloud by its counts alone and leaves nothing on either side", () =>
    withBothSides(
      cloud,
      "burst",
      async (it) => {
        const { stack, namespace } = it;
        await stack.up();
        assert.deepEqual(await ready(it.home, namespace, "home"), hosts("home", 2));
        assert.deepEqual(await it.cloud.podsOfJob(namespace, "cloud"), []);

        await cloud.cluster.addNodes(4);
        await stack.setConfig("size", "4");
        const burst = await stack.preview();
        assert.deepEqual(steps(burst), onlyCounts);
        assert.deepEqual(diffOf(burst, "JobPatch"), fromZeroToFour);
        await stack.up();
        assert.deepEqual(await ready(it.cloud, namespace, "cloud"), hosts("cloud", 4));
        assert.deepEqual(await ready(it.home, namespace, "home"), hosts("home", 2));

        const { submit, connect } = await stack.outputs();
        assert.equal(submit?.value, "flux submit --queue=cloud -N 4 hostname");
        assert.match(String(connect?.value), /kubectl .*exec .*job-name=home,/);
        const service = await it.home.get({ apiVersion: "v1", kind: "Service", name: "home-lead", namespace });
        const { ports } = service["spec"] as { ports: { nodePort: number }[] };
        assert.equal(await leadOf(it), `203.0.113.7:${ports[0]?.nodePort}`);
      },
      {
        config: { nodeAddress: "203.0.113.7", cores: "48", cloudKubeconfig: cloud.cluster.kubeconfigPath },
        namespace: "burst",
      },
    ));

  it("burst-eks previews as reviewed, starts on its pool, and leaves nothing on either side", () =>
    withBothSides(
      cloud,
      "burst-eks",
      async (it) => {
        const { stack, namespace } = it;
        const preview = await stack.preview();
        matchPreview("burst-eks", preview);
        await stack.up();
        assert.deepEqual(await it.cloud.podsOfJob(namespace, "cloud"), []);
        assert.equal(await leadOf(it), "vpn.example.com:8050");

        const nodes = await it.addNodes(preview, 4);
        await stack.setConfig("size", "4");
        const burst = await stack.preview();
        assert.deepEqual(steps(burst), onlyCounts);
        assert.deepEqual(diffOf(burst, "JobPatch"), fromZeroToFour);
        await stack.up();
        assert.deepEqual(await ready(it.cloud, namespace, "cloud"), hosts("cloud", 4));
        for (const { pod } of await it.cloud.podsOfJob(namespace, "cloud"))
          assert.ok(nodes.includes((pod as { spec?: { nodeName: string } }).spec?.nodeName ?? ""));
      },
      { config: { ...eks, leadAddress: "vpn.example.com", eksContext: contexts.cloud }, namespace: "burst-eks" },
    ));
});
