import { errorsAt, sharing, validating } from "../../../support/problems";
import { aLeadBroker, aSidecar, operatorFlux } from "../../../support/fixtures";

const { accepts, rejects, rejectsAll } = validating();

describe("the operator's form of bursting, where others join", () => {
  rejectsAll({ flux: { bursting: {}, minimalService: false } as object }, [
    "flux.minimalService: only a manifest of the Flux Operator has it; remove it",
    "flux.bursting: only a manifest of the Flux Operator has it; remove it, and set bursting of the cluster",
  ]);
  rejects({
    'flux.bursting.hostlist: "demo 0" must be a Flux hostlist such as "demo-[0-3],node[1-4]"': {
      flux: operatorFlux({ bursting: { hostlist: "demo 0" } }),
    },
    "flux.bursting.hostlist: lists the host demo-2 twice, and a host has one rank; list it once": {
      flux: operatorFlux({ bursting: { hostlist: "demo-[0-3],demo-2" } }),
    },
  });
  rejectsAll(
    {
      flux: operatorFlux({
        bursting: {
          hostlist: "demo-[0-3]",
          clusters: [{ name: "demo" }, { name: "a" }, { name: "burst-3" }, {}, { name: "a" }],
        },
      }),
      network: { policy: "brokerPort" },
    },
    [
      "flux.bursting.hostlist: lists all hosts of the instance, as do the clusters; keep one of them",
      'flux.bursting.clusters[0].name: "demo" is also the name of the lead broker\'s cluster; rename one of them',
      'flux.bursting.clusters[3].name: "burst-3" is also the name of clusters[2]; rename one of them',
      'flux.bursting.clusters[4].name: "a" is also the name of clusters[1]; rename one of them',
      "network.policy: blocks the brokers of the clusters that join; remove it, and write a policy that names them",
    ],
  );
  accepts({
    "clusters with and without names, without a policy": {
      flux: operatorFlux({ bursting: { clusters: [{}, { name: "b", size: 2 }, {}] } }),
      network: { policy: "none" },
    },
  });
});

describe("the operator's form of bursting, where the cluster joins", () => {
  const { accepts, rejects, rejectsAll } = validating(sharing({ name: "burst-0", containers: [{ image: "i" }] }));
  const joining = (bursting: object) => ({
    flux: operatorFlux({ bursting: { leadBroker: aLeadBroker(), clusters: [{}], ...bursting } }),
  });
  rejects({
    "maxSize: the lead broker lists 2 hosts of this cluster; lower maxSize or raise clusters[1].size": {
      maxSize: 3,
      ...joining({ clusters: [{ name: "other" }, { name: "burst-0", size: 2 }] }),
    },
    "flux.bursting.leadBroker.address: is required; must be a string that is not empty": joining({
      leadBroker: { name: "demo", size: 4 } as never,
    }),
  });
  rejectsAll(
    {
      name: "elsewhere",
      flux: operatorFlux({ bursting: { leadBroker: aLeadBroker(), clusters: [{}, { name: "demo" }] } }),
    },
    [
      'flux.bursting.clusters[1].name: "demo" is also the name of the lead broker\'s cluster; rename one of them',
      'flux.bursting.clusters: has no cluster "elsewhere", so the lead broker has no hosts for this cluster; add it, ' +
        "or use a listed name for this cluster",
    ],
  );
  rejectsAll(
    {
      wait: "complete",
      containers: [{ image: "i", command: "x", commands: { script: "x" } }],
      archive: { path: "/state/a.tar" },
      flux: operatorFlux({
        topology: "kary:2",
        disableSocket: true,
        bursting: { leadBroker: aLeadBroker(), clusters: [{}] },
      }),
    },
    [
      'wait: a cluster without a command never completes; wait for "ready" or "none"',
      "containers[0].commands.script: script replaces command; keep one of them",
      'flux.topology: brokers of another cluster can connect only to the lead broker; use "kary:0" or leave it out',
      "archive: saves the state of the lead broker, which runs in another cluster; set archive there",
      "flux.disableSocket: Flux's default socket is named after the rank in the instance, which these pods do not…",
      ...errorsAt(
        ["containers[0].command", "containers[0].commands.script"],
        "the lead broker runs the command, and this cluster only joins it; remove it here",
      ),
    ],
  );
  rejectsAll(joining({ leadBroker: aLeadBroker({ address: "tcp://203.0.113.7", port: 0, size: 0 }) }), [
    'flux.bursting.leadBroker.address: "tcp://203.0.113.7" must be an IP address or a host name; the port is ' +
      "a separate property",
    "flux.bursting.leadBroker.size: 0 must be an integer from 1 to 100000",
    "flux.bursting.leadBroker.port: 0 must be an integer from 1 to 65535",
  ]);
  accepts({
    "a maxSize that is listed, a flat tree and a policy": {
      size: 1,
      maxSize: 2,
      network: { policy: "pods" },
      flux: operatorFlux({ topology: "kary:0", bursting: { leadBroker: aLeadBroker(), clusters: [{ size: 2 }] } }),
    },
    "a cluster in a hostlist": { name: "elsewhere", ...joining({ clusters: [], hostlist: "a,b" }) },
    "the command of a sidecar": { containers: [{ image: "i", runFlux: true }, aSidecar()], ...joining({}) },
    "a command of an interactive cluster": {
      containers: [{ image: "i", command: "x" }],
      interactive: true,
      ...joining({}),
    },
  });
});
