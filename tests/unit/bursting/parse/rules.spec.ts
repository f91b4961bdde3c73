import assert from "node:assert/strict";
import { casesOf, itJudges, told, valueIn } from "../../../support/cases";
import { aBursting, aMiniClusterArgs } from "../../../support/fixtures";
import { problemsOf } from "../../../support/problems";

describe("the clusters that may join", () => {
  itJudges(String.raw`
bursting: !bursting {clusters: [{name: demo, maxSize: 1}, {name: a, maxSize: 8, size: 9}, {name: a, maxSize: 1, gpus: 4}, {name: cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc, maxSize: 1001}]}
  bursting.clusters[1].size: size 9 is above maxSize 8; raise maxSize or lower size
  bursting.clusters[2].gpus: requires cores or pool; add one of them
  bursting.clusters[3].name: its last host name, cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc-1000, is longer than 63 characters; shorten name by 2
  bursting.clusters[0].name: "demo" is the name of this cluster too; rename one of them
  bursting.clusters[2].name: "a" is the name of clusters[1] too; rename one of them
bursting: !bursting {clusters: []}
  bursting.clusters: needs at least one cluster; add one, or remove bursting
{maxSize: 40000, bursting: !bursting {clusters: [{name: a, maxSize: 60000}, {name: b, maxSize: 1}]}}
  bursting.clusters: the instance would have 100001 hosts, this cluster's own 40000 included, above the maximum of 100000; lower a maxSize
# as many hosts as one lead broker can have
{size: 1, bursting: !bursting {clusters: [{name: cloud, maxSize: 99999}]}}
# a name that just fits, and names that begin alike, since their hosts differ
bursting: !bursting {clusters: [{name: ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc, maxSize: 10}, {name: demo-1, maxSize: 4}, {name: demo-1-0, maxSize: 4, size: 4}]}
# GPUs beside cores or a pool, and properties of all sorts, its own name among them
bursting: !bursting {clusters: [{name: a, maxSize: 8, cores: 8, gpus: 2, properties: [gpu, rack-7, v1.2, A_b, $x, 50%]}, {name: b, maxSize: 8, size: 0, pool: !pool {}, gpus: 2, properties: [b]}]}
bursting: !bursting {clusters: [{name: a, maxSize: 0, size: -1, cores: 0, gpus: 0.5, pool: !pool {node: {cores: 0}}}]}
  bursting.clusters[0].size: -1 must be an integer from 0 to 100000
  bursting.clusters[0].{maxSize,cores}: 0 must be an integer from 1 to 100000
  bursting.clusters[0].gpus: 0.5 must be an integer from 0 to 100000
  bursting.clusters[0].pool.node.cores: 0 must be an integer from 1 to 100000
`);

  it("have no properties that Flux would refuse", () => {
    const properties = ["a b", "^gpu", "a&b", "it's", 'a"b', "a|b", "(a)", "a,b", "a:b", "a\nb"];
    const bursting = aBursting({ clusters: [{ name: "a", maxSize: 1, properties: ["fine", ...properties] }] });
    assert.deepEqual(
      told(problemsOf(aMiniClusterArgs({ bursting }))),
      properties.map((property, index) => {
        const place = `bursting.clusters[0].properties[${index + 1}]`;
        return `${place}: ${JSON.stringify(property)} must be a Flux property such as "gpu" or "rack-7"`;
      }),
    );
  });

  // The port at which it tells what its queue needs.
  itJudges(String.raw`
bursting: !bursting {expose: {loadBalancer: {cloud: gcp, sourceRanges: [10.0.0.0/8]}, demand: {port: 8060}}}
  bursting.expose.demand.port: is 8060 of a load balancer; remove it
bursting: !bursting {expose: {nodePort: {address: a, port: 30850}, demand: {port: 30850}}}
  bursting.expose.demand.port: 30850 is the brokers' port; choose another one
bursting: !bursting {expose: {endpoint: {address: a}, demand: {port: 8050}}}
  bursting.expose.demand.port: 8050 is the brokers' port; choose another one
{resize: manifest, bursting: !bursting {expose: {nodePort: {address: a, port: 30850}, demand: {}}}}
  bursting.expose.demand.port: has no default in rendered YAML; set it
bursting: !bursting {expose: {endpoint: {address: a}, demand: {port: 0}}}
  bursting.expose.demand.port: 0 must be an integer from 1 to 65535
# by each way
bursting: !bursting {expose: {nodePort: {address: a}, demand: {}}}
bursting: !bursting {expose: {endpoint: {address: a}, demand: {}}}
{resize: manifest, bursting: !bursting {expose: {nodePort: {address: a, port: 30850}, demand: {port: 30860}}}}
`);

  const clashes = String.raw`
# Hosts have the name of another cluster as a property, and so would be in its queue.
bursting: !bursting {clusters: [{name: cloud, maxSize: 1, properties: [demo]}]}
bursting: !bursting {clusters: [{name: a, maxSize: 1}, {name: b, maxSize: 1, properties: [a]}]}
{bursting: !bursting {}, pool: !pool {pool: cloud}}
{pool: !pool {}, bursting: !bursting {clusters: [{name: amd64, maxSize: 1}]}}
# The service of the lead broker is called like the headless one, has a name that is too long, or starts with a digit.
{network: {headlessName: demo-lead}, bursting: !bursting {expose: {nodePort: {address: a}}}}
{name: ddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd, bursting: !bursting {expose: {nodePort: {address: a}}}}
{name: 7th, network: {headlessName: hosts}, bursting: !bursting {expose: {nodePort: {address: a}}}}
`;
  for (const { title, given } of casesOf(clashes))
    it(`share no name with another thing: ${title}`, () =>
      assert.equal(problemsOf(aMiniClusterArgs(valueIn(given) as object)).length, 1));
});

describe("a cluster that others may join", () => {
  itJudges(String.raw`
flux: {brokerConfig: "[bootstrap]\n", topology: kary:2, scheduler: {simple: true}, bursting: {clusters: []}}
|network: {policy: brokerPort}
|bursting: !bursting {}
  flux.bursting: is the operator's form of bursting; keep one of the two
  flux.brokerConfig: is the whole configuration, and bursting needs its hosts; keep one of them
  flux.topology: brokers of another cluster reach only the lead broker; use "kary:0" or leave it out
  flux.scheduler.simple: has one queue for all clusters: a job that waits for a cluster to join would hold up every other job; use Fluxion
  network.policy: shuts out the brokers of the clusters that join; remove it, and write a policy that names them
{bursting: !balancer {}, resize: manifest}
  bursting.expose.loadBalancer: has no address in rendered YAML; use endpoint
{resize: manifest, bursting: !bursting {expose: {nodePort: {address: 203.0.113.7}}}}
  bursting.expose.nodePort.port: has no default in rendered YAML; set it
# a flat tree that is said to be one, the settings of Fluxion, a pool that is called like this cluster, and a port in YAML
flux: {topology: kary:0, scheduler: {simple: false, queuePolicy: easy}}
|pool: !pool {pool: demo}
|resize: manifest
|bursting: !bursting {expose: {nodePort: {address: lead.example.com, port: 30850}}}
# a long name where no service is made
{name: ddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd, resize: manifest, bursting: !bursting {expose: {endpoint: {address: 203.0.113.7}}}}
bursting: !bursting {expose: {}}
  bursting.expose: no broker of another cluster could reach the lead broker; add nodePort, loadBalancer or endpoint
bursting: {clusters: [{name: cloud, size: 3, maxSize: 8}]}
  bursting.expose: is required; must be the way to the lead broker, or no broker of another cluster could reach it: nodePort, loadBalancer or endpoint
bursting: !bursting {expose: {nodePort: {address: 2001:db8::7, port: 65536}, endpoint: {address: !certificate, port: 0}}}
  bursting.expose.nodePort.address: "2001:db8::7" is an IPv6 address, and the brokers use IPv4; give a host name or an IPv4 address
  bursting.expose.nodePort.port: 65536 must be an integer from 1 to 65535
  bursting.expose.endpoint.address: must be an IP address or a host name alone; the port is its own property
  bursting.expose.endpoint.port: 0 must be an integer from 1 to 65535
  bursting.expose: nodePort and endpoint exclude each other; keep one of them
`);
});

describe("a load balancer", () => {
  itJudges(String.raw`
bursting: !balancer {sourceRanges: !unset, internetFacing: true}
  bursting.expose.loadBalancer.sourceRanges: is empty, so nobody may connect; add the networks of the clusters that join
bursting: !balancer {openToWorld: true}
  bursting.expose.loadBalancer.openToWorld: openToWorld and sourceRanges exclude each other; keep one of them
  bursting.expose.loadBalancer.openToWorld: requires internetFacing: true; add it, or name sourceRanges
bursting: !balancer {sourceRanges: [10.0.0.0/8, "2001::/16", 203.0.113.7/32, "::1/128"]}
bursting: !balancer {sourceRanges: [203.0.113.7/24, "2001:db8::1/32", "2001:db8::/32"]}
  bursting.expose.loadBalancer.sourceRanges[0]: "203.0.113.7/24" has bits beyond its prefix; write its first address
  bursting.expose.loadBalancer.sourceRanges[1]: "2001:db8::1/32" has bits beyond its prefix; write its first address
`);

  it("refuses a network that is none, and one that is wider than a part of the world", () => {
    const none =
      "10.0.0.0 10.0.0.0/33 ::/129 10.0.0/8 10.0.0.0/8/8 10.0.0.0/ 10.0.0.0/-1 host/8  0.0.0.0/00 10.0.0.0/08".split(
        " ",
      );
    const wide = ["0.0.0.0/0", "128.0.0.0/1", "10.0.0.0/7", "::/0", "8000::/1", "2000::/15"];
    const loadBalancer = { cloud: "aws" as const, sourceRanges: [...none, ...wide] };
    const says = (range: string) =>
      none.includes(range)
        ? `${JSON.stringify(range)} must be a network in CIDR form such as "203.0.113.0/24"`
        : `${range} is wider than ${range.includes(":") ? "/16" : "/8"}; to let in every address set openToWorld: true`;
    assert.deepEqual(
      told(problemsOf(aMiniClusterArgs({ bursting: aBursting({ expose: { loadBalancer } }) }))),
      loadBalancer.sourceRanges.map((range, at) => `bursting.expose.loadBalancer.sourceRanges[${at}]: ${says(range)}`),
    );
  });

  // They decide who can reach it; in a cloud that nothing is known of they are the user's.
  for (const key of [
    "service.beta.kubernetes.io/aws-load-balancer-scheme",
    "networking.gke.io/load-balancer-type",
    "service.beta.kubernetes.io/azure-load-balancer-internal",
  ])
    itJudges(`
bursting: !balancer {cloud: gcp, annotations: {a.b/c: d, ${key}: e}}
  bursting.expose.loadBalancer.annotations["${key}"]: is set by cloud and internetFacing; remove it
bursting: !balancer {cloud: other, annotations: {${key}: e}}
`);
});
