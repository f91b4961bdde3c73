import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type BurstingArgs, MiniCluster, type MiniClusterArgs } from "../../provider";
import { leadServiceReplaceOnChanges } from "../../provider/bursting/objects";
import { knownValue } from "../../provider/shared/deferred";
import { standInCertificate } from "../support/everything";
import { aBursting, aMiniClusterArgs } from "../support/fixtures";
import { mockEngine, type MockOptions, type Registration, uncaughtIn, valueOf } from "../support/mocks";

const plan = {
  version: 1,
  clusters: [
    { name: "home", maxSize: 4, properties: ["home"] },
    { name: "cloud", maxSize: 8, size: 3, cores: 4, gpus: 0, properties: ["cloud"] },
  ],
  spanClusters: false,
  mountPath: "/mnt/flux",
};

const nodePort: Partial<BurstingArgs> = { expose: { nodePort: { address: "203.0.113.7" } } };
const loadBalancer: Partial<BurstingArgs> = {
  expose: { loadBalancer: { cloud: "gcp", sourceRanges: ["10.0.0.0/8"] } },
};

/** What Kubernetes makes of the service of the lead broker. */
const withLead = (ingress?: object[]) => (resource: pulumi.runtime.MockResourceArgs) => {
  if (resource.name !== "home-lead") return {};
  const { spec } = resource.inputs as { spec: { type: string; ports: object[] } };
  const ports = spec.ports.map((port) => ({ nodePort: 31_234, ...port }));
  return { spec: { ...spec, ports }, status: { loadBalancer: { ...(ingress && { ingress }) } } };
};

/** A cluster that others may join, and all that is registered for it. */
async function home(bursting: Partial<BurstingArgs>, args: Partial<MiniClusterArgs> = {}, options: MockOptions = {}) {
  const seen = await mockEngine({ state: withLead([{ ip: "198.51.100.9" }]), ...options });
  const flux = { curveCert: standInCertificate };
  const given = { name: "home", maxSize: 4, flux, bursting: aBursting(bursting), ...args };
  const cluster = new MiniCluster("home", aMiniClusterArgs(given));
  return { seen, cluster };
}

const settled = (cluster: MiniCluster) => valueOf(pulumi.all([cluster.jobName, cluster.urn]));
const find = (seen: Registration[], id: string) => seen.find((each) => each.id === id) ?? assert.fail(`no ${id}`);
const isKnown = (value: unknown) => (value as { isKnown: Promise<boolean> }).isKnown;

/** The values by which others join. In a preview, a constructor can read those that are known. */
async function rootOf(cluster: MiniCluster): Promise<Record<string, unknown>> {
  const values = Object.entries(knownValue(cluster.burst) as Record<string, unknown>);
  const known = await Promise.all(
    values.map(async ([part, value]) => [part, await valueOf<unknown>(pulumi.output(value))] as const),
  );
  await settled(cluster);
  return Object.fromEntries(known);
}

describe("the outputs by which others join a cluster", function () {
  this.timeout(20_000);

  for (const preview of [false, true]) {
    const when = preview ? ", in a preview too" : "";

    it(`is nothing where no cluster may join${when}`, async () => {
      await mockEngine({ preview });
      const cluster = new MiniCluster("home", aMiniClusterArgs());
      assert.equal(await valueOf(cluster.burst), undefined);
      assert.deepEqual([await isKnown(cluster.burst), await pulumi.isSecret(cluster.burst)], [true, false]);
      await settled(cluster);
    });

    it(`is the plan, the endpoint that leads there and the certificate${when}`, async () => {
      const { cluster } = await home({}, {}, { preview });
      const root = { plan, address: "lead.example.com", port: 30_850, certificate: standInCertificate };
      assert.deepEqual(await rootOf(cluster), root);
      // It also waits for the instance, which a preview does not start.
      if (!preview || (await isKnown(cluster.burst))) assert.deepEqual(await valueOf(cluster.burst), root);
    });

    it(`is a secret, and has a plan that constructors can read${when}`, async () => {
      const { cluster } = await home(nodePort, {}, { preview });
      const known = knownValue(cluster.burst) as { plan: unknown };
      assert.deepEqual(JSON.parse(JSON.stringify(known.plan)), plan);
      assert.deepEqual(Object.keys(known), ["plan", "address", "port", "certificate"]);
      assert.equal(await pulumi.isSecret(cluster.burst), true);
      await settled(cluster);
    });
  }

  it("has the directory of the Flux volume in its plan", async () => {
    const flux = { container: { mountPath: "/data/flux" }, curveCert: standInCertificate };
    const root = await rootOf((await home({}, { flux })).cluster);
    assert.deepEqual(root["plan"], { ...plan, mountPath: "/data/flux" });
  });

  it("is the port of the nodes that Kubernetes has chosen, at an address that may come late", async () => {
    const expose = { nodePort: { address: pulumi.output("203.0.113.8") } };
    const { address, port } = await rootOf((await home({ expose })).cluster);
    assert.deepEqual([address, port], ["203.0.113.8", 31_234]);
  });

  it("has the port of the demand where it is exposed, by each way", async () => {
    const demandOf = async (expose: BurstingArgs["expose"]) => {
      const { cluster } = await home({ expose });
      const { demandPort } = (await valueOf(cluster.burst)) ?? {};
      await settled(cluster);
      return demandPort;
    };
    const address = "203.0.113.7";
    assert.equal(await demandOf({ nodePort: { address }, demand: {} }), 31_234);
    assert.equal(await demandOf({ nodePort: { address }, demand: { port: 30_860 } }), 30_860);
    assert.equal(await demandOf({ endpoint: { address }, demand: {} }), 8060);
    assert.equal(await demandOf({ endpoint: { address }, demand: { port: 443 } }), 443);
    assert.equal(await demandOf({ ...loadBalancer.expose, demand: {} }), 8060);
    assert.equal(await demandOf({ nodePort: { address } }), undefined);
  });

  it("is the given port of the nodes, in a preview as well", async () => {
    const expose = { nodePort: { address: "203.0.113.7", port: 30_850 } };
    const { cluster } = await home({ expose }, {}, { preview: true });
    assert.equal((await rootOf(cluster))["port"], 30_850);
  });

  const [ip, hostname] = ["198.51.100.9", "lb.example.com"];
  const ingresses: [name: string, ingress: object[], want: string][] = [
    ["first address", [{ ip }, { ip: "198.51.100.10" }], ip],
    ["host name, rather than an address beside it", [{ hostname, ip }], hostname],
  ];
  for (const [name, ingress, want] of ingresses)
    it(`is the load balancer's ${name}, and the brokers' port`, async () => {
      const { address, port } = await rootOf((await home(loadBalancer, {}, { state: withLead(ingress) })).cluster);
      assert.deepEqual([address, port], [want, 8050]);
    });

  for (const ingress of [undefined, [], [{}]])
    it(`is an error where the cloud has given no address: ${JSON.stringify(ingress) ?? "nothing"}`, async () => {
      const errors = await uncaughtIn(async () => {
        const { cluster } = await home(loadBalancer, {}, { state: withLead(ingress) });
        await assert.rejects(
          valueOf<unknown>(cluster.burst),
          /: the cloud has assigned no address to bursting\.expose\.loadBalancer$/,
        );
      });
      assert.match(errors.join(), /MiniCluster home: the cloud has assigned no address/);
    });
});

describe("what a cluster that others may join registers", function () {
  this.timeout(20_000);

  const lead = "Service home-lead";
  for (const preview of [false, true])
    for (const [name, bursting] of Object.entries({ "a port of the nodes": nodePort, "a load balancer": loadBalancer }))
      it(`is one more service with ${name}, inside the component, beside the Job (preview: ${preview})`, async () => {
        const { seen, cluster } = await home(bursting, {}, { preview });
        await settled(cluster);
        const { parent, deleteBeforeReplace, replaceOnChanges } = find(seen, lead);
        assert.deepEqual(
          [parent, deleteBeforeReplace, replaceOnChanges],
          ["MiniCluster home", true, leadServiceReplaceOnChanges],
        );
        assert.equal(seen.filter(({ type }) => type === "Service").length, 2);
        for (const { id, dependsOn } of seen) assert.ok(!dependsOn.includes(lead), id);
        assert.ok(seen.length <= 10);
      });

  it("is nothing more where an address leads there", async () => {
    const { seen, cluster } = await home({});
    await settled(cluster);
    assert.ok(seen.every(({ id }) => id !== lead));
  });
});
