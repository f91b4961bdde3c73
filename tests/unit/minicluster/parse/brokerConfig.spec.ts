import * as assert from "node:assert/strict";
import { clusterHostlist } from "../../../../provider/minicluster/hosts";
import { aMiniCluster } from "../../../support/fixtures";
import { itAccepts, itRefuses } from "../../../support/problems";

const flux = (brokerConfig: string) => ({ flux: { brokerConfig } });
const parsed = (toml: string) => aMiniCluster(flux(toml)).flux.brokerConfig;

describe("a broker configuration of the user's own", () => {
  itRefuses(
    (
      [
        ["that is no TOML", "hosts: [a]", /^line 1, column 6: /],
        ["with a string that stays open", '[bootstrap]\n\ncurve_cert = "a', /^line 3, column \d+: /],
        ["with a key twice", "[a]\nb = 1\nb = 2\n", /^line 3, column 1: /],
        ["with a table twice", "[a]\n[a]\n", /^line 2, column 2: /],
        ["with NUL", "a = 'b\0'", /^line 1, column \d+: /],
      ] as const
    ).map(([rule, toml, says]) => ({ rule: `one ${rule}`, args: flux(toml), path: "flux.brokerConfig", says })),
  );

  itAccepts({
    "an empty one": flux(""),
    "one with everything that TOML has": flux(
      '# note\n[a.b]\nc = [1, 2.5, true, 1979-05-27]\n[[d]]\ne = """\nx\n"""\nf = { g = \'h\' }\n',
    ),
  });

  it("is kept as it was given", () => {
    const toml = "# mine\n[access]\nallow-guest-user=true";
    assert.equal(parsed(toml)?.toml, toml);
  });

  const hosts: [name: string, toml: string, want: string | undefined][] = [
    ["of one entry", "[bootstrap]\nhosts = [{ host = 'a[0-3]' }]\n", "a[0-3]"],
    [
      "of several entries",
      "[bootstrap]\nhosts = [{ host = 'a', connect = 'tcp://x:1' }, { host = 'b[1-2]' }]\n",
      "a,b[1-2]",
    ],
    ["of tables", "[[bootstrap.hosts]]\nhost = 'a'\n[[bootstrap.hosts]]\nhost = 'b'\n", "a,b"],
    ["and none where there are none", "[bootstrap]\nhosts = []\n", undefined],
    ["and none where they are no names", "[bootstrap]\nhosts = [{ host = 1 }, 'a']\n", undefined],
  ];
  for (const [name, toml, want] of hosts)
    it(`names the hosts of the instance: those ${name}`, () => {
      assert.equal(parsed(toml)?.hosts, want);
      assert.equal(clusterHostlist(aMiniCluster(flux(toml))), want ?? "demo-0");
    });

  itRefuses([
    {
      rule: "one that wants the certificate where nobody can write",
      args: flux("[bootstrap]\ncurve_cert = '/etc/minicluster/curve/curve.cert'\n"),
      path: "flux.brokerConfig",
      says: "/etc/minicluster/curve/curve.cert is on a read-only mount; choose another curve_cert",
    },
  ]);

  it("leaves the connect timeout to the configuration, unless one is given", () => {
    assert.equal(aMiniCluster(flux("")).flux.connectTimeout, "");
    assert.equal(aMiniCluster({ flux: { brokerConfig: "", connectTimeout: "2s" } }).flux.connectTimeout, "2s");
  });

  const paths: [name: string, toml: string, want: [certificate?: string, resources?: string]][] = [
    ["both", "[bootstrap]\ncurve_cert = '/c'\n[resource]\npath = '/R'\n", ["/c", "/R"]],
    ["none", "", []],
    ["none where they are relative", "[bootstrap]\ncurve_cert = 'c'\n[resource]\npath = 'R'\n", []],
    ["none where they are no text", "[bootstrap]\ncurve_cert = 1\n[resource]\npath = ['/R']\n", []],
    ["none where the tables are none", "bootstrap = 'a'\nresource = [{ path = '/R' }]\n", []],
    ["those of dotted keys", "bootstrap.curve_cert = '/c'\nresource.path = \"/R\"\n", ["/c", "/R"]],
  ];
  for (const [name, toml, [certificate, resources]] of paths)
    it(`says where its files go: ${name}`, () => {
      assert.deepEqual(parsed(toml), { toml, certificate, resources, hosts: undefined });
    });
});
