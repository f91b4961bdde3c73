import assert from "node:assert/strict";
import { aBalancer, aBursting, aMiniClusterArgs, aPool } from "../../support/fixtures";
import { described, problemsOf, validating } from "../../support/problems";
import { standInCertificate } from "../../support/everything";

const { accepts, rejects, rejectsAll } = validating();

describe("a cluster that others may join", () => {
  rejects({
    "bursting.expose.loadBalancer: has no address in rendered YAML; use endpoint": {
      bursting: aBalancer(),
      resize: "manifest",
    },
    "bursting.expose.nodePort.port: has no default in rendered YAML; set it": {
      resize: "manifest",
      bursting: aBursting({ expose: { nodePort: { address: "203.0.113.7" } } }),
    },
    "bursting.expose: no broker of another cluster could reach the lead broker; add nodePort, loadBalancer or endpoint":
      { bursting: aBursting({ expose: {} }) },
    ["bursting.expose: is required; must be the way to the lead broker, or no broker of another cluster could reach " +
    "it: nodePort, loadBalancer or endpoint"]: {
      bursting: { clusters: [{ name: "cloud", size: 3, maxSize: 8 }] } as never,
    },
  });
  rejectsAll(
    {
      flux: { brokerConfig: "", topology: "kary:2", scheduler: { simple: true }, bursting: { clusters: [] } },
      ...{ network: { policy: "brokerPort" }, bursting: aBursting() },
    },
    [
      "flux.bursting: is the operator's form of bursting; keep one of the two",
      "flux.brokerConfig: is the whole configuration, and bursting needs its hosts; keep one of them",
      'flux.topology: brokers of another cluster reach only the lead broker; use "kary:0" or leave it out',
      "flux.scheduler.simple: has one queue for all clusters: a job that waits for a cluster to join would hold up " +
        "every other job; use Fluxion",
      "network.policy: shuts out the brokers of the clusters that join; remove it, and write a policy that names them",
    ],
  );
  rejectsAll(
    {
      bursting: aBursting({
        expose: {
          nodePort: { address: "2001:db8::7", port: 65_536 },
          endpoint: { address: standInCertificate, port: 0 },
        },
      }),
    },
    [
      'bursting.expose.nodePort.address: "2001:db8::7" is an IPv6 address, and the brokers use IPv4; give a host ' +
        "name or an IPv4 address",
      "bursting.expose.nodePort.port: 65536 must be an integer from 1 to 65535",
      "bursting.expose.endpoint.address: must be an IP address or a host name alone; the port is its own property",
      "bursting.expose.endpoint.port: 0 must be an integer from 1 to 65535",
      "bursting.expose: nodePort and endpoint exclude each other; keep one of them",
    ],
  );
  accepts({
    "a flat tree, settings of Fluxion and a pool with the name of the cluster": {
      flux: { topology: "kary:0", scheduler: { simple: false, queuePolicy: "easy" } },
      pool: aPool({ pool: "demo" }),
      resize: "manifest",
      bursting: aBursting({ expose: { nodePort: { address: "lead.example.com", port: 30_850 } } }),
    },
    "a long name without a Service": {
      name: "ddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
      resize: "manifest",
      bursting: aBursting({ expose: { endpoint: { address: "203.0.113.7" } } }),
    },
  });
});

describe("a load balancer", () => {
  rejects({
    ["bursting.expose.loadBalancer.sourceRanges: is empty, so no address may connect; add the networks of the " +
    "clusters that join"]: { bursting: aBalancer({ sourceRanges: undefined, internetFacing: true }) },
  });
  rejectsAll({ bursting: aBalancer({ openToWorld: true }) }, [
    "bursting.expose.loadBalancer.openToWorld: openToWorld and sourceRanges exclude each other; keep one of them",
    "bursting.expose.loadBalancer.openToWorld: requires internetFacing: true; add it, or name sourceRanges",
  ]);
  rejectsAll({ bursting: aBalancer({ sourceRanges: ["203.0.113.7/24", "2001:db8::1/32", "2001:db8::/32"] }) }, [
    'bursting.expose.loadBalancer.sourceRanges[0]: "203.0.113.7/24" has bits beyond its prefix; write its first ' +
      "address",
    'bursting.expose.loadBalancer.sourceRanges[1]: "2001:db8::1/32" has bits beyond its prefix; write its first ' +
      "address",
  ]);
  accepts({
    "source ranges of either address family": {
      bursting: aBalancer({ sourceRanges: ["10.0.0.0/8", "2001::/16", "203.0.113.7/32", "::1/128"] }),
    },
  });

  it("refuses a network that is none, and one that is wider than a part of the world", () => {
    const none = ["10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/-1"];
    none.push("host/8", "", "0.0.0.0/00", "10.0.0.0/08");
    const wide = ["0.0.0.0/0", "128.0.0.0/1", "10.0.0.0/7", "::/0", "8000::/1", "2000::/15"];
    const loadBalancer = { cloud: "aws" as const, sourceRanges: [...none, ...wide] };
    const says = (range: string) =>
      none.includes(range)
        ? `${JSON.stringify(range)} must be a network in CIDR form such as "203.0.113.0/24"`
        : `${range} is wider than ${range.includes(":") ? "/16" : "/8"}; to let in every address set openToWorld: true`;
    assert.deepEqual(
      described(problemsOf(aMiniClusterArgs({ bursting: aBursting({ expose: { loadBalancer } }) }))),
      loadBalancer.sourceRanges.map((range, at) => `bursting.expose.loadBalancer.sourceRanges[${at}]: ${says(range)}`),
    );
  });

  // They decide who can reach it; in a cloud that nothing is known of they are the user's.
  for (const key of [
    "service.beta.kubernetes.io/aws-load-balancer-scheme",
    "networking.gke.io/load-balancer-type",
    "service.beta.kubernetes.io/azure-load-balancer-internal",
  ]) {
    rejects({
      [`bursting.expose.loadBalancer.annotations["${key}"]: is set by cloud and internetFacing; remove it`]: {
        bursting: aBalancer({ cloud: "gcp", annotations: { "a.b/c": "d", [key]: "e" } }),
      },
    });
    accepts({ [`${key} in another cloud`]: { bursting: aBalancer({ cloud: "other", annotations: { [key]: "e" } }) } });
  }
});
