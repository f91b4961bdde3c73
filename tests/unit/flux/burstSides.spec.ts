import * as assert from "node:assert/strict";
import type { BurstingArgs, BurstPlan, MiniClusterArgs } from "../../../provider";
import { renderBrokerConfig } from "../../../provider/minicluster/flux/brokerConfig";
import { brokerOptions } from "../../../provider/minicluster/flux/brokerOptions";
import { renderConfigFiles } from "../../../provider/minicluster/flux/configFiles";
import { renderBrokerScript } from "../../../provider/minicluster/flux/scripts/broker";
import type { MiniClusterSpec } from "../../../provider/minicluster/parse/spec";
import { parseBurstClusterArgs } from "../../../provider/bursting/parse";
import { aBurstClusterArgs, aGpuPool, aHome, aPlan, aPool, aRoot } from "../../support/fixtures";
import { expandHosts } from "../../support/hostlists";
import { parseToml } from "../../support/scripts/toml";

/** One broker of the instance, as a configuration has it. */
interface Rank {
  host: string;
  connect?: string;
}

/** What Flux reads of a configuration. */
interface Config {
  bootstrap: { hosts: Rank[]; default_port: number; default_bind: string; default_connect: string };
  resource: { path?: string; config?: { hosts: string; cores: string; gpus?: string; properties?: string[] }[] };
  queues?: Record<string, { requires: string[] }>;
  policy?: unknown;
  "sched-fluxion-qmanager"?: unknown;
}

const read = async (spec: MiniClusterSpec) => (await parseToml(renderBrokerConfig(spec))) as Config;

/** The brokers in the order of their ranks (flux-config-bootstrap(5)). */
const ranks = ({ bootstrap }: Config): Rank[] =>
  bootstrap.hosts.flatMap(({ host, ...others }) => expandHosts(host).map((name) => ({ host: name, ...others })));

/** What the configuration says of each host, in the order of the ranks. */
function hardware(config: Config): unknown[] | undefined {
  const entries = config.resource.config;
  if (!entries) return undefined;
  const all = new Map(entries.flatMap(({ hosts, ...has }) => expandHosts(hosts).map((host) => [host, has])));
  return ranks(config).map(({ host }) => all.get(host) ?? assert.fail(`nothing is said of ${host}`));
}

/** Every cluster that joins one, each in a namespace of its own. */
const joining = (home: MiniClusterSpec, size?: number) =>
  aPlan(home)
    .clusters.slice(1)
    .map(({ name }) => {
      const args = {
        namespace: `far-${name}`,
        root: aRoot({ plan: aPlan(home) }),
        ...(size !== undefined && { size }),
      };
      return parseBurstClusterArgs(name, aBurstClusterArgs(args));
    });

const three = [
  { name: "east", maxSize: 3, properties: ["fast"] },
  { name: "west", size: 1, maxSize: 1 },
  { name: "n7", maxSize: 12, size: 12, properties: ["fast", "n7", "east-like"] },
];
const hosts = ["home-0", "home-1", "home-2", "home-3"];
const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}`);

/** An instance: arguments of its root, and what every rank has, where that is known before the brokers start. */
interface Shape {
  args: Partial<MiniClusterArgs>;
  bursting: Partial<BurstingArgs>;
  ranks: string[];
  cores?: string[];
  gpus?: (string | undefined)[];
}

const times = <T>(...groups: [count: number, value: T][]) =>
  groups.flatMap(([count, value]) => many("", count).map(() => value));

const shapes: Record<string, Shape> = {
  "one cluster": { args: {}, bursting: {}, ranks: [...hosts, ...many("cloud", 8)] },
  "one cluster and jobs over both": {
    args: {},
    bursting: { spanClusters: true },
    ranks: [...hosts, ...many("cloud", 8)],
  },
  "a lead broker alone, and one host": {
    args: { maxSize: 1 },
    bursting: { clusters: [{ name: "cloud", maxSize: 1 }] },
    ranks: ["home-0", "cloud-0"],
  },
  "three clusters": {
    args: {},
    bursting: { clusters: three },
    ranks: [...hosts, ...many("east", 3), "west-0", ...many("n7", 12)],
  },
  "three clusters on hosts like the root's pool, but for one": {
    args: { pool: aPool() },
    bursting: { clusters: three.map((one, index) => (index === 1 ? { ...one, cores: 96, gpus: 8 } : one)) },
    ranks: [...hosts, ...many("east", 3), "west-0", ...many("n7", 12)],
    cores: times([7, "0-47"], [1, "0-95"], [12, "0-47"]),
    gpus: times<string | undefined>([7, undefined], [1, "0-7"], [12, undefined]),
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
    ranks: [...hosts, "gpus-0", "gpus-1", "some-0"],
    cores: times([6, "0-47"], [1, "0"]),
    gpus: times<string | undefined>([4, undefined], [2, "0-7"], [1, "0-3"]),
  },
  "cores that are known of one side alone": {
    args: {},
    bursting: { clusters: [{ name: "cloud", maxSize: 2, cores: 8 }] },
    ranks: [...hosts, "cloud-0", "cloud-1"],
  },
};

for (const [name, { args, bursting, ranks: want, cores, gpus }] of Object.entries(shapes))
  describe(`both sides of an instance with ${name}`, () => {
    const home = aHome(args, bursting);
    const all = joining(home);
    let root: Config;
    let others: Config[];
    before(async () => {
      root = await read(home);
      others = await Promise.all(all.map(read));
    });

    it("know every rank under one host name", () => {
      for (const side of [root, ...others])
        assert.deepEqual(
          ranks(side).map(({ host }) => host),
          want,
        );
    });

    it("reach rank 0 by the endpoint on the side that joins, and every other rank alike", () => {
      assert.deepEqual(
        ranks(root).map(({ connect }) => connect),
        times([want.length, undefined]),
      );
      for (const side of others)
        assert.deepEqual(
          ranks(side).map(({ connect }) => connect),
          times<string | undefined>([1, "tcp://@LEAD_BROKER@"], [want.length - 1, undefined]),
        );
    });

    it("bind to the same port, and only the domain of the host names is each one's own", () => {
      const general = ({ bootstrap: { hosts: _hosts, default_connect: _own, ...rest } }: Config) => rest;
      for (const side of others) assert.deepEqual(general(side), general(root));
      assert.equal(root.bootstrap.default_connect, "tcp://%h.home.default.svc.cluster.local:%p");
      assert.deepEqual(
        others.map(({ bootstrap }) => bootstrap.default_connect),
        all.map(({ name }) => `tcp://%h.${name}.far-${name}.svc.cluster.local:%p`),
      );
    });

    it("are a flat tree, by the one option", () => {
      for (const spec of [home, ...all])
        assert.deepEqual(
          brokerOptions(spec).filter((option) => option.startsWith("-Stbon.topo")),
          ["-Stbon.topo=kary:0"],
        );
    });

    it("say the same of the hosts of every rank", () => {
      for (const side of others) assert.deepEqual(side.resource, root.resource);
      if (!cores) return assert.deepEqual(Object.keys(root.resource), ["path"]);
      const has = hardware(root) as { cores: string; gpus?: string; properties: string[] }[];
      assert.deepEqual(
        has.map((each) => each.cores),
        cores,
      );
      assert.deepEqual(
        has.map((each) => each.gpus),
        gpus,
      );
      has.forEach(({ properties }, rank) => {
        const cluster = want[rank]?.replace(/-\d+$/, "") ?? "";
        assert.equal(properties[0], cluster);
        assert.equal(new Set(properties).size, properties.length);
        for (const other of home.instance.clusters)
          if (other.name !== cluster) assert.ok(!properties.includes(other.name), `${want[rank]} ${other.name}`);
      });
    });

    it("describe the same hosts where the brokers have to look for themselves", () => {
      const described = (spec: MiniClusterSpec) =>
        /^.*flux R encode[^>]*>/ms
          .exec(renderBrokerScript(spec))?.[0]
          .split("\n")
          .filter((line) => line.includes("flux R encode"));
      assert.equal(described(home)?.length, cores ? undefined : home.instance.clusters.length);
      for (const spec of all) assert.deepEqual(described(spec), described(home));
    });

    it(
      bursting.spanClusters ? "have no queues" : "have a queue for each cluster, and that of the lead by default",
      () => {
        const queues = Object.fromEntries(home.instance.clusters.map((one) => [one.name, { requires: [one.name] }]));
        const policy = { jobspec: { defaults: { system: { queue: "home" } } } };
        for (const { queues: has, policy: says, "sched-fluxion-qmanager": qmanager } of [root, ...others]) {
          assert.deepEqual([has, says], bursting.spanClusters ? [undefined, undefined] : [queues, policy]);
          assert.deepEqual(qmanager, { "queue-policy": "fcfs" });
        }
      },
    );

    it("are the same texts, whatever the sizes are", () => {
      for (const size of [1, args.maxSize ?? 4])
        assert.deepEqual(renderConfigFiles(aHome({ ...args, size }, bursting)), renderConfigFiles(home));
      for (const size of [0, 1]) {
        const changed = joining(home, size);
        assert.deepEqual(changed.map(renderConfigFiles), all.map(renderConfigFiles));
      }
    });

    it("are the same texts, whatever sizes the root plans", () => {
      const clusters = home.bursting?.clusters.map(({ pool: _pool, ...one }, index) => ({
        ...one,
        pool: bursting.clusters?.[index]?.pool,
        size: one.maxSize,
      }));
      const grown = aHome(args, { ...bursting, ...(clusters && { clusters }) });
      assert.deepEqual(renderConfigFiles(grown), renderConfigFiles(home));
      assert.deepEqual(joining(grown).map(renderConfigFiles), all.map(renderConfigFiles));
    });
  });

describe("properties of the hosts of an instance", () => {
  const propertiesOf = (args: Partial<MiniClusterArgs>, bursting: Partial<BurstingArgs>) =>
    aPlan(aHome(args, bursting)).clusters.map(({ properties }) => properties);

  it("are the cluster's name, what its pool has, and what the user says, each of them once", () => {
    const pool = aGpuPool({ pool: "p5" }, { gpuModel: "H100" });
    assert.deepEqual(
      propertiesOf({ pool: aPool() }, { clusters: [{ name: "cloud", maxSize: 1, pool, properties: ["dear", "efa"] }] }),
      [
        ["home", "hpc", "amd64"],
        ["cloud", "p5", "amd64", "h100", "efa", "dear"],
      ],
    );
  });

  it("are the names alone, where no more is known", () =>
    assert.deepEqual(propertiesOf({}, {}), [["home"], ["cloud"]]));
});

describe("the directory of the Flux volume", () => {
  const sides = (mountPath?: string) => {
    const home = aHome({ flux: { container: { mountPath } } });
    return { home, cloud: joining(home)[0] ?? assert.fail("nobody joins") };
  };

  for (const mountPath of ["/data/flux", "/mnt/it's a path"])
    it(`is ${mountPath} on the side that joins, where the root has it there`, async () => {
      const { home, cloud } = sides(mountPath);
      assert.equal(aPlan(home).mountPath, mountPath);
      assert.equal(cloud.flux.container.mountPath, mountPath);
      const places = await Promise.all([home, cloud].map(async (spec) => (await read(spec)).resource.path));
      const resources = `${mountPath}/config/etc/flux/system/R`;
      assert.deepEqual(places, [resources, resources]);
      const writes = (spec: MiniClusterSpec) =>
        renderBrokerScript(spec)
          .split("\n")
          .filter((line) => line.includes("/etc/flux/system/R"));
      assert.notDeepEqual(writes(home), []);
      assert.deepEqual(writes(cloud), writes(home));
    });

  it("is that of every cluster, where nothing is said, and where a plan says nothing", () => {
    const { home, cloud } = sides();
    const root = aRoot({ plan: { ...aPlan(home), mountPath: undefined } as unknown as BurstPlan });
    for (const spec of [home, cloud, parseBurstClusterArgs("cloud", aBurstClusterArgs({ root }))])
      assert.equal(spec.flux.container.mountPath, "/mnt/flux");
  });

  it("leaves the rest of what is said of the view to each cluster", () => {
    const args = { root: aRoot({ plan: aPlan(sides("/data/flux").home) }), flux: { container: { image: "own" } } };
    const { container } = parseBurstClusterArgs("cloud", aBurstClusterArgs(args)).flux;
    assert.deepEqual([container.image, container.mountPath], ["own", "/data/flux"]);
  });
});

describe("the settings of the root's scheduler", () => {
  it("leave the sides' hosts, queues and resources the same", async () => {
    const home = aHome({ flux: { scheduler: { queuePolicy: "easy" } } });
    const [root, other] = [await read(home), await read(joining(home)[0] ?? assert.fail())];
    for (const part of ["queues", "policy", "resource"] as const) assert.deepEqual(other[part], root[part], part);
    assert.deepEqual(
      ranks(other).map(({ host }) => host),
      ranks(root).map(({ host }) => host),
    );
  });
});
