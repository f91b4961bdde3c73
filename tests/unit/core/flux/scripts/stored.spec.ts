import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files } from "../../../../support/scripts/paths";
import { parseToml } from "../../../../support/scripts/toml";
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

  const mount = "/etc/minicluster/state";
  const fileSystems: [mounts: string, mode: string | undefined][] = [
    [`/dev/nvme1n1 ${mount} ext4 rw 0 0`, undefined],
    [`server:/ / nfs4 rw 0 0\n/dev/sdb ${mount} xfs rw 0 0`, undefined],
    [`127.0.0.1:/ ${mount} nfs4 rw,vers=4.1 0 0`, "TRUNCATE"],
    [`//host/share ${mount} cifs rw 0 0`, "TRUNCATE"],
    [`10.0.0.2@tcp:/fs ${mount} lustre rw 0 0`, "TRUNCATE"],
    [`/dev/sdb ${mount} ext4 rw 0 0\nserver:/share ${mount} nfs rw 0 0`, "TRUNCATE"],
  ];
  for (const [mounts, mode] of fileSystems)
    it(`has the database keep its log where it works (${mounts.replaceAll("\n", ", ")})`, async () => {
      const pod = aPod(args);
      fs.writeFileSync(pod.at("/proc/mounts"), `${mounts.replaceAll(mount, pod.at(mount))}\n`);
      const { words } = await pod.broker();
      const file = words.find((word) => word.startsWith("--config-path="))?.slice("--config-path=".length) ?? "";
      const config = (await parseToml(fs.readFileSync(pod.at(file), "utf8"))) as Record<string, unknown>;
      assert.deepEqual(config["content-sqlite"], mode && { journal_mode: mode });
      assert.ok(config["bootstrap"], "the rest of the configuration stays");
    });

  it("restores the dump that the watch of the volume may have left", async () => {
    const { words } = await aPod(args).broker();
    assert.ok(words.includes("-Scontent.restore=auto"), words.join(" "));
  });

  it("writes its state and kills its broker when the pod ends, because a shutdown would cancel the jobs", async () => {
    const pod = aPod(args);
    await pod.leave(files.broker, { env: { STUB_START: "stay" } }, 1, "flux", "broker");
    assert.deepEqual(pod.wordsOf("flux", "kvs"), ["put --sync minicluster.stopped=true"]);
  });
});
