import * as assert from "node:assert/strict";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";

const withPost = (post: string, args: Partial<MiniClusterArgs> = {}) =>
  aPod({ ...args, containers: [aContainer({ commands: { post } })] });

const modes: Record<string, Partial<MiniClusterArgs>> = {
  submit: {},
  timed: { logging: { timed: true } },
  lenient: { logging: { strict: false } },
  launcher: { containers: [aContainer({ launcher: true, command: "task" })] },
  "launcher with a script": {
    containers: [aContainer({ launcher: true, command: undefined, commands: { script: "task; exit $?" } })],
  },
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
    const pod = aPod();
    assert.equal((await pod.run(files.broker, { env: { STUB_START: "1" } })).status, 1);
    assert.deepEqual(pod.calls("flux", "submit"), []);
    assert.equal((await aPod({ interactive: true }).run(files.broker, { env: { STUB_START: "3" } })).status, 3);
  });

  it("is not 0 when the resources cannot be described", async () => {
    const pod = aPod();
    const run = await pod.run(files.broker, { env: { STUB_R: "2" } });
    assert.equal(run.status, 2);
    assert.match(run.stderr, /minicluster: .*broker\.sh line \d+ ended with status 2/);
    assert.deepEqual(pod.calls("flux", "start"), []);
  });

  it("is that of the command when post fails, too", async () =>
    assert.equal((await withPost("(exit 7)").run(files.broker, { env: { STUB_SUBMIT: "3" } })).status, 3));

  it("is that of a failed post, which stops at its first failure, unless it is lenient", async () => {
    for (const strict of [true, false]) {
      const pod = withPost("false; task post", { logging: { strict } });
      assert.equal((await pod.run(files.broker)).status, strict ? 1 : 0);
      assert.equal(pod.calls("task", "post").length, strict ? 0 : 1);
    }
  });

  it("comes with a word on what failed, even in a quiet cluster", async () => {
    const pod = aPod({ logging: { quiet: true }, containers: [aContainer({ commands: { pre: "(exit 5)" } })] });
    const run = await pod.run(files.broker);
    assert.equal(run.status, 5);
    assert.match(run.stderr, /minicluster: .*pre\.sh line 1 ended with status 5/);
  });

  it("gives the launcher what the container reads", async () => {
    const pod = aPod({ containers: [aContainer({ launcher: true, command: 'read line && task "$line"' })] });
    assert.equal((await pod.run(files.broker, { input: "from outside\n" })).status, 0);
    assert.deepEqual(pod.calls("task")[0]?.words, ["task", "from outside"]);
  });
});

describe("SIGTERM", () => {
  const brokers: [name: string, args: Partial<MiniClusterArgs>, rank: number, behaviour: string][] = [
    ["the lead's broker", {}, 0, "stay"],
    ["the lead's broker in a quiet cluster", { logging: { quiet: true } }, 0, "stay:0"],
    ["the lead's timed broker", { logging: { timed: true } }, 0, "stay:7"],
    ["the lead's broker without strict mode", { logging: { strict: false } }, 0, "stay"],
    ["an interactive broker", { interactive: true }, 0, "stay:7"],
    ["a follower's broker", {}, 1, "stay:0"],
    ["the broker of a follower that completes", { flux: { completeWorkers: true } }, 1, "stay:7"],
  ];
  // Whatever the broker says of it: by this status the Job knows that nobody has failed.
  for (const [name, args, rank, behaviour] of brokers)
    it(`reaches ${name}, and the script ends after it ("${behaviour}")`, async () => {
      const pod = aPod({ size: 2, ...args });
      const script = pod.start(files.broker, { rank, env: { STUB_START: behaviour } });
      await pod.called(1, "flux", args.interactive ? "broker" : "start");
      script.terminate();
      const run = await script.ended;
      assert.equal(run.status, 143, run.stderr);
      assert.equal(pod.calls("signal", "TERM").length, 1);
    });

  it("ends a follower that pauses, at once", async () => {
    const pod = aPod({ size: 2 });
    const script = pod.start(files.broker, { rank: 1, env: { STUB_START: "1", STUB_PAUSE: "60" } });
    await pod.called(1, "sleep");
    script.terminate();
    assert.equal((await script.ended).status, 143);
    assert.equal(pod.calls("flux", "start").length, 1);
  });

  for (const piece of ["pre", "brokerPre"] as const)
    it(`ends a script whose broker has not started (${piece})`, async () => {
      const waiting = "task waiting; while true; do sleep 0.02; done";
      const pod = aPod({ containers: [aContainer({ commands: { [piece]: waiting } })] });
      const script = pod.start(files.broker);
      await pod.called(1, "task", "waiting");
      script.terminate();
      assert.equal((await script.ended).status, 143);
      assert.deepEqual(pod.calls("flux", "start"), []);
    });

  it("lets post run, however often it comes, and then the pod has not done its work", async () => {
    const pod = withPost("task post");
    const script = pod.start(files.broker, { env: { STUB_START: "stay:0" } });
    await pod.called(1, "flux", "start");
    for (let count = 0; count < 5; count++) script.terminate();
    assert.equal((await script.ended).status, 143);
    assert.equal(pod.calls("task", "post").length, 1);
  });

  it("is the only thing that ends a pod with its status: a command that ends with it has failed", async () =>
    assert.equal((await aPod().run(files.broker, { env: { STUB_START: "143" } })).status, 1));

  it("kills a follower's broker that does not stop", async () => {
    const pod = aPod({ size: 2 });
    const script = pod.start(files.broker, { rank: 1, env: { STUB_START: "hang", STUB_PATIENCE: "0.1" } });
    await pod.called(1, "flux", "start");
    script.terminate();
    assert.equal((await script.ended).status, 143);
    assert.equal(pod.calls("signal", "TERM").length, 1);
  });
});
