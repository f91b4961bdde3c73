import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs } from "../../../../provider";
import { files, podPath } from "../../../support/scripts/paths";
import { aFreshPod, aPodWithViewVolume, type Pod } from "../../../support/scripts/pod";
import { openToAnybody } from "../../../support/scripts/root";

// Whom the pods of a restricted cluster run as. Where the tests do not run as root, they are an ordinary user themselves.
const user = 1000;

const args: Partial<MiniClusterArgs> = { podSecurity: "restricted" };

describe("scripts that run as an ordinary user", () => {
  async function runsThrough(pod: Pod): Promise<void> {
    const run = await pod.run(files.broker, { user, env: { HOME: "/" } });
    assert.deepEqual([run.status, run.stderr], [0, ""]);
    const [start] = pod.calls("flux", "start");
    assert.equal(start?.env["HOME"], podPath.home);
    const certificate = fs.statSync(pod.at(podPath.certificate));
    assert.equal(certificate.mode & 0o077, 0);
    const owner = process.getuid?.() === 0 ? user : process.getuid?.();
    for (const path of [podPath.certificate, podPath.run, podPath.state, podPath.resources, podPath.home])
      assert.equal(fs.statSync(pod.at(path)).uid, owner, path);
  }

  it("copy the view, keep the certificate to themselves, and start the broker", async () => {
    const pod = aFreshPod(args);
    openToAnybody(pod.at("/"));
    const view = await pod.run(files.view, { user });
    assert.deepEqual(view, { status: 0, signal: null, stdout: "", stderr: "" });
    await runsThrough(pod);
  });

  it("start the broker from a view that is mounted", async () => {
    const pod = aPodWithViewVolume("an absolute link", args);
    openToAnybody(pod.at("/"));
    await runsThrough(pod);
  });

  it("start again in the same pod", async () => {
    const pod = aFreshPod(args);
    openToAnybody(pod.at("/"));
    assert.equal((await pod.run(files.view, { user })).status, 0);
    const first = await pod.run(files.broker, { user });
    assert.deepEqual([first.status, first.stderr], [0, ""]);
    const view = await pod.run(files.view, { user });
    assert.deepEqual([view.status, view.stderr], [0, ""]);
    const second = await pod.run(files.broker, { user });
    assert.deepEqual([second.status, second.stderr], [0, ""]);
  });
});
