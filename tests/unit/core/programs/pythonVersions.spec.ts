import * as assert from "node:assert/strict";
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { waitFor } from "../../../sandbox/waiting";
import { programArchive, programTexts } from "../../../../provider/core/programs";
import { request, submit, textOf, withConsole } from "../../../support/consoleServer";
import { fluxBindings, programs, pythonSources } from "../../../support/pythonPrograms";

/** A version of Python, on PATH or as pyenv installs it. */
function findPython(version: string): string | undefined {
  const { PYENV_ROOT = path.join(os.homedir(), ".pyenv") } = process.env;
  const folder = path.join(PYENV_ROOT, "versions");
  const installed = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const own = installed.filter((name) => name.startsWith(`${version}.`));
  const found = [`python${version}`, ...own.map((name) => path.join(folder, name, "bin/python3"))];
  return found.find((program) => spawnSync(program, ["-c", ""]).status === 0);
}

const names = ["agent", "console", "lead"] as const;

/** A Python text that imports modules from an archive, and prints their number. */
const importing = (modules: string[]) => `
import importlib, sys
found = [importlib.import_module(name) for name in ${JSON.stringify(modules)}]
assert all(".pyz/" in module.__file__ for module in found), found
print(len(found))
`;

describe("the programs of the pods with other versions of Python", function () {
  this.timeout(180_000);

  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "archives-"));
  const archive = (name: string) => path.join(directory, `${name}.pyz`);
  const other = path.join(directory, "other");
  before(() => {
    for (const name of names) fs.writeFileSync(archive(name), programArchive(programs[name]));
    fs.mkdirSync(path.join(other, "core/programs"), { recursive: true });
    fs.writeFileSync(path.join(other, "core/__init__.py"), "raise ImportError('of another package')\n");
  });
  after(() => fs.rmSync(directory, { recursive: true }));

  it("serves events and output on the oldest version of Python that is supported", function () {
    const python = findPython("3.8");
    if (python === undefined) {
      console.log("      no Python 3.8 on this machine");
      this.skip();
    }
    return withConsole(
      async (server) => {
        const [events, line] = await request(server, "guest", "/v1/events");
        assert.equal(line, "HTTP/1.1 200 -");
        const job = await submit(server, { command: ["echo", "there"] });
        assert.equal(await textOf(server, `/v1/jobs/${job}/output/stream`), "there\n");
        let text = "";
        events.on("data", (piece: Buffer) => (text += piece.toString()));
        await submit(server, { command: ["true"] });
        await waitFor("the events of a job", () => Promise.resolve(text.includes("event: jobs")), 30_000);
        events.destroy();
      },
      {},
      python,
    );
  });

  // Each program in an archive starts with the oldest version that is supported, and with newer ones.
  for (const version of ["3.8", "3.9", "3.11", "3.12", "3.13"])
    it(`imports every module of each program with Python ${version}`, function () {
      const python = findPython(version);
      if (python === undefined) {
        console.log(`      no Python ${version} on this machine`);
        this.skip();
      }
      for (const name of names) {
        const modules = Object.keys(programTexts(programs[name])).filter((file) =>
          /^\w+\/programs\/[a-z]+\.py$/.test(file),
        );
        const program = importing(modules.map((file) => file.replace(/\.py$/, "").replaceAll("/", ".")));
        // As with an image of a user: another package of the same name is on the path.
        // The agent also runs in images without Flux.
        const PYTHONPATH = [archive(name), other, ...(name === "agent" ? [] : [fluxBindings])].join(":");
        const env = { ...process.env, PYTHONPATH, FLUX_STAND_IN: "/dev/null" };
        const run: SpawnSyncReturns<string> = spawnSync(python, ["-B", "-c", program], { env, encoding: "utf8" });
        assert.equal(run.stderr, "", name);
        assert.equal(run.stdout, `${modules.length}\n`);
      }
    });

  it("ends each program with a sentence on a Python that is too old", function () {
    const python = findPython("3.6") ?? findPython("3.7");
    if (python === undefined) {
      console.log("      no Python before 3.8 on this machine");
      this.skip();
    }
    for (const program of [...names.map(archive), path.join(pythonSources, "study/programs/study.py")]) {
      const env = { ...process.env, PYTHONPATH: fluxBindings, FLUX_STAND_IN: "/dev/null" };
      const { status, stderr }: SpawnSyncReturns<string> = spawnSync(python, ["-B", program], {
        env,
        encoding: "utf8",
      });
      assert.equal(status, 1, program);
      assert.match(stderr, /^minicluster: this program requires Python 3\.8 or later, and here is 3\.[67]\.\d+\n$/);
    }
  });
});
