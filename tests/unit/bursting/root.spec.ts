import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { parseBurstClusterArgs } from "../../../provider/bursting/parse";
import { renderCurveCertificate } from "../../../provider/minicluster/flux/curve";
import { givenCertificate, leadEndpoint } from "../../../provider/minicluster/register/lateValues";
import { attachKnownValue } from "../../../provider/shared/plain";
import { aBurstClusterArgs, aPlan, aRoot } from "../../support/fixtures";
import { unknownOutput, valueOf } from "../../support/mocks";
import { itAccepts, itRefuses, problemsOf } from "./problems";

const withPlan = (plan: object) => ({ root: aRoot({ plan: { ...aPlan(), ...plan } }) });
const clusters = (...others: object[]) => withPlan({ clusters: [...aPlan().clusters, ...others] });
const part = (parts: object) => ({ root: aRoot(parts) });
const host = { properties: [] };

describe("the cluster to join", () => {
  const none =
    "is of a MiniCluster that nobody may join; give that one the argument bursting, and this its output burst";
  const late = /^must be the output burst of a MiniCluster itself, or what readBurstRoot has read/;
  itRefuses([
    { rule: "none", args: { root: undefined }, path: "root", says: none },
    { rule: "null", args: { root: null }, path: "root", says: none },
    {
      rule: "one without bursting, whose output says nothing",
      args: { root: attachKnownValue(pulumi.output(undefined), undefined) },
      path: "root",
      says: none,
    },
    {
      rule: "one that is an output of something else",
      args: { root: pulumi.output(aRoot()) },
      path: "root",
      says: late,
    },
    { rule: "one that is a promise", args: { root: Promise.resolve(aRoot()) }, path: "root", says: late },
    {
      rule: "a plan that is an output of something else",
      args: part({ plan: pulumi.output(aPlan()) }),
      path: "root.plan",
      says: "must be the output burstPlan of a MiniCluster itself, known before anything is created",
    },
    { rule: "no plan", args: part({ plan: undefined }), path: "root.plan", says: "must be an object with properties" },
    { rule: "a misspelt part", args: part({ adress: "a" }), path: "root.adress", says: /^unknown property/ },
  ]);

  itAccepts({
    "one that is plain": part({}),
    "one that is known behind an output": { root: attachKnownValue(pulumi.output(aRoot()), aRoot()) },
    "a plan that is known behind an output": part({ plan: attachKnownValue(pulumi.output(aPlan()), aPlan()) }),
    "leaves that are only known later": part({
      ...{ address: unknownOutput(), port: pulumi.output(30_850), certificate: unknownOutput() },
    }),
  });
});

describe("the plan of the cluster to join", () => {
  itRefuses([
    {
      rule: "another version, and says nothing else of it",
      args: withPlan({ version: 2, clusters: "changed", hosts: [] }),
      path: "root.plan.version",
      says: "is 2, and this package reads version 1; use one version of minicluster for the root and for those who join it",
    },
    { rule: "no version", args: withPlan({ version: undefined }), path: "root.plan.version", says: /1/ },
    {
      rule: "two clusters with the same hosts",
      args: clusters({ name: "cloud", maxSize: 1, ...host }),
      path: "root.plan.clusters[2].name",
      says: '"cloud" is the name of clusters[1] too, so their hosts overlap; rename one',
    },
    {
      rule: "a cluster with the hosts of the lead broker's",
      args: clusters({ name: "home", maxSize: 1, ...host }),
      path: "root.plan.clusters[2].name",
      says: '"home" is the name of clusters[0] too, so their hosts overlap; rename one',
    },
    {
      rule: "a size above maxSize",
      args: clusters({ name: "a", maxSize: 1, size: 2, ...host }),
      path: "root.plan.clusters[2].size",
      says: "size 2 is above maxSize 1; raise maxSize or lower size",
    },
    {
      rule: "a host name that is too long",
      args: clusters({ name: "a".repeat(62), maxSize: 1, ...host }),
      path: "root.plan.clusters[2].name",
      says: "its last host name has more than 63 characters; shorten it",
    },
    {
      rule: "a cluster of no host",
      args: clusters({ name: "a", maxSize: 0, ...host }),
      path: "root.plan.clusters[2].maxSize",
      says: "0 must be an integer from 1 to 100000",
    },
    {
      rule: "a property that Flux refuses",
      args: clusters({ name: "a", maxSize: 1, properties: ['"]\nhosts = ["evil"'] }),
      path: "root.plan.clusters[2].properties[0]",
      says: /must be a Flux property/,
    },
    {
      rule: "a directory that is none",
      args: withPlan({ mountPath: "data" }),
      path: "root.plan.mountPath",
      says: /must be an absolute path/,
    },
    {
      rule: "something unknown",
      args: withPlan({ colour: "red" }),
      path: "root.plan.colour",
      says: /^unknown property/,
    },
  ]);

  itAccepts({
    "a directory of the Flux volume": withPlan({ mountPath: "/data/flux" }),
    "no directory of it": withPlan({ mountPath: undefined }),
    "several clusters": clusters({ name: "a", maxSize: 1, cores: 4, gpus: 1, ...host }),
    "one without queues": withPlan({ spanClusters: true }),
  });
});

const key = (byte: number) => renderCurveCertificate("other", Buffer.alloc(32, byte));
const halfOf = (text: string, half: string) => new RegExp(`${half}-key = "(.{40})"`).exec(text)?.[1] ?? "";
const mixed = key(5).replace(halfOf(key(5), "public"), halfOf(key(6), "public"));

/** Certificates of the wrong form, and what is said of each. */
const certificates: [name: string, text: string, says: string][] = [
  ["empty", "", 'is no curve certificate: it has no section "curve"; make one with flux keygen'],
  [
    "in base64",
    Buffer.from(key(5)).toString("base64"),
    'is no curve certificate: it has no section "curve"; make one with flux keygen',
  ],
  [
    "without its secret half",
    key(5).replace(/^ *secret-key.*\n/m, ""),
    'is no curve certificate: "curve" needs a secret-key of 40 characters in Z85; make one with flux keygen',
  ],
  [
    "with half a key",
    key(5).replace(halfOf(key(5), "public"), halfOf(key(5), "public").slice(1)),
    'is no curve certificate: "curve" needs a public-key of 40 characters in Z85; make one with flux keygen',
  ],
  [
    "of two halves that are strangers",
    mixed,
    "its public-key does not belong to its secret-key; take both from one certificate",
  ],
];

/** Eight characters in a row of a text that stand in another. */
const shown = (text: string, message: string) =>
  Array.from({ length: Math.max(0, text.length - 12) }, (_, index) => text.slice(index, index + 12)).find(
    (piece) => /\w{4}/.test(piece) && message.includes(piece) && !/curve|key/.test(piece),
  );

describe("a certificate of the wrong form", () => {
  for (const [name, certificate, says] of certificates) {
    itRefuses([{ rule: `one ${name}`, args: part({ certificate }), path: "root.certificate", says }]);

    for (const isSecret of [false, true])
      it(`${name} is an error when it comes late, ${isSecret ? "as a secret, " : ""}that names the place and shows nothing of it`, async () => {
        const late = isSecret ? pulumi.secret(certificate) : pulumi.output(certificate);
        const { certificate: told } = parseBurstClusterArgs("cloud", aBurstClusterArgs(part({ certificate: late })));
        const { text } = givenCertificate("BurstCluster cloud: root.certificate", told);
        const error = await valueOf(text).then(
          () => assert.fail("it is let through"),
          (reason: Error) => reason,
        );
        assert.equal(error.message, `BurstCluster cloud: root.certificate ${says}`);
        assert.equal(shown(certificate, `${error.message}${error.stack}`), undefined);
      });

    it(`${name} is refused without a character of it`, () => {
      const [problem] = problemsOf(aBurstClusterArgs(part({ certificate })));
      assert.equal(shown(certificate, problem?.reason ?? ""), undefined);
    });
  }

  itRefuses([
    { rule: "none", args: part({ certificate: undefined }), path: "root.certificate", says: "must be a string" },
    { rule: "bytes", args: part({ certificate: Buffer.alloc(4) }), path: "root.certificate", says: "must be a string" },
  ]);

  it("is what these tests would see", () => assert.notEqual(shown(key(5), key(5)), undefined));
});

describe("the endpoint of the lead broker", () => {
  const hidden: [name: string, address: string][] = [
    ["of 65 characters", "/".repeat(65)],
    ["of two lines", "a\nb"],
    ["with a sign that is not printed", "a\u007fb"],
    ["that is a whole certificate", key(5)],
  ];

  itRefuses([
    ...["tcp://203.0.113.7", "203.0.113.7:30850", "a b", "[2001:db8::7]", 'a"b', "$(id)"].map((address) => ({
      rule: `the address ${address}`,
      args: part({ address }),
      path: "root.address",
      says: `${JSON.stringify(address)} must be an IP address or a host name alone; the port is its own property`,
    })),
    ...["2001:db8::7", "::1", "::ffff:203.0.113.7"].map((address) => ({
      rule: `the address ${address} of IP version 6`,
      args: part({ address }),
      path: "root.address",
      says: `${JSON.stringify(address)} is an IPv6 address, and the brokers use IPv4; give a host name or an IPv4 address`,
    })),
    ...hidden.map(([name, address]) => ({
      rule: `an address ${name}, which it does not show`,
      args: part({ address }),
      path: "root.address",
      says: "must be an IP address or a host name alone; the port is its own property",
    })),
    {
      rule: "one of 64 characters, and shows it",
      args: part({ address: "/".repeat(64) }),
      path: "root.address",
      says: /^"\/{64}" must be an IP address/,
    },
    {
      rule: "no address",
      args: part({ address: undefined }),
      path: "root.address",
      says: "must be a string that is not empty",
    },
    ...[0, 65_536, 1.5].map((port) => ({
      rule: `port ${port}`,
      args: part({ port }),
      path: "root.port",
      says: `${port} must be an integer from 1 to 65535`,
    })),
    {
      rule: "a port in a text",
      args: part({ port: "30850" }),
      path: "root.port",
      says: "must be an integer from 1 to 65535",
    },
  ]);

  const endpointOf = (parts: object) =>
    leadEndpoint("cloud", parseBurstClusterArgs("cloud", aBurstClusterArgs(part(parts))).lead) ?? assert.fail("none");

  const good: [name: string, parts: object, want: string][] = [
    ["of IPv4", {}, "203.0.113.7:30850"],
    ["by name", { address: "lead.example.com", port: 1 }, "lead.example.com:1"],
    ["that comes late as a whole", { address: pulumi.output("a.b"), port: pulumi.output(8050) }, "a.b:8050"],
  ];
  for (const [name, parts, want] of good)
    it(`is one ${name}, and no secret`, async () => {
      const late = endpointOf(parts);
      assert.deepEqual([await valueOf(late), await pulumi.isSecret(late)], [want, false]);
    });

  const secrets: Record<string, object> = {
    address: { address: pulumi.secret("203.0.113.7") },
    port: { port: pulumi.secret(30_850) },
  };
  for (const [name, parts] of Object.entries(secrets))
    it(`stays a secret where its ${name} is one`, async () => {
      const late = endpointOf(parts);
      assert.deepEqual([await valueOf(late), await pulumi.isSecret(late)], ["203.0.113.7:30850", true]);
    });

  const noAddress = "root.address is no IP address (version 4) and no host name";
  const noPort = "root.port is no TCP port";
  const bad: [name: string, parts: object, want: string][] = [
    ["an address", { address: pulumi.output("tcp://x") }, noAddress],
    ["an address of IPv6", { address: pulumi.output("2001:db8::7") }, noAddress],
    ["a secret address", { address: pulumi.secret("a b") }, noAddress],
    ["a certificate for an address", { address: pulumi.output(key(5)) }, noAddress],
    ["a secret certificate for an address", { address: pulumi.secret(key(5)) }, noAddress],
    ["a port", { port: pulumi.output(70_000) }, noPort],
    ["a certificate for a port", { port: pulumi.secret(key(5)) }, noPort],
    ["an address and a port", { address: pulumi.output("a b"), port: pulumi.output(0) }, `${noAddress}; ${noPort}`],
  ];
  for (const [name, parts, want] of bad)
    it(`that comes late with ${name} of the wrong form is an error that names it, and shows no value`, () =>
      assert.rejects(valueOf(endpointOf(parts)), { message: `BurstCluster cloud: ${want}` }));
});

describe("a certificate in the place of another part of the root", () => {
  const lines = [...key(5).matchAll(/\S.*/g)].map(([line]) => line);

  for (const name of ["address", "port"])
    it(`is refused as its ${name}, without a line of it`, () => {
      assert.throws(
        () => parseBurstClusterArgs("cloud", aBurstClusterArgs(part({ [name]: key(5) }))),
        (error: Error) => {
          assert.ok(error.message.includes(`root.${name}: must be`), error.message);
          for (const line of lines) assert.ok(!error.message.includes(line), line);
          assert.equal(shown(key(5), error.message), undefined);
          return true;
        },
      );
    });
});
