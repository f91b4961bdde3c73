import * as assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MiniClusterCommandsArgs, MiniClusterLoggingArgs } from "../../../../../provider";
import { aContainer, aPool } from "../../../../support/fixtures";
import { files } from "../../../../support/scripts/paths";
import { aPod } from "../../../../support/scripts/pod";

const pieces = ["init", "pre", "brokerPre", "workerPre", "post"] as const;

/** The same code, but for the name of the piece, in each of them. */
const each = (code: (piece: string) => string): MiniClusterCommandsArgs =>
  Object.fromEntries(pieces.map((piece) => [piece, code(piece)]));

const withCommands = (commands: MiniClusterCommandsArgs, logging: MiniClusterLoggingArgs = {}, command = "task run") =>
  aPod({ size: 2, flux: { completeWorkers: true }, logging, containers: [aContainer({ command, commands })] });

describe("pieces of the user's code", () => {
  const orders = [
    ["task init", "flux R", "task pre", "task brokerPre", "flux start", "flux submit", "task run", "task post"],
    ["task init", "flux R", "task pre", "task workerPre", "flux start", "task post"],
  ];
  for (const [rank, order] of orders.entries())
    it(`run in order on rank ${rank}, those of the other role not at all`, async () => {
      const pod = withCommands(each((piece) => `task ${piece}`));
      await pod.broker({ rank, env: { STUB_SUBMIT: "run" } });
      const calls = pod.calls().map(({ words }) => words.slice(0, 2).join(" "));
      assert.deepEqual(calls, order);
    });

  for (const only of ["brokerPre", "workerPre"])
    it(`are for one role alone where there is only ${only}`, async () => {
      for (const rank of [0, 1]) {
        const pod = withCommands({ [only]: "task piece" });
        await pod.broker({ rank });
        assert.equal(pod.calls("task", "piece").length, (only === "brokerPre") === (rank === 0) ? 1 : 0);
      }
    });

  it("come after the scripts of a pool's drivers, whose exports replace none that was there", async () => {
    const directory = mkdtempSync(join(tmpdir(), "drivers-"));
    const file = join(directory, "set env.sh");
    writeFileSync(file, "export NCCL_NET=script NCCL_TC=script; unset_by_nobody=$NOT_SET; false");
    const pod = aPod({
      pool: aPool({ setupScripts: [file, "/does/not/exist.sh"], environment: { NCCL_NET: "gIB" } }),
      containers: [aContainer({ command: "task run", commands: { init: "task init $NCCL_TC" } })],
    });
    const { env } = await pod.broker({ env: { NCCL_NET: "gIB", STUB_SEEN: "NCCL_NET NCCL_TC" } });
    assert.equal(pod.wordsOf("sleep").filter((seconds) => seconds === "5").length, 60);
    rmSync(directory, { recursive: true });
    assert.deepEqual([env.NCCL_NET, env.NCCL_TC], ["gIB", "script"]);
    assert.deepEqual(pod.wordsOf("task")[0], "init script");
  });

  it("wait for the script of a pool's drivers that is not yet on the node", async () => {
    const directory = mkdtempSync(join(tmpdir(), "drivers-"));
    const file = join(directory, "set.sh");
    const pod = aPod({
      pool: aPool({ setupScripts: [file] }),
      containers: [aContainer({ command: "task run", commands: { init: "task init $NCCL_TC" } })],
    });
    const run = pod.run(files.broker);
    await pod.called(2, "sleep");
    writeFileSync(file, "export NCCL_TC=late");
    const { stderr } = await run;
    rmSync(directory, { recursive: true });
    assert.deepEqual(pod.wordsOf("task")[0], "init late");
    assert.match(stderr, /waiting for \S+set\.sh of the node\n/);
    assert.doesNotMatch(stderr, /is missing/);
  });

  it("say that the script of a pool's drivers never came to the node", async () => {
    const pod = aPod({ pool: aPool({ setupScripts: ["/does/not/exist.sh"] }) });
    const { status, stderr } = await pod.run(files.broker);
    assert.equal(status, 0);
    assert.match(stderr, /\/does\/not\/exist.sh is missing on the node; the settings of its network are not loaded\n/);
  });

  it("leave variables, functions and exports to later ones and to the broker, and see the view from pre", async () => {
    const pod = withCommands({
      init: "export FROM_INIT=1; greet() { task greet $1; }; plain=x",
      pre: "export FROM_PRE=$plain; greet pre; cd ..; flux version; task $PATH",
      brokerPre: "greet broker; export FROM_BROKER=$FROM_INIT",
      post: "greet post",
    });
    const { env } = await pod.broker({ env: { STUB_SEEN: "FROM_INIT FROM_PRE FROM_BROKER PWD" } });
    const view = "/bin:/mnt/flux/view/bin";
    assert.deepEqual(pod.wordsOf("task"), ["greet pre", view, "greet broker", "greet post"]);
    assert.equal(pod.calls("flux", "version").length, 1);
    assert.deepEqual([env.FROM_INIT, env.FROM_PRE, env.FROM_BROKER, env.PWD], ["1", "x", "1", ""]);
  });

  it("may use names that the component uses", async () => {
    const clash = [
      "run() { exit 9; }; log() { exit 9; }; stop() { exit 9; }; greet() { :; }",
      "size=7 rank=7 status=7 child=7 stopping=7 pause=7 result=7 began=7 options=7 program=7 nodes=7",
      "trap 'exit 9' TERM",
    ].join("\n");
    const pod = withCommands(each(() => clash));
    assert.ok((await pod.broker()).words.includes("-Sbroker.quorum=2"));
    await pod.broker({ rank: 1 });
    await pod.leave(files.broker, { rank: 1, env: { STUB_START: "stay" } }, 3, "flux", "start");
  });

  it("cannot break out of their files", async () => {
    const pieces = { init: "task 'a'\nfi; }; #", pre: "cat <<EOF\nnever ended", post: "task post" };
    const pod = withCommands(pieces, { strict: false });
    await pod.broker();
    assert.deepEqual(pod.wordsOf("task", "post"), [""]);
  });
});

describe("code after the run", () => {
  for (const strict of [false, true])
    it(`finds the status of the run in $?${strict ? ", in strict mode" : ""}`, async () => {
      for (const status of [0, 3]) {
        const pod = withCommands({ post: 'task status "$?"' }, { strict });
        assert.equal((await pod.run(files.broker, { env: { STUB_START: String(status) } })).status, status);
        assert.deepEqual(pod.wordsOf("task", "status"), [String(status)]);
      }
    });

  it("finds the status of a follower's broker in $retval", async () => {
    const pod = withCommands({ post: 'task "$retval"' });
    await pod.broker({ rank: 1, env: { STUB_START: "5" } });
    assert.deepEqual(pod.wordsOf("task"), ["5"]);
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
    it(`ends the script with ${status} when ${piece} fails on rank ${rank}, and names it, even if quiet`, async () => {
      const pod = withCommands({ [piece]: code }, { quiet: true });
      const run = await pod.run(files.broker, { rank });
      assert.equal(run.status, status);
      assert.match(run.stderr, new RegExp(`minicluster: .*demo\\.${piece}\\.sh line 1 ended with status ${status}`));
      assert.deepEqual([pod.calls("task"), pod.calls("flux", "start")], [[], []]);
    });
    it(`that is off goes on when ${piece} fails on rank ${rank} with ${status}`, async () => {
      const pod = withCommands({ [piece]: code }, { strict: false });
      await pod.broker({ rank });
      assert.deepEqual(pod.wordsOf("task"), ["on"]);
    });
  }

  it("stops at a variable that is not set, and begins after init, the image's own start-up code", async () => {
    const run = await withCommands({ pre: 'task "$never_set"' }).run(files.broker);
    assert.notEqual(run.status, 0);
    assert.match(run.stderr, /never_set: unbound variable/);
    const pod = withCommands({ init: "false; task $never_set on" });
    await pod.broker();
    assert.deepEqual(pod.wordsOf("task"), ["on"]);
  });
});

describe("log of a pod", () => {
  const talking = each((piece) => `export ${piece}=1; echo ${piece}; echo ${piece} error >&2`);
  const command = "bash -c 'echo result; echo complaint >&2'";

  it("has our steps, the user's pieces and the command's output", async () => {
    const run = await withCommands(talking, {}, command).run(files.broker, { env: { STUB_SUBMIT: "run" } });
    const lines = run.stdout.split("\n");
    const theirs = lines.filter((line) => !line.startsWith("minicluster: "));
    assert.deepEqual(theirs, ["init", "pre", "brokerPre", "result", "post", ""]);
    assert.ok(lines.includes("minicluster: rank 0 of demo, submit mode, size 2"));
    assert.ok(lines.some((line) => line.startsWith("minicluster: flux start --config-path=")));
    assert.equal(run.stderr, "init error\npre error\nbrokerPre error\ncomplaint\npost error\n");
  });

  it("has only the output of command and post in a quiet cluster, and the exports of silent pieces", async () => {
    const pod = withCommands(talking, { quiet: true }, command);
    const run = await pod.run(files.broker, { env: { STUB_SUBMIT: "run", STUB_SEEN: "init pre" } });
    assert.deepEqual([run.stdout, run.stderr], ["result\npost\n", "complaint\npost error\n"]);
    const { init, pre } = pod.calls("flux", "start")[0]!.env;
    assert.deepEqual([init, pre], ["1", "1"]);
    const follower = await pod.run(files.broker, { rank: 1, env: { STUB_START: "1" } });
    assert.deepEqual([follower.stdout, follower.stderr], ["post\n", "post error\n"]);
  });

  for (const launcher of [false, true])
    it(`has the wall time of submit and start, by the shell's clock (launcher: ${launcher})`, async () => {
      const containers = [aContainer({ launcher, command: "task" })];
      const { stderr } = await aPod({ logging: { timed: true, quiet: !launcher }, containers }).run(files.broker);
      const found = [...stderr.matchAll(/^FLUXTIME (\w+) wall time \d+[.,]\d{3}$/gm)].map(([, what]) => what);
      assert.deepEqual(found, ["fluxsubmit", "fluxstart"]);
    });
});
