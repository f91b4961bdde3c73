import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files, podPath } from "../../../support/scripts/paths";
import { aPod } from "../../../support/scripts/pod";

const uptime = (state: string) => ` 07:13:39 ${state} 1.2m,  owner root,  depth 0,  size 4\n`;

describe("ready.sh", () => {
  const pod = aPod({ size: 4 });
  const cases: [name: string, printed: string, status: number, ready: boolean][] = [
    ["run", uptime("run"), 0, true],
    ["run with drained nodes", `${uptime("run")} 1 drained\n`, 0, true],
    ["run without a newline", uptime("run").trimEnd(), 0, true],
    ["join", uptime("join"), 0, false],
    ["init", uptime("init"), 0, false],
    ["quorum", uptime("quorum"), 0, false],
    ["cleanup", uptime("cleanup"), 0, false],
    ["shutdown", uptime("shutdown"), 0, false],
    ["runaway", uptime("runaway"), 0, false],
    ["nothing", "", 0, false],
    ["nothing, when flux fails", "", 1, false],
  ];
  for (const [name, printed, status, ready] of cases)
    it(`says ${ready ? "yes" : "no"} to ${name}`, async () => {
      const env = { STUB_UPTIME: printed, STUB_UPTIME_STATUS: String(status) };
      const run = await pod.run(files.ready, { env, rank: 2 });
      assert.equal(run.status === 0, ready);
      assert.equal(run.stdout + run.stderr, "");
    });

  it("says no, and nothing else, when there is no flux", async () => {
    const without = aPod();
    fs.rmSync(without.at(`${podPath.view}/bin/flux`));
    const run = await without.run(files.ready);
    assert.notEqual(run.status, 0);
    assert.equal(run.stdout, "");
  });

  const uris: [disableSocket: boolean, uri: string][] = [
    [false, `local://${podPath.run}/local`],
    [true, `local://${podPath.run}/local-2`],
  ];
  for (const [disableSocket, uri] of uris)
    it(`asks the broker of its own rank at ${uri}`, async () => {
      const asked = aPod({ size: 4, flux: { disableSocket } });
      await asked.run(files.ready, { rank: 2 });
      const [call] = asked.calls("flux", "uptime");
      assert.equal(call?.env.FLUX_URI, uri);
      assert.equal(call?.env.LD_LIBRARY_PATH, `${podPath.view}/lib`);
    });
});

describe("flux-connect.sh", () => {
  it("opens a shell through the broker's socket", async () => {
    const pod = aPod();
    assert.equal((await pod.run(files.connect)).status, 0);
    assert.deepEqual(pod.calls("flux")[0]?.words, ["flux", "proxy", `local://${podPath.run}/local`, "bash"]);
  });

  it("does so where the image has Flux itself", async () => {
    const pod = aPod({ flux: { container: { disable: true } } });
    assert.equal((await pod.run(files.connect)).status, 0);
    assert.equal(pod.calls("flux", "proxy")[0]?.env.FLUX_RC_EXTRA, undefined);
  });
});

describe("flux-view.sh", () => {
  it("can be sourced under strict mode, with none of its variables set before", async () => {
    const pod = aPod();
    const file = pod.at(`/etc/minicluster/config/${files.environment}`);
    fs.writeFileSync(pod.at("/etc/minicluster/config/people.sh"), `set -eEuo pipefail\n. ${file}\ntask\n`);
    const run = await pod.run("people.sh");
    assert.equal(run.status, 0, run.stderr);
    const { PATH, PYTHONPATH, FLUX_RC_EXTRA, fluxsocket } = pod.calls("task")[0]!.env;
    assert.deepEqual(
      [PATH, PYTHONPATH, FLUX_RC_EXTRA, fluxsocket],
      [
        `/bin:${podPath.view}/bin`,
        `${podPath.view}/lib/python3.11/site-packages`,
        `${podPath.view}/etc/flux/rc1.d`,
        `local://${podPath.run}/local`,
      ],
    );
  });
});
