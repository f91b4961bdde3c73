import * as assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import * as net from "node:net";
import type { MiniClusterArgs, MiniClusterContainerArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files, podPath } from "../../../support/scripts/paths";
import { aPod, type Pod } from "../../../support/scripts/pod";

const start = files.sidecar("helper");

function aPodWithSidecar(sidecar: Partial<MiniClusterContainerArgs>, args: Partial<MiniClusterArgs> = {}): Pod {
  const helper = { image: "helper", name: "helper", ...sidecar };
  return aPod({ ...args, containers: [aContainer({ runFlux: true }), helper] });
}

/** Opens the socket of a broker for the time of a test. */
async function withSocket<T>(pod: Pod, file: string, use: () => Promise<T>): Promise<T> {
  fs.mkdirSync(pod.at(podPath.run), { recursive: true });
  const server = net.createServer().listen(pod.at(`${podPath.run}/${file}`));
  try {
    return await use();
  } finally {
    server.close();
  }
}

describe("sidecar", () => {
  const sockets: [file: string, rank: number, flux: MiniClusterArgs["flux"]][] = [
    ["local", 3, {}],
    ["local-3", 3, { disableSocket: true }],
    ["local-0", 0, { disableSocket: true }],
  ];
  for (const [file, rank, flux] of sockets)
    it(`waits for the socket ${file} on rank ${rank}, runs its command once, and stays until SIGTERM`, async () => {
      const pod = aPodWithSidecar({ command: "task serve", commands: { post: "task post" } }, { flux });
      const script = pod.start(start, { rank });
      await pod.called(2, "sleep", "1");
      assert.deepEqual(pod.calls("task"), []);
      await withSocket(pod, file, () => pod.called(1, "sleep", "3600"));
      script.terminate();
      const run = await script.ended;
      assert.equal(run.status, 143, run.stderr);
      assert.deepEqual(
        pod.calls("task").map(({ words }) => words[1]),
        ["serve", "post"],
      );
      assert.ok(run.stdout.includes(`waiting for the broker's socket ${podPath.run}/${file}`));
    });

  it("does not take a file for the socket", async () => {
    const pod = aPodWithSidecar({ command: "task serve" });
    fs.mkdirSync(pod.at(podPath.run), { recursive: true });
    fs.writeFileSync(pod.at(`${podPath.run}/local`), "");
    const script = pod.start(start);
    await pod.called(2, "sleep", "1");
    script.terminate();
    assert.equal((await script.ended).status, 143);
    assert.deepEqual(pod.calls("task"), []);
  });

  const free = { flux: { noWaitSocket: true } };

  it("starts at once with noWaitSocket, in the environment of flux-view.sh", async () => {
    const commands = { init: "export A=1; f() { task f; }", servicePre: "f; export B=$A; command -v flux >flux.txt" };
    const pod = aPodWithSidecar({ command: "task serve", commands }, free);
    const script = pod.start(start, { env: { STUB_SEEN: "A B" } });
    await pod.called(1, "sleep", "3600");
    script.terminate();
    await script.ended;
    assert.deepEqual(
      pod.calls("task").map(({ words }) => words[1]),
      ["f", "serve"],
    );
    const { A, B, fluxsocket, PATH, LD_LIBRARY_PATH } = pod.calls("task", "serve")[0]!.env;
    assert.deepEqual([A, B], ["1", "1"]);
    assert.equal(fluxsocket, `local://${podPath.run}/local`);
    assert.equal(PATH, `/bin:${podPath.view}/bin`);
    assert.equal(LD_LIBRARY_PATH, `${podPath.view}/lib`);
    assert.equal(fs.readFileSync(pod.at("/job/flux.txt"), "utf8").trim(), pod.at(`${podPath.view}/bin/flux`));
  });

  it("gives its command the time to end itself", async () => {
    const script = [
      "trap 'task ending; sleep 1; task ended; exit 0' TERM",
      "task up",
      "while true; do sleep 0.1; done",
    ].join("\n");
    const pod = aPodWithSidecar({ commands: { script } }, free);
    const running = pod.start(start, { env: { STUB_PAUSE: "0.2" } });
    await pod.called(1, "task", "up");
    // What a container does after the end of its first process does not count.
    const tasks = once(running.process, "exit").then(() => pod.calls("task").map(({ words }) => words[1]));
    running.terminate();
    assert.deepEqual(await tasks, ["up", "ending", "ended"]);
    assert.equal((await running.ended).status, 143);
  });

  it("ends while its preparation runs", async () => {
    const pod = aPodWithSidecar(
      { command: "task serve", commands: { servicePre: "task pre; while true; do sleep 1; done" } },
      free,
    );
    const script = pod.start(start);
    await pod.called(1, "task", "pre");
    script.terminate();
    assert.equal((await script.ended).status, 143);
  });

  it("ends with its command's status in strict mode, to be started again", async () => {
    const pod = aPodWithSidecar({ command: "task serve", commands: { post: "task post" } }, free);
    const run = await pod.run(start, { env: { STUB_TASK: "4" } });
    assert.equal(run.status, 4);
    assert.equal(pod.calls("task").length, 1);
  });

  it("stays when its command has failed, without strict mode", async () => {
    const pod = aPodWithSidecar(
      { command: "task serve", commands: { post: "task post; exit 1" } },
      { ...free, logging: { strict: false } },
    );
    const script = pod.start(start, { env: { STUB_TASK: "4" } });
    await pod.called(1, "sleep", "3600");
    script.terminate();
    assert.equal((await script.ended).status, 143);
    assert.equal(pod.calls("task").length, 2);
  });

  it("may use names of ours in its own code", async () => {
    const clash = "child=7 socket=7 command=7; log() { exit 9; }; leave() { exit 9; }";
    const pod = aPodWithSidecar(
      { command: "task serve", commands: { init: clash, servicePre: clash, post: clash } },
      free,
    );
    const script = pod.start(start);
    await pod.called(1, "sleep", "3600");
    script.terminate();
    assert.equal((await script.ended).status, 143);
  });

  it("prints nothing of ours in a quiet cluster", async () => {
    const commands = { init: "echo init", servicePre: "echo servicePre >&2", post: "echo post" };
    const pod = aPodWithSidecar({ command: "echo served", commands }, { ...free, logging: { quiet: true } });
    const script = pod.start(start);
    await pod.called(1, "sleep", "3600");
    script.terminate();
    const run = await script.ended;
    assert.deepEqual([run.stdout, run.stderr], ["served\npost\n", ""]);
  });

  it("uses the image's own Flux where the view is disabled", async () => {
    const pod = aPodWithSidecar(
      { command: "task serve" },
      { flux: { noWaitSocket: true, container: { disable: true } } },
    );
    const script = pod.start(start);
    await pod.called(1, "sleep", "3600");
    script.terminate();
    await script.ended;
    const { PATH, LD_LIBRARY_PATH, fluxsocket } = pod.calls("task")[0]!.env;
    assert.deepEqual([PATH, LD_LIBRARY_PATH, fluxsocket], ["/bin", undefined, `local://${podPath.run}/local`]);
  });
});
