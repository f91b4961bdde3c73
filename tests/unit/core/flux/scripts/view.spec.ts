import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs } from "../../../../../provider";
import { aContainer } from "../../../../support/fixtures";
import { files, podPath } from "../../../../support/scripts/paths";
import { aFreshPod, aPodWithViewVolume, type Pod } from "../../../../support/scripts/pod";
import { openToAnybody, type ViewForm } from "../../../../support/scripts/root";

const { view } = podPath;
const well = { status: 0, signal: null, stdout: "", stderr: "" };

describe("view script", () => {
  it("copies the view, a link, and the software that its programs link to, over an unfinished copy", async () => {
    const pod = aFreshPod();
    for (const directory of ["view/bin", "software/.spack", "software/old"])
      fs.mkdirSync(pod.at(`/mnt/flux/${directory}`), { recursive: true });
    fs.writeFileSync(pod.at(`${view}/half`), "");
    for (let start = 0; start < 2; start++) assert.deepEqual(await pod.run(files.view), well);
    assert.ok(fs.lstatSync(pod.at(view)).isDirectory());
    assert.deepEqual(fs.readdirSync(pod.at(view)).sort(), ["bin", "etc", "lib"]);
    assert.ok(fs.lstatSync(pod.at(`${view}/bin/flux`)).isSymbolicLink());
    assert.deepEqual(fs.readdirSync(pod.at("/mnt/flux/software")).sort(), [".spack", "flux-1.0"]);
    assert.ok(fs.statSync(pod.at("/mnt/flux/software/flux-1.0/bin/flux")).mode & 0o100);
    assert.equal(fs.readFileSync(pod.at("/mnt/flux/software/.spack"), "utf8"), "installed\n");
  });

  it("takes a view that brings no software beside it", async () => {
    const pod = aFreshPod();
    fs.rmSync(pod.at("/opt/software"), { recursive: true });
    assert.equal((await pod.run(files.view)).status, 0);
    assert.deepEqual(fs.readdirSync(pod.at("/mnt/flux/software")), []);
  });

  it("fails if the image has no view, also without strict mode", async () => {
    const pod = aFreshPod({ logging: { strict: false } });
    fs.rmSync(pod.at("/opt/view"));
    const run = await pod.run(files.view);
    assert.notEqual(run.status, 0);
    assert.match(run.stderr, /\/opt\/view/);
  });

  it("works at a mount path that bash would take apart", async () => {
    const pod = aFreshPod({}, "/mnt/the user's $HOME; *");
    assert.equal((await pod.run(files.view)).status, 0);
    await pod.broker();
  });
});

describe("view that is mounted as an image", () => {
  const linked = "/etc/minicluster/view/opt/._view/abc";
  const withSidecar: Partial<MiniClusterArgs> = {
    flux: { noWaitSocket: true },
    containers: [aContainer({ runFlux: true }), { image: "i", name: "side", command: "task side" }],
  };
  /** Where the view's link leads. */
  const linkOf = (pod: Pod) => fs.readlinkSync(pod.at(view)).replace(pod.at("/"), "");

  const forms: ViewForm[] = ["an absolute link", "a relative link", "a directory"];
  for (const form of forms)
    it(`is found where /opt/view is ${form}, with its programs and modules, by an early sidecar as well`, async () => {
      const place = form === "a directory" ? "/etc/minicluster/view/opt/view" : linked;
      const pod = aPodWithViewVolume(form, withSidecar);
      assert.ok(!fs.existsSync(pod.at(`/etc/minicluster/config/${files.view}`)));
      assert.equal((await pod.leave(files.sidecar("side"), {}, 1, "sleep", "3600")).stderr, "");
      assert.equal(linkOf(pod), place);
      assert.equal(pod.calls("task", "side")[0]?.env.LD_LIBRARY_PATH, `${view}/lib`);
      const { PATH, PYTHONPATH } = (await pod.broker()).env;
      assert.equal(fs.realpathSync(pod.at(view)), pod.at(place));
      assert.deepEqual([PATH, PYTHONPATH], [`/bin:${view}/bin`, `${view}/lib/python3.11/site-packages`]);
      // Those for people, which the container that runs Flux leaves.
      assert.ok(fs.existsSync(pod.at(`/mnt/flux/${files.environment}`)));
    });

  it("is not linked through the link that another container has just made", async () => {
    const pod = aPodWithViewVolume("an absolute link");
    const readlink = pod.at("/bin/readlink");
    const program = fs.realpathSync(readlink);
    fs.rmSync(readlink);
    // The other container comes between the look and the link.
    const other = `#!${process.execPath}
      const [target, link] = ${JSON.stringify([pod.at(linked), pod.at(view)])};
      if (!require("node:fs").existsSync(link)) require("node:fs").symlinkSync(target, link);
      require("node:child_process")
         .execFileSync(${JSON.stringify(program)}, process.argv.slice(2), { stdio: "inherit" });
    `;
    fs.writeFileSync(readlink, other, { mode: 0o755 });
    assert.equal((await pod.run(files.broker)).stderr, "");
    assert.equal(linkOf(pod), linked);
    assert.deepEqual(fs.readdirSync(pod.at(linked)).sort(), ["bin", "etc", "lib"]);
  });

  it("keeps its link when a container restarts, and replaces a broken link", async () => {
    const pod = aPodWithViewVolume("a relative link");
    for (const before of ["nothing", "its own link", "a link to nowhere"]) {
      if (before === "a link to nowhere") {
        fs.rmSync(pod.at(view));
        fs.symlinkSync("/gone", pod.at(view));
      }
      assert.equal((await pod.run(files.broker)).stderr, "", before);
      assert.equal(linkOf(pod), linked);
    }
  });
});

describe("scripts that run as an ordinary user", () => {
  // The user of the pods of a restricted cluster. Tests that do not run as root are an ordinary user already.
  const user = 1000;

  for (const isCopied of [true, false])
    it(`start a broker from a ${isCopied ? "copied" : "mounted"} view, twice in a pod, with private keys`, async () => {
      const args = { podSecurity: "restricted" } as const;
      const pod = isCopied ? aFreshPod(args) : aPodWithViewVolume("an absolute link", args);
      openToAnybody(pod.at("/"));
      for (let start = 0; start < 2; start++) {
        if (isCopied) assert.deepEqual(await pod.run(files.view, { user }), well);
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
