import * as assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import * as net from "node:net";
import * as path from "node:path";
import { files, podPath } from "../../../../support/scripts/paths";
import { aPod } from "../../../../support/scripts/pod";

const { run, view } = podPath;

describe("ready.sh", () => {
  it("succeeds if the broker's state is run, and fails for any other state or without a response", async () => {
    const pod = aPod({ size: 4 });
    const uptime = (state: string) => ` 07:13:39 ${state} 1.2m,  owner root,  depth 0,  size 4\n`;
    const good = [`${uptime("run")} 1 drained\n`, uptime("run").trimEnd()];
    for (const printed of [...good, ...["join", "quorum", "cleanup", "runaway"].map(uptime), ""]) {
      const { status, stdout, stderr } = await pod.run(files.ready, { env: { STUB_UPTIME: printed }, rank: 2 });
      assert.deepEqual([status === 0, stdout + stderr], [good.includes(printed), ""], printed);
    }
  });

  it("uses Python if flux uptime crashes, and only with a broker", async () => {
    const pod = aPod({ size: 4 });
    const isReady = async (state: string) => {
      const env = { STUB_UPTIME_STATUS: "139", STUB_STATE: state };
      return (await pod.run(files.ready, { rank: 2, env })).status === 0;
    };
    assert.deepEqual([await isReady("run"), pod.wordsOf("flux")], [false, ["uptime"]]);
    const socket = pod.at(`${run}/local`);
    fs.mkdirSync(path.dirname(socket), { recursive: true });
    const broker = net.createServer().listen(socket);
    await once(broker, "listening");
    assert.deepEqual([await isReady("run"), await isReady("join")], [true, false]);
    broker.close();
  });

  for (const disableSocket of [false, true])
    it(`connects to the broker of its rank, disableSocket: ${disableSocket}`, async () => {
      const asked = aPod({ size: 4, flux: { disableSocket } });
      await asked.run(files.ready, { rank: 2, env: { STUB_UPTIME_STATUS: "1" } });
      const { env } = asked.calls("flux", "uptime")[0]!;
      const socket = disableSocket ? "local-2" : "local";
      assert.deepEqual([env.FLUX_URI, env.LD_LIBRARY_PATH], [`local://${run}/${socket}`, `${view}/lib`]);
    });
});

it("flux-connect.sh opens a shell through the broker's socket, by the image's own Flux where it has one", async () => {
  for (const disable of [false, true]) {
    const pod = aPod({ flux: { container: { disable } } });
    assert.equal((await pod.run(files.connect)).status, 0);
    assert.deepEqual(pod.wordsOf("flux"), [`proxy local://${run}/local bash`]);
    assert.equal(pod.calls("flux")[0]?.env.PYTHONPATH, disable ? undefined : `${view}/lib/python3.11/site-packages`);
  }
});

it("flux-view.sh can be sourced under strict mode, with none of its variables set before", async () => {
  const pod = aPod();
  const file = pod.at(`/etc/minicluster/config/${files.environment}`);
  fs.writeFileSync(pod.at("/etc/minicluster/config/people.sh"), `set -eEuo pipefail\n. ${file}\ntask\n`);
  const { status, stderr } = await pod.run("people.sh");
  assert.equal(status, 0, stderr);
  const { PATH, PYTHONPATH, fluxsocket } = pod.calls("task")[0]!.env;
  assert.deepEqual([PATH, PYTHONPATH], [`/bin:${view}/bin`, `${view}/lib/python3.11/site-packages`]);
  assert.equal(fluxsocket, `local://${run}/local`);
});
