import assert from "node:assert/strict";
import { clusterHostlist } from "../../../../provider/brokers/flux/hosts";
import { casesOf, itJudges, valueIn } from "../../../support/cases";
import { aMiniCluster } from "../../../support/fixtures";

describe("the settings of Flux", () => {
  itJudges(String.raw`
flux: {submitCommand: flux "run, optionFlags: -o 'a, wrap: "", connectTimeout: 5 seconds, topology: ring, logLevel: 8, environment: {a-b: "1", A: "\0"}, container: {mountPath: /, workingDir: lib}}
  flux.container.mountPath: / cannot hold the Flux volume; choose another directory
  flux.container.workingDir: "lib" must be an absolute path such as "/data", without a colon
  flux.{submitCommand,optionFlags}: a quote is not closed; close it or put a backslash before it
  flux.wrap: "" must be a string that is not empty
  flux.connectTimeout: "5 seconds" must be a Flux duration such as "5s" or "500ms", or empty
  flux.topology: "ring" must be a topology such as "kary:2", "kary:0" or "binomial"
  flux.logLevel: 8 must be an integer from 0 to 7
  flux.environment["a-b"]: "a-b" must be the name of a shell variable, for a script sets it: letters, digits and _, not starting with a digit
  flux.environment.A: must not hold a NUL character
flux: {submitCommand: " ", logLevel: -1, container: {mountPath: /opt/software}}
  flux.container.mountPath: /opt/software cannot hold the Flux volume; choose another directory
  flux.submitCommand: needs a command; leave it out for flux submit
  flux.logLevel: -1 must be an integer from 0 to 7
flux: {container: {mountPath: /etc/minicluster/config}}
  flux.container.mountPath: /etc/minicluster/config cannot hold the Flux volume; choose another directory
flux: {topology: mincrit:3, connectTimeout: 0s, mungeSecret: !later x, container: {image: !later x, workingDir: !later x}}
`);
});

describe("a broker configuration of the user's own", () => {
  itJudges(String.raw`
flux: {brokerConfig: "hosts: [a]"}
  flux.brokerConfig: line 1, column 6: Invalid TOML document: illegal character in key
flux: {brokerConfig: "[bootstrap]\n\ncurve_cert = \"a"}
  flux.brokerConfig: line 3, column 14: Invalid TOML document: unfinished string
# one with everything that TOML has
flux: {brokerConfig: "# note\n[a.b]\nc = [1, 2.5, true, 1979-05-27]\n[[d]]\ne = \"\"\"\nx\n\"\"\"\nf = { g = 'h' }\n"}
flux: {brokerConfig: "[bootstrap]\ncurve_cert = '/etc/minicluster/curve/curve.cert'\n"}
  flux.brokerConfig: /etc/minicluster/curve/curve.cert is on a read-only mount; choose another curve_cert
`);

  /** Configurations, and what is read of each. */
  const cases = casesOf(String.raw`
"[bootstrap]\ncurve_cert = '/c'\n[resource]\npath = '/R'\n"
  {certificate: /c, resources: /R}
"bootstrap.curve_cert = '/c'\nresource.path = '/R'\n"
  {certificate: /c, resources: /R}
# no relative path, and none that is no text
"[bootstrap]\ncurve_cert = 'c'\n[resource]\npath = ['/R']\n"
  {}
# tables that are none
"bootstrap = 'a'\nresource = [{ path = '/R' }]\n"
  {}
"[bootstrap]\nhosts = [{ host = 'a', connect = 'tcp://x:1' }, { host = 'b[1-2]' }]\n"
  {hosts: "a,b[1-2]"}
"[[bootstrap.hosts]]\nhost = 'a'\n[[bootstrap.hosts]]\nhost = 'b'\n"
  {hosts: "a,b"}
"[bootstrap]\nhosts = []\n"
  {}
# hosts that are no names
"[bootstrap]\nhosts = [{ host = 1 }, 'a']\n"
  {}
`);
  for (const { title, given, want } of cases)
    it(`is kept as it was given, and read for ${want.join()}: ${title}`, () => {
      const toml = valueIn(given) as string;
      const found = valueIn(want.join()) as { hosts?: string };
      const spec = aMiniCluster({ flux: { brokerConfig: toml } });
      const none = { certificate: undefined, resources: undefined, hosts: undefined };
      assert.deepEqual(spec.flux.brokerConfig, { ...none, toml, ...found });
      assert.equal(clusterHostlist(spec), found.hosts ?? "demo-0");
    });

  it("leaves the connect timeout to the configuration, unless one is given", () => {
    assert.equal(aMiniCluster({ flux: { brokerConfig: "" } }).flux.connectTimeout, "");
    assert.equal(aMiniCluster({ flux: { brokerConfig: "", connectTimeout: "2s" } }).flux.connectTimeout, "2s");
  });
});
