import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files, podPath } from "../../../support/scripts/paths";
import { aFreshPod, aPodWithViewVolume, type Pod } from "../../../support/scripts/pod";
import { openToAnybody } from "../../../support/scripts/root";

// Whom the pods of a restricted cluster run as. Where the tests do not run as root, they are an ordinary user themselves.
const user = 1000;

describe("scripts that run as an ordinary user", () => {
  const pods: Record<string, () => Pod> = {
    "a view that they copy": () => aFreshPod({ podSecurity: "restricted" }),
    "a view that is mounted": () => aPodWithViewVolume("an absolute link", { podSecurity: "restricted" }),
  };
  for (const [name, make] of Object.entries(pods))
    it(`start the broker from ${name}, twice in a pod, and keep the certificate to themselves`, async () => {
      const pod = make();
      openToAnybody(pod.at("/"));
      for (let start = 0; start < 2; start++) {
        if (make === pods["a view that they copy"]) {
          const view = await pod.run(files.view, { user });
          assert.deepEqual(view, { status: 0, signal: null, stdout: "", stderr: "" });
        }
        const run = await pod.run(files.broker, { user, env: { HOME: "/" } });
        assert.deepEqual([run.status, run.stderr], [0, ""]);
      }
      assert.equal(pod.calls("flux", "start")[0]?.env["HOME"], podPath.home);
      assert.equal(fs.statSync(pod.at(podPath.certificate)).mode & 0o077, 0);
      const owner = process.getuid?.() === 0 ? user : process.getuid?.();
      for (const path of [podPath.certificate, podPath.run, podPath.state, podPath.resources, podPath.home])
        assert.equal(fs.statSync(pod.at(path)).uid, owner, path);
    });
});
