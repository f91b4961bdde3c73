import * as assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { pythonWithPulumi } from "../../../../support/languages/python";

const root = path.resolve(__dirname, "../../../../..");
const programs = "provider/brokers/flux/programs";
const standIn = "tests/support/fluxPython";
const others = ["tests/support/fluxModel.py", "tests/support/fluxReal"];

describe("the Python programs of the pods, as files", function () {
  // The interpreter may have to be installed.
  this.timeout(10 * 60_000);

  async function check(...args: string[]) {
    const { stdout, stderr, status } = spawnSync(await pythonWithPulumi(), ["-m", ...args], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, MYPYPATH: standIn },
    });
    assert.equal(status, 0, stdout + stderr);
  }

  it("have nothing that ruff complains of", () => check("ruff", "check", "--no-cache", programs, standIn, ...others));

  it("have no type that mypy complains of, beside typed stand-ins of Flux's bindings", async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-mypy-"));
    const files = fs.readdirSync(path.join(root, programs)).filter((name) => name.endsWith(".py"));
    const all = [...files.map((name) => path.join(programs, name)), path.join(standIn, "flux")];
    await check("mypy", "--strict", "--cache-dir", directory, ...all);
    fs.rmSync(directory, { recursive: true });
  });

  it("are formatted by ruff", () => check("ruff", "format", "--check", "--no-cache", programs, standIn, ...others));
});
