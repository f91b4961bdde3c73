import * as assert from "node:assert/strict";
import { burstingOf } from "../../../../provider/bursting/parse/spec";
import type { BurstingArgs, BurstPlan, MiniClusterArgs } from "../../../../provider";
import { brokerOptions, renderBrokerConfig } from "../../../../provider/core/flux/brokerConfig";
import { renderConfigFiles } from "../../../../provider/core/flux/configFiles";
import type { MiniClusterSpec } from "../../../../provider/core/parse/spec";
import { parseBurstClusterArgs } from "../../../support/specs";
import {
  aBurstClusterArgs,
  aGpuPool,
  aHome,
  aMiniCluster,
  aPlan,
  aPool,
  aRoot,
  operatorFlux,
} from "../../../support/fixtures";
import { expandHosts } from "../../../support/hostlists";
import { parseToml } from "../../../support/scripts/toml";

/** What Flux reads of a configuration. */
interface Config {
  bootstrap: { hosts: { host: string; connect?: string }[]; default_connect: string };
  resource: { path?: string; config?: { hosts: string; cores: string; gpus?: string; properties: string[] }[] };
  queues?: Record<string, { requires: string[] }>;
  policy?: unknown;
}

const read = async (spec: MiniClusterSpec) => (await parseToml(renderBrokerConfig(spec))) as Config;

/** The brokers in the order of their ranks, with the way to each (flux-config-bootstrap(5)). */
const ranks = ({ bootstrap }: Config) =>
  bootstrap.hosts.flatMap(({ host, connect }) => expandHosts(host).map((name) => [name, connect]));

/** Every cluster that joins one, each in a separate namespace. */
const joining = (home: MiniClusterSpec, sized: { size?: number } = {}) =>
  aPlan(home)
    .clusters.slice(1)
    .map(({ name }) => {
      const args = { namespace: `far-${name}`, root: aRoot({ plan: aPlan(home) }), ...sized };
      return parseBurstClusterArgs(name, aBurstClusterArgs(args));
    });

/** An instance: its root, the hosts of its ranks, and the cores and GPUs of each cluster that are known early. */
interface Shape {
  args?: Partial<MiniClusterArgs>;
  bursting?: Partial<BurstingArgs>;
  hosts: string;
  has?: [cores: string, gpus?: string][];
}

const shapes: Record<string, Shape> = {
  "one cluster, and jobs over both": { bursting: { spanClusters: true }, hosts: "home-[0-3],cloud-[0-7]" },
  "a lead broker alone, and one host": {
    args: { maxSize: 1 },
    bursting: { clusters: [{ name: "cloud", maxSize: 1 }] },
    hosts: "home-0,cloud-0",
  },
  "three clusters on hosts like the root's pool, but for one": {
    args: { pool: aPool() },
    bursting: {
      clusters: [
        { name: "east", maxSize: 3, properties: ["fast"] },
        { name: "west", size: 1, maxSize: 1, cores: 96, gpus: 8 },
        { name: "n7", maxSize: 12, size: 12, properties: ["fast", "n7", "east-like"] },
      ],
    },
    hosts: "home-[0-3],east-[0-2],west-0,n7-[0-11]",
    has: [["0-47"], ["0-47"], ["0-95", "0-7"], ["0-47"]],
  },
  "pools everywhere": {
    args: { pool: aPool({ pool: "own" }) },
    bursting: {
      spanClusters: true,
      clusters: [
        { name: "gpus", maxSize: 2, pool: aGpuPool({ pool: "p5" }) },
        { name: "some", maxSize: 1, pool: aGpuPool({ pool: "p4" }, { cores: 1 }), gpus: 4 },
      ],
    },
    hosts: "home-[0-3],gpus-[0-1],some-0",
    has: [["0-47"], ["0-47", "0-7"], ["0", "0-3"]],
  },
  "cores that are known of one side alone": {
    bursting: { clusters: [{ name: "cloud", maxSize: 2, cores: 8 }] },
    hosts: "home-[0-3],cloud-[0-1]",
  },
};

for (const [name, { args = {}, bursting = {}, hosts, has }] of Object.entries(shapes))
  describe(`both sides of an instance with ${name}`, () => {
    const home = aHome(args, bursting);
    const all = joining(home);
    const { clusters } = home.instance;
    let root: Config;
    before(async () => void (root = await read(home)));

    it("are the same except for their domains, and reach rank 0 by the endpoint on the joining side", async () => {
      const want = expandHosts(hosts);
      const ways = (lead?: string) => want.map((host, rank) => [host, rank === 0 ? lead : undefined]);
      assert.deepEqual(ranks(root), ways());
      for (const spec of all) {
        const side = await read(spec);
        assert.deepEqual(ranks(side), ways("tcp://@LEAD_BROKER@"));
        const own = `tcp://%h.${spec.name}.far-${spec.name}.svc.cluster.local.:%p`;
        const bootstrap = { ...root.bootstrap, hosts: side.bootstrap.hosts, default_connect: own };
        assert.deepEqual(side, { ...root, bootstrap });
      }
      for (const spec of [home, ...all]) assert.ok(brokerOptions(spec).includes("-Stbon.topo=kary:0"));
    });

    it("have the hardware of every cluster, which its first property identifies", () => {
      if (!has) return assert.deepEqual(Object.keys(root.resource), ["path"]);
      const found = root.resource.config ?? [];
      assert.equal(found.map((entry) => entry.hosts).join(), hosts);
      assert.deepEqual(
        found.map(({ properties, cores, gpus }) => [properties[0], cores, ...(gpus ? [gpus] : [])]),
        clusters.map((cluster, index) => [cluster.name, ...(has[index] ?? [])]),
      );
      for (const { properties } of found) {
        assert.equal(new Set(properties).size, properties.length);
        assert.equal(clusters.filter((cluster) => properties.includes(cluster.name)).length, 1);
      }
    });

    it(bursting.spanClusters ? "have no queues" : "have a queue for each cluster, that of the lead by default", () => {
      const queues = Object.fromEntries(clusters.map((one) => [one.name, { requires: [one.name] }]));
      const policy = { jobspec: { defaults: { system: { queue: "home" } } } };
      assert.deepEqual([root.queues, root.policy], bursting.spanClusters ? [undefined, undefined] : [queues, policy]);
    });

    it("are the same texts for all sizes and plans of the root", () => {
      const planned = burstingOf(home)?.clusters.map(({ pool: _pool, ...one }, index) => ({
        ...one,
        size: one.maxSize,
        pool: bursting.clusters?.[index]?.pool,
      }));
      const grown = aHome({ ...args, size: 1 }, { ...bursting, ...(planned && { clusters: planned }) });
      assert.deepEqual(renderConfigFiles(grown), renderConfigFiles(home));
      for (const changed of [joining(grown), joining(home, { size: 0 }), joining(home, { size: 1 })])
        assert.deepEqual(changed.map(renderConfigFiles), all.map(renderConfigFiles));
    });
  });

describe("both sides of an instance", () => {
  it("have the properties of a host: its cluster's name, those of its pool and those of the user, each once", () => {
    const pool = aGpuPool({ pool: "p5" }, { gpuModel: "H100" });
    const clusters = [{ name: "cloud", maxSize: 1, pool, properties: ["dear", "efa"] }];
    const plan = aPlan(aHome({ pool: aPool() }, { clusters }));
    const properties = plan.clusters.map((one) => one.properties.join());
    assert.deepEqual(properties, ["home,hpc,amd64", "cloud,p5,amd64,h100,efa,dear"]);
  });

  for (const mountPath of ['/mnt/it\'s "b" \\c', undefined])
    it(`have the Flux volume at the same place: ${mountPath}`, async () => {
      const home = aHome({ flux: { container: { mountPath } } });
      const root = aRoot({ plan: { ...aPlan(home), mountPath } as BurstPlan });
      const place = `${mountPath ?? "/mnt/flux"}/config/etc/flux/system/R`;
      for (const spec of [home, parseBurstClusterArgs("cloud", aBurstClusterArgs({ root }))])
        assert.equal((await read(spec)).resource.path, place);
    });
});

describe("the operator's form of bursting", () => {
  const clusters = [{ name: "east", size: 3 }, {}];
  const leadBroker = { address: "lead.example.com", name: "demo", size: 4, port: 30_050 };
  const root = (bursting: object): Partial<MiniClusterArgs> => ({ maxSize: 4, flux: operatorFlux({ bursting }) });
  const east = {
    name: "east",
    maxSize: 3,
    containers: [{ image: "i" }],
    flux: operatorFlux({ bursting: { leadBroker, clusters } }),
  };

  it("has the same ranks in both clusters, and differs only in the endpoint of the lead broker", async () => {
    const named = [
      { name: "east", size: 3 },
      { name: "b", size: 1 },
    ];
    const known = ranks(await read(aMiniCluster(root({ clusters: named }))));
    const joined = aMiniCluster({ ...east, flux: operatorFlux({ bursting: { leadBroker, clusters: named } }) });
    assert.deepEqual(ranks(await read(joined)), [["demo-0", "tcp://lead.example.com:30050"], ...known.slice(1)]);
  });

  const trees: [name: string, args: Partial<MiniClusterArgs>, isFlat: boolean][] = [
    ["no cluster but its own", root({ clusters: [] }), false],
    ["clusters that join", root({ clusters }), true],
    ["a hostlist", root({ hostlist: "demo-[0-3],a" }), true],
    ["a lead broker elsewhere", east, true],
    ["a minimal service", { flux: operatorFlux({ minimalService: true }) }, true],
  ];
  for (const [name, args, isFlat] of trees)
    it(`is a ${isFlat ? "flat tree" : "tree of fan-out 256"} with ${name}`, () =>
      assert.equal(brokerOptions(aMiniCluster(args)).includes("-Stbon.topo=kary:0"), isFlat));
});
