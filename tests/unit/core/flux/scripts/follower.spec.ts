import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files } from "../../../../support/scripts/paths";
import { aPod, type Pod, type ScriptOptions } from "../../../../support/scripts/pod";
import { startScript, until } from "../../../../support/scripts/process";

const rank = 3;
const size = 4;

/** Runs the follower until it has started so many brokers, and ends it with SIGTERM. */
const leave = (pod: Pod, brokers: number, env: ScriptOptions["env"]) =>
  pod.leave(files.broker, { rank, env }, brokers, "flux", "start");

describe("follower", () => {
  it("tries again with pauses of 1, 2, 4, 8 and then 15 s, after any status, until SIGTERM", async () => {
    const pod = aPod({ size });
    // One that moves to another node ends cleanly.
    const run = await leave(pod, 7, { STUB_START: "0 1 1 1 1 1 stay" });
    assert.deepEqual(pod.wordsOf("sleep"), ["1", "2", "4", "8", "15", "15"]);
    assert.equal(pod.calls("signal", "TERM").length, 1);
    assert.match(run.stdout, /ended with status 0; next try in 1 s/);
  });

  it("starts with short pauses again after a broker that held on", async () => {
    const pod = aPod({ size });
    // No test waits a minute: here every broker has held on for long enough.
    pod.change("follower.sh", (text) => {
      assert.ok(text.includes("began >= 60"));
      return text.replace("began >= 60", "began >= 0");
    });
    await leave(pod, 4, { STUB_START: "1 1 1 stay" });
    assert.deepEqual(pod.wordsOf("sleep"), ["1", "1", "1"]);
  });

  it("starts no broker before the lead's port accepts a connection, and ends at once on SIGTERM", async () => {
    const pod = aPod({ size });
    const run = await pod.leave(files.broker, { rank, env: { STUB_TCP: pod.at("/port/open") } }, 3, "sleep");
    assert.match(run.stdout, /waiting for the lead broker at demo-0\.demo\.default\.svc\.cluster\.local\.:8050/);
    assert.deepEqual(pod.calls("flux", "start"), []);
    assert.deepEqual(new Set(pod.wordsOf("sleep")), new Set(["1"]));
  });

  it("starts a broker once the lead is reachable, and again when it is back, without a growing pause", async () => {
    const pod = aPod({ size });
    const ended = leave(pod, 3, { STUB_TCP: pod.at("/port/open"), STUB_START: "1 1 stay" });
    await pod.called(1, "sleep");
    fs.mkdirSync(pod.at("/port"));
    await ended;
    assert.equal(pod.wordsOf("sleep").at(-1), "2");
  });

  it("starts a broker without the lead after 30 s of tries, or at once with brokerConfig", async () => {
    for (const brokerConfig of [undefined, "[bootstrap]\n"]) {
      const pod = aPod({ size, flux: { completeWorkers: true, brokerConfig } });
      await pod.broker({ rank, env: { STUB_TCP: pod.at("/port/open") } });
      assert.deepEqual(pod.wordsOf("sleep"), Array(brokerConfig ? 0 : 20).fill("1"));
    }
  });

  it("reports that it is rejected, even in a quiet cluster", async () => {
    for (const state of ["join", "quorum", "run"]) {
      const pod = aPod({ size, logging: { quiet: true } });
      const env = { STUB_START: "stay", STUB_REPORT: "0.1", STUB_UPTIME: `12:00:00 ${state} 3s\n` };
      const script = pod.start(files.broker, { rank, env });
      await pod.called(1, "flux", "uptime");
      if (state === "join") await until("it has said so", () => script.output.stderr !== "");
      script.terminate();
      const { stderr } = await script.ended;
      assert.equal(/^minicluster: rank 3 has not joined for 60 s.*certificate/m.test(stderr), state === "join", stderr);
    }
  });

  it("ends the tasks of its broker that was killed, and no other process", async () => {
    const pod = aPod({ size });
    const uri = `FLUX_URI=local://${pod.at("/mnt/flux/config/run/flux/local")}`;
    const task = (...env: string[]) =>
      startScript("env", [...env, "sleep", "60"], { cwd: "/", env: { PATH: process.env["PATH"] } });
    const own = task("FLUX_JOB_ID=f1", uri);
    const others = [task(uri), task("FLUX_JOB_ID=f1", `${uri}2`)];
    await leave(pod, 2, { STUB_START: "137 stay" });
    assert.equal((await own.ended).signal, "SIGKILL");
    assert.deepEqual(
      others.map((other) => other.process.signalCode),
      [null, null],
    );
    for (const other of others) other.destroy();
  });

  it("ends with its broker, after any status, with completeWorkers", async () => {
    const pod = aPod({ size, flux: { completeWorkers: true } });
    const run = await pod.run(files.broker, { rank, env: { STUB_START: "7" } });
    assert.equal(run.status, 0);
    assert.match(run.stdout, /ended with status 7/);
    assert.deepEqual(pod.calls("sleep"), []);
  });
});
