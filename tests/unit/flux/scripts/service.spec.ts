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
      post: "task post",
    };
    const pod = aServicesPod({ command: "task serve --port 80", commands });
    fs.rmSync(pod.at("/mnt/flux"), { recursive: true });
    const run = await pod.run(start, { env: { STUB_SEEN: "A B", JOB_COMPLETION_INDEX: undefined } });
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, "", ""]);
    assert.deepEqual(
      pod.calls().map(({ words }) => words.slice(1).join(" ")),
      ["init", "greet", "serve --port 80", "post"],
    );
    const { A, B, PATH, FLUX_RC_EXTRA, fluxsocket } = pod.calls("task", "serve")[0]!.env;
    assert.deepEqual([A, B, PATH, FLUX_RC_EXTRA, fluxsocket], ["1", "1", "/bin", undefined, undefined]);
  });

  const commands: [name: string, service: Partial<MiniClusterContainerArgs>, calls: string[][]][] = [
    ["a command line", { command: `A=1 task "it's" && task two` }, [["it's"], ["two"]]],
    ["a script", { commands: { script: "for i in 1 2; do task $i; done" } }, [["1"], ["2"]]],
  ];
  for (const [name, service, calls] of commands)
    it(`runs ${name} as bash reads it`, async () => {
      const pod = aServicesPod(service);
      assert.equal((await pod.run(start)).status, 0);
      assert.deepEqual(
        pod.calls("task").map(({ words }) => words.slice(1)),
        calls,
      );
    });

  for (const strict of [true, false])
    for (const status of [0, 4])
      it(`ends with its command's status ${status}, to be started again (strict: ${strict})`, async () => {
        const pod = aServicesPod({ command: "task serve", commands: { init: ":" } }, { logging: { strict } });
        assert.equal((await pod.run(start, { env: { STUB_TASK: String(status) } })).status, status);
      });

  it("does not start its command when its preparation fails, and says where", async () => {
    const pod = aServicesPod({ command: "task serve", commands: { servicePre: "(exit 6)" } });
    const run = await pod.run(start);
    assert.equal(run.status, 6);
    assert.match(run.stderr, /minicluster: .*web\.servicePre\.sh line 1 ended with status 6/);
    assert.deepEqual(pod.calls(), []);
  });

  it("gives its command the time to end itself", async () => {
    const script = "trap 'task ending; sleep 1; task ended; exit 0' TERM\ntask up\nwhile true; do sleep 0.1; done";
    const pod = aServicesPod({ commands: { script, post: "task post" } });
    const running = pod.start(start, { env: { STUB_PAUSE: "0.2" } });
    await pod.called(1, "task", "up");
    // What a container does after the end of its first process does not count.
    const tasks = once(running.process, "exit").then(() => pod.calls("task").map(({ words }) => words[1]));
    running.terminate();
    assert.deepEqual(await tasks, ["up", "ending", "ended"]);
    assert.equal((await running.ended).status, 143);
  });

  it("ends while its preparation runs", async () => {
    const servicePre = "task pre; while true; do sleep 1; done";
    const pod = aServicesPod({ command: "task serve", commands: { servicePre } });
    const running = pod.start(start);
    await pod.called(1, "task", "pre");
    running.terminate();
    assert.equal((await running.ended).status, 143);
    assert.deepEqual(pod.calls("task", "serve"), []);
  });

  it("prints nothing of ours and nothing of the preparation in a quiet cluster", async () => {
    const pieces = { init: "echo init", servicePre: "echo servicePre >&2", post: "echo post" };
    const pod = aServicesPod({ command: "echo served", commands: pieces }, { logging: { quiet: true } });
    const run = await pod.run(start);
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, "served\npost\n", ""]);
  });

  it("may use names of ours in its own code", async () => {
    const clash = "child=7 command=7; run() { exit 9; }; trap 'exit 9' TERM";
    const pod = aServicesPod({ command: "task serve", commands: { init: clash, servicePre: clash, post: clash } });
    assert.equal((await pod.run(start)).status, 0);
    assert.equal(pod.calls("task", "serve").length, 1);
  });

  const bare: [name: string, service: Partial<MiniClusterContainerArgs>][] = [
    ["without a command", {}],
    ["with noWrapEntrypoint", { command: "nginx -g 'daemon off;'", noWrapEntrypoint: true }],
  ];
  for (const [name, service] of bare)
    it(`has no file of ours ${name}`, () => {
      const mounted = fs.readdirSync(aServicesPod(service).at("/etc/minicluster/config"));
      assert.deepEqual(
        mounted.filter((file) => file.startsWith("web.")),
        [],
      );
    });
});
