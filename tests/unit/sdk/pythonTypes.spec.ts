import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { cacheDirectory } from "../../sandbox/build/cacheDirectory";
import { fences } from "../../support/fences";
import { pythonWithPulumi } from "../../support/languages/python";

const root = path.resolve(__dirname, "../../..");

describe("A checker of types in Python", function () {
  // The interpreter may have to be installed.
  this.timeout(10 * 60_000);

  let python: string;
  let directory: string;
  before(async () => {
    python = await pythonWithPulumi();
    directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-types-"));
  });
  after(() => fs.rmSync(directory, { recursive: true }));

  /** What it says of some programs, by name. */
  function said(programs: Record<string, string>): string[] {
    const files = Object.entries(programs).map(([name, text]) => {
      const file = path.join(directory, `${name}.py`);
      fs.writeFileSync(file, text);
      return file;
    });
    const paths = ["sdk/python", "tests/support/fluxPython"].map((folder) => path.join(root, folder));
    const env = { ...process.env, MYPYPATH: paths.join(path.delimiter) };
    // Most of its time is for the SDK of Pulumi, of which the result is the same in each run.
    const cache = path.join(cacheDirectory(), "mypy");
    const flags = ["--strict", "--follow-imports=silent", "--no-error-summary", "--cache-dir", cache];
    const { stdout, stderr } = spawnSync(python, ["-m", "mypy", ...flags, ...files], { env, encoding: "utf8" });
    assert.equal(stderr, "");
    return stdout.split("\n").filter((line) => line !== "");
  }

  const read = (...file: string[]) => fs.readFileSync(path.join(root, ...file), "utf8");

  it("accepts what the pages, the examples and the tests write", () => {
    const written = fences().filter(({ language }) => language === "python");
    assert.ok(written.length >= 2);
    const programs = {
      documented: read("tests/support/languages/python/types/documented.py"),
      typed: read("tests/support/languages/python/programs/typed/__main__.py"),
      hello: read("examples/hello-python/__main__.py"),
      lammps: read("examples/lammps-python/__main__.py"),
      eksStack: read("examples/eks-stack-python/__main__.py"),
      gkeStack: read("examples/gke-stack-python/__main__.py"),
      template: read("templates/minicluster-python/__main__.py"),
      ...Object.fromEntries(written.map(({ text, place }) => [place.replace(/\W+/g, "_"), text])),
    };
    assert.deepEqual(said(programs), []);
  });

  it("refuses what the schema does not have", () => {
    const program = 'from pulumi_minicluster import MiniCluster\n\nMiniCluster("a", containers=[], size="two")\n';
    assert.match(said({ wrong: program }).join("\n"), /No overload variant of "MiniCluster" matches/);
  });
});
