import { errorsAt, itValidates, sharing } from "../../../support/problems";
import { aLeadBroker, aSidecar } from "../../../support/fixtures";

describe("the operator's form of bursting, where others join", () => {
  itValidates([
    {
      name: "duplicate names of clusters, a hostlist beside them and a policy",
      args: {
        flux: {
          bursting: {
            hostlist: "demo-[0-3]",
            clusters: [{ name: "demo" }, { name: "a" }, { name: "burst-3" }, {}, { name: "a" }],
          },
        },
        network: { policy: "brokerPort" },
      },
      errors: [
        "flux.bursting.hostlist: names every host of the instance, and so do the clusters; give one of them",
        'flux.bursting.clusters[0].name: "demo" is the name of the lead broker\'s cluster too; rename one of them',
        'flux.bursting.clusters[3].name: "burst-3" is the name of clusters[2] too; rename one of them',
        'flux.bursting.clusters[4].name: "a" is the name of clusters[1] too; rename one of them',
        "network.policy: shuts out the brokers of the clusters that join; remove it, and write a policy that " +
          "names them",
      ],
    },
    {
      name: "a hostlist that is none",
      args: { flux: { bursting: { hostlist: "demo 0" } } },
      errors: ['flux.bursting.hostlist: "demo 0" must be a Flux hostlist such as "demo-[0-3],node[1-4]"'],
    },
    {
      name: "a host that is listed twice",
      args: { flux: { bursting: { hostlist: "demo-[0-3],demo-2" } } },
      errors: ["flux.bursting.hostlist: names the host demo-2 twice, and a host has one rank; name it once"],
    },
    {
      name: "clusters with and without names, without a policy",
      args: { flux: { bursting: { clusters: [{}, { name: "b", size: 2 }, {}] } }, network: { policy: "none" } },
    },
  ]);
});

describe("the operator's form of bursting, where the cluster joins", () => {
  itValidates(
    [
      {
        name: "the lead broker's name for a cluster, and a cluster that is not listed",
        args: {
          name: "elsewhere",
          flux: { bursting: { leadBroker: aLeadBroker(), clusters: [{}, { name: "demo" }] } },
        },
        errors: [
          'flux.bursting.clusters[1].name: "demo" is the name of the lead broker\'s cluster too; rename one of them',
          'flux.bursting.clusters: the lead broker knows no hosts of "elsewhere"; add a cluster of this name, or ' +
            "name this cluster like one of them",
        ],
      },
      {
        name: "a maxSize above the hosts in the list",
        args: {
          maxSize: 3,
          flux: {
            bursting: { leadBroker: aLeadBroker(), clusters: [{ name: "other" }, { name: "burst-0", size: 2 }] },
          },
        },
        errors: ["maxSize: the lead broker knows 2 hosts of this cluster; lower maxSize or raise clusters[1].size"],
      },
      {
        name: "a maxSize that is listed, a flat tree and a policy",
        args: {
          size: 1,
          maxSize: 2,
          network: { policy: "pods" },
          flux: { topology: "kary:0", bursting: { leadBroker: aLeadBroker(), clusters: [{ size: 2 }] } },
        },
      },
      {
        name: "a cluster in a hostlist",
        args: { name: "elsewhere", flux: { bursting: { leadBroker: aLeadBroker(), clusters: [], hostlist: "a,b" } } },
      },
      {
        name: "settings that belong to the cluster with the lead broker",
        args: {
          wait: "complete",
          containers: [{ image: "i", command: "x", commands: { script: "x" } }],
          archive: { path: "/state/a.tar" },
          flux: { topology: "kary:2", disableSocket: true, bursting: { leadBroker: aLeadBroker(), clusters: [{}] } },
        },
        errors: [
          'wait: a cluster without a command of its own never completes; wait for "ready" or "none"',
          "containers[0].commands.script: script takes the place of command; give one of them",
          'flux.topology: brokers of another cluster reach only the lead broker; use "kary:0" or leave it out',
          "archive: the state is the lead broker's, and it runs in another cluster; set the archive there",
          "flux.disableSocket: Flux names its own socket after the rank in the instance, which no pod here " +
            "knows; remove it",
          ...errorsAt(
            ["containers[0].command", "containers[0].commands.script"],
            "the lead broker runs the command, and this cluster only joins it; remove it here",
          ),
        ],
      },
      {
        name: "the command of a sidecar",
        args: {
          containers: [{ image: "i", runFlux: true }, aSidecar()],
          flux: { bursting: { leadBroker: aLeadBroker(), clusters: [{}] } },
        },
      },
      {
        name: "a command of an interactive cluster",
        args: {
          containers: [{ image: "i", command: "x" }],
          interactive: true,
          flux: { bursting: { leadBroker: aLeadBroker(), clusters: [{}] } },
        },
      },
      {
        name: "an address, a port and a size out of range",
        args: {
          flux: {
            bursting: { leadBroker: aLeadBroker({ address: "tcp://203.0.113.7", port: 0, size: 0 }), clusters: [{}] },
          },
        },
        errors: [
          'flux.bursting.leadBroker.address: "tcp://203.0.113.7" must be an IP address or a host name alone; the ' +
            "port is its own property",
          "flux.bursting.leadBroker.size: 0 must be an integer from 1 to 100000",
          "flux.bursting.leadBroker.port: 0 must be an integer from 1 to 65535",
        ],
      },
      {
        name: "a lead broker without an address",
        args: { flux: { bursting: { leadBroker: { name: "demo", size: 4 } as never, clusters: [{}] } } },
        errors: ["flux.bursting.leadBroker.address: is required; must be a string that is not empty"],
      },
    ],
    sharing({ name: "burst-0", containers: [{ image: "i" }] }),
  );
});
