import type { ServiceManifest } from "../../../../provider/minicluster/objects/types";
import { withCheckedRanges } from "../../../../provider/minicluster/register/lateValues";
import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { BurstingCloud, BurstingExposeArgs, BurstingLoadBalancerArgs } from "../../../../provider";
import { buildLeadService, leadServiceReplaceOnChanges } from "../../../../provider/minicluster/objects/leadService";
import { aBurstCluster, aHome, aMiniCluster } from "../../../support/fixtures";
import { unknownOutput, valueOf } from "../../../support/mocks";
import { valueAt } from "../../../support/propertyPaths";

interface Service {
  metadata: { name: string; namespace: string; labels: object; annotations: Record<string, unknown> };
  spec: Record<string, unknown>;
}

const serviceOf = (expose: BurstingExposeArgs) => buildLeadService(aHome({}, { expose })) as Service | undefined;
const balancerOf = (args: Partial<BurstingLoadBalancerArgs> = {}) =>
  serviceOf({ loadBalancer: { cloud: "aws", sourceRanges: ["10.0.0.0/8"], ...args } }) ?? assert.fail("no service");

const selector = { "job-name": "home", "batch.kubernetes.io/job-completion-index": "0" };
const force = { "pulumi.com/patchForce": "true" };
const port = { name: "broker", port: 8050, targetPort: 8050, protocol: "TCP" };
const waitFor = { "pulumi.com/waitFor": "jsonpath={.status.loadBalancer.ingress}" };
const aws = "service.beta.kubernetes.io/aws-load-balancer";

describe("the service of the lead broker", () => {
  it("is not there where nobody may join, where an address leads there already, and where the lead is elsewhere", () => {
    assert.equal(buildLeadService(aMiniCluster()), undefined);
    assert.equal(serviceOf({ endpoint: { address: "a" } }), undefined);
    assert.equal(buildLeadService(aBurstCluster()), undefined);
  });

  it("has a name, a namespace and labels like everything else of the cluster", () => {
    const service = buildLeadService(
      aHome({ namespace: "hpc" }, { expose: { nodePort: { address: "a" } } }),
    ) as unknown as Service;
    const { name, namespace, labels } = service.metadata;
    assert.deepEqual(
      [name, namespace, labels],
      [
        "home-lead",
        "hpc",
        { "app.kubernetes.io/name": "minicluster", "app.kubernetes.io/instance": "home", "job-name": "home" },
      ],
    );
  });

  it("is a port of every node that Kubernetes chooses, which leads to rank 0 before it is ready", () =>
    assert.deepEqual(serviceOf({ nodePort: { address: "203.0.113.7" } })?.spec, {
      type: "NodePort",
      selector,
      publishNotReadyAddresses: true,
      ports: [port],
    }));

  it("is the port that the user wants", () =>
    assert.deepEqual(serviceOf({ nodePort: { address: "203.0.113.7", port: 30_850 } })?.spec["ports"], [
      { ...port, nodePort: 30_850 },
    ]));

  it("is not waited for as a port: its pod comes after it", () =>
    assert.deepEqual(serviceOf({ nodePort: { address: "a" } })?.metadata.annotations, {
      "pulumi.com/skipAwait": "true",
      ...force,
    }));

  it("says nothing of the node's address, which may only be known later", () =>
    assert.doesNotMatch(JSON.stringify(serviceOf({ nodePort: { address: "203.0.113.7" } })), /203/));
});

describe("the load balancer of the lead broker", () => {
  it("leads to rank 0 before it is ready, from the named networks alone", () =>
    assert.deepEqual(balancerOf({ sourceRanges: ["10.0.0.0/8", "2001:db8::/32"] }).spec, {
      type: "LoadBalancer",
      selector,
      publishNotReadyAddresses: true,
      ports: [port],
      loadBalancerClass: undefined,
      loadBalancerSourceRanges: ["10.0.0.0/8", "2001:db8::/32"],
    }));

  const byCloud: [cloud: BurstingCloud, internetFacing: boolean, want: Record<string, string>][] = [
    ["aws", false, { [`${aws}-type`]: "external", [`${aws}-nlb-target-type`]: "ip", [`${aws}-scheme`]: "internal" }],
    [
      "aws",
      true,
      { [`${aws}-type`]: "external", [`${aws}-nlb-target-type`]: "ip", [`${aws}-scheme`]: "internet-facing" },
    ],
    ["gcp", false, { "networking.gke.io/load-balancer-type": "Internal" }],
    ["gcp", true, { "cloud.google.com/l4-rbs": "enabled" }],
    ["azure", false, { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" }],
    ["azure", true, {}],
    ["other", false, {}],
    ["other", true, {}],
  ];
  for (const [cloud, internetFacing, want] of byCloud)
    it(`has ${internetFacing ? "a public" : "a private"} address in the cloud ${cloud}, and is waited for`, () =>
      assert.deepEqual(balancerOf({ cloud, internetFacing }).metadata.annotations, { ...want, ...waitFor, ...force }));

  it("is private where nothing is said", () =>
    assert.deepEqual(balancerOf().metadata.annotations, balancerOf({ internetFacing: false }).metadata.annotations));

  it("of a class is left to who makes that class, in AWS too", () => {
    const { metadata, spec } = balancerOf({ loadBalancerClass: "eks.amazonaws.com/nlb" });
    assert.equal(spec["loadBalancerClass"], "eks.amazonaws.com/nlb");
    assert.ok(!(`${aws}-type` in metadata.annotations));
    assert.equal(metadata.annotations[`${aws}-scheme`], "internal");
  });

  it("has the user's annotations over its own, and is waited for all the same", () => {
    const own = pulumi.output("blue");
    const annotations = { [`${aws}-type`]: "nlb", "example.com/colour": own, "pulumi.com/waitFor": "mine" };
    assert.deepEqual(balancerOf({ annotations }).metadata.annotations, {
      ...{ [`${aws}-type`]: "nlb", [`${aws}-nlb-target-type`]: "ip", [`${aws}-scheme`]: "internal" },
      ...{ "example.com/colour": own },
      ...waitFor,
      ...force,
    });
  });

  it("names no network where it is open to the world, asked for by name", () =>
    assert.equal(
      balancerOf({ sourceRanges: [], openToWorld: true, internetFacing: true }).spec["loadBalancerSourceRanges"],
      undefined,
    ));

  for (const cloud of ["aws", "gcp", "azure"] as const)
    it(`is made anew where its address in the cloud ${cloud} becomes a public one`, () => {
      const [own, open] = [false, true].map((internetFacing) => balancerOf({ cloud, internetFacing }));
      const differs = (path: string) => valueAt(own, path) !== valueAt(open, path);
      assert.notDeepEqual(leadServiceReplaceOnChanges.filter(differs), []);
    });

  it("is made anew where it becomes a port of the nodes, and by another class", () => {
    for (const path of ["spec.type", "spec.loadBalancerClass"])
      assert.ok(leadServiceReplaceOnChanges.includes(path), path);
  });
});

describe("a network that may connect and is only known later", () => {
  const rangesOf = (...sourceRanges: pulumi.Input<string>[]) =>
    (
      withCheckedRanges("home", balancerOf({ sourceRanges }) as ServiceManifest).spec as {
        loadBalancerSourceRanges: pulumi.Input<string>[];
      }
    ).loadBalancerSourceRanges;
  const late = (range: unknown) => pulumi.output(range) as pulumi.Output<string>;

  it("is placed when it is there", async () => {
    const [first, second] = rangesOf("10.0.0.0/8", late("203.0.113.0/24"));
    assert.deepEqual([first, await valueOf(pulumi.output(second))], ["10.0.0.0/8", "203.0.113.0/24"]);
  });

  it("is no hindrance to a preview", async () => {
    const [range] = rangesOf(unknownOutput());
    assert.equal(await (range as unknown as { isKnown: Promise<boolean> }).isKnown, false);
  });

  const wrong = ["0.0.0.0/0", "0.0.0.0/1", "::/0", "10.0.0.7", "a secret in the wrong place", undefined];
  const says = "is no network in CIDR form, or a wider one than openToWorld: true is for";
  for (const range of wrong)
    it(`is an error by its place where it is ${String(range)}`, async () => {
      const [, second] = rangesOf("10.0.0.0/8", late(range));
      await assert.rejects(valueOf(pulumi.output(second)), {
        message: `MiniCluster home: bursting.expose.loadBalancer.sourceRanges[1] ${says}`,
      });
    });
});
