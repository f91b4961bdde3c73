import * as assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import * as net from "node:net";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files, podPath } from "../../../support/scripts/paths";
import { aPod, type Pod, type ScriptOptions } from "../../../support/scripts/pod";

const start = files.sidecar("helper");
const free = { flux: { noWaitSocket: true } };

function aPodWithSidecar(sidecar: Partial<MiniClusterContainerArgs>, args: Partial<MiniClusterArgs> = free): Pod {
  const helper = { image: "helper", name: "helper", ...sidecar };
  return aPod({ ...args, containers: [aContainer({ runFlux: true }), helper] });
}

/** Runs a sidecar until it stays after its command, and ends it then. */
async function runToStay(pod: Pod, options?: ScriptOptions) {
  const script = pod.start(start, options);
  await pod.called(1, "sleep", "3600");
  script.terminate();
  const run = await script.ended;
  assert.equal(run.status, 143, run.stderr);
  return run;
}

const tasksOf = (pod: Pod) => pod.calls("task").map(({ words }) => words[1]);

describe("sidecar", () => {
  const sockets: [file: string, rank: number, flux: MiniClusterArgs["flux"]][] = [
    ["local", 3, {}],
    ["local-3", 3, { disableSocket: true }],
    ["local-0", 0, { disableSocket: true }],
  ];
  for (const [file, rank, flux] of sockets)
    it(`waits for the socket ${file} on rank ${rank}, runs its command once, and stays until SIGTERM`, async () => {
      const pod = aPodWithSidecar({ command: "task serve", commands: { post: "task post" } }, { flux });
      const socket = pod.at(`${podPath.run}/${file}`);
      fs.mkdirSync(pod.at(podPath.run), { recursive: true });
      // Another file is none.
      fs.writeFileSync(socket, "");
      const running = runToStay(pod, { rank });
      await pod.called(2, "sleep", "1");
      assert.deepEqual(pod.calls("task"), []);
      fs.rmSync(socket);
      const server = net.createServer().listen(socket);
      const run = await running.finally(() => server.close());
      assert.deepEqual(tasksOf(pod), ["serve", "post"]);
      assert.ok(run.stdout.includes(`waiting for the broker's socket ${podPath.run}/${file}`));
    });

  it("starts at once with noWaitSocket, in the environment of flux-view.sh", async () => {
    const commands = { init: "export A=1; f() { task f; }", servicePre: "f; export B=$A; command -v flux >flux.txt" };
    const pod = aPodWithSidecar({ command: "task serve", commands });
    await runToStay(pod, { env: { STUB_SEEN: "A B" } });
    assert.deepEqual(tasksOf(pod), ["f", "serve"]);
    const { A, B, fluxsocket, PATH, LD_LIBRARY_PATH } = pod.calls("task", "serve")[0]!.env;
    assert.deepEqual([A, B, fluxsocket], ["1", "1", `local://${podPath.run}/local`]);
    assert.deepEqual([PATH, LD_LIBRARY_PATH], [`/bin:${podPath.view}/bin`, `${podPath.view}/lib`]);
    assert.equal(fs.readFileSync(pod.at("/job/flux.txt"), "utf8").trim(), pod.at(`${podPath.view}/bin/flux`));
  });

  it("uses the image's own Flux where the view is disabled", async () => {
    const flux = { noWaitSocket: true, container: { disable: true } };
    const pod = aPodWithSidecar({ command: "task serve" }, { flux });
    await runToStay(pod);
    const { PATH, LD_LIBRARY_PATH, fluxsocket } = pod.calls("task")[0]!.env;
    assert.deepEqual([PATH, LD_LIBRARY_PATH, fluxsocket], ["/bin", undefined, `local://${podPath.run}/local`]);
  });

  it("gives its command the time to end itself", async () => {
    const script = "trap 'task ending; sleep 1; task ended; exit 0' TERM\ntask up\nwhile true; do sleep 0.1; done";
    const pod = aPodWithSidecar({ commands: { script } });
    const running = pod.start(start, { env: { STUB_PAUSE: "0.2" } });
    await pod.called(1, "task", "up");
    // What a container does after the end of its first process does not count.
    const tasks = once(running.process, "exit").then(() => tasksOf(pod));
    running.terminate();
    assert.deepEqual(await tasks, ["up", "ending", "ended"]);
    assert.equal((await running.ended).status, 143);
  });

  it("ends while its preparation runs", async () => {
    const servicePre = "task pre; while true; do sleep 1; done";
    const pod = aPodWithSidecar({ command: "task serve", commands: { servicePre } });
    const script = pod.start(start);
    await pod.called(1, "task", "pre");
    script.terminate();
    assert.equal((await script.ended).status, 143);
  });

  it("ends with its command's status in strict mode, to be started again, and stays without", async () => {
    const failing = { command: "task serve", commands: { post: "task post; exit 1" } };
    const strict = aPodWithSidecar(failing);
    assert.equal((await strict.run(start, { env: { STUB_TASK: "4" } })).status, 4);
    assert.deepEqual(tasksOf(strict), ["serve"]);
    const lenient = aPodWithSidecar(failing, { ...free, logging: { strict: false } });
    await runToStay(lenient, { env: { STUB_TASK: "4" } });
    assert.deepEqual(tasksOf(lenient), ["serve", "post"]);
  });

  it("may use names of ours in its own code", async () => {
    const clash = "child=7 socket=7 command=7; log() { exit 9; }; leave() { exit 9; }";
    await runToStay(
      aPodWithSidecar({ command: "task serve", commands: { init: clash, servicePre: clash, post: clash } }),
    );
  });

  it("prints nothing of ours in a quiet cluster", async () => {
    const commands = { init: "echo init", servicePre: "echo servicePre >&2", post: "echo post" };
    const run = await runToStay(
      aPodWithSidecar({ command: "echo served", commands }, { ...free, logging: { quiet: true } }),
    );
    assert.deepEqual([run.stdout, run.stderr], ["served\npost\n", ""]);
  });
});
