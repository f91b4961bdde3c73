import * as assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import * as net from "node:net";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../../provider";
import { aContainer } from "../../../../support/fixtures";
import { files, podPath } from "../../../../support/scripts/paths";
import { aPod, type Pod, type ScriptOptions } from "../../../../support/scripts/pod";

const start = files.sidecar("helper");
const free = { flux: { noWaitSocket: true } };

type Container = Partial<MiniClusterContainerArgs>;
type Args = Partial<MiniClusterArgs>;

const aPodWithSidecar = (sidecar: Container, args: Args = free) =>
  aPod({ ...args, containers: [aContainer({ runFlux: true }), { image: "helper", name: "helper", ...sidecar }] });

const aPodWithService = (service: Container, args: Args = {}) =>
  aPod({ ...args, services: [{ image: "nginx", name: "helper", ...service }] });

const pods = { sidecar: aPodWithSidecar, service: aPodWithService };

/** Runs a sidecar until it stays after its command, and ends it then. */
const runToStay = (pod: Pod, options: ScriptOptions = {}) => pod.leave(start, options, 1, "sleep", "3600");

for (const [kind, make] of Object.entries(pods))
  describe(kind, () => {
    it("gives its command the time to end itself", async () => {
      const script = "trap 'task ending; sleep 1; task ended; exit 0' TERM\ntask up\nwhile true; do sleep 0.1; done";
      const pod = make({ commands: { script, post: "task post" } });
      const running = pod.start(start, { env: { STUB_PAUSE: "0.2" } });
      await pod.called(1, "task", "up");
      // What a container does after the end of its first process does not count.
      const tasks = once(running.process, "exit").then(() => pod.wordsOf("task"));
      running.terminate();
      assert.deepEqual(await tasks, ["up", "ending", "ended"]);
      assert.equal((await running.ended).status, 143);
    });

    it("ends at once while the code after its command runs", async () => {
      const pod = make({ command: "task serve", commands: { post: "task post; sleep 1; sleep 1" } });
      const running = pod.start(start, { env: { STUB_PAUSE: "2" } });
      await pod.called(1, "sleep", "1");
      // What a container does after the end of its first process does not count.
      const ended = once(running.process, "exit").then(() => pod.calls("sleep").length);
      running.terminate();
      assert.equal(await ended, 1);
    });

    it("gives the code after its command the command's status", async () => {
      const commands = { post: 'task status "$?"' };
      for (const status of ["0", "4"]) {
        const pod = make({ command: "task serve", commands }, { ...free, logging: { strict: false } });
        const env = { STUB_TASK: status };
        await (kind === "sidecar" ? runToStay(pod, { env }) : pod.run(start, { env }));
        assert.deepEqual(pod.wordsOf("task"), ["serve", `status ${status}`]);
      }
    });

    it("ends with its command's status in strict mode, to be started again", async () => {
      const pod = make({ command: "task serve", commands: { post: "task post; exit 1" } });
      assert.equal((await pod.run(start, { env: { STUB_TASK: "4" } })).status, 4);
      assert.deepEqual(pod.wordsOf("task"), ["serve"]);
    });

    it("prints nothing of ours and nothing of the preparation in a quiet cluster", async () => {
      const commands = { init: "echo init", servicePre: "echo servicePre >&2", post: "echo post" };
      const pod = make({ command: "echo served", commands }, { ...free, logging: { quiet: true } });
      const run = await (kind === "sidecar" ? runToStay(pod) : pod.run(start));
      assert.deepEqual([run.stdout, run.stderr], ["served\npost\n", ""]);
    });

    it("does not start its command when its preparation fails, and logs the file and the line", async () => {
      const pod = make({ command: "task serve", commands: { servicePre: "(exit 6)" } });
      const run = await pod.run(start);
      assert.equal(run.status, 6);
      assert.match(run.stderr, /minicluster: .*helper\.servicePre\.sh line 1 ended with status 6/);
      assert.deepEqual(pod.calls(), []);
    });
  });

describe("sidecar", () => {
  for (const [file, rank] of [
    ["local", 3],
    ["local-3", 3],
    ["local-0", 0],
  ] as const)
    it(`waits for the socket ${file} on rank ${rank}, runs its command once, and stays until SIGTERM`, async () => {
      const flux = { disableSocket: file !== "local" };
      const pod = aPodWithSidecar({ command: "task serve", commands: { post: "task post" } }, { flux });
      const socket = pod.at(`${podPath.run}/${file}`);
      fs.mkdirSync(pod.at(podPath.run), { recursive: true });
      // Another file is not a flag.
      fs.writeFileSync(socket, "");
      const running = runToStay(pod, { rank });
      await pod.called(2, "sleep", "1");
      assert.deepEqual(pod.calls("task"), []);
      fs.rmSync(socket);
      const server = net.createServer().listen(socket);
      const run = await running.finally(() => server.close());
      assert.deepEqual(pod.wordsOf("task"), ["serve", "post"]);
      assert.ok(run.stdout.includes(`waiting for the broker's socket ${podPath.run}/${file}`));
    });

  for (const disable of [false, true])
    it(`starts at once with noWaitSocket, by ${disable ? "its image's Flux" : "the view"}, once prepared`, async () => {
      const commands = { init: "export A=1; f() { task f; }", servicePre: "f; export B=$A; command -v flux >flux.txt" };
      const flux = { noWaitSocket: true, container: { disable } };
      const pod = aPodWithSidecar({ command: "task serve", commands }, { flux });
      await runToStay(pod, { env: { STUB_SEEN: "A B" } });
      assert.deepEqual(pod.wordsOf("task"), ["f", "serve"]);
      const { A, B, fluxsocket, PATH, LD_LIBRARY_PATH } = pod.calls("task", "serve")[0]!.env;
      assert.deepEqual([A, B, fluxsocket], ["1", "1", `local://${podPath.run}/local`]);
      const { view } = podPath;
      assert.deepEqual([PATH, LD_LIBRARY_PATH], disable ? ["/bin", undefined] : [`/bin:${view}/bin`, `${view}/lib`]);
      const found = fs.readFileSync(pod.at("/job/flux.txt"), "utf8").trim();
      assert.equal(found, pod.at(disable ? "/bin/flux" : `${view}/bin/flux`));
    });

  it("ends while its preparation runs", async () => {
    const servicePre = "task pre; while true; do sleep 1; done";
    await aPodWithSidecar({ command: "task serve", commands: { servicePre } }).leave(start, {}, 1, "task", "pre");
  });

  it("stays after failures without strict mode, and may use our names in its own code", async () => {
    const clash = "child=7 socket=7 command=7; log() { exit 9; }; leave() { exit 9; }";
    const commands = { init: clash, servicePre: clash, post: `${clash}; task post; exit 1` };
    const pod = aPodWithSidecar({ command: "task serve", commands }, { ...free, logging: { strict: false } });
    await runToStay(pod, { env: { STUB_TASK: "4" } });
    assert.deepEqual(pod.wordsOf("task"), ["serve", "post"]);
  });
});

describe("service", () => {
  it("runs the pieces around its command in order, has nothing of Flux, and ends with it", async () => {
    const commands = {
      init: "export A=1; greet() { task greet; }; task init",
      servicePre: "greet; export B=$A",
      script: `task serve && task "it's"`,
      post: "task post",
    };
    const pod = aPodWithService({ commands });
    fs.rmSync(pod.at("/mnt/flux"), { recursive: true });
    const run = await pod.run(start, { env: { STUB_SEEN: "A B", JOB_COMPLETION_INDEX: undefined } });
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, "", ""]);
    assert.deepEqual(pod.wordsOf("task"), ["init", "greet", "serve", "it's", "post"]);
    const { A, B, PATH, FLUX_RC_EXTRA, fluxsocket } = pod.calls("task", "serve")[0]!.env;
    assert.deepEqual([A, B, PATH, FLUX_RC_EXTRA, fluxsocket], ["1", "1", "/bin", undefined, undefined]);
  });

  it("ends with its command's status without strict mode as well", async () => {
    const pod = aPodWithService({ command: "task serve", commands: { init: ":" } }, { logging: { strict: false } });
    assert.equal((await pod.run(start, { env: { STUB_TASK: "4" } })).status, 4);
  });
});
