import * as assert from "node:assert/strict";
import type { MiniClusterArgs, MiniClusterBurstingArgs, MiniClusterLeadBrokerArgs } from "../../../../provider";
import { leadEndpoint } from "../../../../provider/minicluster/hosts";
import { standInCertificate } from "../../../support/everything";
import { aContainer, aMiniCluster, aMiniClusterArgs } from "../../../support/fixtures";
import { itAccepts, itRefuses, problemsOf } from "../../../support/problems";

/** The cluster of the lead broker. */
const root = (bursting: MiniClusterBurstingArgs, args: Partial<MiniClusterArgs> = {}) => ({
  ...args,
  flux: { bursting },
});

/** A cluster that joins the cluster "demo", as its first. */
const joining = (
  { leadBroker, ...bursting }: Omit<MiniClusterBurstingArgs, "leadBroker"> & { leadBroker?: object } = {},
  args: Partial<MiniClusterArgs> = {},
) => ({
  ...{ name: "burst-0", containers: [{ image: "i" }], ...args },
  flux: {
    bursting: {
      leadBroker: { address: "203.0.113.7", name: "demo", size: 4, ...leadBroker } as MiniClusterLeadBrokerArgs,
      clusters: [{}],
      ...bursting,
    },
  },
});
const lead = (leadBroker: object) => joining({ leadBroker });
const at = "flux.bursting";
const onlyJoins = "the lead broker runs the command, and this cluster only joins it; remove it here";

describe("the rules of bursting", () => {
  describe("on hosts", () => {
    itRefuses([
      {
        rule: "a hostlist beside clusters",
        args: root({ hostlist: "demo-[0-3]", clusters: [{}] }),
        path: `${at}.hostlist`,
        says: "names every host of the instance, and so do the clusters; give one of them",
      },
      {
        rule: "a cluster with the name of the lead broker's",
        args: root({ clusters: [{ name: "demo" }] }),
        path: `${at}.clusters[0].name`,
        says: `"demo" is the name of the lead broker's cluster too; rename one of them`,
      },
      {
        rule: "two clusters of one name",
        args: root({ clusters: [{ name: "a" }, { name: "b" }, { name: "a" }] }),
        path: `${at}.clusters[2].name`,
        says: '"a" is the name of clusters[0] too; rename one of them',
      },
      {
        rule: "a cluster with the default name of a later one",
        args: root({ clusters: [{ name: "burst-1" }, {}] }),
        path: `${at}.clusters[1].name`,
        says: '"burst-1" is the name of clusters[0] too; rename one of them',
      },
      {
        rule: "a joining cluster with the name of the lead broker's among its clusters",
        args: joining({ clusters: [{}, { name: "demo" }] }),
        path: `${at}.clusters[1].name`,
        says: `"demo" is the name of the lead broker's cluster too; rename one of them`,
      },
      {
        rule: "a joining cluster that is in no cluster",
        args: joining({}, { name: "elsewhere" }),
        path: `${at}.clusters`,
        says:
          'the lead broker knows no hosts of "elsewhere"; ' +
          "add a cluster of this name, or name this cluster like one of them",
      },
      {
        rule: "a maxSize above what the lead broker knows",
        args: joining({ clusters: [{ name: "other" }, { name: "burst-0", size: 2 }] }, { maxSize: 3 }),
        path: "maxSize",
        says: "the lead broker knows 2 hosts of this cluster; lower maxSize or raise clusters[1].size",
      },
      {
        rule: "a size above what the lead broker knows",
        args: joining({ clusters: [{ size: 2 }] }, { size: 3 }),
        path: "maxSize",
        says: "the lead broker knows 2 hosts of this cluster; lower maxSize or raise clusters[0].size",
      },
    ]);
    itAccepts({
      "clusters with and without names": root({ clusters: [{}, { name: "b", size: 2 }, {}] }),
      "a hostlist": root({ hostlist: "demo-[0-3],node[1-4,7]" }),
      "a joining cluster": joining(),
      "a joining cluster as large as it is known": joining({ clusters: [{ size: 2 }] }, { size: 1, maxSize: 2 }),
      "a joining cluster that a hostlist names": joining({ clusters: [], hostlist: "a,b" }, { name: "elsewhere" }),
      "a joining cluster with the flat tree that it has": {
        ...joining(),
        flux: { ...joining().flux, topology: "kary:0" },
      },
    });
  });

  describe("on what the joining cluster runs", () => {
    itRefuses([
      {
        rule: "a command",
        args: joining({}, { containers: [aContainer()] }),
        path: "containers[0].command",
        says: onlyJoins,
      },
      {
        rule: "a script",
        args: joining({}, { containers: [{ image: "i", commands: { script: "x" } }] }),
        path: "containers[0].commands.script",
        says: onlyJoins,
      },
      {
        rule: "to wait for its end",
        args: joining({}, { wait: "complete" }),
        path: "wait",
        says: 'a cluster without a command of its own never completes; wait for "ready" or "none"',
      },
      {
        rule: "a deep tree",
        args: { ...joining(), flux: { ...joining().flux, topology: "kary:2" } },
        path: "flux.topology",
        says: 'brokers of another cluster reach only the lead broker; use "kary:0" or leave it out',
      },
    ]);
    itAccepts({
      "the command of a sidecar": joining(
        {},
        { containers: [{ image: "i", runFlux: true }, aContainer({ name: "side" })] },
      ),
      "a command that is only there for people": joining({}, { interactive: true, containers: [aContainer()] }),
    });
  });

  describe("on the form of things", () => {
    const address = /must be an IP address or a host name alone; the port is its own property$/;
    itRefuses([
      ...["tcp://203.0.113.7", "a b", "host/path"].map((text) => ({
        rule: `the address ${text}`,
        args: lead({ address: text }),
        path: `${at}.leadBroker.address`,
        says: address,
      })),
      {
        rule: "an address of IP version 6",
        args: lead({ address: "2001:db8::7" }),
        path: `${at}.leadBroker.address`,
        says: '"2001:db8::7" is an IPv6 address, and the brokers use IPv4; give a host name or an IPv4 address',
      },
      {
        rule: "a certificate for an address, and shows nothing of it",
        args: lead({ address: standInCertificate }),
        path: `${at}.leadBroker.address`,
        says: "must be an IP address or a host name alone; the port is its own property",
      },
      {
        rule: "no address",
        args: lead({ address: undefined }),
        path: `${at}.leadBroker.address`,
        says: "must be a string that is not empty",
      },
      ...[0, 65_536, 1.5].map((port) => ({
        rule: `port ${port}`,
        args: lead({ port }),
        path: `${at}.leadBroker.port`,
        says: `${port} must be an integer from 1 to 65535`,
      })),
      {
        rule: "a lead broker in a cluster of no host",
        args: lead({ size: 0 }),
        path: `${at}.leadBroker.size`,
        says: "0 must be an integer from 1 to 100000",
      },
      {
        rule: "a cluster of no host",
        args: root({ clusters: [{ size: 0 }] }),
        path: `${at}.clusters[0].size`,
        says: "0 must be an integer from 1 to 100000",
      },
      {
        rule: "a cluster whose name is no host's",
        args: root({ clusters: [{ name: "A" }] }),
        path: `${at}.clusters[0].name`,
        says: /^"A" must be a lowercase DNS label/,
      },
      ...["demo 0", "demo-{0-3}", 'a"b'].map((hostlist) => ({
        rule: `the hostlist ${hostlist}`,
        args: root({ hostlist }),
        path: `${at}.hostlist`,
        says: `${JSON.stringify(hostlist)} must be a Flux hostlist such as "demo-[0-3],node[1-4]"`,
      })),
    ]);
    itAccepts({
      "an IP address of version 4": lead({ address: "203.0.113.8" }),
      "a host name and a port": lead({ address: "lead.example.com", port: 30_850 }),
    });
  });

  it("report what is wrong on both sides at once", () => {
    const wrong = joining({ clusters: [{ name: "demo" }, { name: "demo" }] }, { containers: [aContainer()] });
    assert.deepEqual(
      problemsOf(aMiniClusterArgs(wrong)).map(({ propertyPath }) => propertyPath),
      [`${at}.clusters[0].name`, `${at}.clusters[1].name`, `${at}.clusters`, "containers[0].command"],
    );
  });
});

describe("the rules of bursting on what else is set", () => {
  itRefuses([
    {
      rule: "a network policy that shuts out those who join",
      args: { ...root({ clusters: [{}] }), network: { policy: "brokerPort" } },
      path: "network.policy",
      says: "shuts out the brokers of the clusters that join; remove it, and write a policy that names them",
    },
    {
      rule: "an archive where the lead broker is not",
      args: joining({}, { archive: { path: "/state/a.tar" } }),
      path: "archive",
      says: "the state is the lead broker's, and it runs in another cluster; set the archive there",
    },
    {
      rule: "Flux's own socket where no pod knows its rank",
      args: { ...joining(), flux: { ...joining().flux, disableSocket: true } },
      path: "flux.disableSocket",
      says: "Flux names its own socket after the rank in the instance, which no pod here knows; remove it",
    },
  ]);

  itAccepts({
    "a network policy on the side that joins": joining({}, { network: { policy: "pods" } }),
    "a root that lets everybody in by name": { ...root({ clusters: [{}] }), network: { policy: "none" } },
  });
});

describe("the plan of bursting", () => {
  it("gives clusters their names by their places, and the hosts of this cluster", () => {
    const { clusters } = aMiniCluster(root({ clusters: [{}, { name: "b", size: 2 }, {}] }, { maxSize: 8 })).instance;
    assert.deepEqual(clusters.slice(1), [
      { name: "burst-0", hosts: 8, properties: [] },
      { name: "b", hosts: 2, properties: [] },
      { name: "burst-2", hosts: 8, properties: [] },
    ]);
  });

  const topologies: [name: string, args: Partial<MiniClusterArgs>, want: string | undefined][] = [
    ["open without bursting", {}, undefined],
    ["open where no cluster joins", root({ clusters: [] }), undefined],
    ["flat where clusters join", root({ clusters: [{}] }), "kary:0"],
    ["flat where a hostlist is given", root({ hostlist: "a,b" }), "kary:0"],
    ["flat where the lead broker is elsewhere", joining(), "kary:0"],
    ["flat where only the lead broker has an address", { flux: { minimalService: true } }, "kary:0"],
  ];
  for (const [name, args, want] of topologies)
    it(`has a tree that is ${name}`, () => assert.equal(aMiniCluster(args).flux.topology, want));

  it("reaches the lead broker at the port of the brokers", () =>
    assert.match(leadEndpoint(aMiniCluster(joining())), /:8050$/));
});
