import * as assert from "node:assert/strict";
import type { MiniClusterArgs, MiniClusterBurstingArgs } from "../../../provider";
import { renderBrokerConfig } from "../../../provider/minicluster/flux/brokerConfig";
import { brokerOptions } from "../../../provider/minicluster/flux/brokerOptions";
import { aContainer, aMiniCluster } from "../../support/fixtures";
import { expandHosts } from "../../support/hostlists";
import { parseToml } from "../../support/scripts/toml";

interface Host {
  host: string;
  connect?: string;
}

/** The entries of a cluster's `bootstrap.hosts`. */
async function entries(args: Partial<MiniClusterArgs>): Promise<Host[]> {
  const { bootstrap } = (await parseToml(renderBrokerConfig(aMiniCluster(args)))) as { bootstrap: { hosts: Host[] } };
  return bootstrap.hosts;
}

/** The hosts one by one, in the order of their ranks, as flux-config-bootstrap(5) reads them. */
const ranks = (hosts: Host[]) =>
  hosts.flatMap(({ host, ...others }) => expandHosts(host).map((name) => ({ host: name, ...others })));

const followers = { containers: [aContainer({ command: undefined })] };
const clusters = [{ name: "east", size: 3 }, { name: "west", size: 1 }]; // prettier-ignore
const leadBroker = { address: "lead.example.com", name: "demo", size: 4, port: 30_050 };
const connect = "tcp://lead.example.com:30050";

const root = (bursting: MiniClusterBurstingArgs) => ({ size: 2, maxSize: 4, flux: { bursting } });
const burst = (name: string, size: number, bursting: MiniClusterBurstingArgs) => ({
  ...{ name, size, ...followers },
  flux: { bursting: { leadBroker, ...bursting } },
});

describe("hosts of an instance over clusters", () => {
  it("are those of the lead's cluster, and then those of the others in their order", async () => {
    assert.deepEqual(await entries(root({ clusters })), [{ host: "demo-[0-3],east-[0-2],west-0" }]);
    assert.deepEqual(await entries(burst("east", 2, { clusters })), [
      { host: "demo-0", connect },
      { host: "demo-[1-3],east-[0-2],west-0" },
    ]);
  });

  it("have one rank on every side, and another way to the lead alone", async () => {
    const [onRoot, ...onBurst] = await Promise.all(
      [root({ clusters }), burst("east", 3, { clusters }), burst("west", 1, { clusters })].map(async (args) =>
        ranks(await entries(args)),
      ),
    );
    const hosts = "demo-0 demo-1 demo-2 demo-3 east-0 east-1 east-2 west-0".split(" ").map((host) => ({ host }));
    assert.deepEqual(onRoot, hosts);
    for (const side of onBurst) assert.deepEqual(side, [{ host: "demo-0", connect }, ...hosts.slice(1)]);
  });

  it("are named and counted like the lead's cluster where nothing else is said", async () => {
    assert.deepEqual(await entries(root({ clusters: [{}, { size: 1 }, { name: "own" }] })), [
      { host: "demo-[0-3],burst-0-[0-3],burst-1-0,own-[0-3]" },
    ]);
  });

  it("are those of the hostlist, on both sides", async () => {
    const hostlist = "demo-[0-3],node[07-09,12]";
    assert.deepEqual(await entries(root({ hostlist })), [{ host: hostlist }]);
    assert.deepEqual(await entries(burst("node", 1, { hostlist })), [
      { host: "demo-0", connect },
      { host: "demo-[1-3],node[07-09,12]" },
    ]);
  });

  it("keep a lead of a single host, and the usual port", async () => {
    const lone = { address: "10.0.0.7", name: "demo", size: 1 };
    assert.deepEqual(await entries(burst("east", 1, { leadBroker: lone, clusters })), [
      { host: "demo-0", connect: "tcp://10.0.0.7:8050" },
      { host: "east-[0-2],west-0" },
    ]);
  });

  it("are all that differs between the sides' configurations, but for the service's name", () => {
    const text = (args: Partial<MiniClusterArgs>) =>
      renderBrokerConfig(aMiniCluster({ network: { headlessName: "hosts" }, ...args })).replace(/^ {2}\{ .*\n/gm, "");
    assert.equal(text(burst("east", 1, { clusters })), text(root({ clusters })));
  });
});

describe("tree of the brokers", () => {
  const topology = "-Stbon.topo=kary:0";
  const flat: [string, Partial<MiniClusterArgs>, boolean][] = [
    ["one cluster", {}, false],
    ["no cluster but its own", root({ clusters: [] }), false],
    ["clusters that join", root({ clusters }), true],
    ["a hostlist", root({ hostlist: "demo-[0-3],a" }), true],
    ["a lead broker elsewhere", burst("east", 1, { clusters }), true],
    ["a minimal service", { flux: { minimalService: true } }, true],
    ["a minimal service and the same topology", { flux: { minimalService: true, topology: "kary:0" } }, true],
  ];
  for (const [name, args, isFlat] of flat)
    it(`is ${isFlat ? "flat" : "of fan-out 256"} with ${name}`, () => {
      const options = brokerOptions(aMiniCluster(args)).filter((option) => option.startsWith("-Stbon.topo"));
      assert.deepEqual(options, isFlat ? [topology] : []);
    });
});

describe("minimal service", () => {
  const lead = { host: "demo-0", connect: "tcp://hosts.people.svc.cluster.local:8050" };
  const args = { namespace: "people", network: { headlessName: "hosts" } };

  it("is where the lead is reached, whose own name nobody knows", async () => {
    assert.deepEqual(await entries({ ...args, size: 8, flux: { minimalService: true } }), [
      lead,
      { host: "demo-[1-7]" },
    ]);
  });

  it("leaves no empty entry in a cluster of one host", async () => {
    assert.deepEqual(await entries({ ...args, flux: { minimalService: true } }), [lead]);
  });

  it("is where the brokers of other clusters do not look for a lead that has an address", async () => {
    const { flux, ...others } = burst("east", 1, { clusters });
    const [first] = await entries({ ...args, ...others, flux: { ...flux, minimalService: true } });
    assert.deepEqual(first, { host: "demo-0", connect });
  });
});
