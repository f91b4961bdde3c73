import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import { files, podPath } from "../../../support/scripts/paths";
import { aFreshPod } from "../../../support/scripts/pod";

describe("view script", () => {
  it("copies the view, which is a link, and the software that its programs link to", async () => {
    const pod = aFreshPod();
    const run = await pod.run(files.view);
    assert.deepEqual(run, { status: 0, signal: null, stdout: "", stderr: "" });
    assert.ok(fs.lstatSync(pod.at(podPath.view)).isDirectory());
    assert.deepEqual(fs.readdirSync(pod.at(podPath.view)).sort(), ["bin", "etc", "lib"]);
    assert.ok(fs.lstatSync(pod.at(`${podPath.view}/bin/flux`)).isSymbolicLink());
    assert.ok(fs.statSync(pod.at("/mnt/flux/software/flux-1.0/bin/flux")).mode & 0o100);
    assert.equal(fs.readFileSync(pod.at("/mnt/flux/software/.spack"), "utf8"), "installed\n");
  });

  it("replaces what an init container left that was broken off", async () => {
    const pod = aFreshPod();
    for (const directory of ["view/bin", "software/.spack", "software/old"])
      fs.mkdirSync(pod.at(`/mnt/flux/${directory}`), { recursive: true });
    fs.writeFileSync(pod.at(`${podPath.view}/half`), "");
    assert.equal((await pod.run(files.view)).status, 0);
    assert.equal((await pod.run(files.view)).status, 0);
    assert.deepEqual(fs.readdirSync(pod.at("/mnt/flux/software")).sort(), [".spack", "flux-1.0"]);
    assert.deepEqual(fs.readdirSync(pod.at(podPath.view)).sort(), ["bin", "etc", "lib"]);
  });

  it("takes a view that brings no software beside it", async () => {
    const pod = aFreshPod();
    fs.rmSync(pod.at("/opt/software"), { recursive: true });
    assert.equal((await pod.run(files.view)).status, 0);
    assert.deepEqual(fs.readdirSync(pod.at("/mnt/flux/software")), []);
  });

  for (const strict of [true, false])
    it(`fails where the image has no view, strict mode ${strict ? "on" : "off"}`, async () => {
      const pod = aFreshPod({ logging: { strict } });
      fs.rmSync(pod.at("/opt/view"));
      const run = await pod.run(files.view);
      assert.notEqual(run.status, 0);
      assert.match(run.stderr, /\/opt\/view/);
    });

  it("works at a mount path that bash would take apart", async () => {
    const pod = aFreshPod({}, "/mnt/the user's $HOME; *");
    assert.equal((await pod.run(files.view)).status, 0);
    const run = await pod.run(files.broker);
    assert.equal(run.status, 0, run.stderr);
    assert.equal(pod.calls("flux", "start").length, 1);
  });
});
