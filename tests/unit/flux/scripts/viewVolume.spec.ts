import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import type { MiniClusterArgs } from "../../../../provider";
import { aContainer } from "../../../support/fixtures";
import { files, podPath } from "../../../support/scripts/paths";
import { aPodWithViewVolume, type Pod } from "../../../support/scripts/pod";
import type { ViewForm } from "../../../support/scripts/root";

const linked = "/etc/minicluster/view/opt/._view/abc";
const forms: [form: ViewForm, view: string][] = [
  ["an absolute link", linked],
  ["a relative link", linked],
  ["a directory", "/etc/minicluster/view/opt/view"],
];

const withSidecar: Partial<MiniClusterArgs> = {
  flux: { noWaitSocket: true },
  containers: [aContainer({ runFlux: true }), { image: "i", name: "side", command: "task side" }],
};

/** Where the view's link leads. */
const linkOf = (pod: Pod) => fs.readlinkSync(pod.at(podPath.view)).replace(pod.at("/"), "");

describe("view that is mounted as an image", () => {
  for (const [form, view] of forms)
    it(`is found where /opt/view is ${form}, with its programs and modules, by a sidecar that comes first as well`, async () => {
      const pod = aPodWithViewVolume(form, withSidecar);
      const script = pod.start(files.sidecar("side"));
      await pod.called(1, "sleep", "3600");
      script.terminate();
      assert.equal((await script.ended).stderr, "");
      assert.equal(linkOf(pod), view);
      assert.equal(pod.calls("task", "side")[0]?.env.LD_LIBRARY_PATH, `${podPath.view}/lib`);
      const run = await pod.run(files.broker);
      assert.deepEqual([run.status, run.stderr], [0, ""]);
      assert.equal(fs.realpathSync(pod.at(podPath.view)), pod.at(view));
      const { PATH, PYTHONPATH } = pod.calls("flux", "start")[0]!.env;
      assert.equal(PATH, `/bin:${podPath.view}/bin`);
      assert.equal(PYTHONPATH, `${podPath.view}/lib/python3.11/site-packages`);
    });

  it("is linked by several containers at one time", async () => {
    const pod = aPodWithViewVolume("an absolute link", withSidecar);
    const env = { STUB_UPTIME: " 07:13:39 run 1m,  owner root" };
    const sidecars = [1, 2, 3].map(() => pod.start(files.sidecar("side")));
    const probes = [1, 2, 3].map(() => pod.run(files.ready, { env }));
    assert.equal((await pod.run(files.broker)).status, 0);
    await pod.called(3, "sleep", "3600");
    sidecars.forEach((script) => script.terminate());
    for (const probe of probes) assert.equal((await probe).status, 0);
    for (const { ended } of sidecars) assert.equal((await ended).status, 143);
    assert.equal(linkOf(pod), linked);
  });

  it("is not linked through the link that another container has just made", async () => {
    const pod = aPodWithViewVolume("an absolute link");
    const readlink = pod.at("/bin/readlink");
    const program = fs.realpathSync(readlink);
    fs.rmSync(readlink);
    // The other container comes between the look and the link.
    const other = `#!${process.execPath}
      require("node:fs").symlinkSync(${JSON.stringify(pod.at(linked))}, ${JSON.stringify(pod.at(podPath.view))});
      require("node:child_process").execFileSync(${JSON.stringify(program)}, process.argv.slice(2), { stdio: "inherit" });
    `;
    fs.writeFileSync(readlink, other, { mode: 0o755 });
    const run = await pod.run(files.broker);
    assert.deepEqual([run.status, run.stderr], [0, ""]);
    assert.equal(linkOf(pod), linked);
    assert.deepEqual(fs.readdirSync(pod.at(linked)).sort(), ["bin", "etc", "lib"]);
  });

  it("keeps its link when a container starts again, and gets another one where the link leads nowhere", async () => {
    const pod = aPodWithViewVolume("a relative link");
    for (const before of ["nothing", "its own link", "a link to nowhere"]) {
      if (before === "a link to nowhere") {
        fs.rmSync(pod.at(podPath.view));
        fs.symlinkSync("/gone", pod.at(podPath.view));
      }
      const run = await pod.run(files.broker);
      assert.deepEqual([run.status, run.stderr], [0, ""], before);
      assert.equal(linkOf(pod), linked);
    }
  });

  it("brings no script that copies, and the container that runs Flux leaves the files for people", async () => {
    const pod = aPodWithViewVolume("a directory");
    assert.ok(!fs.existsSync(pod.at(`/etc/minicluster/config/${files.view}`)));
    assert.equal((await pod.run(files.broker)).status, 0);
    assert.ok(fs.existsSync(pod.at(`/mnt/flux/${files.environment}`)));
  });
});
