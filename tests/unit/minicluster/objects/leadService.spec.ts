import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { BurstingCloud, BurstingExposeArgs, BurstingLoadBalancerArgs } from "../../../../provider";
import { leadServiceReplaceOnChanges } from "../../../../provider/minicluster/objects/leadService";
import { aBurstCluster, aHome, aMiniCluster } from "../../../support/fixtures";
import { manifestsFor } from "../../../support/manifests";
import { valueOf } from "../../../support/mocks";
import { valueAt } from "../../../support/propertyPaths";

interface Service {
  metadata: { annotations: Record<string, unknown> };
  spec: Record<string, unknown>;
}

const serviceOf = (expose: BurstingExposeArgs) =>
  manifestsFor(aHome({}, { expose })).leadService as unknown as Service | undefined;
const balancerOf = (args: Partial<BurstingLoadBalancerArgs> = {}) =>
  serviceOf({ loadBalancer: { cloud: "aws", sourceRanges: ["10.0.0.0/8"], ...args } }) ?? assert.fail("no service");

const port = { name: "broker", port: 8050, targetPort: 8050, protocol: "TCP" };
const common = {
  selector: { "job-name": "home", "batch.kubernetes.io/job-completion-index": "0" },
  publishNotReadyAddresses: true,
};
const waited = {
  "pulumi.com/patchForce": "true",
  "pulumi.com/waitFor": "jsonpath={.status.loadBalancer.ingress}",
};
const aws = "service.beta.kubernetes.io/aws-load-balancer";

describe("the service of the lead broker", () => {
  it("is not there where nobody may join, where an address leads there already, and where the lead is elsewhere", () => {
    for (const spec of [aMiniCluster(), aHome(), aBurstCluster()])
      assert.equal(manifestsFor(spec).leadService, undefined);
  });

  it("has a second port where clusters that join follow the queue, within the same source ranges", () => {
    const demand = { name: "demand", port: 8060, targetPort: 8060, protocol: "TCP" };
    const ranges: BurstingLoadBalancerArgs = { cloud: "aws", sourceRanges: ["10.0.0.0/8"] };
    const { ports, loadBalancerSourceRanges } = serviceOf({ loadBalancer: ranges, demand: {} })?.spec ?? {};
    assert.deepEqual([ports, loadBalancerSourceRanges], [[port, demand], ["10.0.0.0/8"]]);
    const nodePort = { address: "203.0.113.7", port: 30_850 };
    assert.deepEqual(serviceOf({ nodePort, demand: { port: 30_860 } })?.spec["ports"], [
      { ...port, nodePort: 30_850 },
      { ...demand, nodePort: 30_860 },
    ]);
  });

  it("is a port of every node that leads to rank 0 before it is ready, chosen by Kubernetes or by the user", () => {
    const address = "203.0.113.7";
    const { spec } = serviceOf({ nodePort: { address } }) ?? {};
    assert.deepEqual(spec, { type: "NodePort", ...common, ports: [port] });
    const chosen = serviceOf({ nodePort: { address, port: 30_850 } });
    assert.deepEqual(chosen?.spec["ports"], [{ ...port, nodePort: 30_850 }]);
  });
});

describe("the load balancer of the lead broker", () => {
  it("leads to rank 0 before it is ready, from the named networks alone, or from all where that is said", () => {
    const balancer = { type: "LoadBalancer", ...common, ports: [port], loadBalancerClass: undefined };
    const ranges = ["10.0.0.0/8", "2001:db8::/32"];
    assert.deepEqual(balancerOf({ sourceRanges: ranges }).spec, { ...balancer, loadBalancerSourceRanges: ranges });
    const open = balancerOf({ sourceRanges: [], openToWorld: true, internetFacing: true });
    assert.deepEqual(open.spec, { ...balancer, loadBalancerSourceRanges: undefined });
  });

  const awsAs = (scheme: string) => ({
    ...{ [`${aws}-type`]: "external", [`${aws}-nlb-target-type`]: "ip", [`${aws}-scheme`]: scheme },
  });
  const byCloud: [cloud: BurstingCloud, own: Record<string, string>, open: Record<string, string>][] = [
    ["aws", awsAs("internal"), awsAs("internet-facing")],
    ["gcp", { "networking.gke.io/load-balancer-type": "Internal" }, { "cloud.google.com/l4-rbs": "enabled" }],
    ["azure", { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" }, {}],
    ["other", {}, {}],
  ];
  for (const [cloud, own, open] of byCloud)
    it(`has a private or a public address in the cloud ${cloud}, and is made anew where it gets the other`, () => {
      const [closed, opened] = [false, true].map((internetFacing) => balancerOf({ cloud, internetFacing }));
      assert.deepEqual(closed?.metadata.annotations, { ...own, ...waited });
      assert.deepEqual(opened?.metadata.annotations, { ...open, ...waited });
      const differs = (path: string) => valueAt(closed, path) !== valueAt(opened, path);
      assert.equal(leadServiceReplaceOnChanges.some(differs), cloud !== "other");
    });

  it("is made anew where it becomes a port of the nodes, and by another class", () => {
    for (const path of ["spec.type", "spec.loadBalancerClass"])
      assert.ok(leadServiceReplaceOnChanges.includes(path), path);
  });

  it("of a class is left to who makes that class, in AWS too", () => {
    const { metadata, spec } = balancerOf({ loadBalancerClass: "eks.amazonaws.com/nlb" });
    assert.equal(spec["loadBalancerClass"], "eks.amazonaws.com/nlb");
    assert.ok(!(`${aws}-type` in metadata.annotations));
    assert.equal(metadata.annotations[`${aws}-scheme`], "internal");
  });

  it("has the user's annotations over its own, and is waited for all the same", () => {
    const own = { [`${aws}-type`]: "nlb", "example.com/colour": pulumi.output("blue") };
    const { annotations } = balancerOf({ annotations: { ...own, "pulumi.com/waitFor": "mine" } }).metadata;
    assert.deepEqual(annotations, { ...awsAs("internal"), ...own, ...waited });
  });
});

describe("a network that may connect and is only known later", () => {
  const late = (range: unknown) => {
    const sourceRanges = ["10.0.0.0/8", pulumi.output(range) as pulumi.Output<string>];
    const ranges = balancerOf({ sourceRanges }).spec["loadBalancerSourceRanges"] as pulumi.Input<string>[];
    return valueOf(pulumi.output(ranges[1]));
  };

  it("is placed when it is there", async () => assert.equal(await late("203.0.113.0/24"), "203.0.113.0/24"));

  it("is an error by its place where it is none, or too wide a one, and is not shown", async () => {
    const says = "is no network in CIDR form, or a wider one than openToWorld: true is for";
    const message = `MiniCluster home: bursting.expose.loadBalancer.sourceRanges[1] ${says}`;
    for (const range of ["0.0.0.0/0", "::/0", "10.0.0.7", "a secret in the wrong place", undefined])
      await assert.rejects(late(range), { message });
  });
});
