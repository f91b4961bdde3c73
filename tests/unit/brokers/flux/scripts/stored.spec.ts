import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files } from "../../../../support/scripts/paths";
import { aPod } from "../../../../support/scripts/pod";

const args = { interactive: true, containers: [{ image: "i" }], lead: { storage: { size: "1Gi" } } };
const reload = "/mnt/flux/config/etc/flux/rc/rc1.d/fluxion";

describe("lead broker with its state on a volume", () => {
  it("loads Fluxion again after the start if a former broker has left a state", async () => {
    for (const hasState of [false, true]) {
      const pod = aPod(args);
      fs.mkdirSync(pod.at("/etc/minicluster/state"), { recursive: true });
      if (hasState) fs.writeFileSync(pod.at("/etc/minicluster/state/content.sqlite"), "");
      const { words, env } = await pod.broker();
      assert.ok(words.includes("-Sstatedir=/etc/minicluster/state"), words.join(" "));
      assert.equal(fs.existsSync(pod.at(reload)), hasState);
      assert.equal(/config\/etc\/flux\/rc\b/.test(env["FLUX_RC_EXTRA"] ?? ""), hasState);
    }
  });

  it("writes its state and kills its broker when the pod ends, because a shutdown would cancel the jobs", async () => {
    const pod = aPod(args);
    await pod.leave(files.broker, { env: { STUB_START: "stay" } }, 1, "flux", "broker");
    assert.deepEqual(pod.wordsOf("flux", "kvs"), ["put --sync minicluster.stopped=true"]);
  });
});
