import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { BurstingCloud, BurstingExposeArgs, BurstingLoadBalancerArgs } from "../../../../provider";
import { leadServiceReplaceOnChanges } from "../../../../provider/bursting/objects";
import { aBroker, aBurstCluster, aHome, aMiniCluster, aSidecar } from "../../../support/fixtures";
import { itBuilds, manifestsFor, manifestsOf, sentFor, building } from "../../../support/manifests";
import { valueOf } from "../../../support/mocks";
import { valueAt } from "../../../support/propertyPaths";

const port = (number: number) => ({ name: `tcp-${number}`, port: number, protocol: "TCP" });
const cluster = { matchLabels: { "job-name": "demo" } };
const broker = { matchExpressions: [{ key: "batch.kubernetes.io/job-completion-index", operator: "Exists" }] };
const range = (protocol: string, port: number, endPort: number) => ({ protocol, port, endPort });

describe("the service of a sidecar, and the service in front of the services", () => {
  const services = [{ ports: [81, 444] }, {}, { ports: [6379] }].map((one, at) => ({
    image: "i",
    name: `s-${at}`,
    ...one,
  }));
  const sides = [aSidecar({ ports: [80, 443], serviceName: "nginx" }), aSidecar({ name: "plain", ports: [6379] })];
  itBuilds(
    "lead to the ports of the sidecar and of all services",
    { services, containers: [aBroker({ ports: [8080] }), ...sides] },
    {
      "sidecarServices.side.metadata.name": "nginx",
      "sidecarServices.side.spec.selector": { "batch.kubernetes.io/job-name": "demo" },
      "sidecarServices.side.spec.ports": [port(80), port(443)],
      "sidecarServices.plain": undefined,
      "servicesService.spec.selector": { "minicluster/services": "demo" },
      "servicesService.spec.ports": [port(81), port(444), port(6379)],
    },
  );
  itBuilds(
    "do not exist without a name, and are headless without ports",
    { services: [{ image: "i", name: "a" }], containers: [aBroker(), aSidecar({ ports: [80] })] },
    {
      sidecarServices: undefined,
      "servicesService.spec": { clusterIP: "None", selector: { "minicluster/services": "demo" } },
    },
  );

  it("change nothing in the pods of the brokers", () => {
    const podsWith = (serviceName?: string) => {
      const { job, configMap } = manifestsOf({ containers: [aBroker(), aSidecar({ ports: [80], serviceName })] });
      return [job.spec.template.spec, configMap];
    };
    assert.deepEqual(podsWith("nginx"), podsWith());
  });
});

describe("the network policy of the brokers' port", () => {
  const [all, policy] = [65_535, "networkPolicy.spec"];
  itBuilds(
    "opens it to the cluster alone, and every other port to all",
    { network: { policy: "brokerPort" } },
    {
      [`${policy}.podSelector`]: { ...cluster, ...broker },
      [`${policy}.ingress[0]`]: { from: [{ podSelector: { ...cluster } }], ports: [{ protocol: "TCP", port: 8050 }] },
      [`${policy}.ingress[1].from`]: undefined,
      [`${policy}.ingress[1].ports`]: [
        range("TCP", 1, 8049),
        range("TCP", 8051, all),
        range("UDP", 1, all),
        range("SCTP", 1, all),
      ],
    },
  );
});

const exposedBy = (expose: BurstingExposeArgs) => aHome({}, { expose });
const balanced = (args: Partial<BurstingLoadBalancerArgs>) =>
  exposedBy({ loadBalancer: { cloud: "aws", sourceRanges: ["10.0.0.0/8"], ...args } });

const brokerPort = { name: "broker", port: 8050, targetPort: 8050, protocol: "TCP" };
const demandPort = { name: "demand", port: 8060, targetPort: 8060, protocol: "TCP" };
const common = {
  selector: { "job-name": "home", "batch.kubernetes.io/job-completion-index": "0" },
  publishNotReadyAddresses: true,
};
const aws = "service.beta.kubernetes.io/aws-load-balancer";
const awsAs = (scheme: string) => ({
  [`${aws}-type`]: "external",
  [`${aws}-nlb-target-type`]: "ip",
  [`${aws}-scheme`]: scheme,
});
const waited = { "pulumi.com/patchForce": "true", "pulumi.com/waitFor": "jsonpath={.status.loadBalancer.ingress}" };

describe("the service of the lead broker", () => {
  it("does not exist without bursting, with an endpoint, or if the lead broker runs in another cluster", () => {
    for (const spec of [aMiniCluster(), aHome(), aBurstCluster()])
      assert.equal(manifestsFor(spec).leadService, undefined);
  });

  const itBuilds = building(exposedBy);
  const address = "203.0.113.7";
  const [annotations, spec] = ["leadService.metadata.annotations", "leadService.spec"];
  itBuilds(
    "is a port of every node that leads to rank 0 before it is Ready",
    { nodePort: { address } },
    {
      [annotations]: { "pulumi.com/skipAwait": "true", "pulumi.com/patchForce": "true" },
      [spec]: { type: "NodePort", ...common, ports: [{ ...brokerPort }] },
    },
  );
  itBuilds(
    "has a second port for the demand, each at the node port of the arguments",
    { nodePort: { address, port: 30_850 }, demand: { port: 30_860 } },
    {
      [`${spec}.ports`]: [
        { ...brokerPort, nodePort: 30_850 },
        { ...demandPort, nodePort: 30_860 },
      ],
    },
  );
  const loadBalancer = { cloud: "aws" as const, sourceRanges: ["10.0.0.0/8"] };
  itBuilds(
    "has both ports within the same source ranges",
    { loadBalancer, demand: {} },
    { [`${spec}.ports`]: [{ ...brokerPort }, { ...demandPort }], [`${spec}.loadBalancerSourceRanges`]: ["10.0.0.0/8"] },
  );
});

describe("the load balancer of the lead broker", () => {
  const itBuilds = building(balanced);
  const [annotations, spec] = ["leadService.metadata.annotations", "leadService.spec"];
  const late = { sourceRanges: ["10.0.0.0/8", pulumi.output("2001:db8::/32")] };
  itBuilds("leads to rank 0 before it is Ready, from the given networks alone", late, {
    [spec]: {
      type: "LoadBalancer",
      ...common,
      ports: [{ ...brokerPort }],
      loadBalancerSourceRanges: ["10.0.0.0/8", "2001:db8::/32"],
    },
  });
  const open = { sourceRanges: [], openToWorld: true, internetFacing: true };
  itBuilds("accepts all addresses with openToWorld", open, {
    [spec]: { type: "LoadBalancer", ...common, ports: [{ ...brokerPort }] },
  });
  const loadBalancerClass = "eks.amazonaws.com/nlb";
  itBuilds(
    "of a class is left to the controller of that class",
    { loadBalancerClass },
    {
      [`${spec}.loadBalancerClass`]: loadBalancerClass,
      [`${annotations}["${aws}-type"]`]: undefined,
      [`${annotations}["${aws}-scheme"]`]: "internal",
    },
  );
  const own = { [`${aws}-type`]: "nlb", colour: pulumi.output("blue"), "pulumi.com/waitFor": "mine" };
  itBuilds(
    "has the annotations of the arguments beside its own",
    { annotations: own },
    { [annotations]: { ...awsAs("internal"), [`${aws}-type`]: "nlb", ...waited, colour: "blue" } },
  );

  const byCloud: [cloud: BurstingCloud, own: Record<string, string>, open: Record<string, string>][] = [
    ["aws", awsAs("internal"), awsAs("internet-facing")],
    ["gcp", { "networking.gke.io/load-balancer-type": "Internal" }, { "cloud.google.com/l4-rbs": "enabled" }],
    ["azure", { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" }, {}],
    ["other", {}, {}],
  ];
  for (const [cloud, own, open] of byCloud)
    it(`has a private or a public address in the cloud ${cloud}, and is replaced where that changes`, async () => {
      const of = async (internetFacing: boolean) => (await sentFor(balanced({ cloud, internetFacing }))).leadService;
      const [closed, opened] = [await of(false), await of(true)];
      assert.deepEqual(valueAt(closed, "metadata.annotations"), { ...own, ...waited });
      assert.deepEqual(valueAt(opened, "metadata.annotations"), { ...open, ...waited });
      const differs = (path: string) => valueAt(closed, path) !== valueAt(opened, path);
      assert.equal(leadServiceReplaceOnChanges.some(differs), cloud !== "other");
    });

  it("is replaced where it becomes a port of the nodes, and by another class", () =>
    assert.deepEqual(leadServiceReplaceOnChanges.slice(0, 2), ["spec.type", "spec.loadBalancerClass"]));
});

it("an invalid or too wide source range that is only known later is an error with its path", async () => {
  const message =
    "MiniCluster home: bursting.expose.loadBalancer.sourceRanges[1] must be a network in CIDR form with a prefix " +
    "of at least /8 (IPv4) or /16 (IPv6); to allow all addresses, set openToWorld: true";
  for (const range of ["0.0.0.0/0", "::/0", "10.0.0.7", "a secret in the wrong place", undefined]) {
    const late = pulumi.output(range) as pulumi.Output<string>;
    const { spec } = manifestsFor(balanced({ sourceRanges: ["10.0.0.0/8", late] })).leadService ?? {};
    await assert.rejects(valueOf(pulumi.output(valueAt(spec, "loadBalancerSourceRanges[1]"))), { message });
  }
});
