import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aBursting, aContainer, aMiniClusterArgs, aPool } from "../../../support/fixtures";
import { itAccepts, itRefuses, problemsOf } from "../../../support/problems";

/** A cluster that others may join, with what a test cares about. */
const home = (bursting: object = {}, args: Partial<MiniClusterArgs> = {}) => ({
  ...args,
  bursting: aBursting(bursting),
});
const clusters = (...all: object[]) => home({ clusters: all });
const cluster = (args: object) => clusters({ name: "cloud", maxSize: 8, ...args });
const expose = (ways: object, args: Partial<MiniClusterArgs> = {}) => home({ expose: ways }, args);
const balancer = (args: object) => expose({ loadBalancer: { cloud: "aws", sourceRanges: ["10.0.0.0/8"], ...args } });

const first = "bursting.clusters[0]";
const endpoint = { address: "203.0.113.7" };

describe("the clusters that may join", () => {
  itRefuses([
    {
      rule: "one with the name of this cluster",
      args: clusters({ name: "demo", maxSize: 1 }),
      path: `${first}.name`,
      says: '"demo" is the name of this cluster too; rename one of them',
    },
    {
      rule: "two of one name",
      args: clusters({ name: "a", maxSize: 1 }, { name: "b", maxSize: 1 }, { name: "a", maxSize: 1 }),
      path: "bursting.clusters[2].name",
      says: '"a" is the name of clusters[0] too; rename one of them',
    },
    {
      rule: "one with a size above maxSize",
      args: cluster({ size: 9 }),
      path: `${first}.size`,
      says: "size 9 is above maxSize 8; raise maxSize or lower size",
    },
    {
      rule: "one with a negative size",
      args: cluster({ size: -1 }),
      path: `${first}.size`,
      says: "-1 must be an integer from 0 to 100000",
    },
    {
      rule: "one of no host",
      args: cluster({ maxSize: 0 }),
      path: `${first}.maxSize`,
      says: "0 must be an integer from 1 to 100000",
    },
    {
      rule: "one of no known number of hosts",
      args: cluster({ maxSize: undefined }),
      path: `${first}.maxSize`,
      says: "must be an integer from 1 to 100000",
    },
    {
      rule: "one whose name is no host's",
      args: cluster({ name: "Cloud" }),
      path: `${first}.name`,
      says: /^"Cloud" must be a lowercase DNS label/,
    },
    {
      rule: "one without a name",
      args: cluster({ name: undefined }),
      path: `${first}.name`,
      says: /^must be a lowercase DNS label/,
    },
    {
      rule: "one whose last host name is too long",
      args: cluster({ name: "c".repeat(60), maxSize: 1001 }),
      path: `${first}.name`,
      says: `its last host name, ${"c".repeat(60)}-1000, is longer than 63 characters; shorten name by 2`,
    },
    { rule: "a misspelt property", args: cluster({ maxsize: 8 }), path: `${first}.maxsize`, says: /^unknown property/ },
    {
      rule: "none at all",
      args: clusters(),
      path: "bursting.clusters",
      says: "needs at least one cluster; add one, or remove bursting",
    },
    {
      rule: "something else than a list",
      args: home({ clusters: {} }),
      path: "bursting.clusters",
      says: "must be a list",
    },
    {
      rule: "more hosts than one lead broker can have",
      args: { maxSize: 40_000, ...clusters({ name: "a", maxSize: 60_000 }, { name: "b", maxSize: 1 }) },
      path: "bursting.clusters",
      says:
        "the instance would have 100001 hosts, this cluster's own 40000 included, above the maximum of 100000; " +
        "lower a maxSize",
    },
    {
      rule: "too many hosts beside a cluster that says its size alone",
      args: { size: 2, ...cluster({ maxSize: 99_999 }) },
      path: "bursting.clusters",
      says: /^the instance would have 100001 hosts, this cluster's own 2 included/,
    },
  ]);

  itAccepts({
    "one that is there in name alone": cluster({ size: 0, maxSize: 1 }),
    "one as large as it may be": cluster({ size: 8 }),
    "as many hosts as one lead broker can have": { size: 1, ...cluster({ maxSize: 99_999 }) },
    "a name that just fits": cluster({ name: "c".repeat(61), maxSize: 10 }),
    "a name that begins like another, since their hosts differ": clusters(
      { name: "demo-1", maxSize: 4 },
      { name: "demo-1-0", maxSize: 4 },
    ),
  });
});

describe("what is said of the hosts of a cluster that may join", () => {
  itRefuses([
    {
      rule: "GPUs without cores or a pool",
      args: cluster({ gpus: 4 }),
      path: `${first}.gpus`,
      says: "requires cores or pool; add one of them",
    },
    {
      rule: "no core",
      args: cluster({ cores: 0 }),
      path: `${first}.cores`,
      says: "0 must be an integer from 1 to 100000",
    },
    {
      rule: "half a GPU",
      args: cluster({ cores: 4, gpus: 0.5 }),
      path: `${first}.gpus`,
      says: "0.5 must be an integer from 0 to 100000",
    },
    {
      rule: "a pool that is none",
      args: cluster({ pool: { ...aPool(), node: { ...aPool().node, cores: 0 } } }),
      path: `${first}.pool.node.cores`,
      says: "0 must be an integer from 1 to 100000",
    },
    ...["a b", "^gpu", "a&b", "it's", 'a"b', "a`b", "a|b", "(a)", "a,b", "a:b", "a\nb"].map((property) => ({
      rule: `the property ${JSON.stringify(property)}`,
      args: cluster({ properties: ["fine", property] }),
      path: `${first}.properties[1]`,
      says: `${JSON.stringify(property)} must be a Flux property such as "gpu" or "rack-7"`,
    })),
    {
      rule: "properties that are no list",
      args: cluster({ properties: "gpu" }),
      path: `${first}.properties`,
      says: "must be a list",
    },
  ]);

  itAccepts({
    "GPUs beside cores": cluster({ cores: 8, gpus: 2 }),
    "GPUs beside a pool": cluster({ pool: aPool(), gpus: 2 }),
    "no GPU beside cores": cluster({ cores: 8, gpus: 0 }),
    "properties of all sorts": cluster({ properties: ["gpu", "rack-7", "v1.2", "A_b", "$x", "50%"] }),
  });
});

describe("a cluster that others may join", () => {
  itRefuses([
    {
      rule: "a configuration of the user's own",
      args: home({}, { flux: { brokerConfig: "[bootstrap]\n" } }),
      path: "flux.brokerConfig",
      says: "is the whole configuration, and bursting needs its hosts; keep one of them",
    },
    {
      rule: "the operator's form beside it",
      args: home({}, { flux: { bursting: { clusters: [] } } }),
      path: "flux.bursting",
      says: "is the operator's form of bursting; keep one of the two",
    },
    {
      rule: "a deep tree",
      args: home({}, { flux: { topology: "kary:2" } }),
      path: "flux.topology",
      says: 'brokers of another cluster reach only the lead broker; use "kary:0" or leave it out',
    },
    {
      rule: "the scheduler with one line for all",
      args: home({}, { flux: { scheduler: { simple: true } } }),
      path: "flux.scheduler.simple",
      says: "has one queue for all clusters: a job that waits for a cluster to join would hold up every other job; use Fluxion",
    },
    ...["pods", "brokerPort"].map((policy) => ({
      rule: `the network policy ${policy}`,
      args: home({}, { network: { policy } } as Partial<MiniClusterArgs>),
      path: "network.policy",
      says: "shuts out the brokers of the clusters that join; remove it, and write a policy that names them",
    })),
    {
      rule: "a load balancer in rendered YAML",
      args: { ...balancer({}), resize: "manifest" },
      path: "bursting.expose.loadBalancer",
      says: "has no address in rendered YAML; use endpoint",
    },
    {
      rule: "a port in rendered YAML that Kubernetes would choose",
      args: expose({ nodePort: endpoint }, { resize: "manifest" }),
      path: "bursting.expose.nodePort.port",
      says: "has no default in rendered YAML; set it",
    },
    { rule: "no object", args: { bursting: true }, path: "bursting", says: "must be an object with properties" },
    {
      rule: "spanClusters: no",
      args: home({ spanClusters: "no" }),
      path: "bursting.spanClusters",
      says: /^must be true/,
    },
  ]);

  itAccepts({
    "a flat tree that is said to be one": home({}, { flux: { topology: "kary:0" } }),
    "the settings of Fluxion": home({}, { flux: { scheduler: { simple: false, queuePolicy: "easy" } } }),
    "a network policy of none": home({}, { network: { policy: "none" } }),
    "rendered YAML with a port": expose({ nodePort: { ...endpoint, port: 30_850 } }, { resize: "manifest" }),
    "rendered YAML with an address": expose({ endpoint }, { resize: "manifest" }),
    "jobs over all clusters": home({ spanClusters: true }),
  });

  const clashes: [name: string, args: object][] = [
    [
      "the service of the lead broker and its headless service under one name",
      expose({ nodePort: endpoint }, { network: { headlessName: "demo-lead" } }),
    ],
    [
      "a name with which the service of the lead broker has one that is too long",
      { name: "d".repeat(61), ...expose({ nodePort: endpoint }) },
    ],
    [
      "a name with which the service of the lead broker starts with a digit",
      { name: "7th", network: { headlessName: "hosts" }, ...expose({ nodePort: endpoint }) },
    ],
    [
      "a cluster whose hosts have the name of this one as a property, and so its queue",
      clusters({ name: "cloud", maxSize: 1, properties: ["demo"] }),
    ],
    [
      "a cluster whose hosts have the name of another one as a property, and so its queue",
      clusters({ name: "a", maxSize: 1 }, { name: "b", maxSize: 1, properties: ["a"] }),
    ],
    ["a pool with the name of a cluster that joins, and so its queue", home({}, { pool: aPool({ pool: "cloud" }) })],
    [
      "a cluster that is called like an architecture of other hosts",
      { pool: aPool(), ...clusters({ name: "amd64", maxSize: 1 }) },
    ],
  ];
  for (const [name, args] of clashes)
    it(`refuses ${name}`, () => assert.equal(problemsOf(aMiniClusterArgs(args)).length, 1));

  itAccepts({
    "a cluster whose hosts say their own name twice": clusters({ name: "cloud", maxSize: 1, properties: ["cloud"] }),
    "a pool that is called like this cluster": home({}, { pool: aPool({ pool: "demo" }) }),
    "a long name where no service is made": { name: "d".repeat(61), ...expose({ endpoint }) },
  });

  it("hears of every problem at once", () => {
    const wrong = {
      containers: [aContainer({ command: "x" })],
      flux: { topology: "kary:2", bursting: {} },
      network: { policy: "pods" },
      bursting: {
        clusters: [
          { name: "demo", size: 3, maxSize: 2, gpus: 1 },
          { name: "a", maxSize: 1, properties: ["a b"] },
          { name: "a", maxSize: 1, colour: "red" },
        ],
        expose: { endpoint, loadBalancer: { cloud: "aws", sourceRanges: ["::/0"], openToWorld: true } },
      },
    };
    assert.deepEqual(
      problemsOf(aMiniClusterArgs(wrong as Partial<MiniClusterArgs>))
        .map(({ propertyPath }) => propertyPath)
        .sort(),
      [
        `${first}.gpus`,
        `${first}.name`,
        `${first}.size`,
        "bursting.clusters[1].properties[0]",
        "bursting.clusters[2].colour",
        "bursting.clusters[2].name",
        "bursting.expose",
        "bursting.expose.loadBalancer.openToWorld",
        "bursting.expose.loadBalancer.openToWorld",
        "bursting.expose.loadBalancer.sourceRanges[0]",
        "flux.bursting",
        "flux.topology",
        "network.policy",
      ],
    );
  });
});
