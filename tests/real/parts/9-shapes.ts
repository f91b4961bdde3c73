import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";

import { viewVariable } from "../../sandbox/real";
import { waitFor } from "../../sandbox/waiting";
import { jobShapes, shapeHosts } from "../../support/jobShapes";
import { rowWithCluster } from "../rows";

const folder = path.resolve(__dirname, "../../support/fluxReal");
const programs = "/etc/minicluster/programs/lead.pyz";

/**
 * The result of a shape: the size that the demand program found, and whether the jobs ran with it, and not with one
 * host less.
 */
interface Tried {
  needed?: number;
  never?: boolean;
  least?: boolean;
  ran?: boolean;
  error?: string;
}

// A separate instance in the lead's pod, with described hosts, so that shapes of many hosts need no nodes.
describe("the size for jobs", function () {
  this.timeout(900_000);
  if (process.env[viewVariable] === undefined) return void it.skip(`no real Flux: ${viewVariable} leads to none`);

  const test = rowWithCluster({ interactive: true, autoscale: { min: 1, max: 2 }, wait: "none" });

  test("is the least on which they run with the real scheduler, for every shape of jobs", async (cluster) => {
    await cluster.ready(1);
    const files = {
      ...Object.fromEntries(
        ["start.sh", "shapes.py"].map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]),
      ),
      "table.json": JSON.stringify({ hosts: shapeHosts.count, shapes: jobShapes }),
    };
    for (const [name, text] of Object.entries(files)) {
      const code = Buffer.from(text).toString("base64");
      await cluster.bash(
        0,
        `mkdir -p /tmp/shapes && flux python -c 'import base64, sys
open("/tmp/shapes/${name}", "wb").write(base64.b64decode(sys.argv[1]))' ${code}`,
      );
    }
    const start = `bash /tmp/shapes/start.sh /tmp/shapes shapes.py ${programs} table.json`;
    await cluster.bash(0, `cd /tmp/shapes; unset FLUX_URI; { ${start}; echo $? >status; } >out 2>log </dev/null &`);
    const look = () => cluster.bash(0, "cat /tmp/shapes/status || true");
    await waitFor("all shapes to be tried", async () => (await look()).trim() !== "", 800_000, 5_000);
    const said = await cluster.bash(0, "cd /tmp/shapes; if [[ $(<status) == 0 ]]; then cat out; else cat log; fi");
    const tried = JSON.parse(said.trim().split("\n").at(-1) ?? "") as Tried[];
    assert.equal(tried.length, jobShapes.length);
    for (const [place, { pending, size, waits }] of jobShapes.entries()) {
      const runs = waits === undefined ? { least: true, ran: true } : { ran: waits === "others" };
      assert.deepEqual(tried[place], { needed: size, never: waits === "never", ...runs }, pending.join(" and "));
    }
  });
});
