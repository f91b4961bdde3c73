import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as path from "node:path";

/** What a program prints, in a Node.js that loads ES modules only with `import`, as those before 20.19 and 22.12. */
function printedByOldNode(program: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ["--no-experimental-require-module", "--eval", program], {
    cwd: path.join(__dirname, "../../.."),
    encoding: "utf8",
  });
  return stdout + stderr;
}

describe("a Node.js that is too old", () => {
  it("is named with the versions to use when a program has a command for bash to read", () =>
    assert.match(
      printedByOldNode('require("./bin/provider/shared/bash").bash()'),
      /minicluster needs Node\.js 20\.19, 22\.12 or newer; this is v/,
    ));

  it("is named before the packages are installed", () =>
    assert.equal(
      printedByOldNode('import("./tests/setup.mjs")'),
      `minicluster needs Node.js 20.19, 22.12 or newer; this is ${process.version}\n`,
    ));
});
