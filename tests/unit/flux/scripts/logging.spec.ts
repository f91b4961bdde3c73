import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";

const pieces = ["init", "pre", "brokerPre", "workerPre", "post"];
const talking = aContainer({
  command: "bash -c 'echo result; echo complaint >&2'",
  commands: Object.fromEntries(
    pieces.map((piece) => [piece, `export ${piece}=1; echo ${piece}; echo ${piece} error >&2`]),
  ),
});

describe("log of a pod", () => {
  it("has our steps, the user's pieces and the command's output", async () => {
    const pod = aPod({ size: 2, containers: [talking] });
    const run = await pod.run(files.broker, { env: { STUB_SUBMIT: "run" } });
    const lines = run.stdout.split("\n");
    const theirs = lines.filter((line) => !line.startsWith("minicluster: "));
    assert.deepEqual(theirs, ["init", "pre", "brokerPre", "result", "post", ""]);
    assert.ok(lines.includes("minicluster: rank 0 of demo, submit mode, size 2"));
    assert.ok(lines.some((line) => line.startsWith("minicluster: flux start --config-path=")));
    assert.equal(run.stderr, "init error\npre error\nbrokerPre error\ncomplaint\npost error\n");
  });

  it("has nothing but the command's output and post's in a quiet cluster, which keeps what a silenced piece exports", async () => {
    const pod = aPod({ size: 2, containers: [talking], logging: { quiet: true }, flux: { completeWorkers: true } });
    const run = await pod.run(files.broker, { env: { STUB_SUBMIT: "run", STUB_SEEN: "init pre" } });
    assert.deepEqual([run.stdout, run.stderr], ["result\npost\n", "complaint\npost error\n"]);
    const { init, pre } = pod.calls("flux", "start")[0]!.env;
    assert.deepEqual([init, pre], ["1", "1"]);
    const follower = await pod.run(files.broker, { rank: 1, env: { STUB_START: "1" } });
    assert.deepEqual([follower.stdout, follower.stderr], ["post\n", "post error\n"]);
  });

  const timed: Partial<MiniClusterArgs>[] = [
    { logging: { quiet: true } },
    { containers: [aContainer({ launcher: true, command: "task" })] },
  ];
  for (const args of timed)
    it(`has the wall time of both, the submit and the start, by the shell's clock: ${JSON.stringify(args)}`, async () => {
      const run = await aPod({ ...args, logging: { ...args.logging, timed: true } }).run(files.broker);
      const found = [...run.stderr.matchAll(/^FLUXTIME (\w+) wall time \d+[.,]\d{3}$/gm)].map(([, what]) => what);
      assert.deepEqual(found, ["fluxsubmit", "fluxstart"]);
    });
});
