import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as net from "node:net";
import type { MiniClusterArgs } from "../../../../../provider";
import { aContainer } from "../../../../support/fixtures";
import { files, podPath } from "../../../../support/scripts/paths";
import { aPod } from "../../../../support/scripts/pod";

const withPost = (post: string, args: Partial<MiniClusterArgs> = {}) =>
  aPod({ ...args, containers: [aContainer({ commands: { post } })] });

const script = { launcher: true, command: undefined, commands: { script: "task; exit $?" } };

const modes: Record<string, Partial<MiniClusterArgs>> = {
  submit: {},
  timed: { logging: { timed: true } },
  lenient: { logging: { strict: false } },
  launcher: { containers: [aContainer({ launcher: true, command: "task" })] },
  "launcher with a script": { containers: [aContainer(script)] },
  "post in its shell": { containers: [aContainer({ commands: { post: "status=0; task post; exit 0" } })] },
};

describe("exit status of the lead", () => {
  for (const [mode, args] of Object.entries(modes))
    for (const status of [0, 127])
      it(`is the command's ${status} (${mode})`, async () => {
        const pod = aPod(args);
        const task = mode.startsWith("launcher") ? String(status) : "0";
        const run = await pod.run(files.broker, { env: { STUB_SUBMIT: String(status), STUB_TASK: task } });
        assert.equal(run.status, status, run.stderr);
        assert.equal(pod.calls("task", "post").length, mode.startsWith("post") ? 1 : 0);
      });

  it("is the broker's when the instance could not start, and in an interactive cluster", async () => {
    assert.equal((await aPod().run(files.broker, { env: { STUB_START: "1" } })).status, 1);
    assert.equal((await aPod({ interactive: true }).run(files.broker, { env: { STUB_START: "3" } })).status, 3);
  });

  it("is 1 where the command is not retried and its own would mean that the container was killed", async () => {
    for (const status of [128, 137, 255]) {
      const env = { STUB_SUBMIT: String(status) };
      assert.equal((await aPod().run(files.broker, { env })).status, 1);
      assert.equal((await aPod({ retryCommand: true }).run(files.broker, { env })).status, status);
    }
    for (const status of [0, 1, 7, 126, 127, 139])
      assert.equal((await aPod().run(files.broker, { env: { STUB_SUBMIT: String(status) } })).status, status);
  });

  it("is that of a broker that was killed, whose socket is left", async () => {
    const script = "task up; until [[ -e killed ]]; do sleep 0.1; done; exit 137";
    const container = aContainer({ launcher: true, command: undefined, commands: { script } });
    const pod = aPod({ retryCommand: false, containers: [container] });
    const running = pod.start(files.broker);
    await pod.called(1, "task", "up");
    const socket = net.createServer().listen(pod.at(`${podPath.run}/local`));
    fs.writeFileSync(pod.at("/job/killed"), "");
    const { status } = await running.ended.finally(() => socket.close());
    assert.equal(status, 137);
  });

  it("is not 0 when the resources cannot be described", async () => {
    const pod = aPod();
    const run = await pod.run(files.broker, { env: { STUB_R: "2" } });
    assert.equal(run.status, 2);
    assert.match(run.stderr, /minicluster: .*resources\.sh line \d+ ended with status 2/);
    assert.deepEqual(pod.calls("flux", "start"), []);
  });

  it("is that of a failed command, or else of a failed post, which stops at its first failure if strict", async () => {
    for (const [strict, submitted, status] of [
      [true, 0, 1],
      [false, 0, 0],
      [true, 3, 3],
    ] as const) {
      const pod = withPost("false; task post", { logging: { strict } });
      assert.equal((await pod.run(files.broker, { env: { STUB_SUBMIT: String(submitted) } })).status, status);
      assert.equal(pod.calls("task", "post").length, strict ? 0 : 1);
    }
  });

  it("gives the launcher what the container reads", async () => {
    const pod = aPod({ containers: [aContainer({ launcher: true, command: 'read line && task "$line"' })] });
    await pod.broker({ input: "from outside\n" });
    assert.deepEqual(pod.wordsOf("task"), ["from outside"]);
  });
});

describe("SIGTERM", () => {
  const slow = { STUB_START: "hang", STUB_PATIENCE: "0.1" };
  const brokers: [name: string, args: Partial<MiniClusterArgs>, rank: number, env: Record<string, string>][] = [
    ["the lead's broker", {}, 0, { STUB_START: "stay" }],
    ["the lead's broker in a quiet cluster", { logging: { quiet: true } }, 0, { STUB_START: "stay:0" }],
    ["the lead's timed broker", { logging: { timed: true } }, 0, { STUB_START: "stay:7" }],
    ["the lead's broker without strict mode", { logging: { strict: false } }, 0, { STUB_START: "stay" }],
    ["an interactive broker", { interactive: true }, 0, { STUB_START: "stay:7" }],
    ["a follower's broker", {}, 1, { STUB_START: "stay:0" }],
    ["the broker of a follower that completes", { flux: { completeWorkers: true } }, 1, { STUB_START: "stay:7" }],
    ["a follower's broker that does not stop, and is killed", {}, 1, slow],
  ];
  // Regardless of the broker's status: the Job takes the status of SIGTERM as no failure.
  for (const [name, args, rank, env] of brokers)
    it(`reaches ${name}, and the script ends after it ("${env.STUB_START}")`, async () => {
      const pod = aPod({ size: 2, ...args });
      await pod.leave(files.broker, { rank, env }, 1, "flux", args.interactive ? "broker" : "start");
      assert.equal(pod.calls("signal", "TERM").length, 1);
    });

  it("ends a broker that has only just been started, before bash has its process id", async () => {
    const pod = aPod({ size: 2 });
    const early = "set -T; trap 'if [[ $BASH_COMMAND == \"child=\\$!\" ]]; then kill -TERM $$; fi' DEBUG";
    fs.writeFileSync(pod.at("/early.sh"), early);
    const env = { STUB_START: "stay", BASH_ENV: pod.at("/early.sh") };
    assert.equal((await pod.run(files.broker, { rank: 1, env })).status, 143);
  });

  it("ends a follower that pauses, also if the signal arrives while bash prepares the pause", async () => {
    const pausing = { STUB_START: "1", STUB_PAUSE: "60" };
    const pod = aPod({ size: 2 });
    await pod.leave(files.broker, { rank: 1, env: pausing }, 1, "sleep");
    assert.equal(pod.calls("flux", "start").length, 1);
    execFileSync("mkfifo", [pod.at("/pipe")]);
    const pipe = `"$(if ((BASH_SUBSHELL == 1)); then kill -TERM $$; fi; echo ${pod.at("/pipe")})"`;
    pod.change("functions.sh", (text) => text.replaceAll("<(:)", () => pipe));
    assert.equal((await pod.run(files.broker, { rank: 1, env: pausing })).status, 143);
  });

  for (const piece of ["pre", "brokerPre"] as const)
    it(`ends a script whose broker has not started (${piece})`, async () => {
      const waiting = "task waiting; while true; do sleep 0.02; done";
      const pod = aPod({ containers: [aContainer({ commands: { [piece]: waiting } })] });
      await pod.leave(files.broker, {}, 1, "task", "waiting");
      assert.deepEqual(pod.calls("flux", "start"), []);
    });

  it("runs post even if the signal arrives several times, and ends with the status of a terminated pod", async () => {
    const pod = withPost("task post");
    const running = pod.start(files.broker, { env: { STUB_START: "stay:0" } });
    await pod.called(1, "flux", "start");
    for (let count = 0; count < 5; count++) running.terminate();
    assert.equal((await running.ended).status, 143);
    assert.deepEqual(pod.wordsOf("task"), ["post"]);
  });

  it("is the only thing that ends a pod with its status: a command that ends with it has failed", async () =>
    assert.equal((await aPod().run(files.broker, { env: { STUB_START: "143" } })).status, 1));
});
