import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { renderCurveCertificate } from "../../../../provider/core/parse/curveCertificate";
import { leadEndpoint } from "../../../../provider/bursting/diagnostics/lateValues";
import { parseBurstClusterArgs } from "../../../support/specs";
import { attachKnownValue } from "../../../../provider/shared/deferred";
import { standInCertificate } from "../../../support/everything";
import { aBurstClusterArgs, aPlan, aRoot } from "../../../support/fixtures";
import { unknownOutput, valueOf } from "../../../support/mocks";
import { burstProblemsOf as problemsOf, validating } from "../../../support/problems";

const judged = (given: object) => problemsOf(aBurstClusterArgs(given));
/** The plan of the root with other fields, valid or not. */
const withPlan = (fields: object) => aRoot({ plan: { ...aPlan(), ...fields } });
const part = (parts: object) => ({ root: aRoot(parts) });

describe("the cluster to join", () => {
  const { rejects, rejectsAll } = validating(judged);
  rejects({
    "root: the MiniCluster has no bursting; set bursting there, and pass its output burst here": { root: null },
    "root.plan: must be known before anything is created; set root to the output burst of a MiniCluster itself": {
      root: aRoot({ plan: pulumi.output("x") as never }),
    },
    ["root.plan.version: is 2, and this package reads version 1; use the same version of minicluster for the " +
    "root and the clusters that join it"]: { root: withPlan({ version: 2, clusters: "changed", hosts: [] }) },
  });
  rejectsAll({ root: { address: "203.0.113.7", port: 30_850, certificate: standInCertificate, adress: "a" } }, [
    "root.plan: must be an object with properties",
    "root.adress: unknown property; did you mean address?",
  ]);
  rejectsAll({ root: withPlan({ version: undefined, mountPath: "data", colour: "red" }) }, [
    "root.plan.version: is missing; pass the plan of the root unchanged",
    'root.plan.mountPath: "data" must be an absolute path such as "/data", without a colon',
    "root.plan.colour: unknown property; correct its name or remove it",
  ]);
  rejectsAll(
    {
      root: withPlan({
        clusters: [
          ...aPlan().clusters,
          { name: "cloud", maxSize: 1, properties: [] },
          { name: "home", maxSize: 1, properties: [] },
          { name: "a", maxSize: 1, size: 2, properties: [] },
          { name: "a".repeat(62), maxSize: 1, properties: [] },
        ],
      }),
    },
    [
      'root.plan.clusters[2].name: "cloud" is also the name of clusters[1], so their hosts overlap; rename one',
      'root.plan.clusters[3].name: "home" is also the name of clusters[0], so their hosts overlap; rename one',
      "root.plan.clusters[4].size: size 2 is above maxSize 1; raise maxSize or lower size",
      "root.plan.clusters[5].name: its last host name has more than 63 characters; shorten it",
    ],
  );

  const none = /^the MiniCluster has no bursting/;
  const late = /^must be the output burst of a MiniCluster itself, in this program or in another stack/;
  const outputs: [name: string, root: unknown, path: string, says: RegExp][] = [
    ["the output of one without bursting", attachKnownValue(pulumi.output(undefined), undefined), "root", none],
    ["an output of something else", pulumi.output(aRoot()), "root", late],
    ["a promise", Promise.resolve(aRoot()), "root", late],
    [
      "a plan that is an output",
      aRoot({ plan: pulumi.output(aPlan()) }),
      "root.plan",
      /^must be known before anything is created/,
    ],
    ["bytes for it", { ...aRoot(), certificate: Buffer.alloc(4) }, "root.certificate", /^is .*; must be a string$/],
  ];
  for (const [name, root, path, says] of outputs)
    it(`is not ${name}`, () => {
      const [problem, ...others] = judged({ root });
      assert.deepEqual([problem?.propertyPath, others], [path, []]);
      assert.match(problem?.reason ?? "", says);
    });

  it("may be known behind an output, as a whole or by its plan, and unknown in a preview where it comes late", () => {
    assert.deepEqual(judged({ root: attachKnownValue(pulumi.output(aRoot()), aRoot()) }), []);
    assert.deepEqual(judged(part({ plan: attachKnownValue(pulumi.output(aPlan()), aPlan()) })), []);
    assert.deepEqual(judged(part({ address: unknownOutput(), certificate: unknownOutput() })), []);
  });
});

const certificate = renderCurveCertificate("other", Buffer.alloc(32, 5));

it("an invalid certificate, and one in place of an address or a port, is refused, and nothing of it is shown", () => {
  const [publicHalf = "", secretHalf = ""] = [...certificate.matchAll(/-key = "(.{40})"/g)].map(([, key]) => key);
  const cases: [parts: object, says: RegExp][] = [
    [
      { certificate: Buffer.from(certificate).toString("base64") },
      /^is not a curve .*: the section "curve" is missing/,
    ],
    [{ certificate: certificate.replace(/^ *secret-key.*\n/m, "") }, /^is not a .*: "curve" needs a secret-key/],
    [{ certificate: certificate.replace(publicHalf, publicHalf.slice(1)) }, /^is not a .*: "curve" needs a public-key/],
    [{ address: certificate }, /^must be an IP address or a host name;/],
    [{ port: certificate }, /^is a string; must be an integer/],
  ];
  for (const [parts, says] of cases) {
    const [{ reason } = { reason: "" }, ...others] = judged(part(parts));
    assert.deepEqual(others, []);
    assert.match(reason, says);
    for (const key of [publicHalf, secretHalf])
      for (let at = 0; at + 8 <= key.length; at++) assert.ok(!reason.includes(key.slice(at, at + 8)), reason);
  }
});

describe("the endpoint of the lead broker", () => {
  const alone = "must be an IP address or a host name; the port is a separate property";
  const ipv6 = "is an IPv6 address, and the brokers use IPv4; give a host name or an IPv4 address";
  const long = "/".repeat(65);
  const addresses: [address: string, says: string][] = [
    ...["tcp://203.0.113.7", "203.0.113.7:30850", "a b", "[2001:db8::7]", 'a"b', "$(id)", long.slice(1)].map(
      (address): [string, string] => [address, `${JSON.stringify(address)} ${alone}`],
    ),
    ...["2001:db8::7", "::1", "::ffff:203.0.113.7"].map((address): [string, string] => [
      address,
      `"${address}" ${ipv6}`,
    ]),
    // Neither long nor unprintable texts are shown.
    ...[long, "a\nb", "a\u0007b"].map((address): [string, string] => [address, alone]),
  ];
  for (const [address, says] of addresses)
    it(`is not at ${JSON.stringify(address)}`, () =>
      assert.deepEqual(judged(part({ address, port: 0 })), [
        { propertyPath: "root.address", reason: says },
        { propertyPath: "root.port", reason: "0 must be an integer from 1 to 65535" },
      ]));

  const endpointOf = (parts: object) => {
    const { lead } = parseBurstClusterArgs("cloud", aBurstClusterArgs(part(parts)));
    return leadEndpoint("cloud", lead) ?? assert.fail("none");
  };
  const good: [name: string, parts: object, want: string, isSecret: boolean][] = [
    ["of IPv4", {}, "203.0.113.7:30850", false],
    ["that comes late", { address: pulumi.output("a.b"), port: pulumi.output(8050) }, "a.b:8050", false],
    ["with a secret address", { address: pulumi.secret("a.b") }, "a.b:30850", true],
    ["with a secret port", { port: pulumi.secret(1) }, "203.0.113.7:1", true],
  ];
  for (const [name, parts, want, isSecret] of good)
    it(`is one ${name}, and ${isSecret ? "a" : "no"} secret`, async () => {
      const late = endpointOf(parts);
      assert.deepEqual([await valueOf(late), await pulumi.isSecret(late)], [want, isSecret]);
    });

  const noAddress = "root.address must be an IPv4 address or a host name";
  const noPort = "root.port must be a TCP port";
  const bad: [parts: object, want: string][] = [
    [{ address: pulumi.output("2001:db8::7") }, noAddress],
    [{ address: pulumi.secret(certificate), port: pulumi.output(0) }, `${noAddress}; ${noPort}`],
    [{ port: pulumi.secret(certificate) }, noPort],
  ];
  it("is an error without its value if an output has the wrong form", async () => {
    for (const [parts, want] of bad)
      await assert.rejects(valueOf(endpointOf(parts)), { message: `BurstCluster cloud: ${want}` });
  });
});
