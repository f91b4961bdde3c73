import * as assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { files } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";

const start = files.sidecar("web");

const aServicesPod = (service: Partial<MiniClusterContainerArgs>, args: Partial<MiniClusterArgs> = {}) =>
  aPod({ ...args, services: [{ image: "nginx", name: "web", ...service }] });

describe("service", () => {
  it("runs the pieces around its command in order, knows nothing of Flux, and ends with it", async () => {
    const commands = {
      init: "export A=1; greet() { task greet; }; task init",
      servicePre: "greet; export B=$A",
      script: `task serve && task "it's"`,
      post: "task post",
    };
    const pod = aServicesPod({ commands });
    fs.rmSync(pod.at("/mnt/flux"), { recursive: true });
    const run = await pod.run(start, { env: { STUB_SEEN: "A B", JOB_COMPLETION_INDEX: undefined } });
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, "", ""]);
    const calls = pod.calls().map(({ words }) => words.slice(1).join(" "));
    assert.deepEqual(calls, ["init", "greet", "serve", "it's", "post"]);
    const { A, B, PATH, FLUX_RC_EXTRA, fluxsocket } = pod.calls("task", "serve")[0]!.env;
    assert.deepEqual([A, B, PATH, FLUX_RC_EXTRA, fluxsocket], ["1", "1", "/bin", undefined, undefined]);
  });

  it("ends with its command's status, to be started again", async () => {
    for (const strict of [true, false]) {
      const pod = aServicesPod({ command: "task serve", commands: { init: ":" } }, { logging: { strict } });
      assert.equal((await pod.run(start, { env: { STUB_TASK: "4" } })).status, 4);
    }
  });

  it("does not start its command when its preparation fails, and says where", async () => {
    const pod = aServicesPod({ command: "task serve", commands: { servicePre: "(exit 6)" } });
    const run = await pod.run(start);
    assert.equal(run.status, 6);
    assert.match(run.stderr, /minicluster: .*web\.servicePre\.sh line 1 ended with status 6/);
    assert.deepEqual(pod.calls(), []);
  });

  it("gives its command the time to end itself", async () => {
    const script = "trap 'task ended; exit 0' TERM\ntask up\nwhile true; do sleep 0.1; done";
    const pod = aServicesPod({ commands: { script, post: "task post" } });
    const running = pod.start(start);
    await pod.called(1, "task", "up");
    // What a container does after the end of its first process does not count.
    const tasks = once(running.process, "exit").then(() => pod.calls("task").map(({ words }) => words[1]));
    running.terminate();
    assert.deepEqual(await tasks, ["up", "ended"]);
    assert.equal((await running.ended).status, 143);
  });

  it("prints nothing of ours and nothing of the preparation in a quiet cluster", async () => {
    const pieces = { init: "echo init", servicePre: "echo servicePre >&2", post: "echo post" };
    const pod = aServicesPod({ command: "echo served", commands: pieces }, { logging: { quiet: true } });
    const run = await pod.run(start);
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, "served\npost\n", ""]);
  });
});
