import * as assert from "node:assert/strict";
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

const root = path.join(__dirname, "../..");

/** Builds each cluster of the tests, and prints those that have a console, and the errors. */
const building = `
const { allClusters, scenarios } = require("./tests/support/everything");
const { manifestsOf } = require("./tests/support/manifests");
require("./provider");
const found = { built: 0, errors: {} };
for (const [name, args] of Object.entries({ ...allClusters, ...scenarios }))
  try {
    manifestsOf(args);
    found.built += 1;
    if (args.console) found.errors[name] = "none";
  } catch (error) {
    found.errors[name] = args.console ? error.message : error.stack;
  }
console.log(JSON.stringify(found));
`;

describe("a fresh clone, in which nothing is built", function () {
  this.timeout(120_000);

  it("builds every cluster without a console, and names the command for the others", () => {
    const clone = fs.mkdtempSync(path.join(os.tmpdir(), "clone-"));
    try {
      for (const name of ["provider", "tests/support", "tests/data", "tests/sandbox", "package.json", "tsconfig.json"])
        fs.cpSync(path.join(root, name), path.join(clone, name), { recursive: true });
      fs.symlinkSync(path.join(root, "node_modules"), path.join(clone, "node_modules"));
      const words = ["--require", "tsx/cjs", "--eval", building];
      const run: SpawnSyncReturns<string> = spawnSync("node", words, { cwd: clone, encoding: "utf8" });
      assert.equal(run.stderr, "");
      const { built, errors } = JSON.parse(run.stdout) as { built: number; errors: Record<string, string> };
      assert.ok(built > 10, `${built} clusters`);
      const notBuilt = "the web page of the console is not built; run `npm run prepare` first";
      assert.deepEqual([...new Set(Object.values(errors))], [notBuilt]);
    } finally {
      fs.rmSync(clone, { recursive: true });
    }
  });
});
