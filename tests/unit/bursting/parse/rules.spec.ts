import assert from "node:assert/strict";
import type { BurstingArgs, MiniClusterArgs } from "../../../../provider";
import { standInCertificate } from "../../../support/everything";
import { aBalancer, aBursting, aMiniClusterArgs, aPool, operatorFlux } from "../../../support/fixtures";
import { described, problemsOf, validating } from "../../../support/problems";

const { accepts, rejects, rejectsAll } = validating();

const joining = (...clusters: BurstingArgs["clusters"]) => ({ bursting: aBursting({ clusters }) });
const exposing = (expose: BurstingArgs["expose"]) => ({ bursting: aBursting({ expose }) });
const one = (more: object = {}) => joining({ name: "a", maxSize: 1, ...more });
const nodePort = { address: "a", port: 30_850 };
const endpoint = { address: "a" };

describe("the clusters that may join", () => {
  const long = "c".repeat(60);
  const at = "bursting.clusters";
  rejects({
    [`${at}: needs at least one cluster; add one, or remove bursting`]: joining(),
    [`${at}: the instance would have 100001 hosts, including 40000 of this cluster…`]: {
      maxSize: 40_000,
      ...joining({ name: "a", maxSize: 60_000 }, { name: "b", maxSize: 1 }),
    },
  });
  rejectsAll(
    joining(
      { name: "demo", maxSize: 1 },
      { name: "a", maxSize: 8, size: 9 },
      { name: "a", maxSize: 1, gpus: 4 },
      { name: long, maxSize: 1001 },
    ),
    [
      `${at}[1].size: size 9 is above maxSize 8; raise maxSize or lower size`,
      `${at}[2].gpus: requires cores or pool; add one of them`,
      `${at}[3].name: its last host name, ${long}-1000, is longer than 63 characters; shorten name by 2`,
      `${at}[0].name: "demo" is also the name of this cluster; rename one of them`,
      `${at}[2].name: "a" is also the name of clusters[1]; rename one of them`,
    ],
  );
  rejectsAll(one({ maxSize: 0, size: -1, cores: 0, gpus: 0.5, pool: aPool({}, { cores: 0 }) }), [
    `${at}[0].size: -1 must be an integer from 0 to 100000`,
    `${at}[0].maxSize: 0 must be an integer from 1 to 100000`,
    `${at}[0].cores: 0 must be an integer from 1 to 100000`,
    `${at}[0].gpus: 0.5 must be an integer from 0 to 100000`,
    `${at}[0].pool.node.cores: 0 must be an integer from 1 to 100000`,
  ]);
  accepts({
    "as many hosts as one lead broker can have": one({ maxSize: 99_999 }),
    "names that just fit, and names with a common start": joining(
      { name: `${long}c`, maxSize: 10 },
      { name: "demo-1", maxSize: 4 },
      { name: "demo-1-0", maxSize: 4, size: 4 },
    ),
    "GPUs beside cores or a pool, and properties of every form": joining(
      { name: "a", maxSize: 8, cores: 8, gpus: 2, properties: ["gpu", "rack-7", "v1.2", "A_b", "$x", "50%"] },
      { name: "b", maxSize: 8, size: 0, pool: aPool(), gpus: 2, properties: ["b"] },
    ),
  });

  it("have no properties that Flux would refuse", () => {
    const properties = ["a b", "^gpu", "a&b", "it's", 'a"b', "a|b", "(a)", "a,b", "a:b", "a\nb"];
    assert.deepEqual(
      described(problemsOf(aMiniClusterArgs(one({ properties: ["fine", ...properties] })))),
      properties.map((property, index) => {
        const place = `${at}[0].properties[${index + 1}]`;
        return `${place}: ${JSON.stringify(property)} must be a Flux property such as "gpu" or "rack-7"`;
      }),
    );
  });

  const atNodes = exposing({ nodePort: { address: "a" } });
  const clashes: Record<string, Partial<MiniClusterArgs>> = {
    "a property with the name of the cluster": one({ properties: ["demo"] }),
    "a property with the name of another cluster": joining(
      { name: "a", maxSize: 1 },
      { name: "b", maxSize: 1, properties: ["a"] },
    ),
    "a pool with the name of another cluster": { bursting: aBursting(), pool: aPool({ pool: "cloud" }) },
    "a cluster with the name of the architecture": { pool: aPool(), ...one({ name: "amd64" }) },
    "a headlessName like the Service of the lead broker": { network: { headlessName: "demo-lead" }, ...atNodes },
    "a name that makes the Service of the lead broker too long": { name: "d".repeat(61), ...atNodes },
    "a name that starts with a digit": { name: "7th", network: { headlessName: "hosts" }, ...atNodes },
  };
  for (const [name, args] of Object.entries(clashes))
    it(`share no name with another thing: ${name}`, () => assert.equal(problemsOf(aMiniClusterArgs(args)).length, 1));
});

describe("a cluster that others may join", () => {
  const demand = "bursting.expose.demand.port";
  rejects({
    "bursting.expose.loadBalancer: has no address in rendered YAML…": { bursting: aBalancer(), resize: "manifest" },
    "bursting.expose.nodePort.port: has no default in rendered YAML; set it": {
      resize: "manifest",
      ...exposing({ nodePort: endpoint }),
    },
    "bursting.expose: brokers of other clusters cannot reach the lead broker; add nodePort…": exposing({}),
    "bursting.expose: is required; must be how other clusters reach the lead broker…": {
      bursting: { clusters: [{ name: "cloud", size: 3, maxSize: 8 }] } as never,
    },
    [`${demand}: is always 8060 with loadBalancer; remove it`]: exposing({
      ...aBalancer().expose,
      demand: { port: 8060 },
    }),
    [`${demand}: 30850 is the brokers' port; choose another port`]: exposing({ nodePort, demand: { port: 30_850 } }),
    [`${demand}: 8050 is the brokers' port; choose another port`]: exposing({ endpoint, demand: { port: 8050 } }),
    [`${demand}: has no default in rendered YAML; set it`]: {
      resize: "manifest",
      ...exposing({ nodePort, demand: {} }),
    },
    [`${demand}: 0 must be an integer from 1 to 65535`]: exposing({ endpoint, demand: { port: 0 } }),
  });
  rejectsAll(
    {
      flux: operatorFlux({
        brokerConfig: "",
        topology: "kary:2",
        scheduler: { simple: true },
        bursting: { clusters: [] },
      }),
      network: { policy: "brokerPort" },
      bursting: aBursting(),
    },
    [
      "flux.bursting: is the operator's form of bursting; keep one of the two",
      "flux.brokerConfig: is the whole configuration, and bursting needs its hosts; keep one of them",
      "flux.topology: brokers of another cluster can connect only to the lead broker…",
      "flux.scheduler.simple: has one queue for all clusters…",
      "network.policy: blocks the brokers of the clusters that join…",
    ],
  );
  rejectsAll(
    exposing({
      nodePort: { address: "2001:db8::7", port: 65_536 },
      endpoint: { address: standInCertificate, port: 0 },
    }),
    [
      'bursting.expose.nodePort.address: "2001:db8::7" is an IPv6 address, and the brokers use IPv4…',
      "bursting.expose.nodePort.port: 65536 must be an integer from 1 to 65535",
      "bursting.expose.endpoint.address: must be an IP address or a host name; the port is a separate property",
      "bursting.expose.endpoint.port: 0 must be an integer from 1 to 65535",
      "bursting.expose: nodePort and endpoint exclude each other; keep one of them",
    ],
  );
  accepts({
    "the default port of the demand behind a node port": exposing({ nodePort: endpoint, demand: {} }),
    "the default port of the demand behind an endpoint": exposing({ endpoint, demand: {} }),
    "a manifest with both node ports": { resize: "manifest", ...exposing({ nodePort, demand: { port: 30_860 } }) },
    "a flat tree, settings of Fluxion and a pool with the name of the cluster": {
      flux: { topology: "kary:0", scheduler: { simple: false, queuePolicy: "easy" } },
      pool: aPool({ pool: "demo" }),
      resize: "manifest",
      ...exposing({ nodePort }),
    },
    "a long name without a Service": { name: "d".repeat(61), resize: "manifest", ...exposing({ endpoint }) },
  });
});

describe("a load balancer", () => {
  const at = "bursting.expose.loadBalancer";
  rejects({
    [`${at}.sourceRanges: is empty, so no address can connect…`]: {
      bursting: aBalancer({ sourceRanges: undefined, internetFacing: true }),
    },
  });
  rejectsAll({ bursting: aBalancer({ openToWorld: true }) }, [
    `${at}.openToWorld: openToWorld and sourceRanges exclude each other; keep one of them`,
    `${at}.openToWorld: requires internetFacing: true; add it, or name sourceRanges`,
  ]);
  accepts({
    "source ranges of either address family": {
      bursting: aBalancer({ sourceRanges: ["10.0.0.0/8", "2001::/16", "203.0.113.7/32", "::1/128"] }),
    },
  });

  it("rejects an invalid network, and one that is wider than a part of the world", () => {
    const none = ["10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/-1"];
    none.push("host/8", "", "0.0.0.0/00", "10.0.0.0/08");
    const wide = ["0.0.0.0/0", "128.0.0.0/1", "10.0.0.0/7", "::/0", "8000::/1", "2000::/15"];
    const sourceRanges = [...none, ...wide];
    const says = (range: string) =>
      none.includes(range)
        ? `${JSON.stringify(range)} must be a network in CIDR form such as "203.0.113.0/24"`
        : `${range} is wider than ${range.includes(":") ? "/16" : "/8"}; to allow all addresses, set openToWorld: true`;
    assert.deepEqual(
      described(problemsOf(aMiniClusterArgs(exposing({ loadBalancer: { cloud: "aws", sourceRanges } })))),
      sourceRanges.map((range, index) => `${at}.sourceRanges[${index}]: ${says(range)}`),
    );
  });

  // They decide who can reach it; in a cloud that nothing is known of they are the user's.
  for (const key of [
    "service.beta.kubernetes.io/aws-load-balancer-scheme",
    "networking.gke.io/load-balancer-type",
    "service.beta.kubernetes.io/azure-load-balancer-internal",
  ]) {
    rejects({
      [`${at}.annotations["${key}"]: is set by cloud and internetFacing; remove it`]: {
        bursting: aBalancer({ cloud: "gcp", annotations: { "a.b/c": "d", [key]: "e" } }),
      },
    });
    accepts({ [`${key} in another cloud`]: { bursting: aBalancer({ cloud: "other", annotations: { [key]: "e" } }) } });
  }
});

describe("jobs that move to clusters that join", () => {
  const at = "bursting.place";
  const placing = (place: object, more: object = {}) => ({
    bursting: {
      clusters: [
        { name: "near", maxSize: 2, pricePerHour: 2 },
        { name: "far", maxSize: 4 },
      ],
      expose: { endpoint },
      place,
      ...more,
    },
  });
  rejectsAll(placing({ order: "cheap", afterSeconds: -1, giveUpSeconds: 9, clusters: [] }), [
    `${at}.order: must be one of "listed", "price"`,
    `${at}.afterSeconds: -1 must be an integer from 0 to 604800`,
    `${at}.giveUpSeconds: 9 must be an integer from 10 to 604800`,
    `${at}.clusters: needs at least one cluster; add one, or remove clusters`,
  ]);
  rejectsAll(placing({ clusters: ["far", "moon", "demo", "far"] }, { spanClusters: true }), [
    `${at}: moves jobs between the queues of clusters, and spanClusters has no queues; remove one of them`,
    `${at}.clusters[1]: "moon" is not a cluster that jobs can move to: near, far; choose one of these`,
    `${at}.clusters[2]: "demo" is not a cluster that jobs can move to: near, far; choose one of these`,
    `${at}.clusters[3]: duplicate name "far"; remove it`,
  ]);
  rejectsAll(placing({ order: "price" }), [
    `${at}.order: "price" requires bursting.clusters[1].pricePerHour; add it, or use "listed"`,
  ]);
  const groups = { cpu: { size: 1 }, gpu: { size: 1, pool: aPool() } };
  rejectsAll(
    {
      interactive: true,
      containers: [{ image: "i" }],
      groups,
      ...placing({ order: "price", clusters: ["gpu", "near", "cpu"] }),
    },
    [
      `${at}.clusters[2]: "cpu" is not a cluster that jobs can move to: near, far, gpu; choose one of these`,
      `${at}.order: "price" requires the price of the pool of groups.gpu; add it, or use "listed"`,
    ],
  );
  rejects({
    "bursting.clusters[0].pricePerHour: must be above 0": placing(
      {},
      { clusters: [{ name: "a", maxSize: 1, pricePerHour: -1 }] },
    ),
  });
  accepts({
    "all defaults": placing({}),
    "only the one with a price": placing({ order: "price", clusters: ["near"] }),
  });
});
