import * as assert from "node:assert/strict";
import type { MiniClusterCommandsArgs, MiniClusterLoggingArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";

const withCommands = (commands: MiniClusterCommandsArgs, logging: MiniClusterLoggingArgs = {}) =>
  aPod({
    ...{ size: 2, flux: { completeWorkers: true }, logging },
    containers: [aContainer({ command: "task run", commands })],
  });

describe("pieces of the user's code", () => {
  const all = ["init", "pre", "brokerPre", "workerPre", "post"];
  const each = Object.fromEntries(all.map((piece) => [piece, `task ${piece}`]));
  const orders = [
    ["task init", "task pre", "flux R", "task brokerPre", "flux start", "flux submit", "task run", "task post"],
    ["task init", "task pre", "flux R", "task workerPre", "flux start", "task post"],
  ];
  for (const [rank, order] of orders.entries())
    it(`run in order on rank ${rank}, those of the other role not at all`, async () => {
      const pod = withCommands(each);
      const run = await pod.run(files.broker, { rank, env: { STUB_SUBMIT: "run" } });
      assert.equal(run.status, 0, run.stderr);
      assert.deepEqual(
        pod.calls().map(({ words }) => words.slice(0, 2).join(" ")),
        order,
      );
    });

  for (const only of ["brokerPre", "workerPre"])
    it(`are for one role alone where there is only ${only}`, async () => {
      for (const rank of [0, 1]) {
        const pod = withCommands({ [only]: "task piece" });
        assert.equal((await pod.run(files.broker, { rank })).status, 0);
        assert.equal(pod.calls("task", "piece").length, (only === "brokerPre") === (rank === 0) ? 1 : 0);
      }
    });

  it("leave variables, functions and exports to those that follow and to the broker, and see the view from pre on", async () => {
    const pod = withCommands({
      init: "export FROM_INIT=1; greet() { task greet $1; }; plain=x",
      pre: "export FROM_PRE=$plain; greet pre; cd ..; flux version; task $FLUX_RC_EXTRA",
      brokerPre: "greet broker; export FROM_BROKER=$FROM_INIT",
      post: "greet post",
    });
    const run = await pod.run(files.broker, { env: { STUB_SEEN: "FROM_INIT FROM_PRE FROM_BROKER PWD" } });
    assert.equal(run.status, 0, run.stderr);
    assert.deepEqual(
      pod.calls("task").map(({ words }) => words.slice(1).join(" ")),
      ["greet pre", "/mnt/flux/view/etc/flux/rc1.d", "greet broker", "greet post"],
    );
    assert.equal(pod.calls("flux", "version").length, 1);
    const { FROM_INIT, FROM_PRE, FROM_BROKER, PWD } = pod.calls("flux", "start")[0]!.env;
    assert.deepEqual([FROM_INIT, FROM_PRE, FROM_BROKER, PWD], ["1", "x", "1", ""]);
  });

  it("may have names of their own that are names of ours", async () => {
    const clash = [
      "run() { exit 9; }; log() { exit 9; }; stop() { exit 9; }; greet() { :; }",
      "size=7 rank=7 status=7 child=7 stopping=7 pause=7 result=7 began=7 options=7 program=7 nodes=7",
      "trap 'exit 9' TERM",
    ].join("\n");
    const pod = withCommands({ init: clash, pre: clash, brokerPre: clash, workerPre: clash, post: clash });
    for (const rank of [0, 1]) assert.equal((await pod.run(files.broker, { rank })).status, 0);
    const [lead] = pod.calls("flux", "start");
    assert.ok(lead?.words.includes("-Sbroker.quorum=2"));
    const script = pod.start(files.broker, { rank: 1, env: { STUB_START: "stay" } });
    await pod.called(3, "flux", "start");
    script.terminate();
    assert.equal((await script.ended).status, 143);
  });

  it("cannot break out of their files", async () => {
    const pieces = { init: "task 'a'\nfi; }; #", pre: "cat <<EOF\nnever ended", post: "task post" };
    const pod = withCommands(pieces, { strict: false });
    const run = await pod.run(files.broker);
    assert.equal(run.status, 0, run.stderr);
    assert.deepEqual([pod.calls("flux", "start").length, pod.calls("task", "post").length], [1, 1]);
  });
});

describe("strict mode", () => {
  const failures: [piece: keyof MiniClusterCommandsArgs, rank: number, code: string, status: number][] = [
    ["pre", 0, "(exit 5)\ntask on", 5],
    ["pre", 1, "(exit 5) | cat\ntask on", 5],
    ["brokerPre", 0, "no-such-program\ntask on", 127],
    ["workerPre", 1, "(exit 5)\ntask on", 5],
  ];
  for (const [piece, rank, code, status] of failures) {
    it(`ends the script with ${status} when ${piece} fails on rank ${rank}, and says where`, async () => {
      const pod = withCommands({ [piece]: code });
      const run = await pod.run(files.broker, { rank });
      assert.equal(run.status, status);
      assert.match(run.stderr, new RegExp(`minicluster: .*demo\\.${piece}\\.sh line 1 ended with status ${status}`));
      assert.deepEqual([pod.calls("task"), pod.calls("flux", "start")], [[], []]);
    });
    it(`that is off goes on when ${piece} fails on rank ${rank} with ${status}`, async () => {
      const pod = withCommands({ [piece]: code }, { strict: false });
      assert.equal((await pod.run(files.broker, { rank })).status, 0);
      assert.deepEqual([pod.calls("task", "on").length, pod.calls("flux", "start").length], [1, 1]);
    });
  }

  it("stops at a variable that is not set, and begins after init, the image's own start-up code", async () => {
    const run = await withCommands({ pre: 'task "$never_set"' }).run(files.broker);
    assert.notEqual(run.status, 0);
    assert.match(run.stderr, /never_set: unbound variable/);
    const pod = withCommands({ init: "false; task $never_set on" });
    assert.equal((await pod.run(files.broker)).status, 0);
    assert.equal(pod.calls("task", "on").length, 1);
  });
});
