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
  "[resource]",
  `path = "${resources}"`,
].join("\n");

describe("broker with a configuration of the user's", () => {
  for (const rank of [0, 1])
    it(`reads the text as it was given, and finds certificate and resources where it says, on rank ${rank}`, async () => {
      const pod = aPod({ size: 2, flux: { brokerConfig: toml, completeWorkers: true } });
      const text = fs.readFileSync(pod.at(`/etc/minicluster/config/${files.brokerConfig}`), "utf8");
      assert.equal(text.replaceAll(pod.at("/"), ""), `${toml}\n`);
      for (let start = 0; start < 2; start++) {
        const run = await pod.run(files.broker, { rank });
        assert.deepEqual([run.status, run.stderr], [0, ""]);
        assert.equal(fs.readFileSync(pod.at(certificate), "utf8"), podCertificate);
        assert.equal(fs.statSync(pod.at(certificate)).mode & 0o177, 0);
        assert.equal(fs.readFileSync(pod.at(resources), "utf8"), "resources of this host\n");
      }
      for (const usual of [podPath.certificate, podPath.resources]) assert.ok(!fs.existsSync(pod.at(usual)), usual);
      for (const directory of [podPath.cron, podPath.state]) assert.ok(fs.existsSync(pod.at(directory)), directory);
    });

  it("finds them at the usual places where it has none, and no fan-out, which would stand above its topology", async () => {
    const pod = aPod({ flux: { brokerConfig: '[tbon]\ntopo = "binomial"\n' } });
    const run = await pod.run(files.broker);
    assert.deepEqual([run.status, run.stderr], [0, ""]);
    for (const usual of [podPath.certificate, podPath.resources]) assert.ok(fs.existsSync(pod.at(usual)), usual);
    const { words } = pod.calls("flux", "start")[0]!;
    assert.ok(words.includes("--config-path=/etc/minicluster/config/broker.toml"));
    assert.ok(!words.some((word) => word.startsWith("-Stbon.")));
  });
});
