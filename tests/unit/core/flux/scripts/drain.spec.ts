import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files } from "../../../../support/scripts/paths";
import { aBurstPod, aPod } from "../../../../support/scripts/pod";
import { until } from "../../../../support/scripts/process";

const rank = 3;
const size = 4;
const running = { STUB_UPTIME: "12:00:00 run 3s\n", STUB_RANK: "3" };
const busy = { ...running, STUB_JOBS: "1000" };
const reason = "minicluster: the pod leaves";
const asked = (of: number) => `drain --no-header --include=${of} --format={reason}`;

describe("a pod that leaves", () => {
  it("drains its rank, and then waits for the jobs that run there", async () => {
    const pod = aPod({ size });
    assert.equal((await pod.run(files.drain, { rank, env: { ...running, STUB_JOBS: "2" } })).status, 0);
    assert.deepEqual(pod.wordsOf("flux", "resource"), [asked(3), `drain --update 3 ${reason}`]);
    const look = "--no-header --filter=running --include=3 --format={id}";
    assert.deepEqual(pod.wordsOf("flux", "jobs"), [look, look, look]);
    assert.equal(new Set(pod.calls("flux").map(({ env }) => env["FLUX_URI"])).size, 1);
  });

  it("takes over the drain of a resize, so that its next pod ends it", async () => {
    const pod = aPod({ size });
    await pod.run(files.drain, { rank, env: { ...running, STUB_DRAINED: "minicluster: the size follows the queue" } });
    assert.deepEqual(pod.wordsOf("flux", "resource"), [asked(3), `drain --force 3 ${reason}`]);
  });

  it("does not wait for jobs longer than the time to drain", async () => {
    const pod = aPod({ size, drainTimeoutSeconds: 1 });
    assert.equal((await pod.run(files.drain, { rank, env: busy })).status, 0);
  });

  for (const command of ["uptime", "getattr", "resource", "jobs"])
    it(`does not wait longer than that for a flux ${command} that never ends`, async () => {
      const pod = aPod({ size, drainTimeoutSeconds: 1 });
      const hook = pod.start(files.drain, { rank, env: { ...running, STUB_JOBS: "1", STUB_HANGS: command } });
      try {
        assert.equal((await hook.ended).status, 0);
        assert.equal(pod.calls("flux").at(-1)?.words[1], command);
      } finally {
        hook.destroy();
      }
    });

  for (const printed of ["12:00:00 join 3s\n", "12:00:00 shutdown 3s\n", ""])
    it(`leaves at once where its broker says ${JSON.stringify(printed)} of its state`, async () => {
      const pod = aPod({ size });
      assert.equal((await pod.run(files.drain, { rank, env: { ...busy, STUB_UPTIME: printed } })).status, 0);
      assert.deepEqual(pod.wordsOf("flux"), ["uptime"]);
    });

  it("does not drain the lead broker's host, because the instance ends with it", async () => {
    const pod = aPod({ size });
    assert.equal((await pod.run(files.drain, { rank: 0, env: busy })).status, 0);
    assert.deepEqual(pod.calls("flux"), []);
  });

  it("drains the rank that it has in the instance, with the first pod of a cluster that joins as well", async () => {
    const pod = aBurstPod();
    await pod.run(files.drain, { rank: 0, env: { ...running, STUB_RANK: "12" } });
    assert.deepEqual(pod.wordsOf("flux", "resource"), [asked(12), `drain --update 12 ${reason}`]);
  });
});

describe("a rank whose pod has left", () => {
  const runsAnyOf = (group: number) => {
    try {
      return process.kill(-group, 0);
    } catch {
      return false;
    }
  };

  for (const drained of [reason, "a broken card"])
    it(drained === reason ? "takes jobs again with its next pod" : "stays drained for any other reason", async () => {
      const pod = aPod({ size });
      const probe = pod.start(files.ready, { rank, env: { ...running, STUB_DRAINED: drained } });
      assert.equal((await probe.ended).status, 0);
      // The probe leaves it to run.
      await until("nothing of it runs", () => !runsAnyOf(probe.process.pid!));
      assert.equal(pod.calls("flux", "resource", "drain").length, 1);
      assert.deepEqual(pod.wordsOf("flux", "resource", "undrain"), drained === reason ? ["3"] : []);
    });

  it("is undrained again and again until that succeeds, and the log says why it is not yet", async () => {
    const pod = aPod({ size });
    const log = pod.at("/log");
    pod.change("undrain.sh", (text) => text.replace("/proc/1/fd/2", `>${log}`));
    const probe = pod.start(files.ready, { rank, env: { ...running, STUB_DRAINED: reason, STUB_UNDRAIN: "2" } });
    assert.equal((await probe.ended).status, 0);
    await until("nothing of it runs", () => !runsAnyOf(probe.process.pid!));
    assert.deepEqual(pod.wordsOf("flux", "resource", "undrain"), ["3", "3", "3"]);
    assert.deepEqual(fs.readFileSync(log, "utf8").trim().split("\n"), [
      "minicluster: this rank is still drained, next try in 1 s: flux-resource: ERROR: no route to rank 0",
      "minicluster: this rank is still drained, next try in 2 s: flux-resource: ERROR: no route to rank 0",
    ]);
  });

  it("is not requested before it has joined, nor where the time to drain is 0", async () => {
    const joining = aPod({ size });
    await joining.run(files.ready, { rank, env: { ...running, STUB_UPTIME: "12:00:00 join 3s\n" } });
    const never = aPod({ size, drainTimeoutSeconds: 0 });
    await never.run(files.ready, { rank, env: running });
    for (const pod of [joining, never]) assert.deepEqual(pod.wordsOf("flux"), ["uptime"]);
  });
});
