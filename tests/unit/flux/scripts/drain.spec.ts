import * as assert from "node:assert/strict";
import { files } from "../../../support/scripts/paths";
import { until } from "../../../support/scripts/process";
import { aBurstPod, aPod, type Pod } from "../../../support/scripts/pod";

const rank = 3;
const size = 4;
const running = { STUB_UPTIME: "12:00:00 run 3s\n", STUB_RANK: "3" };
const reason = "minicluster: the pod leaves";

const asked = (pod: Pod, ...words: string[]) => pod.calls("flux", ...words).map(({ words: [, ...rest] }) => rest);

describe("a pod that leaves", () => {
  it("drains its rank, and then waits for the jobs that run there", async () => {
    const pod = aPod({ size });
    assert.equal((await pod.run(files.drain, { rank, env: { ...running, STUB_JOBS: "2" } })).status, 0);
    assert.deepEqual(asked(pod, "resource"), [["resource", "drain", "--update", "3", reason]]);
    const look = ["jobs", "--no-header", "--filter=running", "--include=3", "--format={id}"];
    assert.deepEqual(asked(pod, "jobs"), [look, look, look]);
    assert.deepEqual(new Set(pod.calls("flux").map(({ env }) => env["FLUX_URI"])).size, 1);
  });

  it("does not wait for jobs longer than the time to drain", async () => {
    const pod = aPod({ size, drainTimeoutSeconds: 1 });
    assert.equal((await pod.run(files.drain, { rank, env: { ...running, STUB_JOBS: "1000" } })).status, 0);
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

  for (const state of ["join", "quorum", "cleanup", "shutdown", ""])
    it(`leaves at once where its broker is in the state "${state}"`, async () => {
      const pod = aPod({ size });
      const env = { ...running, STUB_JOBS: "1000", STUB_UPTIME: state === "" ? "" : `12:00:00 ${state} 3s\n` };
      assert.equal((await pod.run(files.drain, { rank, env })).status, 0);
      assert.deepEqual([asked(pod, "resource"), asked(pod, "jobs")], [[], []]);
    });

  it("drains nothing where it has the lead broker, with which the instance ends", async () => {
    const pod = aPod({ size });
    assert.equal((await pod.run(files.drain, { rank: 0, env: { ...running, STUB_JOBS: "1000" } })).status, 0);
    assert.deepEqual(pod.calls("flux"), []);
  });

  it("drains the rank that it has in the instance, with the first pod of a cluster that joins, too", async () => {
    const pod = aBurstPod();
    await pod.run(files.drain, { rank: 0, env: { ...running, STUB_RANK: "12" } });
    assert.deepEqual(asked(pod, "resource"), [["resource", "drain", "--update", "12", reason]]);
  });
});

describe("a rank whose pod has left", () => {
  /** The pod once its probe has ended, and all that the probe has left to run. */
  const ready = async (env: Record<string, string>) => {
    const pod = aPod({ size });
    const probe = pod.start(files.ready, { rank, env: { ...running, ...env } });
    assert.equal((await probe.ended).status, 0);
    await until("nothing of it runs", () => !runsAnyOf(probe.process.pid!));
    return pod;
  };

  const runsAnyOf = (group: number) => {
    try {
      return process.kill(-group, 0);
    } catch {
      return false;
    }
  };

  it("takes jobs again with its next pod", async () => {
    const pod = await ready({ STUB_DRAINED: reason });
    assert.deepEqual(asked(pod, "resource", "undrain"), [["resource", "undrain", "3"]]);
  });

  it("stays drained where somebody else has drained it", async () => {
    const pod = await ready({ STUB_DRAINED: "a broken card" });
    assert.equal(asked(pod, "resource", "drain").length, 1);
    assert.deepEqual(asked(pod, "resource", "undrain"), []);
  });

  it("is not asked for before it has joined, nor where the time to drain is 0", async () => {
    const pod = aPod({ size });
    await pod.run(files.ready, { rank, env: { ...running, STUB_UPTIME: "12:00:00 join 3s\n" } });
    const never = aPod({ size, drainTimeoutSeconds: 0 });
    await never.run(files.ready, { rank, env: running });
    assert.deepEqual(
      [pod, never].map((one) => asked(one, "resource")),
      [[], []],
    );
  });
});
