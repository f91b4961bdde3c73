import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";

const pieces = ["init", "pre", "brokerPre", "workerPre", "post"];
const talking = aContainer({
  command: "bash -c 'echo result; echo complaint >&2'",
  commands: Object.fromEntries(pieces.map((piece) => [piece, `echo ${piece}; echo ${piece} error >&2`])),
});

describe("log of a pod", () => {
  it("has our steps, the user's pieces and the command's output", async () => {
    const pod = aPod({ size: 2, containers: [talking] });
    const run = await pod.run(files.broker, { env: { STUB_SUBMIT: "run" } });
    const lines = run.stdout.split("\n");
    assert.deepEqual(
      lines.filter((line) => !line.startsWith("minicluster: ")),
      ["init", "pre", "brokerPre", "result", "post", ""],
    );
    assert.ok(lines.includes("minicluster: rank 0 of demo, submit mode, size 2"));
    assert.ok(lines.some((line) => line.startsWith("minicluster: flux start --config-path=")));
    assert.equal(run.stderr, "init error\npre error\nbrokerPre error\ncomplaint\npost error\n");
  });

  it("has nothing but the command's output and post's in a quiet cluster", async () => {
    const pod = aPod({ size: 2, containers: [talking], logging: { quiet: true } });
    const run = await pod.run(files.broker, { env: { STUB_SUBMIT: "run" } });
    assert.equal(run.stdout, "result\npost\n");
    assert.equal(run.stderr, "complaint\npost error\n");
  });

  it("of a quiet follower has nothing but post's output", async () => {
    const pod = aPod({ size: 2, containers: [talking], logging: { quiet: true }, flux: { completeWorkers: true } });
    const run = await pod.run(files.broker, { rank: 1, env: { STUB_START: "1" } });
    assert.equal(run.stdout, "post\n");
    assert.equal(run.stderr, "post error\n");
  });

  it("keeps what a silenced piece exports", async () => {
    const container = aContainer({ commands: { init: "export A=1", pre: "export B=2" } });
    const pod = aPod({ containers: [container], logging: { quiet: true } });
    assert.equal((await pod.run(files.broker, { env: { STUB_SEEN: "A B" } })).status, 0);
    const { A, B } = pod.calls("flux", "start")[0]!.env;
    assert.deepEqual([A, B], ["1", "2"]);
  });
});

describe("timed log", () => {
  const wall = /^FLUXTIME (\w+) wall time \d+[.,]\d{3}$/gm;
  const timed: [string, Partial<MiniClusterArgs>, string[]][] = [
    ["the submit and the start", {}, ["fluxsubmit", "fluxstart"]],
    ["both in a quiet cluster", { logging: { quiet: true } }, ["fluxsubmit", "fluxstart"]],
    [
      "both in launcher mode",
      { containers: [aContainer({ launcher: true, command: "task" })] },
      ["fluxsubmit", "fluxstart"],
    ],
  ];
  for (const [name, args, expected] of timed)
    it(`has the wall time of ${name}, by the shell's clock`, async () => {
      const pod = aPod({ ...args, logging: { ...args.logging, timed: true } });
      const run = await pod.run(files.broker);
      assert.deepEqual(
        [...run.stderr.matchAll(wall)].map(([, what]) => what),
        expected,
      );
    });

  it("passes the words of the command on as they are", async () => {
    const pod = aPod({ flux: { optionFlags: `--job-name="it's \\$HOME"` }, logging: { timed: true } });
    await pod.run(files.broker);
    assert.ok(pod.calls("flux", "submit")[0]?.words.includes("--job-name=it's $HOME"));
  });

  it("is not there when nobody asked for it", async () => {
    const run = await aPod().run(files.broker);
    assert.doesNotMatch(run.stdout + run.stderr, /FLUXTIME/);
  });
});
