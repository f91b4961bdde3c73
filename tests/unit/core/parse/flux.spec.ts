import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { clusterHostlist } from "../../../../provider/core/flux/hosts";
import { aMiniCluster } from "../../../support/fixtures";
import { validating } from "../../../support/problems";

const { accepts, rejects, rejectsAll } = validating();

describe("the settings of Flux", () => {
  const volume = "cannot hold the Flux volume; choose another directory";
  rejects({
    [`flux.container.mountPath: /etc/minicluster/config ${volume}`]: {
      flux: { container: { mountPath: "/etc/minicluster/config" } },
    },
  });
  rejectsAll(
    {
      flux: {
        submitCommand: 'flux "run',
        optionFlags: "-o 'a",
        wrap: "",
        connectTimeout: "5 seconds",
        topology: "ring",
        logLevel: 8,
        inactiveNumLimit: 99,
        inactiveAgeLimit: "59s",
        environment: { "a-b": "1", A: "\u0000" },
        container: { mountPath: "/", workingDir: "lib" },
      },
    },
    [
      `flux.container.mountPath: / ${volume}`,
      'flux.container.workingDir: "lib" must be an absolute path such as "/data", without a colon',
      "flux.submitCommand: a quote is not closed; close it or put a backslash before it",
      "flux.optionFlags: a quote is not closed; close it or put a backslash before it",
      'flux.wrap: "" must be a string that is not empty',
      'flux.connectTimeout: "5 seconds" must be a Flux duration such as "5s" or "500ms", or empty',
      'flux.topology: "ring" must be a topology such as "kary:2", "kary:0" or "binomial"',
      "flux.logLevel: 8 must be an integer from 0 to 7",
      "flux.inactiveNumLimit: 99 must be an integer from 100 to 1000000",
      'flux.inactiveAgeLimit: "59s" must be at least "1m"',
      'flux.environment["a-b"]: "a-b" must be the name of a shell variable…',
      "flux.environment.A: must not hold a NUL character",
    ],
  );
  rejectsAll({ flux: { submitCommand: " ", logLevel: -1, container: { mountPath: "/opt/software" } } }, [
    `flux.container.mountPath: /opt/software ${volume}`,
    "flux.submitCommand: needs a command; leave it out for flux submit",
    "flux.logLevel: -1 must be an integer from 0 to 7",
  ]);
  const late = pulumi.output("x");
  accepts({
    "values at their limits, and late values": {
      flux: {
        topology: "mincrit:3",
        connectTimeout: "0s",
        mungeSecret: late,
        container: { image: late, workingDir: late },
      },
    },
  });
});

describe("a broker configuration of the user's own", () => {
  const of = (brokerConfig: string) => ({ flux: { brokerConfig } });
  rejects({
    "flux.brokerConfig: line 1, column 6: Invalid TOML document: illegal character in key": of("hosts: [a]"),
    "flux.brokerConfig: line 3, column 14: Invalid TOML…": of('[bootstrap]\n\ncurve_cert = "a'),
    "flux.brokerConfig: /etc/minicluster/curve/curve.cert is on a read-only mount; choose another curve_cert": of(
      "[bootstrap]\ncurve_cert = '/etc/minicluster/curve/curve.cert'\n",
    ),
  });
  accepts({
    "a configuration with every form of TOML": of(
      '# note\n[a.b]\nc = [1, 2.5, true, 1979-05-27]\n[[d]]\ne = """\nx\n"""\nf = { g = \'h\' }\n',
    ),
  });

  const both = { certificate: "/c", resources: "/R" };
  /** Configurations, and what is read of each. */
  const cases: [toml: string, want: { hosts?: string; certificate?: string; resources?: string }][] = [
    ["[bootstrap]\ncurve_cert = '/c'\n[resource]\npath = '/R'\n", both],
    ["bootstrap.curve_cert = '/c'\nresource.path = '/R'\n", both],
    ["[bootstrap]\ncurve_cert = 'c'\n[resource]\npath = ['/R']\n", {}],
    ["bootstrap = 'a'\nresource = [{ path = '/R' }]\n", {}],
    ["[bootstrap]\nhosts = [{ host = 'a', connect = 'tcp://x:1' }, { host = 'b[1-2]' }]\n", { hosts: "a,b[1-2]" }],
    ["[[bootstrap.hosts]]\nhost = 'a'\n[[bootstrap.hosts]]\nhost = 'b'\n", { hosts: "a,b" }],
    ["[bootstrap]\nhosts = []\n", {}],
    ["[bootstrap]\nhosts = [{ host = 1 }, 'a']\n", {}],
  ];
  for (const [toml, want] of cases)
    it(`is kept as it was given, and read for ${JSON.stringify(want)}: ${JSON.stringify(toml)}`, () => {
      const spec = aMiniCluster(of(toml));
      const none = { certificate: undefined, resources: undefined, hosts: undefined };
      assert.deepEqual(spec.flux.brokerConfig, { ...none, toml, ...want });
      assert.equal(clusterHostlist(spec), want.hosts ?? "demo-0");
    });

  it("leaves the connect timeout to the configuration, unless one is given", () => {
    assert.equal(aMiniCluster(of("")).flux.connectTimeout, "");
    assert.equal(aMiniCluster({ flux: { brokerConfig: "", connectTimeout: "2s" } }).flux.connectTimeout, "2s");
  });
});
