import * as assert from "node:assert/strict";
import { renderConfigFiles } from "../../../../../provider/core/flux/configFiles";
import { aMiniCluster } from "../../../../support/fixtures";
import { podPath } from "../../../../support/scripts/paths";
import { aPod } from "../../../../support/scripts/pod";

const filesOf = (args: Parameters<typeof aMiniCluster>[0]) => Object.keys(renderConfigFiles(aMiniCluster(args)));

describe("queue.sh", () => {
  it("reads the queue of the broker of its pod, by the image's own Flux where it has one", async () => {
    for (const disable of [false, true]) {
      const pod = aPod({ flux: { container: { disable } } });
      await pod.run("queue.sh");
      assert.deepEqual(pod.wordsOf("flux"), ["python /etc/minicluster/config/read-queue.py"]);
      const { env } = pod.calls("flux")[0]!;
      assert.equal(env.FLUX_URI, `local://${podPath.run}/local`);
      assert.equal(env.PYTHONPATH, disable ? undefined : `${podPath.view}/lib/python3.11/site-packages`);
    }
  });

  it("is a file of a cluster without a forecast as well, so that the argument restarts no broker", () => {
    const has = (args: object) => filesOf(args).filter((file) => /queue/.test(file));
    for (const args of [{}, { forecast: false }]) assert.deepEqual(has(args), ["queue.sh", "read-queue.py"]);
  });

  it("runs a program that replaces no module of Python: its directory is in Python's path", () =>
    assert.deepEqual(
      filesOf({}).filter((file) => /^\w+\.py$/.test(file)),
      [],
    ));
});
