import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files, podPath } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";

describe("ready.sh", () => {
  const pod = aPod({ size: 4 });
  const uptime = (state: string) => ` 07:13:39 ${state} 1.2m,  owner root,  depth 0,  size 4\n`;
  const others = ["join", "init", "quorum", "cleanup", "shutdown", "runaway"];
  const cases: [printed: string, status: number, isReady: boolean][] = [
    [`${uptime("run")} 1 drained\n`, 0, true],
    [uptime("run").trimEnd(), 0, true],
    ...others.map((state): (typeof cases)[number] => [uptime(state), 0, false]),
    ["", 0, false],
    ["", 1, false],
  ];
  for (const [printed, status, isReady] of cases)
    it(`says ${isReady ? "yes" : "no"} to ${JSON.stringify(printed)}, with status ${status}`, async () => {
      const env = { STUB_UPTIME: printed, STUB_UPTIME_STATUS: String(status) };
      const run = await pod.run(files.ready, { env, rank: 2 });
      assert.deepEqual([run.status === 0, run.stdout + run.stderr], [isReady, ""]);
    });

  for (const [disableSocket, socket] of [
    [false, "local"],
    [true, "local-2"],
  ] as const)
    // prettier-ignore
    it(`asks the broker of its own rank at ${socket}`, async () => {
      const asked = aPod({ size: 4, flux: { disableSocket } });
      await asked.run(files.ready, { rank: 2 });
      const [call] = asked.calls("flux", "uptime");
      assert.equal(call?.env.FLUX_URI, `local://${podPath.run}/${socket}`);
      assert.equal(call?.env.LD_LIBRARY_PATH, `${podPath.view}/lib`);
    });
});

it("flux-connect.sh opens a shell through the broker's socket, by the image's own Flux where it has one", async () => {
  for (const disable of [false, true]) {
    const pod = aPod({ flux: { container: { disable } } });
    assert.equal((await pod.run(files.connect)).status, 0);
    const [call] = pod.calls("flux");
    assert.deepEqual(call?.words, ["flux", "proxy", `local://${podPath.run}/local`, "bash"]);
    assert.equal(call.env.FLUX_RC_EXTRA, disable ? undefined : `${podPath.view}/etc/flux/rc1.d`);
  }
});

it("flux-view.sh can be sourced under strict mode, with none of its variables set before", async () => {
  const pod = aPod();
  const file = pod.at(`/etc/minicluster/config/${files.environment}`);
  fs.writeFileSync(pod.at("/etc/minicluster/config/people.sh"), `set -eEuo pipefail\n. ${file}\ntask\n`);
  const run = await pod.run("people.sh");
  assert.equal(run.status, 0, run.stderr);
  const { PATH, PYTHONPATH, FLUX_RC_EXTRA, fluxsocket } = pod.calls("task")[0]!.env;
  const { view } = podPath;
  assert.deepEqual([PATH, PYTHONPATH], [`/bin:${view}/bin`, `${view}/lib/python3.11/site-packages`]);
  assert.deepEqual([FLUX_RC_EXTRA, fluxsocket], [`${view}/etc/flux/rc1.d`, `local://${podPath.run}/local`]);
});
