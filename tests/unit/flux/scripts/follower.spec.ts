import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files } from "../../../support/scripts/paths";
import { until } from "../../../support/scripts/process";
import { aPod, type Pod } from "../../../support/scripts/pod";

const rank = 3;
const size = 4;

const pauses = (pod: Pod) => pod.calls("sleep").map(({ words }) => Number(words[1]));

describe("follower", () => {
  it("joins with the lead's options, with no quorum and no program", async () => {
    const pod = aPod({ size, flux: { completeWorkers: true } });
    for (const index of [0, rank]) assert.equal((await pod.run(files.broker, { rank: index })).status, 0);
    const [lead, follower] = pod.calls("flux", "start").map(({ words }) => words);
    const quorum = lead!.findIndex((word) => word.startsWith("-Sbroker.quorum"));
    assert.deepEqual(follower, lead!.slice(0, quorum));
  });

  it("tries again with pauses of 1, 2, 4, 8 and then 15 s, until it is told to end", async () => {
    const pod = aPod({ size });
    const script = pod.start(files.broker, { rank, env: { STUB_START: "1 1 1 1 1 1 stay" } });
    await pod.called(7, "flux", "start");
    script.terminate();
    assert.equal((await script.ended).status, 143);
    assert.deepEqual(pauses(pod), [1, 2, 4, 8, 15, 15]);
    assert.equal(pod.calls("signal", "TERM").length, 1);
  });

  it("tries again when the lead ended cleanly, which one does that moves to another node", async () => {
    const pod = aPod({ size });
    const script = pod.start(files.broker, { rank, env: { STUB_START: "0 stay:0" } });
    await pod.called(2, "flux", "start");
    script.terminate();
    const run = await script.ended;
    assert.equal(run.status, 143);
    assert.match(run.stdout, /ended with status 0; next try in 1 s/);
  });

  it("starts with short pauses again after a broker that held on", async () => {
    const pod = aPod({ size });
    const text = fs.readFileSync(pod.at(`/etc/minicluster/config/${files.broker}`), "utf8");
    assert.ok(text.includes("began >= 60"));
    // No test waits a minute: here every broker has held on for long enough.
    fs.writeFileSync(pod.at("/etc/minicluster/config/settled.sh"), text.replace("began >= 60", "began >= 0"));
    const script = pod.start("settled.sh", { rank, env: { STUB_START: "1 1 1 1 stay" } });
    await pod.called(5, "flux", "start");
    script.terminate();
    await script.ended;
    assert.deepEqual(pauses(pod), [1, 1, 1, 1]);
  });

  it("starts no broker before the lead's port accepts a connection, and ends at once when it is told to", async () => {
    const pod = aPod({ size });
    const script = pod.start(files.broker, { rank, env: { STUB_TCP: pod.at("/port/open") } });
    await pod.called(3, "sleep");
    script.terminate();
    const run = await script.ended;
    assert.equal(run.status, 143);
    assert.match(run.stdout, /waiting for the lead broker at demo-0\.demo\.default\.svc\.cluster\.local\.:8050/);
    assert.deepEqual(pod.calls("flux", "start"), []);
    assert.deepEqual(new Set(pauses(pod)), new Set([1]));
  });

  it("starts a broker as soon as the lead is there, and the next one when the lead is back, without a growing pause", async () => {
    const pod = aPod({ size });
    const env = { STUB_TCP: pod.at("/port/open"), STUB_START: "1 1 stay" };
    const script = pod.start(files.broker, { rank, env });
    await pod.called(1, "sleep");
    fs.mkdirSync(pod.at("/port"));
    await pod.called(3, "flux", "start");
    script.terminate();
    assert.equal((await script.ended).status, 143);
    assert.deepEqual(pauses(pod).at(-1), 2);
  });

  it("starts a broker without the lead after 30 tries, and right away where the user has configured the brokers", async () => {
    const patient = aPod({ size, flux: { completeWorkers: true } });
    await patient.run(files.broker, { rank, env: { STUB_TCP: patient.at("/port/open") } });
    assert.equal(patient.calls("flux", "start").length, 1);
    assert.deepEqual(pauses(patient), Array(29).fill(1));
    const configured = aPod({ size, flux: { completeWorkers: true, brokerConfig: "[bootstrap]\n" } });
    await configured.run(files.broker, { rank, env: { STUB_TCP: configured.at("/port/open") } });
    assert.deepEqual(pauses(configured), []);
  });

  it("says so when it is not let in, even in a quiet cluster", async () => {
    for (const [state, said] of [
      ["join", true],
      ["quorum", false],
      ["run", false],
    ] as const) {
      const pod = aPod({ size, logging: { quiet: true } });
      const env = { STUB_START: "stay", STUB_REPORT: "0.1", STUB_UPTIME: `12:00:00 ${state} 3s\n` };
      const script = pod.start(files.broker, { rank, env });
      await pod.called(1, "flux", "uptime");
      if (said) await until("it has said so", () => script.output.stderr !== "");
      script.terminate();
      const run = await script.ended;
      assert.equal(/^minicluster: rank 3 has not joined for 60 s.*certificate/m.test(run.stderr), said, run.stderr);
    }
  });

  it("ends with its broker, whatever its status, with completeWorkers", async () => {
    const pod = aPod({ size, flux: { completeWorkers: true } });
    const run = await pod.run(files.broker, { rank, env: { STUB_START: "7" } });
    assert.equal(run.status, 0);
    assert.match(run.stdout, /ended with status 7/);
    assert.deepEqual(pauses(pod), []);
  });
});
