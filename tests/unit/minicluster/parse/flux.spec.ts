import * as assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { MiniClusterArch, type MiniClusterFluxArgs, type MiniClusterFluxContainerArgs } from "../../../../provider";
import { standInCertificate } from "../../../support/everything";
import { aMiniCluster } from "../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../support/problems";

const flux = (args: MiniClusterFluxArgs) => ({ flux: args });
const view = (container: MiniClusterFluxContainerArgs) => flux({ container });
const openQuote = "a quote is not closed; close it or put a backslash before it";

describe("the settings of Flux", () => {
  itRefuses([
    {
      rule: "an unknown architecture",
      args: { flux: { arch: "riscv" } },
      path: "flux.arch",
      says: 'must be one of "amd64", "arm64"',
    },
    {
      rule: "an empty submitCommand",
      args: flux({ submitCommand: " " }),
      path: "flux.submitCommand",
      says: "needs a command; leave it out for flux submit",
    },
    {
      rule: "an open quote in submitCommand",
      args: flux({ submitCommand: 'flux "run' }),
      path: "flux.submitCommand",
      says: openQuote,
    },
    {
      rule: "an open quote in optionFlags",
      args: flux({ optionFlags: "-o 'a" }),
      path: "flux.optionFlags",
      says: openQuote,
    },
    {
      rule: "an empty wrap",
      args: flux({ wrap: "" }),
      path: "flux.wrap",
      says: '"" must be a string that is not empty',
    },
    {
      rule: "a time without Flux's form",
      args: flux({ connectTimeout: "5 seconds" }),
      path: "flux.connectTimeout",
      says: '"5 seconds" must be a Flux duration such as "5s" or "500ms", or empty',
    },
    {
      rule: "an unknown topology",
      args: flux({ topology: "ring" }),
      path: "flux.topology",
      says: '"ring" must be a topology such as "kary:2", "kary:0" or "binomial"',
    },
    {
      rule: "a log level above 7",
      args: flux({ logLevel: 8 }),
      path: "flux.logLevel",
      says: "8 must be an integer from 0 to 7",
    },
    {
      rule: "a log level below 0",
      args: flux({ logLevel: -1 }),
      path: "flux.logLevel",
      says: "-1 must be an integer from 0 to 7",
    },
    {
      rule: "an unknown queue policy",
      args: { flux: { scheduler: { queuePolicy: "lifo" } } },
      path: "flux.scheduler.queuePolicy",
      says: 'must be one of "fcfs", "easy"',
    },
    {
      rule: "an empty view image",
      args: view({ image: "" }),
      path: "flux.container.image",
      says: '"" must be a string that is not empty',
    },
    {
      rule: "a view name in capitals",
      args: view({ name: "View" }),
      path: "flux.container.name",
      says: /^"View" must be a lowercase DNS label/,
    },
    ...["/", "/opt/software", "/etc/minicluster/config"].map((mountPath) => ({
      rule: `the Flux volume at ${mountPath}`,
      args: view({ mountPath }),
      path: "flux.container.mountPath",
      says: `${mountPath} cannot hold the Flux volume; choose another directory`,
    })),
    {
      rule: "a relative pythonPath",
      args: view({ pythonPath: "lib" }),
      path: "flux.container.pythonPath",
      says: /^"lib" must be an absolute path/,
    },
    {
      rule: "a relative workingDir",
      args: view({ workingDir: "lib" }),
      path: "flux.container.workingDir",
      says: /^"lib" must be an absolute path/,
    },
    {
      rule: "a view pull secret that cannot exist",
      args: view({ imagePullSecret: "-" }),
      path: "flux.container.imagePullSecret",
      says: /^"-" must be the name of a Kubernetes object/,
    },
    {
      rule: "a view that may do nothing and everything",
      args: view({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
      path: "flux.container.securityContext.allowPrivilegeEscalation",
      says: /leave this out or set it to true$/,
    },
    {
      rule: "a view resource that is no quantity",
      args: view({ resources: { limits: { cpu: "" } } }),
      path: "flux.container.resources.limits.cpu",
      says: '"" must be a Kubernetes quantity such as "4", "500m" or "8Gi"',
    },
  ]);

  itAccepts(
    Object.fromEntries([
      ...["kary:2", "kary:0", "mincrit", "mincrit:3", "binomial"].map((topology) => [topology, flux({ topology })]),
      ...["0s", "500ms", "1.5m", "2h", "1d", "7"].map((time) => [`a time of ${time}`, flux({ connectTimeout: time })]),
      ["a view image that is only known later", view({ image: pulumi.output("v"), workingDir: Promise.resolve("/w") })],
    ]) as Record<string, object>,
  );

  const views: [name: string, args: MiniClusterFluxArgs, tag: string][] = [
    ["the x86 view", {}, "tag-noble"],
    ["the x86 view on x86 nodes", { arch: MiniClusterArch.Amd64 }, "tag-noble"],
    ["the ARM view on ARM nodes", { arch: MiniClusterArch.Arm64 }, "arm-noble"],
  ];
  for (const [name, args, tag] of views)
    it(`chooses ${name}`, () =>
      assert.equal(
        aMiniCluster(flux(args)).flux.container.image,
        `ghcr.io/converged-computing/flux-view-ubuntu:${tag}`,
      ));

  it("keeps a view that was chosen, whatever the architecture", () => {
    const chosen = { arch: MiniClusterArch.Arm64, container: { image: "mine" } };
    assert.equal(aMiniCluster(flux(chosen)).flux.container.image, "mine");
  });

  it("splits options into words", () => {
    const { submitCommand, optionFlags } = aMiniCluster(flux({ optionFlags: `-o 'a b' --job-name="c"` })).flux;
    assert.deepEqual(
      [submitCommand, optionFlags],
      [
        ["flux", "submit"],
        ["-o", "a b", "--job-name=c"],
      ],
    );
  });
});

describe("a certificate of the user's own", () => {
  const [publicKey = "", secretKey = ""] = [...standInCertificate.matchAll(/-key = "(.{40})"/g)].map(([, key]) => key);
  const noCurve = 'is no curve certificate: it has no section "curve"; make one with flux keygen';
  const needs = (half: string) =>
    `is no curve certificate: "curve" needs a ${half}-key of 40 characters in Z85; make one with flux keygen`;
  const forms: [rule: string, certificate: string, says: string][] = [
    ["that is empty", "", noCurve],
    ["that is one of TLS", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", noCurve],
    ["without its section", standInCertificate.replace("curve\n", ""), noCurve],
    ["without a public key", standInCertificate.replace("public-key", "key"), needs("public")],
    ["without a secret key", standInCertificate.replace("secret-key", "key"), needs("secret")],
    ["with a shorter key", standInCertificate.replace(secretKey, secretKey.slice(1)), needs("secret")],
    ["with a key that is no Z85", standInCertificate.replace(secretKey, `~${secretKey.slice(1)}`), needs("secret")],
    ["with a key above all numbers", standInCertificate.replace(secretKey, "#".repeat(40)), needs("secret")],
    ["whose keys stand in another section", standInCertificate.replace("curve\n", "curve\nother\n"), needs("public")],
    [
      "whose halves belong to two certificates",
      standInCertificate.replace(publicKey, [...publicKey].reverse().join("")),
      "its public-key does not belong to its secret-key; take both from one certificate",
    ],
  ];
  itRefuses(
    forms.map(([rule, curveCert, says]) => ({
      rule: `one ${rule}`,
      args: flux({ curveCert }),
      path: "flux.curveCert",
      says,
    })),
  );

  it("is refused without a word of its keys", () => {
    for (const [, , says] of forms)
      for (const key of [publicKey, secretKey]) assert.ok(!says.includes(key.slice(0, 8)), says);
  });

  itAccepts({
    "one of flux keygen": flux({
      curveCert: `#   ****  Generated on 2026-01-01 by CZMQ  ****\n\nmetadata\n    hostname = "x"\n${standInCertificate}`,
    }),
    "one with the line ends of Windows": flux({ curveCert: standInCertificate.replaceAll("\n", "\r\n") }),
    "one that is only known later": flux({ curveCert: pulumi.secret("not looked at yet") }),
  });
});

describe("the surroundings of Flux", () => {
  itRefuses([
    {
      rule: "a munge Secret that cannot exist",
      args: flux({ mungeSecret: "a_b" }),
      path: "flux.mungeSecret",
      says: /^"a_b" must be the name of a Kubernetes object/,
    },
    ...["MINICLUSTER_SIZE", "JOB_COMPLETION_INDEX"].map((name) => ({
      rule: `${name} in the environment`,
      args: flux({ environment: { [name]: "1" } }),
      path: `flux.environment.${name}`,
      says: "is set by the component or by Kubernetes; choose another name",
    })),
    {
      rule: "a variable that no shell takes",
      args: flux({ environment: { "a-b": "1" } }),
      path: 'flux.environment["a-b"]',
      says: /^"a-b" must be the name of a shell variable, for a script sets it/,
    },
    {
      rule: "NUL in a variable",
      args: flux({ environment: { A: "\0" } }),
      path: "flux.environment.A",
      says: "must not hold a NUL character",
    },
  ]);
  itAccepts({ "a munge Secret that is only known later": flux({ mungeSecret: pulumi.output("munge") }) });
});
