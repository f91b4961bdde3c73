import type { MiniClusterArgs } from "../../../../provider";
import { standInCertificate } from "../../../support/everything";
import { aBursting } from "../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../support/problems";

const home = (bursting: object) => ({ bursting: aBursting(bursting) });
const expose = (ways: object, args: Partial<MiniClusterArgs> = {}) => ({ ...args, ...home({ expose: ways }) });
const balancer = (args: object) => expose({ loadBalancer: { cloud: "aws", sourceRanges: ["10.0.0.0/8"], ...args } });
const endpoint = { address: "203.0.113.7" };

describe("the way to the lead broker", () => {
  const at = "bursting.expose";
  itRefuses([
    {
      rule: "none",
      args: expose({}),
      path: at,
      says: "no broker of another cluster could reach the lead broker; add nodePort, loadBalancer or endpoint",
    },
    {
      rule: "nothing said of it",
      args: home({ expose: undefined }),
      path: at,
      says:
        "must be the way to the lead broker, or no broker of another cluster could reach it: " +
        "nodePort, loadBalancer or endpoint",
    },
    {
      rule: "two ways",
      args: expose({ nodePort: { address: "203.0.113.7" }, endpoint }),
      path: at,
      says: "nodePort and endpoint exclude each other; keep one of them",
    },
    { rule: "a misspelt way", args: expose({ endpoint, nodeport: {} }), path: `${at}.nodeport`, says: /^unknown/ },
    ...["tcp://203.0.113.7", "203.0.113.7:30850", "a b", "host/path", "-host", "[2001:db8::7]", 'a"b'].flatMap(
      (address) =>
        ["endpoint", "nodePort"].map((way) => ({
          rule: `the address ${JSON.stringify(address)} of ${way}`,
          args: expose({ [way]: { address } }),
          path: `${at}.${way}.address`,
          says: `${JSON.stringify(address)} must be an IP address or a host name alone; the port is its own property`,
        })),
    ),
    ...["endpoint", "nodePort"].flatMap((way) => [
      {
        rule: `an address of IP version 6 of ${way}`,
        args: expose({ [way]: { address: "2001:db8::7" } }),
        path: `${at}.${way}.address`,
        says: '"2001:db8::7" is an IPv6 address, and the brokers use IPv4; give a host name or an IPv4 address',
      },
      ...["a\nb", "/".repeat(65), standInCertificate].map((address, index) => ({
        rule: `an address of ${way} that it does not show: ${["two lines", "65 characters", "a certificate"][index]}`,
        args: expose({ [way]: { address } }),
        path: `${at}.${way}.address`,
        says: "must be an IP address or a host name alone; the port is its own property",
      })),
    ]),
    {
      rule: "no address",
      args: expose({ endpoint: {} }),
      path: `${at}.endpoint.address`,
      says: "must be a string that is not empty",
    },
    ...[0, 65_536, 1.5].flatMap((port) =>
      ["endpoint", "nodePort"].map((way) => ({
        rule: `port ${port} of ${way}`,
        args: expose({ [way]: { ...endpoint, port } }),
        path: `${at}.${way}.port`,
        says: `${port} must be an integer from 1 to 65535`,
      })),
    ),
  ]);

  itAccepts({
    "an address of IPv4": expose({ endpoint }),
    "an address of IPv4 and a port": expose({ endpoint: { ...endpoint, port: 1 } }),
    "a host name": expose({ nodePort: { address: "lead.example.com" } }),
    "a load balancer": balancer({}),
  });
});

describe("a load balancer", () => {
  const at = "bursting.expose.loadBalancer";
  /** What decides who can reach it, in any cloud. */
  const decisive = [
    "service.beta.kubernetes.io/aws-load-balancer-scheme",
    "networking.gke.io/load-balancer-type",
    "service.beta.kubernetes.io/azure-load-balancer-internal",
  ];
  const open = { sourceRanges: [], openToWorld: true, internetFacing: true };
  itRefuses([
    ...[
      ...["0.0.0.0/0", "0.0.0.0/00", "0.0.0.0/1", "128.0.0.0/1", "10.0.0.0/0", "10.0.0.0/7"].map(
        (v4) => [v4, 8] as const,
      ),
      ...["::/0", "::/1", "8000::/1", "2001:db8::/15"].map((v6) => [v6, 16] as const),
    ].map(([range, widest]) => ({
      rule: `the world, or too large a part of it, as the range ${range}`,
      args: balancer({ sourceRanges: ["10.0.0.0/8", range] }),
      path: `${at}.sourceRanges[1]`,
      says: `${range} is wider than /${widest}; to let in every address set openToWorld: true`,
    })),
    ...["10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0/8", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/-1", "host/8", ""].map(
      (range) => ({
        rule: `the range ${JSON.stringify(range)}`,
        args: balancer({ sourceRanges: [range] }),
        path: `${at}.sourceRanges[0]`,
        says: `${JSON.stringify(range)} must be a network in CIDR form such as "203.0.113.0/24"`,
      }),
    ),
    {
      rule: "nobody who may connect",
      args: balancer({ sourceRanges: [] }),
      path: `${at}.sourceRanges`,
      says: "is empty, so nobody may connect; add the networks of the clusters that join",
    },
    {
      rule: "nobody said to connect",
      args: balancer({ sourceRanges: undefined, openToWorld: false, internetFacing: true }),
      path: `${at}.sourceRanges`,
      says: "is empty, so nobody may connect; add the networks of the clusters that join",
    },
    {
      rule: "some networks beside the world",
      args: balancer({ ...open, sourceRanges: ["10.0.0.0/8"] }),
      path: `${at}.openToWorld`,
      says: "openToWorld and sourceRanges exclude each other; keep one of them",
    },
    {
      rule: "a private address open to the world",
      args: balancer({ ...open, internetFacing: false }),
      path: `${at}.openToWorld`,
      says: "requires internetFacing: true; add it, or name sourceRanges",
    },
    {
      rule: "a cloud that it does not know",
      args: balancer({ cloud: "oracle" }),
      path: `${at}.cloud`,
      says: 'must be one of "aws", "gcp", "azure", "other"',
    },
    ...["aws", "gcp", "azure"].flatMap((cloud) =>
      decisive.map((key) => ({
        rule: `the annotation ${key} in the cloud ${cloud}`,
        args: balancer({ cloud, annotations: { "a.b/c": "d", [key]: "e" } }),
        path: `${at}.annotations["${key}"]`,
        says: "is set by cloud and internetFacing; remove it",
      })),
    ),
    {
      rule: "a class that is none",
      args: balancer({ loadBalancerClass: "a b" }),
      path: `${at}.loadBalancerClass`,
      says: /must be a key/,
    },
  ]);

  itAccepts({
    "networks of both kinds": balancer({ sourceRanges: ["10.0.0.0/8", "2001:db8::/32", "203.0.113.7/32", "::1/128"] }),
    "networks as wide as they may be": balancer({ sourceRanges: ["10.0.0.0/8", "2001::/16"] }),
    "a public address for named networks": balancer({ internetFacing: true }),
    "the world, asked for by name": balancer(open),
    "the world said to be shut out": balancer({ openToWorld: false }),
    "what decides over its address in a cloud that nothing is known of": balancer({
      cloud: "other",
      annotations: Object.fromEntries(decisive.map((key) => [key, "true"])),
    }),
    "its kind in AWS": balancer({ annotations: { "service.beta.kubernetes.io/aws-load-balancer-type": "nlb" } }),
    "a class and annotations": balancer({ loadBalancerClass: "eks.amazonaws.com/nlb", annotations: { "a.b/c": "d" } }),
  });
});
