import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files, podPath } from "../../../support/scripts/paths";
import { aPod, podCertificate } from "../../../support/scripts/pod";

const certificate = "/own/the run's $KEYS/curve/own.cert";
const resources = "/own/R dir/R.json";

const toml = [
  "# the user's own, with its comment \\ and 'quotes'",
  "[bootstrap]",
  `curve_cert = "${certificate}"`,
  "",
  "[resource]",
  `path = "${resources}"`,
  "noverify = true",
].join("\n");

describe("broker with a configuration of the user's", () => {
  it("reads the text as it was given", () => {
    const pod = aPod({ flux: { brokerConfig: toml } });
    const text = fs.readFileSync(pod.at(`/etc/minicluster/config/${files.brokerConfig}`), "utf8");
    assert.equal(text.replaceAll(pod.at("/"), ""), `${toml}\n`);
  });

  for (const rank of [0, 1])
    it(`finds the certificate and the resources where its configuration says, on rank ${rank}`, async () => {
      const pod = aPod({ size: 2, flux: { brokerConfig: toml, completeWorkers: true } });
      for (let start = 0; start < 2; start++) {
        const run = await pod.run(files.broker, { rank });
        assert.deepEqual([run.status, run.stderr], [0, ""]);
        assert.equal(fs.readFileSync(pod.at(certificate), "utf8"), podCertificate);
        assert.equal(fs.statSync(pod.at(certificate)).mode & 0o177, 0);
        assert.equal(fs.readFileSync(pod.at(resources), "utf8"), "resources of this host\n");
      }
      for (const usual of [podPath.certificate, podPath.resources]) assert.ok(!fs.existsSync(pod.at(usual)), usual);
      for (const directory of [podPath.cron, podPath.state]) assert.ok(fs.existsSync(pod.at(directory)), directory);
      assert.ok(pod.calls("flux", "start")[0]?.words.includes("--config-path=/etc/minicluster/config/broker.toml"));
    });

  it("has no fan-out, which would stand above the topology of its configuration", async () => {
    const pod = aPod({ flux: { brokerConfig: '[tbon]\ntopo = "binomial"\n', connectTimeout: "" } });
    assert.equal((await pod.run(files.broker)).status, 0);
    const { words } = pod.calls("flux", "start")[0]!;
    assert.deepEqual(
      words.filter((word) => word.startsWith("-Stbon.")),
      [],
    );
  });

  const partial: [name: string, text: string][] = [
    ["no path", "[access]\nallow-guest-user = true\n"],
    ["paths that are relative", '[bootstrap]\ncurve_cert = "c"\n[resource]\npath = "R"\n'],
    ["tables of its own in their places", "bootstrap = 1\n[[resource.config]]\nhosts = 'demo-0'\n"],
    ["no text", ""],
  ];
  for (const [name, text] of partial)
    it(`finds them at the usual places where it has ${name}`, async () => {
      const pod = aPod({ flux: { brokerConfig: text } });
      const run = await pod.run(files.broker);
      assert.deepEqual([run.status, run.stderr], [0, ""]);
      for (const usual of [podPath.certificate, podPath.resources]) assert.ok(fs.existsSync(pod.at(usual)), usual);
    });
});
